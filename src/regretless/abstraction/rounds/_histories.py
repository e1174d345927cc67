"""Buckets that remember: levels of strength within every bucket of the previous round.

Strengths are rounded to some hundred levels; the shares of the levels within a bucket are counted
on all boards, or on a sample if there are too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._grouping import by_share
from regretless.abstraction._hand_map import RoundMap, follow
from regretless.abstraction.rounds._clusters import label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import scores
from regretless.abstraction.rounds._unfinished import kept
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.memory import require
from regretless.kernels.hand_buckets import number_board

LEVELS = 1024  # of strength
MOST_BOARDS = 70_000  # more are sampled
REPORT_EVERY = 256  # boards


class Histories(NamedTuple):
    """Levels of strength, and how often each occurs after every earlier bucket."""

    labels: npt.NDArray[Any]  # [hand] its level
    values: Floats  # [level] mean strength
    shares: Floats  # [bucket before, level] hands on boards; one row in the first round

    @property
    def met(self) -> dict[int, Ints]:
        """By bucket before: the levels that occur after it, if any do."""
        levels = enumerate(map(np.flatnonzero, self.shares))
        return {before: there for before, there in levels if there.size}


def histories(context: Context, *, squared: bool) -> Histories:
    """Levels of E[HS] or E[HS²] after the buckets of the previous round."""
    earlier = context.earlier
    before = earlier[-1].count if earlier else 1
    require(before * LEVELS * 12, f"{context.name}: histories")
    known = scores(context, squared=squared)
    mass = np.maximum(known.mass, 1e-9)
    levels = by_share(known.values, mass, LEVELS)
    total = np.bincount(levels, mass)
    values = np.bincount(levels, mass * known.values) / total
    labels = levels.astype(np.uint16)[known.codes]
    shares: Floats = total.astype(np.float64).reshape(1, -1)
    if earlier:
        shares = kept(context, "shares", lambda: _shares(context, earlier, labels, total.size))
    return Histories(labels, values, shares)


def remembered(context: Context, known: Histories, parts: Sequence[Indices]) -> RoundMap:
    """The map whose buckets are the parts of the levels of every earlier bucket that is met."""
    pairs: Indices = np.zeros(known.shares.shape, np.int32)
    levels, count = np.arange(known.values.size), 0
    for (before, there), labels in zip(known.met.items(), parts, strict=True):
        # A level that was not met goes with the next stronger one that was.
        place = np.searchsorted(there, levels)
        pairs[before] = count + labels[np.minimum(place, there.size - 1)]
        count += int(labels.max()) + 1
    if context.round == 0:
        return RoundMap(context.index, count, pairs[0].astype(label_type(count))[known.labels])
    return RoundMap(context.index, count, known.labels, pairs)


def _shares(
    context: Context, earlier: tuple[RoundMap, ...], labels: npt.NDArray[Any], levels: int
) -> Floats:
    """[bucket before, level] hands on boards."""
    deal, index = context.deal, context.index.tables
    shares, numbers = np.zeros(earlier[-1].count * levels), np.empty(len(deal.hands), np.int64)
    total = min(_boards(context).size, MOST_BOARDS) if deal.shown(context.round) else 1
    for done, (board, weight) in enumerate(_ordered_boards(context)):
        before = follow(earlier, deal, deal.hands, board)[-1]
        number_board(index, deal.hands, board, numbers)
        live = numbers >= 0
        keys = before[live].astype(np.int64) * levels + labels[numbers[live]]
        np.add.at(shares, keys, weight)
        if done % REPORT_EVERY == 0:
            context.report("counting histories", done / total)
    return shares.reshape(earlier[-1].count, levels)


def all_boards(context: Context) -> npt.NDArray[np.uint8]:
    """Boards of the round in the order of the deal, up to suits; an empty one before the first."""
    if not context.deal.shown(context.round):
        return np.empty((1, 0), np.uint8)
    index = _boards(context)
    return index.cards(np.arange(index.size))


def _boards(context: Context) -> HandIndex:
    deal = context.deal
    dealt = tuple(filter(None, deal.board[: context.round + 1]))
    return HandIndex(dealt, deal.ranks, deal.suits)


def _ordered_boards(context: Context) -> Iterator[tuple[npt.NDArray[Any], int]]:
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
