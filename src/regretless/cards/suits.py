"""Renamings of suits as permutations of cards, and sets of cards up to them.

A renaming is a row [card] of images; a group of renamings is a matrix, identity first. Cards are
rank * suits + suit. The representative of an orbit is its lexicographically smallest member. For
millions of hands at a time `HandIndex` numbers the orbits under all renamings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Indices, Ints

Cards = tuple[int, ...]
Group = tuple[int, ...]  # rows of a matrix of renamings


def renamings(ranks: int = 13, suits: int = 4) -> Ints:
    """[renaming, card] every renaming of suits, identity first."""
    orders = np.array(list(permutations(range(suits))), dtype=np.int64)
    cards = np.arange(ranks)[:, None] * suits + orders[:, None, :]
    rows: Ints = cards.reshape(len(orders), ranks * suits)
    return rows


def fixing(
    rows: Ints, *, hole: int, vectors: Sequence[npt.NDArray[Any]], sets: Sequence[Sequence[int]]
) -> Ints:
    """The renamings that leave all vectors over hands unchanged, and map each set to itself."""
    for cards in sets:
        wanted = sorted(cards)
        rows = rows[[sorted(row[wanted].tolist()) == wanted for row in rows]]
    if not vectors or len(rows) == 1:
        return rows
    hands = CardSets(rows, hole)
    images = [hands.images(row) for row in rows]
    keeps = [all(np.array_equal(one[image], one) for one in vectors) for image in images]
    return rows[keeps]


def count_orbits(rows: Ints, dealt: Cards, taken: Sequence[int] = ()) -> int:
    """The number of deals of so many cards, one set after another, without the taken cards
    (Burnside's lemma: the mean number of deals that a renaming fixes)."""
    shapes = Counter(_cycles(row.tolist(), set(taken)) for row in rows)
    fixed = sum(times * _fixed_deals(cycles, dealt) for cycles, times in shapes.items())
    return fixed // len(rows)


class Orbits(NamedTuple):
    """Sets of cards under a group of renamings."""

    smallest: Indices  # [set] the first set of its orbit
    sizes: Ints  # [set] the size of the orbit at its first set, otherwise 0
    firsts: Indices  # the first set of every orbit


class CardSets:
    """All sets of `size` cards, in lexicographic order."""

    def __init__(self, rows: Ints, size: int) -> None:
        self._rows = rows
        self._place = places(rows.shape[1])
        flat = chain.from_iterable(combinations(range(rows.shape[1]), size))
        number = comb(rows.shape[1], size)
        # Not -1 for the number of sets: there is one empty set.
        self.cards: Indices = np.fromiter(flat, np.int32).reshape(number, size)
        self.bits: Ints = self._place[self.cards].sum(axis=1)
        self.orbits = cache(self._orbits)

    def images(self, row: Ints) -> Ints:
        """[set] its number after renaming."""
        bits: Ints = self._place[row][self.cards].sum(axis=1)
        return np.searchsorted(-self.bits, -bits)

    def avoiding(self, taken: int, orbits: Orbits) -> Indices:
        """The orbits without taken cards: the group never mixes taken and free cards."""
        firsts: Indices = orbits.firsts[(self.bits[orbits.firsts] & taken) == 0]
        return firsts

    def _orbits(self, group: Group) -> Orbits:
        most = self.bits.copy()
        for row in self._rows[list(group)]:
            np.maximum(most, self._place[row][self.cards].sum(axis=1), out=most)
        smallest = np.searchsorted(-self.bits, -most)
        members = np.bincount(smallest, minlength=self.bits.size)
        firsts = np.flatnonzero(members)
        return Orbits(smallest.astype(np.int32), members, firsts.astype(np.int32))


def places(deck: int) -> Ints:
    """The bit of every card, the first card highest.

    Of two sets of the same size, the lexicographically smaller one then has the larger bits:
    the first card that they do not share decides both."""
    bits: Ints = np.left_shift(np.int64(1), np.arange(deck - 1, -1, -1, dtype=np.int64))
    return bits


def _cycles(row: list[int], taken: set[int]) -> Cards:
    """Lengths of the cycles of a permutation, except those of the taken cards, which are whole."""
    left, lengths = set(range(len(row))) - taken, []
    while left:
        start = card = left.pop()
        length = 1
        while (card := row[card]) != start:
            left.remove(card)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


@cache
def _fixed_deals(cycles: Cards, dealt: Cards) -> int:
    """The number of deals of sets of these sizes that a permutation with these cycles fixes: each
    set is then a union of cycles."""
    ways = np.zeros([count + 1 for count in dealt], dtype=object)  # object: numbers exceed 64 bits
    ways.flat[0] = 1
    for length in cycles:
        before = ways.copy()
        for axis in range(len(dealt)):
            after, source = np.moveaxis(ways, axis, 0), np.moveaxis(before, axis, 0)
            after[length:] += source[:-length]
    return int(ways.flat[-1])
