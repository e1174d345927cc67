"""Two strategies over buckets at one table, as columns of tables: one per way a round can end.

Both may have betting trees of their own. Whoever acts takes an action of its tree, which becomes a
real one by reverse translation, and the other understands that in its own tree by translation,
randomised or not. A player that has left its tree checks and calls."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable
from regretless.core.memory import require
from regretless.evaluation.bucket_play import BucketPlay
from regretless.games._betting import Betting, PokerRules
from regretless.kernels.one_on_one import LANES, Entries, Singles
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import Step, TreeWalk, move_of

ENDS = 3
SHOWDOWN, FOLD, ONWARD = range(ENDS)
_CHECKED = 256  # columns between two looks at the memory


class Columns(NamedTuple):
    """Ways in which a round ends, all of one kind."""

    entry: Entries  # [column] the beginning of the round it comes from
    pays: Floats  # [column] to position 0: by a fold, or if it wins the showdown
    tables: tuple[Singles, Singles]  # [position][bucket, column]


class JointBetting:
    """All betting of two strategies, position by position; rounds as columns."""

    def __init__(
        self, seats: tuple[BucketPlay, BucketPlay], translation: Translation | None = None
    ) -> None:
        self.seats = seats
        self.table = table_of(seats)
        self._walks = tuple(TreeWalk(self.table, one.rules, translation) for one in seats)
        self._made = [[_Growing() for _ in range(ENDS)] for _ in range(self.table.rounds)]
        self._entries = [0] * self.table.rounds
        self._size = 0
        start = self.table.start()
        steps = tuple(Step(start, one.rules.start()) for one in seats)
        self._begin(steps)
        self.rounds = tuple(
            tuple(one.columns(kind) for kind, one in enumerate(kinds)) for kinds in self._made
        )
        del self._made

    @property
    def ends(self) -> int:
        """How many ways a hand can end."""
        return sum(
            int(np.count_nonzero(columns.pays))
            for kinds in self.rounds
            for columns in kinds[:ONWARD]
        )

    def _begin(self, steps: tuple[Step, ...]) -> None:
        """A new beginning of a round."""
        round = steps[0].real.round
        entry = self._entries[round]
        self._entries[round] += 1
        counts = [one.map.counts[round] for one in self.seats]
        self._walk(steps, entry, round, [np.ones(count) for count in counts])

    def _walk(self, steps: tuple[Step, ...], entry: int, round: int, shares: list[Floats]) -> None:
        real = steps[0].real
        if real.over:
            folded = any(real.folded)
            pays = real.settle((1, 0))[0]
            if not folded and real.settle((0, 1))[0] != -pays:
                raise Unsuitable("one-on-one: the game is not symmetric, for instance by a rake")
            self._end(round, FOLD if folded else SHOWDOWN, entry, pays, shares)
        elif real.round > round:
            self._end(round, ONWARD, entry, 0.0, shares)
            self._begin(steps)
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
        found = self._walks[other].choices(theirs, move_of(real, text))
        for index, chance in found or ((-1, 1.0),):
            node = theirs.node.children[index] if index >= 0 and theirs.node else None
            pair = {actor: own, other: Step(after, node)}
            # The chance belongs to nobody: any one of the two tables may hold it.
            weighed = [shares[0] * chance, shares[1]] if chance < 1 else shares
            self._walk((pair[0], pair[1]), entry, round, weighed)

    def _end(self, round: int, kind: int, entry: int, pays: float, shares: list[Floats]) -> None:
        self._made[round][kind].add(entry, pays, shares)
        self._size += 4 * sum(map(len, shares))
        if self._entries[round] % _CHECKED == 0:
            require(2 * self._size, "one-on-one: the tables of this betting tree")


class _Growing:
    """Columns while they are found."""

    def __init__(self) -> None:
        self.entries, self.pays = list[int](), list[float]()
        self.shares: tuple[list[Singles], list[Singles]] = ([], [])

    def add(self, entry: int, pays: float, shares: list[Floats]) -> None:
        self.entries.append(entry)
        self.pays.append(pays)
        for mine, share in zip(self.shares, shares, strict=True):
            mine.append(share.astype(np.float32))

    def columns(self, kind: int) -> Columns:
        """The tables, with empty columns up to full lanes."""
        count = len(self.entries)
        wide = count if kind == ONWARD else -(-count // LANES) * LANES
        entry, pays = np.zeros(wide, np.uint32), np.zeros(wide)
        entry[:count], pays[:count] = self.entries, self.pays
        first, second = (_stacked(shares, wide) for shares in self.shares)
        return Columns(entry, pays, (first, second))


def _stacked(shares: list[Singles], wide: int) -> Singles:
    if not shares:
        return np.zeros((1, 0), np.float32)
    found = np.zeros((len(shares[0]), wide), np.float32)
    for column, share in enumerate(shares):
        found[:, column] = share
    shares.clear()
    return found


def table_of(seats: tuple[BucketPlay, BucketPlay]) -> PokerRules:
    """The rules at the table: those of the trees, with any size unless both trees are the same."""
    first, second = (one.rules for one in seats)
    return first if first == second else replace(first, sizing=None, menus=())
