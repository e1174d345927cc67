"""The 1,326 starting hands of hold'em by number, and the 169 classes they fall into.

A card is rank * 4 + suit: 0 is the deuce of clubs, 51 the ace of spades. Hands are in the order
of `itertools.combinations(range(52), 2)`; `evaluator.holdings` is ordered by higher card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np

from regretless.cards.deck import DECK, HOLDINGS, RANKS, SUITS
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadParameter

CLASSES = len(RANKS) ** 2  # 169: cell high * 13 + low is suited, low * 13 + high offsuit
COPIES = len(SUITS)
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", "\ufe0e\ufe0f")
_CARD = re.compile(r"10[cdhs]|[^\s,;/|_-]{1,2}", re.IGNORECASE)


def card_name(card: int) -> str:
    """Such as `Td`."""
    return RANKS[card // COPIES] + SUITS[card % COPIES]


def read_cards(text: str, *, what: str = "cards") -> tuple[int, ...]:
    """The distinct cards of a text such as `Td9d6h` or `10♦ 9D/6h`, in that order."""
    cards: list[int] = []
    for part in _CARD.finditer(text.translate(_SYMBOLS)):
        word = part[0].replace("10", "T")
        rank, suit = RANKS.find(word[0].upper()), SUITS.find(word[1:].lower() or "?")
        place = f"{what} {text!r}, character {part.start() + 1}"
        if rank < 0 or suit < 0:
            raise BadParameter(f"{place}: {part[0]!r} is not a card; cards are written like Td")
        card = rank * COPIES + suit
        if card in cards:
            raise BadParameter(f"{place}: {card_name(card)} appears twice")
        cards.append(card)
    return tuple(cards)


def number_of(first: int, second: int) -> int:
    """The number of the hand of two cards."""
    low, high = sorted((first, second))
    return low * (2 * DECK - 1 - low) // 2 + high - low - 1


@cache
def hands() -> Ints:
    """[hand, 2] the cards of every hand, lower card first."""
    cards = np.array(list(combinations(range(DECK), 2)), np.int64)
    cards.setflags(write=False)
    return cards


@cache
def evaluator_order() -> Ints:
    """[hand] its position in the order of `evaluator.holdings`."""
    low, high = hands().T
    places: Ints = high * (high - 1) // 2 + low
    places.setflags(write=False)
    return places


@cache
def hand_names() -> tuple[str, ...]:
    """Such as `AsKd`: higher card first; in a pair, higher suit first."""
    return tuple(card_name(high) + card_name(low) for low, high in hands().tolist())


@cache
def class_of() -> Ints:
    """[hand] its class: a cell of the 13×13 grid with suited hands at [high rank, low rank]."""
    low, high = (hands() // COPIES).T
    suited = hands()[:, 0] % COPIES == hands()[:, 1] % COPIES
    cells: Ints = np.where(suited, high * len(RANKS) + low, low * len(RANKS) + high)
    cells.setflags(write=False)
    return cells


@cache
def class_names() -> tuple[str, ...]:
    """`AKs` is suited, `AKo` offsuit, `AA` a pair."""
    return tuple(_class_name(*divmod(cell, len(RANKS))) for cell in range(CLASSES))


@cache
def members() -> tuple[Ints, ...]:
    """[class] the hands of every class."""
    return tuple(np.flatnonzero(class_of() == cell) for cell in range(CLASSES))


def without(cards: tuple[int, ...]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """[hand] whether it has none of these cards."""
    free = ~np.isin(hands(), cards).any(axis=1)
    assert free.shape == (HOLDINGS,)
    return free


def _class_name(row: int, column: int) -> str:
    if row == column:
        return RANKS[row] * 2
    return RANKS[max(row, column)] + RANKS[min(row, column)] + ("s" if row > column else "o")


def run_outs(board: Sequence[int]) -> Ints:
    """[run-out, 5] every way to complete a board."""
    left = sorted(set(range(DECK)) - set(board))
    missing = 5 - len(board)
    rows = [(*board, *more) for more in combinations(left, missing)]
    return np.array(rows, np.int64)


@cache
def disjoint() -> Floats:
    """[hand, hand] 1 if the two hands share no card."""
    has = np.zeros((HOLDINGS, DECK), np.float32)
    np.put_along_axis(has, hands(), 1, axis=1)
    apart: Floats = (has @ has.T == 0).astype(np.float64)
    apart.setflags(write=False)
    return apart


def meeting(weight: Floats) -> Floats:
    """[hand] the weight of all hands that share no card with it."""
    by_card = np.zeros(DECK)
    low, high = hands().T
    np.add.at(by_card, low, weight)
    np.add.at(by_card, high, weight)
    met: Floats = weight.sum() - by_card[low] - by_card[high] + weight
    # A tiny difference of sums is rounding, not weight.
    return np.where(met > 1e-12 * max(weight.sum(), 1e-300), met, 0.0)
