"""An index of hands up to suit isomorphism: both directions, millions at a time.

Cards are given in the order in which they are dealt, round by round: `HandIndex((2, 3))` is
two hole cards and a flop. `HandIndex((2, 3, 1))` distinguishes the turn card from the flop,
`HandIndex((2, 4))` does not; `HandIndex((3,))` is flops. A card is rank * suits + suit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, prod

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Ints
from regretless.core.errors import BadParameter, within
from regretless.kernels.hand_index import (
    IndexTables,
    hand_weights,
    index_hands,
    list_hands,
    weigh_numbers,
)

MOST_CODES = 128  # per suit: their square or cube is the size of a table


@dataclass(frozen=True)
class HandIndex:
    """One number from 0 to `size` - 1 per class of hands that differ only by suit names."""

    rounds: tuple[int, ...]  # cards dealt in each round
    ranks: int = 13
    suits: int = 4

    def __post_init__(self) -> None:
        within("ranks", self.ranks, 1, 13)
        within("suits", self.suits, 1, 4)
        if not self.rounds or min(self.rounds) < 1:
            raise BadParameter(f"rounds={self.rounds}: each must deal at least one card")
        within("cards", sum(self.rounds), 1, min(self.ranks * self.suits, 9))
        if prod(count + 1 for count in self.rounds) > MOST_CODES:
            raise BadParameter(f"rounds={self.rounds}: too many rounds for an index")

    @property
    def size(self) -> int:
        """The number of hands up to suits."""
        return int(self.tables.offsets[-1])

    def index(self, cards: npt.ArrayLike) -> Ints:
        """The number of every hand; `cards` is [hand, card]."""
        given = self._checked(cards)
        out = np.empty(len(given), np.int64)
        index_hands(self.tables, given, out)
        return out

    def weights(self, cards: npt.ArrayLike) -> Ints:
        """For every hand, how many actual hands share its number."""
        given = self._checked(cards)
        out = np.empty(len(given), np.int64)
        hand_weights(self.tables, given, out)
        return out

    def weights_from(self, first: int, count: int) -> npt.NDArray[np.uint8]:
        """The weights of some numbers in a row, without looking at cards."""
        within("first", first, 0, self.size - 1)
        within("count", count, 1, self.size - first)
        out = np.empty(count, np.uint8)
        weigh_numbers(self.tables, first, out)
        return out

    def cards(self, index: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """[hand, card] one hand per number; the cards of a round ascend."""
        given = np.atleast_1d(np.asarray(index))
        if given.dtype.kind not in "iu":
            raise BadParameter(f"index of type {given.dtype}: must be whole numbers")
        if given.size:
            within("index", int(given.min()), 0, self.size - 1)
            within("index", int(given.max()), 0, self.size - 1)
        out = np.empty((given.size, sum(self.rounds)), np.uint8)
        list_hands(self.tables, np.ascontiguousarray(given, np.int64), out)
        return out

    def _checked(self, cards: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        given, needed = np.asarray(cards), sum(self.rounds)
        if given.ndim != 2 or given.shape[1] != needed or given.dtype.kind not in "iu":
            raise BadParameter(
                f"cards of shape {given.shape} and type {given.dtype}: must be whole numbers, "
                f"{needed} per hand"
            )
        deck = self.ranks * self.suits
        if given.size:
            within("card", int(given.min()), 0, deck - 1)
            within("card", int(given.max()), 0, deck - 1)
        ordered = np.sort(given, axis=1)
        twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        if twice.any():
            row = given[int(np.argmax(twice))].tolist()
            raise BadParameter(f"cards {row}: a card appears twice")
        return np.ascontiguousarray(given, np.uint8)

    @cached_property
    def tables(self) -> IndexTables:
        """The arrays that the kernels read."""
        sets = np.arange(1 << self.ranks)
        sizes = np.bitwise_count(sets.astype(np.uint64)).astype(np.int32)
        # Sets of the same size in ascending order are in colexicographic order.
        order = np.argsort(sizes, kind="stable")
        firsts = np.searchsorted(sizes[order], np.arange(self.ranks + 2))
        numbers = np.empty(sets.size, np.int32)
        numbers[order] = np.arange(sets.size) - firsts[sizes[order]]
        counts = np.array(list(product(*(range(count + 1) for count in self.rounds))), np.int64)
        spans = np.array([self._span(row) for row in counts.tolist()], np.int64)
        positions, codes, offsets = self._configurations(counts, spans)
        return IndexTables(
            deck=np.array([self.ranks, self.suits], np.int64),
            rounds=np.array(self.rounds, np.int64),
            suit=(np.arange(self.ranks * self.suits) % self.suits).astype(np.int32),
            rank=(1 << np.arange(self.ranks * self.suits) // self.suits).astype(np.int32),
            sizes=sizes,
            numbers=numbers,
            sets=order.astype(np.int32),
            firsts=firsts.astype(np.int64),
            choose=np.array(
                [[comb(n, k) for k in range(10)] for n in range(self.ranks + 1)], np.int64
            ),
            counts=counts,
            spans=spans,
            found=positions,
            codes=codes,
            offsets=offsets,
        )

    def _span(self, counts: list[int]) -> int:
        """Histories of a suit with these numbers of cards per round."""
        left, ways = self.ranks, 1
        for count in counts:
            ways *= comb(left, count)
            left -= count
            if left < 0:
                return 0
        return ways

    def _configurations(self, counts: Ints, spans: Ints) -> tuple[Ints, Ints, Ints]:
        """The position of every configuration, its codes, and its first number."""
        chosen = _sums(counts.tolist(), spans.tolist(), list(self.rounds), self.suits)
        positions = np.full(len(spans) ** (self.suits - 1), -1, np.int64)
        ways = []
        for number, codes in enumerate(chosen):
            key = 0
            for code in codes[:-1]:
                key = key * len(spans) + code
            positions[key] = number
            groups = {code: codes.count(code) for code in codes}
            ways.append(prod(comb(int(spans[c]) + n - 1, n) for c, n in groups.items()))
        offsets = np.concatenate([[0], np.cumsum(ways, dtype=np.int64)])
        return positions, np.array(chosen, np.int64), offsets


def _sums(
    counts: list[list[int]], spans: list[int], left: list[int], suits: int, most: int | None = None
) -> list[tuple[int, ...]]:
    """All descending codes of this many suits that deal exactly the remaining cards."""
    if not suits:
        return [] if any(left) else [()]
    chosen = []
    for code in range(len(spans) - 1 if most is None else most, -1, -1):
        rest = [have - take for have, take in zip(left, counts[code], strict=True)]
        if spans[code] and min(rest) >= 0:
            chosen += [(code, *more) for more in _sums(counts, spans, rest, suits - 1, code)]
    return chosen


def unordered(board_cards: int) -> HandIndex:
    """Two hole cards of hold'em and a board dealt in any order."""
    within("board cards", board_cards, 0, 5)
    return HandIndex((2, board_cards) if board_cards else (2,))


def boards_up_to_suits() -> tuple[Ints, Ints]:
    """[board, 5] one full board of hold'em per class up to suits, and [board] the sizes of the
    classes."""
    index = HandIndex((5,))
    boards = index.cards(np.arange(index.size))
    return boards.astype(np.int64), index.weights_from(0, index.size).astype(np.int64)
