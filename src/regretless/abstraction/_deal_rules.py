"""The cards of a poker game without its betting: what maps of hands are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.cards.deck_hands import DeckHands
from regretless.cards.hand_index import HandIndex
from regretless.core.errors import Unsuitable, within
from regretless.forms.form import Form
from regretless.games._betting import PokerRules, Ranking
from regretless.games._catalog import load
from regretless.games._state import Game

ROUNDS = ("preflop", "flop", "turn", "river")
MOST_CARDS = 7  # of a hand and its board
Cards = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class DealRules:
    """Deck, hole cards, board cards per round, and which hand beats which.

    A card is rank * suits + suit, as in `HandIndex`; a small deck keeps the highest ranks. Hands
    are in the order of `itertools.combinations` over the deck."""

    ranks: int = 13
    suits: int = 4
    hole: int = 2
    board: tuple[int, ...] = (0, 3, 1, 1)
    ranking: Ranking = Ranking.BEST_FIVE

    def __post_init__(self) -> None:
        within("ranks", self.ranks, 1, 13)
        within("suits", self.suits, 1, 4)
        within("rounds", len(self.board), 1, len(ROUNDS))
        within("hole cards", self.hole, 1, 2)
        within("cards per hand", self.hole + sum(self.board), 1, min(MOST_CARDS, self.cards))

    @property
    def cards(self) -> int:
        """The size of the deck."""
        return self.ranks * self.suits

    @property
    def is_holdem(self) -> bool:
        """Whether this is hold'em with all 52 cards."""
        return self == DealRules()

    @property
    def rounds(self) -> tuple[str, ...]:
        """Names of the rounds."""
        return ROUNDS[: len(self.board)]

    def shown(self, round: int) -> int:
        """The number of board cards in a round."""
        return sum(self.board[: round + 1])

    @cached_property
    def hands(self) -> Cards:
        """[hand, card] every hand, in order."""
        hands = self.deck.hands.astype(np.uint8)
        hands.setflags(write=False)
        return hands

    def index(self, round: int, *, ordered: bool = False) -> HandIndex:
        """Hands on boards of a round up to suits; `ordered` keeps the rounds of the board apart."""
        board = [self.shown(round)] if not ordered else list(self.board[: round + 1])
        return HandIndex((self.hole, *filter(None, board)), self.ranks, self.suits)

    def boards(self, round: int) -> HandIndex | None:
        """Boards of a round up to suits; None if there is no board yet."""
        shown = self.shown(round)
        return HandIndex((shown,), self.ranks, self.suits) if shown else None

    @cached_property
    def deck(self) -> DeckHands:
        """All hands, their numbers and names."""
        return DeckHands(self.ranks, self.suits, self.hole)

    @property
    def names(self) -> tuple[str, ...]:
        """[card] such as `Td`."""
        return self.deck.names

    def read(self, given: str | Sequence[int], what: str) -> tuple[int, ...]:
        """Distinct cards given as text or as numbers."""
        return self.deck.read(given, what)

    def facts(self) -> dict[str, Any]:
        """As JSON-compatible data."""
        return {**asdict(self), "board": list(self.board), "ranking": str(self.ranking)}


def deal_rules(game: str | Game | Form | PokerRules | DealRules) -> DealRules:
    """The cards of a game."""
    if isinstance(game, DealRules):
        return game
    named: Any = load(game) if isinstance(game, str) else game
    spec = getattr(named, "spec", "the game")
    rules = named if isinstance(named, PokerRules) else getattr(named, "rules", None)
    if rules is None and getattr(named, "game", None) is not None:
        rules = named.game.rules
    if rules is None:
        raise Unsuitable(f"{spec} is not a poker game: a map of hands needs cards")
    if rules.hole > 2 or rules.hole + sum(rules.board) > MOST_CARDS:
        raise Unsuitable(
            f"{spec}: maps are for 1 or 2 hole cards and at most {MOST_CARDS} cards per hand"
        )
    return DealRules(rules.ranks, rules.suits, rules.hole, tuple(rules.board), rules.ranking)
