"""Cards as text. A reduced deck keeps the top ranks and the last suits, as ACPC does."""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = len(RANKS) * len(SUITS)
HOLDINGS = DECK * (DECK - 1) // 2  # hands of two cards


def rank_names(count: int) -> str:
    """Names of the ranks of a deck, lowest first."""
    return RANKS[len(RANKS) - count :]


def suit_names(count: int) -> str:
    """Names of the suits of a deck."""
    return SUITS[len(SUITS) - count :]
