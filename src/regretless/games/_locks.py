"""Locks: what some hands must do at a place in the tree of a spot; the rest adapts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.cards.holdings import hand_names, without
from regretless.cards.ranges import read_range
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter
from regretless.games._betting import PokerRules
from regretless.games._lines import Line, find_move, move_names, read_line
from regretless.games._spot_tables import PLAYERS, BadSpot, checked_table, fraction, under

ROUNDING = 1e-6  # tolerance for the sum of probabilities written by hand


@dataclass(frozen=True, eq=False)
class SpotLock:
    """Hands of the player to act at a place, and what they do there."""

    at: str  # as it was written
    line: Line
    hands: npt.NDArray[np.bool_]  # [hand]
    play: tuple[tuple[str, float], ...]  # (name, probability) of every move, in order

    @property
    def player(self) -> int:
        """The player whose hands are locked."""
        return self.line.betting.actor


def read_locks(
    rules: PokerRules,
    board: tuple[int, ...],
    ranges: tuple[Floats, Floats],
    given: Sequence[Mapping[str, Any]],
) -> tuple[SpotLock, ...]:
    """All locks, checked one by one and against each other."""
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise BadParameter(f"got {given!r}, expected a list of tables")
    locks: list[SpotLock] = []
    for number, table in enumerate(given, start=1):
        with under(str(number)):
            lock = _read(rules, board, ranges, table)
            for earlier, other in enumerate(locks, start=1):
                _agree(lock, other, earlier)
        locks.append(lock)
    return tuple(locks)


def _read(
    rules: PokerRules, board: tuple[int, ...], ranges: tuple[Floats, Floats], given: object
) -> SpotLock:
    table = checked_table(given, ("at", "hands", "play"), needed=("play",))
    at = table.get("at", "")
    if not isinstance(at, str):
        raise BadSpot("at", f"got {at!r}, expected a text such as 'check bet120'")
    with under("at"):
        line = read_line(rules, board, at)
        if line.betting.over:
            raise BadParameter(f"line {at!r}: the hand is over, nobody acts")
    with under("hands"):
        weights = read_range(table.get("hands", "random"))
        if ((weights > 0) & (weights < 1)).any():
            raise BadParameter("weights are not allowed here: a hand is either locked or not")
        named = weights > 0
        dealt = tuple(card for cards in line.cards for card in cards)
        hands = named & (ranges[line.betting.actor] > 0) & without(dealt)
        if not hands.any():
            player = PLAYERS[line.betting.actor]
            raise BadParameter(f"no such hand is in the range of {player}, who acts here")
    hands.setflags(write=False)
    with under("play"):
        return SpotLock(at, line, hands, _play(line, table["play"]))


def _play(line: Line, given: object) -> tuple[tuple[str, float], ...]:
    names = move_names(line.betting)
    if not isinstance(given, Mapping):
        raise BadParameter(f"got {given!r}, expected a table such as {{ {names[0]} = 1.0 }}")
    chances = [0.0] * len(names)
    for name, chance in given.items():
        move = find_move(line.betting, str(name))
        if chances[move]:
            raise BadParameter(f"{names[move]} appears twice")
        chances[move] = fraction(str(name), chance, 1)
    total = sum(chances)
    if abs(total - 1) > ROUNDING:
        raise BadParameter(f"probabilities sum to {total:g}: must be 1")
    return tuple((name, chance / total) for name, chance in zip(names, chances, strict=True))


def _agree(lock: SpotLock, other: SpotLock, number: int) -> None:
    both = lock.hands & other.hands
    if lock.line.meets(other.line) and both.any() and lock.play != other.play:
        hand = hand_names()[int(np.flatnonzero(both)[-1])]
        raise BadParameter(f"contradicts lock {number}: {hand} is in both, with different play")
