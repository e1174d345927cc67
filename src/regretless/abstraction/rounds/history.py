"""Every bucket of the previous round is split into percentiles of E[HS²] or E[HS]: perfect recall.

History bucketing (Johanson 2007; Moravčík 2014, section 3.5). Strengths are rounded to some
hundred levels; the shares of the levels within a bucket are counted on all boards, or on a sample
if there are too many."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regretless.abstraction._grouping import by_share
from regretless.abstraction._hand_map import RoundMap, follow
from regretless.abstraction.rounds import percentile
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import scores
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import within
from regretless.core.memory import require
from regretless.kernels.hand_buckets import number_board

LEVELS = 1024  # of strength
MOST_BOARDS = 70_000  # more are sampled
REPORT_EVERY = 256  # boards


def make(context: Context, *, buckets: int, squared: bool = True) -> RoundMap:
    """`buckets` per bucket of the previous round."""
    within("buckets", buckets, 1, 10**6)
    if context.round == 0:
        return percentile.make(context, buckets=buckets, squared=squared)
    earlier = context.earlier
    require(earlier[-1].count * LEVELS * 12, f"{context.name}=history")
    known = scores(context, squared=squared)
    levels = by_share(known.values, np.maximum(known.mass, 1e-9), LEVELS)
    labels = levels.astype(np.uint16)[known.codes]
    shares = _shares(context, earlier, labels, int(levels.max()) + 1)
    pairs, count = _pairs(shares, buckets)
    return RoundMap(context.index, count, labels, pairs)


def _pairs(shares: Floats, buckets: int) -> tuple[Indices, int]:
    """[bucket before, level] bucket: percentiles within each row."""
    pairs, count = np.zeros(shares.shape, np.int32), 0
    for before, mass in enumerate(shares):
        there = np.flatnonzero(mass)
        if not there.size:  # never reached
            continue
        labels = by_share(there.astype(float), mass[there], buckets)
        # A level that was not met goes with the next stronger one that was.
        place = np.minimum(np.searchsorted(there, np.arange(mass.size)), there.size - 1)
        pairs[before] = count + labels[place]
        count += int(labels.max()) + 1
    return pairs, count


def _shares(
    context: Context, earlier: tuple[RoundMap, ...], labels: np.ndarray, levels: int
) -> Floats:
    """[bucket before, level] hands on boards."""
    deal, index = context.deal, context.index.tables
    found, numbers = np.zeros(earlier[-1].count * levels), np.empty(len(deal.hands), np.int64)
    total = min(_boards(context).size, MOST_BOARDS) if deal.shown(context.round) else 1
    for done, (board, weight) in enumerate(_ordered_boards(context)):
        before = follow(earlier, deal, deal.hands, board)[-1]
        number_board(index, deal.hands, board, numbers)
        live = numbers >= 0
        keys = before[live].astype(np.int64) * levels + labels[numbers[live]]
        np.add.at(found, keys, weight)
        if done % REPORT_EVERY == 0:
            context.report("counting histories", done / total)
    return found.reshape(earlier[-1].count, levels)


def _boards(context: Context) -> HandIndex:
    deal = context.deal
    dealt = tuple(filter(None, deal.board[: context.round + 1]))
    return HandIndex(dealt, deal.ranks, deal.suits)


def _ordered_boards(context: Context) -> Iterator[tuple[np.ndarray, int]]:
    """Boards in the order of the deal, up to suits, with the number of actual boards."""
    deal = context.deal
    if not deal.shown(context.round):
        yield np.empty(0, np.uint8), 1
        return
    index = _boards(context)
    if index.size > MOST_BOARDS:
        rng = np.random.default_rng([context.seed, context.round])
        for _ in range(MOST_BOARDS):
            drawn = rng.choice(deal.cards, deal.shown(context.round), replace=False)
            yield drawn.astype(np.uint8), 1
        return
    boards: Ints = np.arange(index.size)
    for begin in range(0, index.size, REPORT_EVERY):
        cards = index.cards(boards[begin : begin + REPORT_EVERY])
        yield from zip(cards, index.weights(cards).tolist(), strict=True)
