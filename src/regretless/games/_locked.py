"""Decisions with a fixed strategy: the player has no choice there, and the rest adapts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, UnknownName
from regretless.games._state import Game, State

if TYPE_CHECKING:
    from regretless.games._poker import Deck, Kinds

ROUNDING = 1e-6  # tolerance for the sum of probabilities


class Lock(Protocol):
    """Gives the strategy in a state, or None if the decision is free."""

    def chosen(self, state: State, player: int) -> Floats | None:
        """Probability of every action, if the decision of this state is locked."""


@dataclass(frozen=True, eq=False)
class PointLock:
    """One decision point of any game, by its label."""

    label: str
    play: dict[str, float]
    player: int | None = None  # counted from 0; None: any player with this label

    def chosen(self, state: State, player: int) -> Floats | None:
        if self.player not in (None, player) or state.view(player) != self.label:
            return None
        return probabilities(self.play, tuple(state.actions), self.label)


@dataclass(frozen=True, eq=False)
class HandLock:
    """Some hands of poker after a line of betting, on one board or on all."""

    history: str  # ACPC betting text
    play: Floats  # [hand of the deck, action]; negative where a hand is free
    board: tuple[Kinds, ...] = ()  # cards by round, () for any cards; (): every board

    def is_on(self, board: tuple[Kinds, ...]) -> bool:
        """Whether it applies to this board."""
        pairs = zip(self.board, board, strict=False)
        return all(not wanted or wanted == dealt for wanted, dealt in pairs)

    def chosen(self, state: State, player: int) -> Floats | None:
        from regretless.games._poker import PokerState

        assert isinstance(state, PokerState)
        if state.betting.history != self.history:
            return None
        if not self.is_on(state.boards):
            return None
        play = self.play[state.deck.numbers[state.holes[player]]]
        return None if play[0] < 0 else play


def probabilities(play: dict[str, float], actions: tuple[str, ...], where: str) -> Floats:
    """The given probabilities in the order of the actions; actions not named get 0."""
    for name in play:
        if name not in actions:
            raise UnknownName(f"action at {where!r}", name, actions)
    chances = np.array([play.get(action, 0.0) for action in actions])
    if not (
        np.isfinite(chances).all() and (chances >= 0).all() and abs(chances.sum() - 1) < ROUNDING
    ):
        raise BadParameter(
            f"lock at {where!r}: got probabilities {', '.join(map(str, play.values()))}: "
            "must be 0 or more and sum to 1"
        )
    whole: Floats = chances / chances.sum()
    return whole


def as_hand_lock(lock: Lock, deck: Deck) -> HandLock:
    """The same lock in terms of hands, for a poker game."""
    if isinstance(lock, HandLock):
        return _checked(lock, deck)
    assert isinstance(lock, PointLock)
    cards, _, history = lock.label.partition(":")
    hole, *shown = cards.split("/")
    betting = deck.rules.replay(history)
    play = np.full((len(deck.hands), len(betting.choices)), -1.0)
    names = tuple(move.name for move in betting.choices)
    if lock.player in (None, betting.actor):
        play[deck.numbers[deck.read(hole)]] = probabilities(lock.play, names, lock.label)
    texts = iter(shown)
    counts = deck.rules.board[: betting.round + 1]
    return HandLock(history, play, tuple(deck.read(next(texts)) if n else () for n in counts))


def _checked(lock: HandLock, deck: Deck) -> HandLock:
    """The lock, if its probabilities fit the hands of the deck and the actions after its line."""
    moves = deck.rules.replay(lock.history).choices
    if lock.play.shape != (len(deck.hands), len(moves)):
        raise BadParameter(
            f"lock after {lock.history!r}: got {lock.play.shape} probabilities, expected "
            f"{len(deck.hands)} hands with {len(moves)} actions"
        )
    held = lock.play[lock.play[:, 0] >= 0]
    if not ((held >= 0).all() and (abs(held.sum(axis=1) - 1) < ROUNDING).all()):
        raise BadParameter(
            f"lock after {lock.history!r}: probabilities must be 0 or more and sum to 1"
        )
    return lock


def given_play(game: Game, state: State, player: int) -> Floats | None:
    """The strategy of a locked decision, None if it is free. The last matching lock wins."""
    for lock in reversed(game.locks):
        chosen = lock.chosen(state, player)
        if chosen is not None:
            return chosen
    return None


def locked(game: Game, *locks: Lock) -> Game:
    """The game with these decisions locked."""
    from regretless.games._poker import PokerState

    root = game.root
    if isinstance(root, PokerState):
        for lock in locks:
            as_hand_lock(lock, root.deck)  # raises unless it fits the rules
    return replace(game, locks=(*game.locks, *locks))
