"""Ends of a round as tiles of tables, as the kernel of one-on-one reads them.

An answer is a column. Tiles are as wide as the kernel's lanes, and columns that stand below each
other belong to one slot: the beginning of the round they come from. So reach is read as a vector.
Where there are few beginnings they get several slots each, so that tiles are full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.kernels.lanes import WIDE, zeros
from regretless.kernels.one_on_one import Answers, Folds, Round, Singles

KINDS = 3
SECOND_ANSWERS, FIRST_ANSWERS, FOLDS = range(KINDS)
_COSTS = np.array([1.0, 1.0, 0.5])  # of a column, by kind
_SLOT_COST = 1.0  # of passing on the reach of a slot


@dataclass(eq=False)
class Answer:
    """What a player does after the other's last action of a round, as far as it ends the hand."""

    entry: int  # the beginning of the round
    position: int  # of who answers
    waiting: Floats  # [bucket] of the other player
    shown: Singles | None = None  # [bucket] times what position 0 gets if the answer wins
    folded: Singles | None = None  # [bucket] times what position 0 gets

    def add(self, share: Floats, pays: float, *, folded: bool) -> None:
        """One more end; `pays` goes to position 0: by a fold, or if it wins the showdown."""
        if folded:
            paid = (share * pays).astype(np.float32)
            self.folded = paid if self.folded is None else self.folded + paid
        else:
            paid = (share * (pays if self.position == 0 else -pays)).astype(np.float32)
            self.shown = paid if self.shown is None else self.shown + paid


class Beginning(NamedTuple):
    """How a round begins."""

    entry: int  # of the round before
    shares: tuple[Floats, Floats]  # [position][bucket of the round before]


class _Plan(NamedTuple):
    """Which slots a round has, and which tiles an answer belongs to."""

    cost: float
    entries: Ints  # [slot] its beginning
    kinds: Ints  # [answer]


def round_of(
    beginnings: Sequence[Beginning],
    answers: Sequence[Answer],
    counts: Sequence[int],
    before: Ints,
    hands: int,
) -> tuple[Round, Ints]:
    """The tiles of a round and [beginning] its first slot; `before` is the same of the round
    before, `counts` are buckets by position, and `hands` is how many a board leaves."""
    # Folds without a showdown are cheaper in tiles of their own, unless there are few.
    plans = (_plan(len(beginnings), answers, own) for own in (FOLDS, None))
    _, entries, kinds = min(plans, key=lambda plan: plan.cost)
    slots = np.argsort(entries, kind="stable")  # by beginning
    copies = np.bincount(entries, minlength=len(beginnings))
    firsts = np.cumsum(copies) - copies
    taken = np.zeros((len(beginnings), KINDS), np.int64)
    places = list[tuple[int, int]]()  # [answer] its slot, and how many of its kind are above
    for one, kind in zip(answers, kinds, strict=True):
        depth, copy = divmod(int(taken[one.entry, kind]), int(copies[one.entry]))
        taken[one.entry, kind] += 1
        places.append((int(slots[firsts[one.entry] + copy]), depth))
    begun = [beginnings[entry] for entry in entries]
    block, lane = np.divmod(before[[one.entry for one in begun]], WIDE)
    source = (block * hands * WIDE + lane).astype(np.uint32)
    tiles = [_columns(answers, kinds == kind, places) for kind in range(KINDS)]
    tiled = Round(
        np.pad(source, (0, -len(source) % WIDE)),
        _passed(begun, 0),
        _passed(begun, 1),
        _answers(tiles[SECOND_ANSWERS], counts),
        _answers(tiles[FIRST_ANSWERS], counts[::-1]),
        _folds(tiles[FOLDS], counts),
    )
    return tiled, slots[firsts]


def _plan(beginnings: int, answers: Sequence[Answer], own: int | None) -> _Plan:
    """The cheapest slots; `own` is the kind of answers that never show hands, if not that of the
    others."""
    by_position = (FIRST_ANSWERS, SECOND_ANSWERS)
    kinds = np.array(
        [
            own if one.shown is None and own is not None else by_position[one.position]
            for one in answers
        ],
        np.int64,
    )
    sizes = np.zeros((beginnings, KINDS), np.int64)
    entries = np.array([one.entry for one in answers], np.int64)
    np.add.at(sizes, (entries, kinds), 1)
    best = _Plan(np.inf, np.empty(0, np.int64), kinds)
    for most in range(1, int(sizes.max(initial=1)) + 1):
        copies = np.maximum(1, -(-sizes.max(axis=1) // most))
        rows = -(-sizes // copies[:, None])
        # Slots with many columns first: those of a tile should have about as many.
        order = np.lexsort(-rows.T)
        entries = np.repeat(order, copies[order])
        tall = np.maximum.reduceat(rows[entries], np.arange(0, len(entries), WIDE)).sum(axis=0)
        cost = float(WIDE * (tall @ _COSTS) + _SLOT_COST * len(entries))
        if cost < best.cost:
            best = _Plan(cost, entries, kinds)
    return best


class _Columns(NamedTuple):
    """Answers of one kind and where they are."""

    blocks: Ints  # [tile]
    answers: list[Answer]
    at: list[tuple[int, int]]  # [answer] tile, lane


def _columns(
    answers: Sequence[Answer], chosen: npt.NDArray[np.bool_], places: list[tuple[int, int]]
) -> _Columns:
    picked = np.flatnonzero(chosen).tolist()
    rows = sorted({(places[i][0] // WIDE, places[i][1]) for i in picked})
    tiles = {row: tile for tile, row in enumerate(rows)}
    blocks = np.array([block for block, _ in rows], np.int64)
    at = [(tiles[places[i][0] // WIDE, places[i][1]], places[i][0] % WIDE) for i in picked]
    return _Columns(blocks, [answers[i] for i in picked], at)


def _answers(columns: _Columns, counts: Sequence[int]) -> Answers:
    """`counts` are buckets of who waits and of who answers."""
    waiting, shown, apart = (_table(columns, counts[p]) for p in (0, 1, 1))
    for one, (tile, lane) in zip(columns.answers, columns.at, strict=True):
        waiting[tile, :, lane] = one.waiting
        shown[tile, :, lane] = 0.0 if one.shown is None else one.shown
        apart[tile, :, lane] = 0.0 if one.folded is None else one.folded
    apart -= shown
    return Answers(columns.blocks, waiting, shown, apart)


def _folds(columns: _Columns, counts: Sequence[int]) -> Folds:
    tables = [_table(columns, count) for count in counts]
    for one, (tile, lane) in zip(columns.answers, columns.at, strict=True):
        tables[one.position][tile, :, lane] = one.folded
        tables[1 - one.position][tile, :, lane] = one.waiting
    return Folds(columns.blocks, tables[0], tables[1])


def _table(columns: _Columns, buckets: int) -> Singles:
    return np.asarray(zeros(len(columns.blocks), buckets, WIDE))


def _passed(begun: Sequence[Beginning], position: int) -> Singles:
    """[block, bucket of the round before, lane]"""
    shares = [one.shares[position] for one in begun]
    passed: Singles = zeros(-(-len(shares) // WIDE), len(shares[0]), WIDE)
    for slot, share in enumerate(shares):
        passed[slot // WIDE, :, slot % WIDE] = share
    return passed
