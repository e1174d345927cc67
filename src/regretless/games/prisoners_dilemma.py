"""The prisoner's dilemma (Flood & Dresher 1950, story by Tucker).

The names and default values of the payoffs are from Axelrod 1984. Defecting is dominant,
yet both do better when both cooperate."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._normal_form import normal_form_game
from regretless.games._state import Game

ACTIONS = ("cooperate", "defect")
MOST_PAYOFF = 1e6


def game(
    *,
    temptation: float = 5.0,
    reward: float = 3.0,
    punishment: float = 1.0,
    sucker: float = 0.0,
) -> Game:
    """Payoffs of defecting alone, both cooperating, both defecting, cooperating alone."""
    within("temptation", temptation, reward, MOST_PAYOFF)
    within("reward", reward, punishment, temptation)
    within("punishment", punishment, sucker, reward)
    within("sucker", sucker, -MOST_PAYOFF, punishment)
    first = [[reward, sucker], [temptation, punishment]]
    second = [[reward, temptation], [sucker, punishment]]
    return normal_form_game(
        "prisoners_dilemma", [first, second], [ACTIONS, ACTIONS], "Prisoner's dilemma"
    )
