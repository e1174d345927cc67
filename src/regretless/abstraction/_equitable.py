"""Partitions of hands in which all hands of a class meet the same classes, and those alike.

Signatures are sums of random numbers, one for every class and outcome, modulo 2^64: equal
histograms have equal sums, and different ones with a chance of 2^-64."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from regretless.abstraction._maps import CardMap, Deals
from regretless.core.arrays import Ints
from regretless.forms.public_chances import compatible_ways

SEED = 20070701
Partition = list[Ints]  # [round][lane of the layout]


def refined(deals: Deals) -> tuple[CardMap, ...]:
    """The coarsest partition that is stable."""
    table = _Meetings(deals)
    found = [[np.zeros(n, dtype=np.int64) for n in table.lanes(player)] for player in (0, 1)]
    while True:
        finer = table.split(found)
        if table.sizes(finer) == table.sizes(found):
            break
        found = finer
    return tuple(table.map_of(player, found[player]) for player in (0, 1))


def is_lossless(deals: Deals, maps: tuple[CardMap | None, ...]) -> bool:
    """Whether a partition is stable: it then loses nothing."""
    table = _Meetings(deals)
    found = [table.partition(player, maps[player]) for player in (0, 1)]
    return table.sizes(table.split(found)) == table.sizes(found)


class _Meetings:
    """Who meets whom on every board of a game of two players."""

    def __init__(self, deals: Deals) -> None:
        self.deals, self.layout = deals, deals.layout
        self.rounds = list(deals.rounds)

    def lanes(self, player: int) -> list[int]:
        return [self.deals.count(player, round) for round in self.rounds]

    @staticmethod
    def sizes(partitions: list[Partition]) -> list[list[int]]:
        return [[int(rows.max()) + 1 for rows in partition] for partition in partitions]

    @cached_property
    def ways(self) -> list[list[list[np.ndarray]]]:
        """[player][round][board] rival hands of every lane that every lane may meet."""
        return [
            [
                [
                    compatible_ways(mine, self.layout.level(1 - player, round), board).astype("u8")
                    for board in range(len(mine.boards))
                ]
                for round in self.rounds
                for mine in (self.layout.level(player, round),)
            ]
            for player in (0, 1)
        ]

    def split(self, partitions: list[Partition]) -> list[Partition]:
        """Classes split by what their hands meet and lead to, and by the class before."""
        rng = np.random.default_rng(SEED)
        codes = [
            [rng.integers(0, 2**64, (4, int(rows.max()) + 1), dtype=np.uint64) for rows in one]
            for one in partitions
        ]
        found: list[Partition] = []
        for player in (0, 1):
            mine: Partition = []
            for level, rows in enumerate(partitions[player]):
                marks = self._met(player, level, partitions[1 - player], codes[1 - player])
                if level + 1 < len(self.rounds):
                    marks += self._led_to(player, level, partitions[player], codes[player])
                before = np.zeros_like(rows)
                if level:
                    before = mine[-1][self._above(player, level)]
                keys = np.stack([before.astype("u8"), rows.astype("u8"), marks])
                _, numbers = np.unique(keys, axis=1, return_inverse=True)
                mine.append(numbers.ravel())
            found.append(mine)
        return found

    def _met(
        self, player: int, level: int, rivals: Partition, codes: list[np.ndarray]
    ) -> np.ndarray:
        """Signatures of the rival classes that every lane meets, at the end with the result."""
        mine = self.layout.level(player, self.rounds[level])
        rival = self.layout.level(1 - player, self.rounds[level])
        relation = self.layout.relations[player]
        marks = np.zeros(len(mine.counts), dtype=np.uint64)
        at_end = level + 1 == len(self.rounds)
        for board, ways in enumerate(self.ways[player][level]):
            lanes, theirs = mine.lanes(board), rivals[level][rival.lanes(board)]
            if not at_end:
                marks[lanes] = ways @ codes[level][0][theirs]
                continue
            rows = np.arange(len(ways))
            sums = [
                np.pad(
                    np.cumsum(ways * codes[level][k][theirs], axis=1, dtype="u8"), ((0, 0), (1, 0))
                )
                for k in range(3)
            ]
            below, upto = relation.below[lanes], relation.upto[lanes]
            marks[lanes] = (
                sums[0][rows, below]
                + (sums[1][rows, upto] - sums[1][rows, below])
                + (sums[2][:, -1] - sums[2][rows, upto])
            )
        return marks

    def _led_to(
        self, player: int, level: int, partition: Partition, codes: list[np.ndarray]
    ) -> np.ndarray:
        """Signatures of the classes that every lane may become in the next round."""
        above, ways = self._above(player, level + 1), self._continuations(player, level + 1)
        marks = np.zeros(partition[level].size, dtype=np.uint64)
        np.add.at(marks, above, ways * codes[level + 1][3][partition[level + 1]])
        return marks

    def _above(self, player: int, level: int) -> Ints:
        """Lane of the round before, lanes counted as in the layout."""
        here = self.layout.level(player, self.rounds[level])
        before = self.layout.level(player, self.rounds[level - 1])
        found: Ints = before.first[np.repeat(here.parents, np.diff(here.first))] + here.above
        return found

    def _continuations(self, player: int, level: int) -> np.ndarray:
        """Actual deals of a lane per actual deal of the lane before it."""
        now, then = (self._weights(player, at) for at in (level - 1, level))
        found: np.ndarray = np.rint(then / now[self._above(player, level)]).astype(np.uint64)
        return found

    def _weights(self, player: int, level: int) -> np.ndarray:
        given = self.deals.weights(player, self.rounds[level])
        return self._as_laid_out(player, level, given)

    def _as_laid_out(self, player: int, level: int, values: np.ndarray) -> np.ndarray:
        """Back from the order of card maps."""
        if self.rounds[level] < len(self.layout.sides[player]) - 1:
            return values
        found: np.ndarray = values[self.layout.order[player]]
        return found

    def partition(self, player: int, mine: CardMap | None) -> Partition:
        """A card map, lanes counted as in the layout."""
        if mine is None:
            return [np.arange(n) for n in self.lanes(player)]
        return [
            self._as_laid_out(player, level, mine.rows[round]).astype(np.int64)
            for level, round in enumerate(self.rounds)
        ]

    def map_of(self, player: int, partition: Partition) -> CardMap:
        keys: list[list[object]] = [
            self.deals.in_order(player, round, rows).tolist()
            for round, rows in zip(self.rounds, partition, strict=True)
        ]
        return self.deals.map_of(player, keys)
