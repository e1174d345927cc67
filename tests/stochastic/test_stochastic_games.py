"""Finite stochastic games: definition, backward induction, regrets by another route."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.core.errors import BadInput, UnknownName
from regretless.stochastic.game import Stage
from regretless.stochastic.induction import evaluate_profile, regrets, solve_stochastic
from regretless.stochastic.level_game import random_stochastic_game, stochastic_game

PENNIES = [[1, -1], [-1, 1]]
ONE = [[{"hot": 1}, {"cold": 1}], [{"cold": 0.5, "hot": 0.5}, {"hot": 1}]]


def example(**changes):
    start = Stage(**{"payoffs": PENNIES, "moves": ONE, **changes})
    return stochastic_game([{"start": start}, {"hot": Stage([[2, 2]]), "cold": Stage([[-1]])}])


def as_tree(game):
    """The game as a tree: the state is seen, the choice of the other is not."""

    class Node(rl.State):
        def __init__(self, level, state, paid, row=None, column=None):
            self.level, self.state, self.paid = level, state, paid
            self.row, self.column = row, column

        @property
        def stage(self):
            return game.levels[self.level][self.state]

        @property
        def player(self):
            if self.level == len(game.levels):
                return rl.TERMINAL
            return 0 if self.row is None else 1 if self.column is None else rl.CHANCE

        @property
        def actions(self):
            if self.player == rl.TERMINAL:
                return ()
            if self.player == rl.CHANCE:
                last = self.level + 1 == len(game.levels)
                return ("end",) if last else tuple(s.name for s in game.levels[self.level + 1])
            return self.stage.actions[self.player]

        @property
        def chances(self):
            last = self.level + 1 == len(game.levels)
            return (1.0,) if last else tuple(self.stage.chances[self.row, self.column])

        def child(self, index):
            if self.row is None:
                return Node(self.level, self.state, self.paid, index)
            if self.column is None:
                return Node(self.level, self.state, self.paid, self.row, index)
            paid = self.stage.payoffs[:, self.row, self.column]
            return Node(self.level + 1, index, (*self.paid, (self.row, self.column, paid)))

        def view(self, player):
            past = [f"{row},{column}" for row, column, _ in self.paid]
            return " ".join([*past, f"{self.level}.{self.state}"])

        @property
        def payoff(self):
            return tuple(float(sum(paid[i] for _, _, paid in self.paid)) for i in (0, 1))

    return rl.Game("tree", 2, Node(0, 0, ()), "")


def test_what_a_definition_becomes():
    game = example()
    assert (game.size, game.actions) == (3, 4 + 3 + 2)
    (start,), (hot, _) = game.levels
    assert start.chances[1, 0].tolist() == [0.5, 0.5]
    assert start.payoffs[1].tolist() == [[-1, 1], [1, -1]]
    assert hot.actions == (("1",), ("1", "2"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": None}, "must be 2 rows of 2 cells"),
        ({"moves": [ONE[0]]}, "must be 2 rows of 2 cells"),
        ({"moves": [[{"hot": 0.5}, {"hot": 1}], ONE[1]]}, "sum to 1, not 0.5"),
        ({"moves": [[{"hot": 2, "cold": -1}, {"hot": 1}], ONE[1]]}, "≥ 0"),
        ({"payoffs": [1, 2]}, "must be finite"),
        ({"payoffs": [["a"]]}, "must be a matrix of numbers"),
        ({"actions": (("a", "a"), ("b", "c"))}, "different names"),
        ({"actions": 3}, "must be 2 and 2 different names"),
        ({"moves": 3}, "must be 2 rows of 2 cells"),
        ({"moves": [[3, {"hot": 1}], ONE[1]]}, "row 1, column 1: must be a dictionary"),
        ({"moves": [[{"hot": "1"}, {"hot": 1}], ONE[1]]}, "chance of hot='1': must be a number"),
    ],
)
def test_bad_definitions_are_refused(changes, message):
    with pytest.raises(BadInput, match=message):
        example(**changes)


def test_unknown_states_and_empty_levels_are_refused():
    with pytest.raises(UnknownName, match="state after 'start'"):
        example(moves=[[{"hto": 1}, {"hot": 1}], ONE[1]])
    with pytest.raises(BadInput, match="no level after the last one"):
        stochastic_game([{"start": Stage(PENNIES, ONE)}])
    with pytest.raises(BadInput, match="at least one level"):
        stochastic_game([])
    with pytest.raises(BadInput, match="state 'a': must be a Stage, not 3"):
        stochastic_game([{"a": 3}])
    with pytest.raises(BadInput, match="every level of a stochastic game must be a dictionary"):
        stochastic_game([["a"]])


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 999), st.booleans())
def test_backward_induction_finds_an_equilibrium_of_the_tree(seed, zero_sum):
    rng = np.random.default_rng(seed)
    game = random_stochastic_game(rng, levels=2, states=2, actions=2, zero_sum=zero_sum)
    first = stochastic_game_of(game, 0)
    found = solve_stochastic(first)
    assert max(gain.max() for gain in regrets(first, found.profile)) < 1e-9
    if zero_sum:
        value = rl.solve(as_tree(first), method="lp").values[0]
        assert found.values[0][0, 0] == pytest.approx(value, abs=1e-9)


def stochastic_game_of(game, state):
    """The game that begins in one state."""
    return type(game)(((game.levels[0][state],), *game.levels[1:]))


def slow_regret(game, profile, player, state):
    """Try every pure strategy: an action for every state of every level."""
    shapes = [[stage.shape[player] for stage in level] for level in game.levels]
    best = -np.inf
    for choice in product(*(range(count) for level in shapes for count in level)):
        chosen, tried = iter(choice), []
        for level, own in zip(profile, shapes, strict=True):
            pure = [np.eye(count)[next(chosen)] for count in own]
            tried.append(
                tuple(
                    (mine, y) if player == 0 else (x, mine)
                    for mine, (x, y) in zip(pure, level, strict=True)
                )
            )
        best = max(best, evaluate_profile(game, tuple(tried))[0][player, state])
    return best - evaluate_profile(game, profile)[0][player, state]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 999))
def test_regrets_are_those_of_all_pure_strategies(seed):
    rng = np.random.default_rng(seed)
    game = random_stochastic_game(rng, levels=2, states=2, actions=2)
    profile = tuple(
        tuple(tuple(rng.dirichlet(np.ones(n)) for n in stage.shape) for stage in level)
        for level in game.levels
    )
    found = regrets(game, profile)[0]
    for player, state in product((0, 1), (0, 1)):
        assert found[player, state] == pytest.approx(slow_regret(game, profile, player, state))
