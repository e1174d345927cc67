"""A game: a root state, and the rules that lead from state to state.

A state is frozen; acting returns a new one. Chance moves like a player, with
`chances` beside `actions`. Forms are built by walking states, so this small contract
is all that a new game has to satisfy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from regretless.core.errors import IllegalMove
from regretless.core.tables import facts_table

if TYPE_CHECKING:
    from regretless.games._betting import PokerRules
    from regretless.games._locked import Lock
    from regretless.games._spot import Spot

CHANCE = -1
TERMINAL = -2


class State(ABC):
    """One position of a game."""

    __slots__ = ()

    @property
    @abstractmethod
    def player(self) -> int:
        """The player to move: 0, 1, …, CHANCE or TERMINAL."""

    @property
    @abstractmethod
    def actions(self) -> Sequence[str]:
        """Names of the legal actions, or of the outcomes of a chance move."""

    @property
    def chances(self) -> Sequence[float]:
        """At a chance move, the probability of every outcome."""
        return ()

    @abstractmethod
    def child(self, index: int) -> Self:
        """The state after the action with this index."""

    @abstractmethod
    def view(self, player: int) -> str:
        """Everything the player knows: equal texts are the same decision point."""

    @property
    @abstractmethod
    def payoff(self) -> Sequence[float]:
        """At the end, what every player has won."""

    def play(self, action: str) -> Self:
        """The state after the action of this name."""
        legal = list(self.actions)
        if action not in legal:
            raise IllegalMove(f"{action!r}: legal actions are {', '.join(legal) or 'none'}")
        return self.child(legal.index(action))


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a game, known before anything is built."""

    nodes: int
    terminals: int
    decision_points: tuple[int, ...]  # per player
    sequences: tuple[int, ...]  # per player, including the empty one
    complete: bool = True  # otherwise counting was ended early: there are more


@dataclass(frozen=True, eq=False)
class Game:
    """A named game: `spec` is the text that loads it again."""

    spec: str
    players: int
    root: State
    about: str = ""
    count: Callable[[], Sizes] | None = None  # sizes without enumeration, if possible
    rules: PokerRules | None = None  # poker rules; None for any other game
    locks: tuple[Lock, ...] = ()  # decisions with a fixed strategy
    spot: Spot | None = None  # the hold'em spot, if it is one

    def __repr__(self) -> str:
        return f"Game({self.spec!r})"

    def __str__(self) -> str:
        return f"{self.spec}: {self.about or f'{self.players} players'}"

    def _repr_html_(self) -> str:
        facts = {"game": self.spec, "about": self.about, "players": str(self.players)}
        return facts_table((name, text) for name, text in facts.items() if text).html()
