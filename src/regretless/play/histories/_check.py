"""Recorded hands against the rules, and against each other.

Is the betting legal, do the cards fit, do payoffs follow? Are numbers missing, or given twice?
Hands of a match are numbered from 0 without gaps, so runs of numbers are kept instead of
numbers, and a log of any length takes a few bytes. Hands of real tables have the numbers of
their site: these are kept one by one, and only duplicates can be found."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

import numpy as np

from regretless.cards.deck import RANKS, SUITS, rank_names, suit_names
from regretless.cards.evaluator import ranks
from regretless.cards.ranking import Strength
from regretless.core.errors import IllegalMove
from regretless.games._betting import Betting, PokerRules, Ranking
from regretless.play.records import Hand

KEPT = 50_000  # bettings in the cache: enough for every limit game
ROUNDING = 1e-6  # of a value with six decimals
CARD_NUMBERS = {
    rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)
}


class Checker:
    """Finds errors in hands of these rules."""

    def __init__(self, rules: PokerRules) -> None:
        self.rules = rules
        suits = suit_names(rules.suits)
        self._deck = {rank + suit for rank in rank_names(rules.ranks) for suit in suits}
        self._replay = lru_cache(maxsize=KEPT)(rules.replay)

    def difference(self, hand: Hand, *, payoffs: bool = True) -> str | None:
        """How the hand differs from the rules, in a sentence; None if it does not."""
        if len(hand.payoffs) != self.rules.players:
            got, needed = len(hand.payoffs), self.rules.players
            return f"hand {hand.number}: got {got} players, expected {needed}"
        try:
            betting = self._replay(hand.betting)
        except IllegalMove as error:
            return str(error).replace("hand 0", f"hand {hand.number}", 1)
        if not betting.over:
            return f"hand {hand.number}: betting {hand.betting!r} is not finished"
        wrong = self._wrong_cards(hand, betting)
        return wrong or (self._wrong_payoffs(hand) if payoffs else None)

    def payoffs(self, hand: Hand) -> tuple[float, ...] | None:
        """What the rules give for a legal hand; unknown cards lose, and None if all are."""
        betting = self._replay(hand.betting)
        holes, board = self._dealt(hand)
        live = [p for p in range(self.rules.players) if not betting.folded[p]]
        shown = [p for p in live if holes[p]]
        strengths: list[Strength] = [()] * self.rules.players
        if len(live) > 1:
            if not shown:
                return None
            common = [card for cards in board for card in cards]
            found = self.strengths([holes[p] + common for p in shown])
            for p, strength_ in zip(shown, found, strict=True):
                strengths[p] = strength_
        return betting.settle(strengths)

    def _dealt(self, hand: Hand) -> tuple[list[list[str]], list[list[str]]]:
        """Hole cards by position, and board cards by round."""
        holes = [_split(cards) for cards in hand.holes]
        # Board cards of the first round follow the last hole cards without a separator.
        glued = len(holes[-1]) - self.rules.board[0]
        holes[-1], first = holes[-1][: max(0, glued)], holes[-1][max(0, glued) :]
        return holes, [first, *map(_split, hand.boards)]

    def _wrong_cards(self, hand: Hand, betting: Betting) -> str | None:
        rules, (holes, board) = self.rules, self._dealt(hand)
        for position, cards in enumerate(holes, start=1):
            if cards and len(cards) != rules.hole:
                held = f"position {position} holds {''.join(cards)}"
                return f"hand {hand.number}: {held}, expected {rules.hole} cards"
        needed = list(rules.board[: betting.round + 1])
        if [len(cards) for cards in board] != needed:
            return f"hand {hand.number}: board {hand.cards!r}, expected {needed} cards by round"
        seen = [card for cards in (*holes, *board) for card in cards]
        if len(set(seen)) < len(seen) or not self._deck.issuperset(seen):
            return f"hand {hand.number}: cards {hand.cards!r} are not from one deck"
        return None

    def _wrong_payoffs(self, hand: Hand) -> str | None:
        betting = self._replay(hand.betting)
        holes, _ = self._dealt(hand)
        hidden = [p for p, cards in enumerate(holes) if not cards and not betting.folded[p]]
        if hidden and sum(betting.folded) < self.rules.players - 1:
            return None  # hidden cards cannot be compared
        due = self.payoffs(hand) or ()
        if all(abs(a - b) <= ROUNDING for a, b in zip(due, hand.payoffs, strict=True)):
            return None
        got, needed = ("|".join(f"{x:g}" for x in values) for values in (hand.payoffs, due))
        return f"hand {hand.number}: values {got}, the rules give {needed}"

    def strengths(self, hands: list[list[str]]) -> list[Strength]:
        """Comparable strengths of hands with their board."""
        numbers = [[CARD_NUMBERS[card] for card in cards] for cards in hands]
        if self.rules.ranking is Ranking.BEST_FIVE and 5 <= len(numbers[0]) <= 7:
            return [(int(found),) for found in ranks(np.array(numbers))]
        return [self.rules.ranking.strength([divmod(card, 4) for card in row]) for row in numbers]


def _split(cards: str) -> list[str]:
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]


class Numbering:
    """The numbers of one log, added one by one."""

    def __init__(self) -> None:
        self._starts: list[int] = []  # runs: sorted, disjoint, not touching
        self._ends: list[int] = []  # one past the last of each run

    def add(self, number: int) -> bool:
        """Add a number; False if it is a duplicate."""
        starts, ends = self._starts, self._ends
        if ends and number == ends[-1]:
            ends[-1] += 1
            return True
        at = bisect_right(starts, number) - 1
        if at >= 0 and number < ends[at]:
            return False
        left = at >= 0 and ends[at] == number
        right = at + 1 < len(starts) and starts[at + 1] == number + 1
        if left and right:
            ends[at] = ends[at + 1]
            del starts[at + 1], ends[at + 1]
        elif left:
            ends[at] += 1
        elif right:
            starts[at + 1] = number
        else:
            starts.insert(at + 1, number)
            ends.insert(at + 1, number + 1)
        return True

    def missing(self) -> list[tuple[int, int]]:
        """First and last number of every gap below the largest number."""
        before = [0, *self._ends]
        return [(a, b - 1) for a, b in zip(before, self._starts, strict=False) if a < b]
