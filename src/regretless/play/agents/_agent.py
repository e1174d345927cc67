"""The interface of an agent: it sees what its position may know, and acts.

Its actions depend only on its seed, the number of the hand, what happened in that hand and, if it
learns, the hands that it saw before: a resumed match shows them again, so it continues as if it
had never stopped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, IllegalMove, shown
from regretless.games._betting import Betting
from regretless.play.agents._draws import Draws
from regretless.play.records import Hand
from regretless.play.rules import Playable, rules_of
from regretless.play.table import View
from regretless.strategy.face import Play, hands_of, place


class Agent(ABC):
    """A player of one seat."""

    def __init__(self, game: Playable, *, seed: int = 0) -> None:
        self.rules = rules_of(game)
        self.draws = Draws(seed)

    def __getattr__(self, name: str) -> Any:
        if name in ("rules", "draws"):
            kind = type(self).__name__
            raise BadInput(f"agent {kind}: __init__ must call super().__init__(game, seed=seed)")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @abstractmethod
    def act(self, view: View) -> str:
        """An action as ACPC text: `f`, `c`, `r`, in no-limit `r300`."""

    def prepare(self) -> None:  # noqa: B027 - most agents answer at once
        """Do what takes long the first time; called before a dealer starts to measure time."""

    def finished(self, hand: Hand) -> None:  # noqa: B027 - most agents learn nothing
        """A hand is over; cards that this agent may not see are omitted."""

    def saw(self, hand: Hand, position: int) -> None:
        """The same for agents that need to know which position was theirs."""
        self.finished(hand)

    def begin(self) -> None:  # noqa: B027 - most agents have nothing to forget
        """A match begins: forget what was learned in others."""

    @property
    def learns(self) -> bool:
        """Whether it may play the same decision differently later in a match."""
        kind = type(self)
        return kind.finished is not Agent.finished or kind.saw is not Agent.saw


class Mixture(NamedTuple):
    """Actions, and the start of the interval in [0, 1) of each but the first."""

    actions: tuple[str, ...]
    below: tuple[float, ...] = ()


class MixingAgent(Agent):
    """An agent that knows the probabilities of its actions."""

    answers_at_once = True  # so that asking at every decision point takes no longer than playing

    @abstractmethod
    def mixture(self, view: View) -> Mixture:
        """Its mixed action; it depends on what the position knows, not on the hand's number."""

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        """What it plays after a betting on a board, with every hand: it is asked for each."""
        node, cards = place(self.rules, betting, board)
        hands = hands_of(self.rules)
        shown = tuple(hands.names[card] for card in cards)
        texts, columns = dict[str, str](), dict[str, Floats]()
        for hand in np.flatnonzero(hands.free(cards)).tolist():
            held = tuple(hands.names[card] for card in hands.hands[hand])
            actions, below = self.mixed(View(node.actor, 0, node, held, shown))
            for action, (low, high) in zip(actions, pairwise((0.0, *below, 1.0)), strict=True):
                if action not in texts:
                    texts[action] = _acpc(node, action, hands.labels[hand])
                    columns.setdefault(texts[action], np.zeros(len(hands.hands)))
                columns[texts[action]][hand] += high - low
        return Play(tuple(columns), np.stack(list(columns.values()), axis=1), hands)

    def mixed(self, view: View) -> Mixture:
        """Its mixture, checked: agents may be user code."""
        mixture = self.mixture(view)
        if not (
            isinstance(mixture, Mixture)
            and len(mixture.below) == len(mixture.actions) - 1
            and all(isinstance(bound, Real) for bound in mixture.below)
            and all(low <= high for low, high in pairwise((0.0, *mixture.below, 1.0)))
        ):
            raise BadInput(
                f"mixture {shown(mixture)}: must be a Mixture of n actions and n - 1 rising "
                "numbers from 0 to 1"
            )
        return mixture

    def act(self, view: View) -> str:
        actions, below = self.mixed(view)
        if not below:
            return actions[0]
        return actions[bisect_right(below, self.draws.at(view.number, len(view.betting.history)))]


def _acpc(betting: Betting, action: str, hand: str) -> str:
    """The ACPC text of an action that an agent has named in one of several ways."""
    try:
        after = betting.act(action)
    except IllegalMove as error:
        where = betting.history or "the start"
        raise BadInput(f"agent with {hand} at {where}: {error}") from None
    return after.history[len(betting.history) :].rstrip("/")


@lru_cache(maxsize=2**16)
def legal_letters(betting: Betting) -> str:
    """Kinds of action that are legal: `c`, with `f` before it and `r` after it if allowed."""
    owes = betting.spent[betting.actor] < max(betting.spent)
    return ("f" if owes else "") + "c" + ("r" if betting.raise_range() else "")
