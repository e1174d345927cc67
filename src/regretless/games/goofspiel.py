"""Goofspiel: bid cards for prizes; the higher bid takes the prize, equal bids discard it.

Both players hold the cards 1 to `cards` and bid one for each prize, simultaneously. The prizes
are the same numbers in descending order, or in random order with `shuffled`. Both learn who won
a prize, but see the bids only with `revealed`. The player with more points wins 1."""

from __future__ import annotations

from dataclasses import dataclass

from regretless.core.errors import within
from regretless.games._state import CHANCE, TERMINAL, Game, State

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BiddingRules:
    """The fixed part of the game."""

    cards: int
    shuffled: bool
    revealed: bool


@dataclass(frozen=True, slots=True)
class GoofspielState(State):
    """Cards left, prizes, bids, points, and what each player has seen."""

    rules: BiddingRules
    hands: tuple[Cards, Cards]
    prizes: Cards  # still to come
    prize: int = 0  # current prize; 0: none is turned up
    bid: int = 0  # bid of player 1 while player 2 still chooses; 0: none
    points: tuple[int, int] = (0, 0)
    seen: tuple[str, str] = ("", "")

    @property
    def player(self) -> int:
        if self.prize:
            return 0 if not self.bid else 1
        return CHANCE if self.prizes else TERMINAL

    @property
    def actions(self) -> list[str]:
        if self.prize:
            return [str(card) for card in self.hands[0 if not self.bid else 1]]
        return [str(prize) for prize in self.prizes]

    @property
    def chances(self) -> list[float]:
        return [1 / len(self.prizes)] * len(self.prizes) if self.player == CHANCE else []

    def child(self, index: int) -> GoofspielState:
        if not self.prize:
            return self._turned_up(index)
        card = self.hands[0 if not self.bid else 1][index]
        if not self.bid:
            return GoofspielState(
                self.rules, self.hands, self.prizes, self.prize, card, self.points, self.seen
            )
        return self._settled(card)

    def view(self, player: int) -> str:
        return f"{self.seen[player]}{self.prize}"

    @property
    def payoff(self) -> tuple[float, float]:
        first, second = self.points
        won = float((first > second) - (first < second))
        return won, -won

    def _turned_up(self, index: int) -> GoofspielState:
        rest = self.prizes[:index] + self.prizes[index + 1 :]
        prize = self.prizes[index]
        return GoofspielState(self.rules, self.hands, rest, prize, 0, self.points, self.seen)

    def _settled(self, second: int) -> GoofspielState:
        first = self.bid
        sign = (first > second) - (first < second)
        points = (
            self.points[0] + self.prize * (sign > 0),
            self.points[1] + self.prize * (sign < 0),
        )
        shown = f"{first}-{second}" if self.rules.revealed else "=><"[sign]
        seen = (
            f"{self.seen[0]}{self.prize}:{first}{shown} ",
            f"{self.seen[1]}{self.prize}:{second}{shown} ",
        )
        hands = (_without(self.hands[0], first), _without(self.hands[1], second))
        after = GoofspielState(self.rules, hands, self.prizes, 0, 0, points, seen)
        return after if self.rules.shuffled or not self.prizes else after._turned_up(0)


def game(*, cards: int = 4, shuffled: bool = False, revealed: bool = False) -> Game:
    """`cards` is the number of prizes and of cards per hand."""
    within("cards", cards, 1, 13)
    hand = tuple(range(1, cards + 1))
    root = GoofspielState(BiddingRules(cards, shuffled, revealed), (hand, hand), hand[::-1])
    return Game(
        "goofspiel",
        2,
        root if shuffled else root._turned_up(0),
        f"Goofspiel with {cards} cards, prizes {'shuffled' if shuffled else 'in descending order'}",
    )


def _without(cards: Cards, card: int) -> Cards:
    return tuple(one for one in cards if one != card)
