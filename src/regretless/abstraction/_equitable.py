"""Equitable partitions: all hands of a class face the same classes of rival hands equally often.

Signatures are sums of random numbers, one per class and outcome, modulo 2^64: equal
histograms have equal sums, and different ones collide with probability 2^-64."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from regretless.abstraction._maps import CardMap, Deals
from regretless.core.arrays import Ints
from regretless.forms.public_chances import compatible_ways

SEED = 20070701
Partition = list[Ints]  # [round][lane of the layout]


def refined(deals: Deals) -> tuple[CardMap, ...]:
    """The coarsest stable partition."""
    table = _Meetings(deals)
    partitions = [[np.zeros(n, dtype=np.int64) for n in table.lanes(player)] for player in (0, 1)]
    while True:
        finer = table.split(partitions)
        if table.sizes(finer) == table.sizes(partitions):
            break
        partitions = finer
    return tuple(table.map_of(player, partitions[player]) for player in (0, 1))


def is_lossless(deals: Deals, maps: tuple[CardMap | None, ...]) -> bool:
    """Whether a partition is stable, and therefore lossless."""
    table = _Meetings(deals)
    partitions = [table.partition(player, maps[player]) for player in (0, 1)]
    return table.sizes(table.split(partitions)) == table.sizes(partitions)


class _Meetings:
    """Which hands can face each other on every board of a two-player game."""

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
        """[player][round][board] the number of rival hands of each lane that each lane may face."""
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
        """Classes split by what their hands face and lead to, and by the previous class."""
        rng = np.random.default_rng(SEED)
        codes = [
            [rng.integers(0, 2**64, (4, int(rows.max()) + 1), dtype=np.uint64) for rows in one]
            for one in partitions
        ]
        finer: list[Partition] = []
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
            finer.append(mine)
        return finer

    def _met(
        self, player: int, level: int, rivals: Partition, codes: list[np.ndarray]
    ) -> np.ndarray:
        """Signatures of the rival classes that every lane faces, with the result on the end."""
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
        """Lane of the previous round, lanes counted as in the layout."""
        here = self.layout.level(player, self.rounds[level])
        before = self.layout.level(player, self.rounds[level - 1])
        return np.asarray(before.first[np.repeat(here.parents, np.diff(here.first))] + here.above)

    def _continuations(self, player: int, level: int) -> np.ndarray:
        """Actual deals of a lane per actual deal of its parent lane."""
        now, then = (self._weights(player, at) for at in (level - 1, level))
        return np.asarray(np.rint(then / now[self._above(player, level)]).astype(np.uint64))

    def _weights(self, player: int, level: int) -> np.ndarray:
        given = self.deals.weights(player, self.rounds[level])
        return self._as_laid_out(player, level, given)

    def _as_laid_out(self, player: int, level: int, values: np.ndarray) -> np.ndarray:
        """Back from the order of card maps."""
        if self.rounds[level] < len(self.layout.sides[player]) - 1:
            return values
        return np.asarray(values[self.layout.order[player]])

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
