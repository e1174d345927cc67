"""k-means over equities against clusters of the rival's starting hands, in the last round.

Opponent cluster hand strength (Johanson et al. 2013). Starting hands are clustered by the
distribution of their final strength. With 52 cards the vectors of all hands would take gigabytes:
centres come from a sample of boards, then one pass over all boards assigns their hands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regretless.abstraction._clustering import arranged
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction._opponents import opponent_clusters, weak_to_strong
from regretless.abstraction.rounds._clusters import by_strength, clustered, distinct, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights
from regretless.abstraction.rounds._rivers import over_rivers, river_boards
from regretless.abstraction.rounds._small_decks import outcomes, showdowns
from regretless.cards.evaluator import holdings
from regretless.cards.strengths import by_holding
from regretless.core.arrays import Ints
from regretless.core.errors import Unsuitable, within
from regretless.kernels.hand_buckets import number_board
from regretless.kernels.hands import HOLDINGS, hand_tables
from regretless.kernels.river_buckets import river_clusters, river_vectors

LIVE = 1081  # hands on a river board


def make(
    context: Context,
    *,
    buckets: int,
    clusters: int = 8,
    boards: int = 1000,
    starts: int = 3,
    iterations: int = 50,
) -> RoundMap:
    """`clusters` of starting hands; the sample has this many `boards`."""
    within("buckets", buckets, 1, 10**6)
    within("clusters", clusters, 1, 169)
    within("boards", boards, 1, 134_459)
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    if not context.is_last:
        raise Unsuitable(f"{context.name}=ochs: only the last round has final hands")
    if context.deal.is_holdem:
        return _streamed(context, buckets, clusters, boards, starts, iterations)
    vectors = _vectors(context, _clusters(context, clusters))
    merged = distinct(vectors, hand_weights(context.index))
    clusters_of_rows = clustered(
        context, merged.rows, merged.mass, buckets,
        metric="euclidean", starts=starts, iterations=iterations,
    )  # fmt: skip
    labels, count = by_strength(clusters_of_rows.own, merged.rows.mean(axis=1), merged.mass)
    return RoundMap(context.index, count, labels.astype(label_type(count))[merged.own])


def _streamed(
    context: Context, buckets: int, clusters: int, boards: int, starts: int, iterations: int
) -> RoundMap:
    cluster = by_holding(opponent_clusters(clusters, listen=context.listen))
    cards = holdings().astype(np.int64)
    sample = _sample(context, cluster, clusters, boards)
    made = clustered(
        context, sample, np.ones(len(sample)), buckets,
        metric="euclidean", starts=starts, iterations=iterations,
    )  # fmt: skip
    order = np.argsort(made.centres.mean(axis=1), kind="stable")  # from weak to strong
    centres, index = arranged(made.centres[order], False), context.index.tables

    def work(part: Ints, out: npt.NDArray[np.generic]) -> None:
        river_clusters(hand_tables(7), index, part, cards, cluster, centres, out)

    labels = over_rivers(context, "assigning hands", label_type(len(order)), work)
    return RoundMap(context.index, len(order), labels)


def _sample(
    context: Context, cluster: npt.NDArray[np.int32], clusters: int, boards: int
) -> npt.NDArray[np.float32]:
    """Vectors of all hands of some boards."""
    all_boards, weights = river_boards()
    rng = np.random.default_rng([context.seed, context.round])
    chosen = rng.choice(len(all_boards), boards, replace=False, p=weights / weights.sum())
    out = np.empty((boards * LIVE, clusters), np.float32)
    scratch, cards = np.empty((HOLDINGS, clusters)), holdings().astype(np.int64)
    for begin in range(0, boards, 100):
        part = all_boards[np.sort(chosen)[begin : begin + 100]]
        rows = out[begin * LIVE : (begin + len(part)) * LIVE]
        river_vectors(hand_tables(7), part, cards, cluster, scratch, rows)
        context.report("a sample of boards", begin / boards)
    return out


def _vectors(context: Context, cluster: Ints) -> npt.NDArray[np.float32]:
    """[hand] equity against every cluster, one half if it meets none of its hands.

    `cluster` has that of every starting hand up to suits."""
    deal, index = context.deal, context.index
    groups = np.eye(int(cluster.max()) + 1)[cluster[deal.index(0).index(deal.hands)]]
    equities = np.full((index.size, groups.shape[1]), 0.5, np.float32)
    numbers = np.empty(len(deal.hands), np.int64)
    for one in showdowns(deal):
        won, met = (one.beats * one.meets) @ groups, one.meets @ groups
        equity = np.where(met > 0, won / 2 / np.maximum(met, 1), 0.5)
        number_board(index.tables, deal.hands, one.board, numbers)
        equities[numbers[numbers >= 0]] = equity[numbers >= 0]
    return equities


def _clusters(context: Context, count: int) -> Ints:
    """[starting hand up to suits] its cluster, weakest cluster first."""
    known, index = outcomes(context.deal, 0), context.deal.index(0)
    strengths = known.sums[:, 0] / np.maximum(known.sums[:, 2], 1)
    sizes = index.weights(index.cards(np.arange(index.size)))
    return weak_to_strong(known.histograms, strengths, sizes, min(count, index.size))
