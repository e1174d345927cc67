"""Rock, paper, scissors in which every win has its own stake.

The default stakes are those of `matrix_brps` in OpenSpiel (Lanctot et al. 2019). In the
equilibrium an action is chosen in proportion to the stake of the win that does not involve it:
rock 1/16, paper 10/16, scissors 5/16."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._normal_form import zero_sum_game
from regretless.games._state import Game
from regretless.games.rps import ACTIONS

MOST_STAKE = 1e6


def game(*, rock: float = 50.0, paper: float = 25.0, scissors: float = 5.0) -> Game:
    """`rock` is the stake of a win with rock; likewise for the others."""
    for name, stake in zip(ACTIONS, (rock, paper, scissors), strict=True):
        within(name, stake, 0, MOST_STAKE)
    wins = [[0, -paper, rock], [paper, 0, -scissors], [-rock, scissors, 0]]
    about = f"Rock, paper, scissors with stakes {rock:g}, {paper:g}, {scissors:g}"
    return zero_sum_game("biased_rps", wins, [ACTIONS, ACTIONS], about)
