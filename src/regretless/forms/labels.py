"""Labels of poker decisions: `K/Q:rc/r` is a king, a queen on the board, and the betting."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.errors import Unsuitable

RANKS = "23456789TJQKA"


class Label(NamedTuple):
    """The cards that a player sees, and the betting of every round so far."""

    hole: str
    board: str
    betting: tuple[str, ...]

    @property
    def round(self) -> int:
        """Counted from 0."""
        return len(self.betting) - 1


def read_label(label: str) -> Label:
    """Parse the label of a decision point of a poker game."""
    cards, colon, betting = label.partition(":")
    hole, _, board = cards.partition("/")
    if not colon or not hole or hole[0] not in RANKS:
        raise Unsuitable(
            f"decision point {label!r} is not a poker decision: its label has no cards"
        )
    return Label(hole, board, tuple(betting.split("/")))


def rank(cards: str) -> int:
    """Rank of the first card, 0 for a deuce."""
    return RANKS.index(cards[0])
