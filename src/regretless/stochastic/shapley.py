"""A game of one state whose value solves a quadratic equation, after Shapley (1953).

Both choose one of two sides. On the first diagonal cell player 1 wins 1 and the game goes on with
chance `stay`; on the other diagonal cell it wins 1 and the game ends; elsewhere it ends unpaid.
The value v solves v = (1 + stay v) / (2 + stay v)."""

from __future__ import annotations

from math import sqrt

from regretless.core.errors import within
from regretless.stochastic.game import OpenGame, Stage, open_game


def shapley_game(*, stay: float = 0.5) -> OpenGame:
    """The game, undiscounted: it ends with certainty if `stay` is less than 1."""
    within("stay", stay, 0, 0.999)
    stage = Stage([[1, 0], [0, 1]], moves=[[{"play": stay}, {}], [{}, {}]])
    return open_game({"play": stage}, 1.0, f"shapley:stay={stay:g}")


def shapley_value(stay: float) -> float:
    """What the game is worth to player 1."""
    if stay == 0:
        return 0.5
    return (sqrt((2 - stay) ** 2 + 4 * stay) - (2 - stay)) / (2 * stay)
