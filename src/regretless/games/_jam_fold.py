"""Jam or fold: before the flop every player in turn goes all-in or folds.

Players are numbered in the order in which they act; the last two post the small and the big blind.
A history has one letter per player that has acted: `j` jams (or calls all-in), `f` folds, `a` is
all-in by what it posted, `x` checks, because every other player still in is all-in for no more
than it has posted. At most MOST_IN players are in a pot: after that the others fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from regretless.cards.orders import MOST_IN, orders
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, within

MOST_PLAYERS = 9
JAM, FOLD, ALL_IN, CHECK = "jfax"
ACTIONS = ("fold", "jam")
LETTERS = (FOLD, JAM)  # of the actions
NAMES = {  # of positions, in the order in which they act
    2: ("SB", "BB"),
    3: ("BTN", "SB", "BB"),
    4: ("CO", "BTN", "SB", "BB"),
    5: ("HJ", "CO", "BTN", "SB", "BB"),
    6: ("LJ", "HJ", "CO", "BTN", "SB", "BB"),
    7: ("UTG", "LJ", "HJ", "CO", "BTN", "SB", "BB"),
    8: ("UTG", "UTG+1", "LJ", "HJ", "CO", "BTN", "SB", "BB"),
    9: ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "SB", "BB"),
}


@dataclass(frozen=True)
class Ending:
    """An end of the betting."""

    history: str
    inside: tuple[int, ...]  # the players who have not folded

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """How the hands of the players inside may rank, the best with 0."""
        return orders(len(self.inside))


@dataclass(frozen=True)
class JamFold:
    """Stacks before the hand, in the order in which players act, and what they post.

    Antes are paid before blinds; a player who cannot pay in full is all-in. The big-blind ante is
    paid by the big blind alone, and whoever wins the main pot wins it."""

    stacks: tuple[float, ...]
    blinds: tuple[float, float]
    ante: float = 0.0  # of every player
    big_blind_ante: float = 0.0

    def __post_init__(self) -> None:
        within("number of stacks", len(self.stacks), 2, MOST_PLAYERS)
        if not all(np.isfinite(stack) and stack > 0 for stack in self.stacks):
            raise BadParameter(f"stacks {_listed(self.stacks)}: must be positive")
        small, big = self.blinds
        if not (np.isfinite(big) and 0 <= small <= big and big > 0):
            raise BadParameter(f"blinds {_listed(self.blinds)}: must be small, then big")
        for name, amount in (("ante", self.ante), ("big-blind ante", self.big_blind_ante)):
            if not (np.isfinite(amount) and amount >= 0):
                raise BadParameter(f"{name} {amount:g}: must be 0 or more")
        forced = sum(map(self.is_forced, range(self.players)))
        if forced > MOST_IN:
            raise BadParameter(
                f"blinds and antes put {forced} players all-in: must be at most {MOST_IN}"
            )

    @property
    def players(self) -> int:
        return len(self.stacks)

    @property
    def positions(self) -> tuple[str, ...]:
        return NAMES[self.players]

    def posted(self, player: int) -> tuple[float, float, float]:
        """Ante, big-blind ante and blind that the player pays before the cards."""
        left, last = self.stacks[player], self.players - 1
        due = (
            self.ante,
            self.big_blind_ante if player == last else 0.0,
            {last - 1: self.blinds[0], last: self.blinds[1]}.get(player, 0.0),
        )
        paid = []
        for amount in due:
            paid.append(min(left, amount))
            left -= paid[-1]
        return paid[0], paid[1], paid[2]

    def is_forced(self, player: int) -> bool:
        """Whether it has nothing left after posting."""
        return sum(self.posted(player)) >= self.stacks[player]

    def move(self, history: str) -> str:
        """The letter of the next player if it has no choice, otherwise nothing."""
        player = len(history)
        if self.is_forced(player):
            return ALL_IN
        forced_later = sum(map(self.is_forced, range(player + 1, self.players)))
        if len(history) - history.count(FOLD) + forced_later >= MOST_IN:
            return FOLD
        return CHECK if self._is_free(history) else ""

    def _is_free(self, history: str) -> bool:
        player = len(history)
        rivals = [p for p in range(player) if history[p] != FOLD]
        later = range(player + 1, self.players)
        if not all(map(self.is_forced, later)):
            return False
        return all(self._bet(rival) <= self.posted(player)[2] for rival in (*rivals, *later))

    def _bet(self, player: int) -> float:
        """The bet of a player that is all-in, antes apart."""
        ante, extra, _ = self.posted(player)
        return self.stacks[player] - ante - extra

    def _histories(self) -> Iterator[str]:
        """All histories, shorter ones of the same line first."""
        stack = [""]
        while stack:
            history = stack.pop()
            yield history
            if len(history) < self.players:
                choices = self.move(history) or LETTERS[::-1]
                stack += [history + letter for letter in choices]

    @cached_property
    def decisions(self) -> tuple[tuple[str, ...], ...]:
        """[player] the histories after which it chooses."""
        found: list[list[str]] = [[] for _ in self.stacks]
        for history in self._histories():
            if len(history) < self.players and not self.move(history):
                found[len(history)].append(history)
        return tuple(map(tuple, found))

    @cached_property
    def endings(self) -> tuple[Ending, ...]:
        return tuple(
            Ending(history, tuple(p for p, letter in enumerate(history) if letter != FOLD))
            for history in self._histories()
            if len(history) == self.players
        )

    @cached_property
    def final_stacks(self) -> Floats:
        """[outcome, player]: the outcomes are the orders of every ending, ending by ending."""
        rows = [self.settled(ending, order) for ending in self.endings for order in ending.orders]
        found = np.array(rows, np.float64)
        found.setflags(write=False)
        return found

    def settled(self, ending: Ending, order: Sequence[int]) -> list[float]:
        """Stacks after the hand if the players inside rank in this order; ties split a pot."""
        paid, dead = self._paid(ending)
        stacks = [self.stacks[p] - paid[p] for p in range(self.players)]
        stacks[-1] -= dead
        levels = sorted({paid[p] for p in ending.inside})
        rank = dict(zip(ending.inside, order, strict=True))
        for low, high in pairwise([0.0, *levels]):
            # The last pot also takes what others had posted beyond it before they folded.
            top = max(paid) if high == levels[-1] else high
            pot = sum(min(one, top) - min(one, low) for one in paid) + dead
            dead = 0.0
            rivals = [p for p in ending.inside if paid[p] >= high]
            best = min(rank[p] for p in rivals)
            winners = [p for p in rivals if rank[p] == best]
            for winner in winners:
                stacks[winner] += pot / len(winners)
        return stacks

    def _paid(self, ending: Ending) -> tuple[list[float], float]:
        """What every player has put in, and the big-blind ante."""
        paid, dead = [], self.posted(self.players - 1)[1]
        for player, letter in enumerate(ending.history):
            ante, extra, blind = self.posted(player)
            all_in = letter in (JAM, ALL_IN)
            paid.append(self.stacks[player] - extra if all_in else ante + blind)
        return paid, dead


def _listed(amounts: Sequence[float]) -> str:
    return ",".join(f"{amount:g}" for amount in amounts)
