"""Public buckets of boards, and private buckets of hands within each (Moravčík 2014, chapter 4).

`public:20x50` has 20 public buckets of 50 private ones. Boards are clustered around medoids by the
earth mover's distance between the sets of their hands. The distance of two hands is that of their
distributions of strength, in all rounds so far (`by=history`, as in the source) or in this one
(`by=distribution`, which the source found to be poor). `by=transitions` compares transition tables
instead (Waugh et al. 2009). Private buckets are those of `distribution`, for every public bucket by
itself. Nothing of earlier rounds is remembered."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._board_distances import VERSION, board_distances, nearest_boards
from regretless.abstraction._clustering import k_means, k_medoids
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds._board_hands import MOST_BOARDS, BoardHands, transition_tables
from regretless.abstraction.rounds._clusters import by_strength, distinct, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms
from regretless.cards.strengths import BINS
from regretless.core.arrays import Indices
from regretless.core.caches import cache_folder
from regretless.core.errors import BadParameter, Unsuitable, within
from regretless.core.progress import Progress

WAYS = ("history", "distribution", "transitions")
STARTS = 20  # of k-medoids and of k-means over transition tables


def make(
    context: Context,
    *,
    publics: int,
    privates: int,
    by: str = "history",
    spread: float = 0.3,
    sample: int | None = None,
    strengths: int = 10,
    starts: int = 3,
    iterations: int = 50,
) -> RoundMap:
    """`spread` is how far a hand may be from its type when boards are compared, in bins and per
    round. With a `sample` medoids are chosen among this many boards, and the others join the
    nearest one (CLARA, Kaufman & Rousseeuw 1990): a fraction of the distances is needed.
    `strengths` are the buckets of a transition table per round."""
    within("publics", publics, 1, MOST_BOARDS)
    within("privates", privates, 1, 10**6)
    within("spread", spread, 0.0, float(BINS))
    within("sample", sample if sample is not None else 1, 1, MOST_BOARDS)
    within("strengths", strengths, 1, 1000)
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    if by not in WAYS:
        raise BadParameter(f"by={by}: must be {', '.join(WAYS[:-1])} or {WAYS[-1]}")
    hands = BoardHands(context, ordered=by != "distribution")
    if by == "transitions":
        own = _by_transitions(hands, min(publics, hands.boards.size), strengths)
    else:
        own = _by_distances(hands, min(publics, hands.boards.size), by, spread, sample)
    labels, count = _private(hands, own[hands.board], privates, starts, iterations)
    return RoundMap(hands.index, count, labels.astype(label_type(count)))


def _by_distances(
    hands: BoardHands, count: int, by: str, spread: float, sample: int | None
) -> Indices:
    """[board] public bucket, around medoids."""
    context, sets = hands.context, hands.sets(by)
    spread, tell = spread * sets.rounds, partial(_tell, context)
    drawn = np.arange(sets.count)
    if sample is not None and sample < sets.count:
        rng = np.random.default_rng([context.seed, sample])
        drawn = np.sort(rng.choice(sets.count, max(sample, count), replace=False))
    distances = board_distances(
        sets if drawn.size == sets.count else sets.only(drawn),
        folder=_folder(context, by, spread, drawn.size, sets.count),
        spread=spread,
        threads=context.threads,
        listen=tell,
    )
    weights = hands.board_weights[drawn]
    chosen = k_medoids(
        distances.between, count, weights=weights, starts=STARTS, seed=context.seed, listen=tell
    )
    context.check()
    if drawn.size == sets.count:
        return chosen.own
    return nearest_boards(
        sets,
        drawn[chosen.points],
        spread=spread,
        threads=context.threads,
        listen=partial(_tell, context, check=True),
    )


def _folder(context: Context, by: str, spread: float, size: int, count: int) -> Path:
    """Where distances are kept: those of all flops of hold'em serve all maps of a machine."""
    deal, name = context.deal, f"{by}-{spread:g}-{VERSION}"
    if not deal.is_holdem or size < count:
        return context.folder / f"boards-{size}-{name}"
    return cache_folder() / f"boards-{deal.ranks}x{deal.suits}-{deal.shown(context.round)}-{name}"


def _by_transitions(hands: BoardHands, count: int, strengths: int) -> Indices:
    """[board] public bucket, by k-means of transition tables."""
    context = hands.context
    if not context.round:
        raise Unsuitable(f"{context.name}=public: by=transitions needs an earlier round")
    weights = hands.board_weights
    tables = transition_tables(
        context,
        (hands.rows(context.round - 1), hands.rows(context.round)),
        hands.board,
        hands.weights,
        hands.weights * weights[hands.board],
        strengths,
    )
    clustered = k_means(
        tables,
        count,
        weights=weights.astype(np.float32),
        starts=STARTS,
        seed=context.seed,
        threads=context.threads,
        listen=partial(_tell, context),
    )
    context.check()
    return np.unique(clustered.own, return_inverse=True)[1].astype(np.int32)  # none is empty


def _private(
    hands: BoardHands, public: Indices, count: int, starts: int, iterations: int
) -> tuple[npt.NDArray[Any], int]:
    """[hand] bucket: private buckets from weak to strong, one public bucket after another."""
    context = hands.context
    shares, row = histograms(context), hands.rows(context.round)
    total = hands.weights * hands.board_weights[hands.board]
    labels, used = np.empty(public.size, np.int64), 0
    publics = int(public.max()) + 1
    for one in range(publics):
        mine = np.flatnonzero(public == one)
        merged = distinct(np.ascontiguousarray(shares[row[mine]]), total[mine])
        clustered = k_means(
            merged.rows,
            min(count, len(merged.rows)),
            weights=merged.mass,
            metric="emd",
            starts=starts,
            iterations=iterations,
            seed=context.seed,
            threads=context.threads,
        )
        strength = merged.rows @ np.arange(merged.rows.shape[1]) / merged.rows.sum(axis=1)
        own, size = by_strength(clustered.own, strength, merged.mass)
        labels[mine] = used + own[merged.own]
        used += size
        context.report("private buckets", (one + 1) / publics)
    return labels, used


def _tell(context: Context, one: Progress, *, check: bool = False) -> None:
    context.listen(Progress(f"{context.name}: {one.stage}", done=one.done, news=one.news))
    if check:  # elsewhere work is saved first
        context.check()
