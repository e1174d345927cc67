"""Matching pennies (von Neumann & Morgenstern 1944, chapter III).

Both show a side of a penny; the first player wins if they match. In the equilibrium
both show heads with probability (1 + tails) / (2 + heads + tails)."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._normal_form import zero_sum_game
from regretless.games._state import Game

ACTIONS = ("heads", "tails")
MOST_STAKE = 1e6


def game(*, heads: float = 1.0, tails: float = 1.0) -> Game:
    """`heads` and `tails` are the payoffs of a match of that side; a mismatch loses one."""
    within("heads", heads, 0, MOST_STAKE)
    within("tails", tails, 0, MOST_STAKE)
    wins = [[heads, -1.0], [-1.0, tails]]
    return zero_sum_game("matching_pennies", wins, [ACTIONS, ACTIONS], "Matching pennies")
