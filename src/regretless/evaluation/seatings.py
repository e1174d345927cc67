"""Who sits where: seatings, cyclic orders around the table, and means over them.

A seating gives every position a strategy. Rotating it gives the seatings of one cyclic
order; N different strategies have (N - 1)! such orders: for three these are (A, B, C) and
(A, C, B). What one strategy earns against given opponents is the mean over all their
seatings, so that all orders and positions weigh equally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, permutations, product
from math import perm
from typing import NamedTuple, TypeAlias

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, TooLarge

MOST_SEATINGS = 20_000
Places: TypeAlias = tuple[int, ...]  # a strategy for every position


class Mix(NamedTuple):
    """A weighted mean of some payoffs: indices into [seating, position], and weights."""

    places: Ints
    weights: Floats


@dataclass(frozen=True)
class Seatings:
    """All seatings of some strategies at a table."""

    strategies: int
    players: int
    duplicates: bool

    def __post_init__(self) -> None:
        needed = 2 if self.duplicates else self.players
        if self.strategies < needed:
            allowed = "" if self.duplicates else " without duplicates"
            raise BadInput(
                f"strategies for {self.players} players: got {self.strategies}, must be {needed} "
                f"or more{allowed}"
            )
        k, n = self.strategies, self.players
        count = k**n if self.duplicates else perm(k, n)
        if count > MOST_SEATINGS:
            raise TooLarge(
                f"{k} strategies for {n} players have {count:,} seatings: must be at most "
                f"{MOST_SEATINGS:,}"
            )

    @cached_property
    def all(self) -> list[Places]:
        """Every seating."""
        strategies = range(self.strategies)
        if self.duplicates:
            return list(product(strategies, repeat=self.players))
        return list(permutations(strategies, self.players))

    @cached_property
    def _numbers(self) -> dict[Places, int]:
        return {places: number for number, places in enumerate(self.all)}

    def opponents(self) -> list[Places]:
        """Every set of opponents that occurs, sorted; with repetitions if allowed."""
        strategies = range(self.strategies)
        if self.duplicates:
            return list(combinations_with_replacement(strategies, self.players - 1))
        return list(combinations(strategies, self.players - 1))

    def meets(self, strategy: int, opponents: Places) -> bool:
        """Whether this strategy plays against these opponents."""
        return self.duplicates or strategy not in opponents

    def orders(self) -> list[Places]:
        """Every cyclic order of every set of strategies at one table, once."""
        return [places for places in self.all if places == min(_rotations(places))]

    def at(self, strategy: int, opponents: Places, position: int) -> Mix:
        """What a strategy earns from one position against these opponents."""
        places = [
            self._numbers[(*rest[:position], strategy, *rest[position:])] * self.players + position
            for rest in _arrangements(opponents)
        ]
        return _even(places)

    def against(self, strategy: int, opponents: Places) -> Mix:
        """What a strategy earns against these opponents, from all positions."""
        return _joined([self.at(strategy, opponents, p) for p in range(self.players)])

    def from_position(self, strategy: int, position: int) -> Mix:
        """What a strategy earns from one position; sets of opponents weigh equally."""
        return _joined([self.at(strategy, rest, position) for rest in self._met(strategy)])

    def overall(self, strategy: int) -> Mix:
        """What a strategy earns; sets of opponents weigh equally."""
        return _joined([self.against(strategy, rest) for rest in self._met(strategy)])

    def in_order(self, order: Places, seat: int) -> Mix:
        """What the strategy in this seat of a cyclic order earns while the order rotates."""
        places = []
        for shift, rotated in enumerate(_rotations(order)):
            position = (seat - shift) % self.players
            places.append(self._numbers[rotated] * self.players + position)
        return _even(places)

    def _met(self, strategy: int) -> Iterator[Places]:
        return (rest for rest in self.opponents() if self.meets(strategy, rest))


@cache
def _arrangements(places: Places) -> list[Places]:
    """Every order of these strategies, once."""
    if not places:
        return [()]
    orders = []
    for first in sorted(set(places)):
        at = places.index(first)
        orders += [(first, *rest) for rest in _arrangements(places[:at] + places[at + 1 :])]
    return orders


def _rotations(places: Places) -> list[Places]:
    """The seatings of a cyclic order: the second player moves to the first position."""
    return [places[shift:] + places[:shift] for shift in range(len(places))]


def _even(places: Sequence[int]) -> Mix:
    return Mix(np.array(places), np.full(len(places), 1 / len(places)))


def _joined(parts: Sequence[Mix]) -> Mix:
    places = np.concatenate([part.places for part in parts])
    weights = np.concatenate([part.weights for part in parts]) / len(parts)
    return Mix(places, weights)
