"""Soccer on a grid (Littman 1994, "Markov games as a framework for multi-agent learning").

Two players, one with the ball, choose at once to move north, south, east, west, or to stand. Chance
decides who moves first. Who moves into the other's square stays, and the other then has the ball.
Player 1 scores by carrying it off the east side, player 2 off the west side, in the rows of the
goal: the middle two, or all of a lower grid. Values are discounted.

Differs from the paper, where play begins again after a goal: here the game ends."""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.matrix_stage import MatrixStage
from regretless.stochastic.game import GameState, OpenGame, staying

ACTIONS = ("north", "south", "east", "west", "stand")
STEPS = ((-1, 0), (1, 0), (0, 1), (0, -1), (0, 0))
GOAL_ROWS = 2

Square: TypeAlias = tuple[int, int]
Place: TypeAlias = tuple[Square, Square, int]  # both players, and who has the ball


def soccer_game(*, rows: int = 4, columns: int = 5, discount: float = 0.9) -> OpenGame:
    """The game on a grid of this size; the names of states are such as `0,1 2,3 1`: the squares
    of both players, and who has the ball."""
    within("rows", rows, 1, 10)
    within("columns", columns, 2, 10)
    within("discount", discount, 0.01, 0.999)
    squares = list(product(range(rows), range(columns)))
    places: list[Place] = [
        (one, two, ball) for one, two, ball in product(squares, squares, (0, 1)) if one != two
    ]
    numbers = {place: number for number, place in enumerate(places)}
    field, stage = _Field(rows, columns), MatrixStage((ACTIONS, ACTIONS))
    states = []
    for place in places:
        rewards, moves = np.zeros((stage.outcomes, 2)), np.zeros((stage.outcomes, len(places)))
        for cell, choice in enumerate(product(range(len(STEPS)), repeat=2)):
            for first in (0, 1):
                after = field.played(place, choice, first)
                if isinstance(after, int):
                    rewards[cell] += 0.5 * _scored(after)
                else:
                    moves[cell, numbers[after]] += 0.5
        states.append(GameState(_name(place), stage, rewards, staying(moves, 2)))
    return OpenGame(tuple(states), 2, discount, f"soccer:rows={rows},columns={columns}")


def _name(place: Place) -> str:
    (a, b), (c, d), ball = place
    return f"{a},{b} {c},{d} {ball + 1}"


def _scored(player: int) -> Floats:
    return np.array([1.0, -1.0]) if player == 0 else np.array([-1.0, 1.0])


class _Field:
    """Where moves lead."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        above = max(0, (rows - GOAL_ROWS) // 2)
        self.goal = range(above, rows - above)

    def played(self, place: Place, choice: tuple[int, ...], first: int) -> Place | int:
        """Both moves, one after the other; a number is the player who has scored."""
        at, ball = [place[0], place[1]], place[2]
        for player in (first, 1 - first):
            row, column = at[player]
            down, right = STEPS[choice[player]]
            row, column = row + down, column + right
            if player == ball and row in self.goal and column == (self.columns, -1)[player]:
                return player
            if (row, column) == at[1 - player]:
                ball = 1 - player
            elif 0 <= row < self.rows and 0 <= column < self.columns:
                at[player] = (row, column)
        return at[0], at[1], ball
