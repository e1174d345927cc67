"""All hands of a deck: their numbers and names.

A card is rank * suits + suit of the deck that is played with, and hands are in the order of
`itertools.combinations`; for the full deck this is the order of `cards.holdings`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from regretless.cards.deck import rank_names, suit_names
from regretless.core.arrays import Ints
from regretless.core.errors import BadParameter, whole

Cards = tuple[int, ...]


class DeckHands:
    """Hands of so many cards from a deck with so many ranks and suits."""

    def __init__(self, ranks: int, suits: int, hole: int) -> None:
        self.deck, self.hole = ranks * suits, hole
        rank, suit = np.divmod(np.arange(self.deck), suits)
        self.full = 4 * (13 - ranks + rank) + 4 - suits + suit  # [card] its number among all 52
        self.names = tuple(rank + suit for rank in rank_names(ranks) for suit in suit_names(suits))
        self.numbers = {name: card for card, name in enumerate(self.names)}

    @cached_property
    def hands(self) -> Ints:
        """[hand, hole] the cards of every hand."""
        cards = np.array(list(combinations(range(self.deck), self.hole)), np.int64)
        cards.setflags(write=False)
        return cards

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """[hand] its cards, the highest first."""
        return tuple("".join(self.names[c] for c in reversed(hand)) for hand in self.hands.tolist())

    @cached_property
    def _sets(self) -> Ints:
        """[hand] its cards as bits."""
        return np.asarray((np.int64(1) << self.hands).sum(axis=1))

    @cached_property
    def hand_numbers(self) -> dict[Cards, int]:
        """The number of every hand, by its sorted cards."""
        return {tuple(hand): number for number, hand in enumerate(self.hands.tolist())}

    def number(self, cards: tuple[str, ...]) -> int:
        """The number of the hand of these cards."""
        return self.hand_numbers[tuple(sorted(self.numbers[card] for card in cards))]

    def board(self, cards: tuple[str, ...]) -> Cards:
        """Board cards by number."""
        return tuple(self.numbers[card] for card in cards)

    def free(self, cards: Cards) -> npt.NDArray[np.bool_]:
        """[hand] whether it has none of these cards."""
        taken = sum(1 << card for card in set(cards))
        return np.asarray(self._sets & taken == 0, np.bool_)

    def read(self, given: str | Sequence[int], what: str) -> Cards:
        """Distinct cards given as text or as numbers."""
        if not isinstance(given, str):
            cards = tuple(whole("card", card, 0, self.deck - 1) for card in given)
        else:
            text = "".join(given.split())
            parts = [text[at : at + 2] for at in range(0, len(text), 2)]
            known = {name.lower(): card for card, name in enumerate(self.names)}
            for part in parts:
                if part.lower() not in known:
                    low, high = self.names[0], self.names[-1]
                    raise BadParameter(
                        f"{what} {given!r}: {part!r} is not a card from {low} to {high}"
                    )
            cards = tuple(known[part.lower()] for part in parts)
        for card in cards:
            if cards.count(card) > 1:
                raise BadParameter(f"{what}: {self.names[card]} appears twice")
        return cards

    def read_hand(self, text: str) -> int:
        """The number of a hand given as text."""
        cards = self.read(text, "hand")
        if len(cards) != self.hole:
            raise BadParameter(f"hand {text!r}: got {len(cards)} cards, expected {self.hole}")
        return self.hand_numbers[tuple(sorted(cards))]
