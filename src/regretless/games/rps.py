"""Rock, paper, scissors (von Neumann & Morgenstern 1944, chapter III).

The only equilibrium is uniform; its value is zero."""

from __future__ import annotations

from regretless.games._normal_form import zero_sum_game
from regretless.games._state import Game

ACTIONS = ("rock", "paper", "scissors")


def game() -> Game:
    """The winner gets one from the loser."""
    wins = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    return zero_sum_game("rps", wins, [ACTIONS, ACTIONS], "Rock, paper, scissors")
