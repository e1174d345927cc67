"""Fast strength of hands of a full deck; `ranking.strength` is the slow, obvious twin.

A card is rank * 4 + suit: 0 is the deuce of clubs, 51 the ace of spades. A strength is a
number from 0 to 7461: higher is better, hands that tie have equal strengths."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Ints
from regretless.core.errors import BadParameter, within
from regretless.kernels.hands import (
    DECK,
    HOLDINGS,
    STRENGTHS,
    Cards,
    Strengths,
    category_of,
    classes,
    count_strengths,
    first_repeating,
    hand_tables,
    rank_board,
    rank_hands,
)

Categories: TypeAlias = npt.NDArray[np.int8]

CATEGORIES = (  # weakest first; a royal flush is a straight flush
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


def ranks(cards: npt.ArrayLike) -> Strengths:
    """Strength of every row: the best five of five, six or seven cards.

    Fastest for uint8 in C order, which needs no copy."""
    hands = _checked(cards, "cards", 2, 5, 7)
    out = np.empty(len(hands), np.int16)
    size = hands.shape[1]
    rank_hands(hand_tables(size), (0,) * size, hands, out)
    return out


def ranks_on_board(board: npt.ArrayLike) -> Strengths:
    """Strength of all 1326 holdings, in the order of `holdings`, on three to five cards.

    It is -1 if a holding shares a card with the board."""
    cards = _checked(board, "board", 1, 3, 5)
    out = np.empty(HOLDINGS, np.int16)
    rank_board(hand_tables(len(cards) + 2), cards.astype(np.int64), out)
    return out


@cache
def holdings() -> Cards:
    """The two cards of every holding, lower card first; ordered by the higher, then the lower."""
    pairs = [(low, high) for high in range(DECK) for low in range(high)]
    table = np.array(pairs, np.uint8)
    table.setflags(write=False)
    return table


def strength_counts(size: int) -> Ints:
    """How many hands of five, six or seven cards have each strength."""
    within("size", size, 5, 7)
    counts = np.zeros(STRENGTHS, np.int64)
    count_strengths(hand_tables(size), np.zeros(size - 2, np.int64), counts)
    return counts


def categories(strengths: npt.ArrayLike) -> Categories:
    """The category of every strength, as an index into `CATEGORIES`."""
    given = np.asarray(strengths)
    _check_range(given, "strength", STRENGTHS - 1)
    return np.asarray(_category_of_strength()[given])


def category_name(strength: int) -> str:
    """The name of the category of a strength."""
    return CATEGORIES[int(categories(strength))]


@cache
def _category_of_strength() -> Categories:
    return category_of(classes()).astype(np.int8)


def _checked(cards: npt.ArrayLike, name: str, dimensions: int, low: int, high: int) -> Cards:
    """The cards in the layout of the kernels, in rows of low to high distinct cards."""
    given = np.asarray(cards)
    if given.ndim != dimensions or not low <= given.shape[-1] <= high:
        allowed = f"{low} to {high}" if dimensions == 1 else f"hands, {low} to {high}"
        raise BadParameter(f"{name} of shape {given.shape}: must be ({allowed})")
    _check_range(given, "card", DECK - 1)
    rows = np.ascontiguousarray(given, np.uint8)
    repeating = first_repeating((0,) * rows.shape[-1], np.atleast_2d(rows))
    if repeating >= 0:
        row = np.atleast_2d(rows)[repeating].tolist()
        raise BadParameter(f"{name} {row}: a card appears twice")
    return rows


def _check_range(given: npt.NDArray[np.generic], name: str, high: int) -> None:
    if given.dtype.kind not in "iu":
        raise BadParameter(f"{name} of type {given.dtype}: must be whole numbers, 0 to {high}")
    if given.size:
        within(name, int(given.min()), 0, high)
        within(name, int(given.max()), 0, high)
