"""Two strategies over buckets at one table: all their betting, round by round.

Both may have betting trees of their own. Whoever acts takes an action of its tree, which becomes a
real one by reverse translation, and the other understands that in its own tree by translation,
randomised or not. A player that has left its tree checks and calls.

The kernel of one-on-one reads the ends of a round as tiles of tables. An answer is a column. Tiles
are as wide as the kernel's lanes, and columns that stand below each other belong to one slot: the
beginning of the round they come from. So reach is read as a vector. Where there are few beginnings
they get several slots each, so that tiles are full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.core.memory import require
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.table_cards import TableCards
from regretless.games._betting import Betting, PokerRules
from regretless.kernels.lanes import WIDE, zeros
from regretless.kernels.one_on_one import Answers, Folds, Round, Singles
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import Step, TreeWalk, move_of

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


_CHECKED = 256  # beginnings of rounds between two looks at the memory


class JointBetting:
    """All betting of two strategies, position by position; rounds as tiles of columns."""

    def __init__(
        self, seats: tuple[BucketStrategy, BucketStrategy], translation: Translation | None = None
    ) -> None:
        self.seats = seats
        self.table = table_of(seats)
        self._walks = tuple(TreeWalk(self.table, one.rules, translation) for one in seats)
        self._beginnings = [list[Beginning]() for _ in range(self.table.rounds)]
        self._answers = [dict[tuple[int, int, int], Answer]() for _ in range(self.table.rounds)]
        self._size = self.ends = 0  # ways in which a hand can end
        start = self.table.start()
        steps = tuple(Step(start, one.rules.start()) for one in seats)
        self._begin(steps, Beginning(0, (np.ones(1), np.ones(1))))
        self.rounds = tuple(self._tiles())
        del self._beginnings, self._answers

    def _tiles(self) -> list[Round]:
        rounds, slots = list[Round](), np.zeros(1, np.int64)
        hands = TableCards(self.table).hands_left
        for number, beginnings in enumerate(self._beginnings):
            if not beginnings:
                break
            answers = self._answers[number]
            counts = [one.map.counts[number] for one in self.seats]
            one, slots = round_of(beginnings, list(answers.values()), counts, slots, hands)
            answers.clear()
            rounds.append(one)
        return rounds

    def _begin(self, steps: tuple[Step, ...], beginning: Beginning) -> None:
        """A new beginning of a round."""
        round = steps[0].real.round
        entry = len(self._beginnings[round])
        self._beginnings[round].append(beginning)
        counts = [one.map.counts[round] for one in self.seats]
        self._act(steps, entry, round, [np.ones(count) for count in counts])

    def _walk(
        self, steps: tuple[Step, ...], entry: int, round: int, shares: list[Floats], last: int
    ) -> None:
        """After an action of `last`."""
        real = steps[0].real
        if real.over:
            folded = any(real.folded)
            pays = real.settle((1, 0))[0]
            if not folded and real.settle((0, 1))[0] != -pays:
                raise Unsuitable("one-on-one: the game is not symmetric, for instance by a rake")
            self._end(round, entry, shares, last).add(shares[last], pays, folded=folded)
        elif real.round > round:
            self._begin(steps, Beginning(entry, (shares[0], shares[1])))
        else:
            self._act(steps, entry, round, shares)

    def _act(self, steps: tuple[Step, ...], entry: int, round: int, shares: list[Floats]) -> None:
        actor = steps[0].real.actor
        mine = steps[actor]
        if mine.node is None or mine.node.over:
            self._take(steps, "c", None, entry, round, shares)
            return
        table = np.asarray(self.seats[actor].table(mine.node), np.float64)
        for index, child in enumerate(mine.node.children):
            share = shares[actor] * table[:, index]
            if share.any():
                after = [share if p == actor else one for p, one in enumerate(shares)]
                text = self._walks[actor].reverse(mine, index)
                self._take(steps, text, child, entry, round, after)

    def _take(
        self,
        steps: tuple[Step, ...],
        text: str,
        child: Betting | None,
        entry: int,
        round: int,
        shares: list[Floats],
    ) -> None:
        """A real action; the other player may understand it in several ways."""
        real, actor = steps[0].real, steps[0].real.actor
        other, after = 1 - actor, real.act(text)
        own = Step(after, child)
        theirs = steps[other]
        understood = self._walks[other].choices(theirs, move_of(real, text))
        for index, chance in understood or ((-1, 1.0),):
            node = theirs.node.children[index] if index >= 0 and theirs.node else None
            pair = {actor: own, other: Step(after, node)}
            # The chance belongs to nobody: any one of the two tables may hold it.
            weighed = [shares[0] * chance, shares[1]] if chance < 1 else shares
            self._walk((pair[0], pair[1]), entry, round, weighed, actor)

    def _end(self, round: int, entry: int, shares: list[Floats], last: int) -> Answer:
        """The answer that the end belongs to: all ends after one action of the other."""
        waiting, self.ends = shares[1 - last], self.ends + 1
        key = (entry, last, id(waiting))  # kept alive by the answer
        answers = self._answers[round]
        if key not in answers:
            answers[key] = Answer(entry, last, waiting)
            self._size += 8 * (len(waiting) + len(shares[last]))
            if len(answers) % _CHECKED == 0:
                require(2 * self._size, "one-on-one: the tables of this betting tree")
        return answers[key]


def table_of(seats: tuple[BucketStrategy, BucketStrategy]) -> PokerRules:
    """The rules at the table: those of the trees, with any size unless both trees are the same."""
    first, second = (one.rules for one in seats)
    return first if first == second else replace(first, sizing=None, menus=())
