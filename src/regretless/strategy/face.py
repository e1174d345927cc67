"""The one face of a strategy of a poker game: what it plays with every hand.

    at(betting, board) → [hand, action] probabilities, with the names of hands and actions

Tables of a form, blueprints over buckets, solved spots, and agents that know their probabilities
all have it. Bettings and actions are ACPC text (`r300c/`, `f`, `c`, `r450`); hands are numbered as
in `cards.deck_hands`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from regretless.cards.deck_hands import Cards, DeckHands
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, WrongGame
from regretless.games._betting import Betting, Move, PokerRules

if TYPE_CHECKING:
    from regretless.strategy.strategy import Strategy


class Play(NamedTuple):
    """What is played at one decision, with every hand."""

    actions: tuple[str, ...]
    chances: Floats  # [hand, action]; rows of hands that cannot be held here are 0
    hands: DeckHands  # `hands.labels` are the names of the rows

    def of(self, hand: str) -> dict[str, float]:
        """Action → probability, with a hand such as `AsKd`."""
        row = self.chances[self.hands.read_hand(hand)].tolist()
        return dict(zip(self.actions, row, strict=True))


@runtime_checkable
class Face(Protocol):
    """A strategy that knows its probabilities."""

    @property
    def rules(self) -> PokerRules:
        """Those by which it plays; sizes that are not listed there are not in its tree."""
        ...

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        """What it plays after a betting on a board, with every hand."""
        ...


@runtime_checkable
class Result(Protocol):
    """What solving, refining and simplifying return."""

    @property
    def strategy(self) -> Strategy: ...
    def facts(self) -> dict[str, Any]: ...


@lru_cache(maxsize=64)
def _hands_of(ranks: int, suits: int, hole: int) -> DeckHands:
    return DeckHands(ranks, suits, hole)


def hands_of(rules: PokerRules) -> DeckHands:
    """All hands of a game."""
    return _hands_of(rules.ranks, rules.suits, rules.hole)


def text_of(move: Move, rules: PokerRules) -> str:
    """A move as ACPC text."""
    return f"r{move.total}" if move.letter == "r" and rules.raises is None else move.letter


def place(
    rules: PokerRules, betting: str | Betting, board: str | Sequence[int]
) -> tuple[Betting, Cards]:
    """A decision: its betting, and as many cards of the board as are known there."""
    node = rules.replay(betting) if isinstance(betting, str) else betting
    if node.over:
        raise BadParameter(f"betting {node.history!r}: the hand is over, nobody acts")
    cards = hands_of(rules).read(board, "board")
    shown = sum(rules.board[: node.round + 1])
    if len(cards) < shown:
        raise BadParameter(f"board of {len(cards)} cards: betting {node.history!r} needs {shown}")
    return node, cards[:shown]


def split(rules: PokerRules, board: Cards, round: int) -> tuple[Cards, ...]:
    """The new cards of every round up to this one."""
    ends = [sum(rules.board[: number + 1]) for number in range(round + 1)]
    return tuple(board[a:b] for a, b in zip([0, *ends], ends, strict=False))


def by_move(strategy: Face) -> Callable[[Betting, tuple[Cards, ...]], Floats]:
    """[hand, move] at decisions of the strategy's own rules, its moves in their order."""

    def chances(betting: Betting, dealt: tuple[Cards, ...]) -> Floats:
        board = tuple(card for part in dealt for card in part)
        actions, played, _ = strategy.at(betting, board)
        texts = tuple(text_of(move, betting.rules) for move in betting.choices)
        if actions == texts:
            return played
        if unknown := set(actions) - set(texts):
            raise WrongGame(
                f"betting {betting.history!r}: {min(unknown)} is played, must be one of "
                f"{', '.join(texts)}"
            )
        columns = np.zeros((len(played), len(texts)))
        columns[:, [texts.index(action) for action in actions]] = played
        return columns

    return chances
