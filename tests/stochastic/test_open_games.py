"""Stochastic games without a horizon: the four algorithms, values known otherwise, the check."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from regretless.core.errors import BadInput, Unsolved
from regretless.stochastic.algorithms import fp_mdp, ftpl_mdp, pi_fp, vi_fp
from regretless.stochastic.certificate import certified
from regretless.stochastic.game import Stage
from regretless.stochastic.induced import InducedProcess
from regretless.stochastic.induction import solve_stochastic
from regretless.stochastic.level_game import random_stochastic_game, stochastic_game
from regretless.stochastic.shapley import shapley_game, shapley_value
from regretless.stochastic.soccer import soccer_game
from regretless.stochastic.values import outcome_chances, profile_values, uniform_profile

INNER = {"regret": 4e-3, "most": 1500}
ALGORITHMS = {
    "vi-fp": (vi_fp.Method, INNER, 20),
    "pi-fp": (pi_fp.Method, INNER, 8),
    "fp-mdp": (fp_mdp.Method, {}, 300),
    "fp-mdp by value iteration": (fp_mdp.Method, {"by": "value-iteration"}, 300),
    "ftpl-mdp": (ftpl_mdp.Method, {}, 300),
}


def solved(name, game, iterations=None, **changes):
    method, parameters, most = ALGORITHMS[name]
    running = method(game, **parameters, **changes)
    for _ in range(iterations or most):
        running.step()
        if running.change < 1e-3 and not name.startswith("f"):
            break
    return running


def matrix_value(matrix):
    """By SciPy: the largest v such that some mixture earns v in every column."""
    rows, columns = matrix.shape
    found = linprog(
        [*np.zeros(rows), -1.0],
        A_ub=np.column_stack([-matrix.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    return -found.fun


def shapley_iteration(game, rounds):
    """Shapley's own method for two players and zero sums: matrix games, again and again."""
    values = np.zeros(len(game.states))
    for _ in range(rounds):
        values = np.array(
            [
                matrix_value(
                    (here.rewards[:, 0] + game.discount * (here.moves[::2, ::2] @ values)).reshape(
                        here.stage.shape
                    )
                )
                for here in game.states
            ]
        )
    return values


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("stay", [0.0, 0.5, 0.9])
def test_shapleys_game_has_its_value(name, stay):
    running = solved(name, shapley_game(stay=stay))
    found = certified(running.game, running.profile)
    value = shapley_value(stay)
    assert found.epsilon < 0.06
    assert abs(found.values[0] - value) < 0.06
    assert running.values[0] == pytest.approx(found.values[0], abs=5e-3)
    assert value == pytest.approx((1 + stay * value) / (2 + stay * value))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_soccer_has_the_values_of_shapleys_iteration(name):
    game = soccer_game(rows=2, columns=2, discount=0.7)
    wanted = shapley_iteration(game, 20)
    running = solved(name, game, None if name.endswith("i-fp") else 60)
    found = certified(game, running.profile)
    assert found.epsilon < 0.05
    assert np.abs(found.values[::2] - wanted).max() < 0.05
    assert np.allclose(found.values[::2] + found.values[1::2], 0)


def test_soccer_is_played_by_its_rules():
    game = soccer_game(rows=2, columns=3, discount=0.9)
    states = {state.name: state for state in game.states}
    assert len(states) == 6 * 5 * 2
    here = states["0,2 1,0 1"]  # player 1 has the ball before the east goal
    east, stand = 2, 4
    cell = east * 5 + stand
    assert here.rewards[cell].tolist() == [1, -1]
    assert here.moves[2 * cell : 2 * cell + 2].sum() == 0
    here = states["0,0 0,1 1"]  # into the other, who then has the ball
    after = here.moves[2 * (east * 5 + stand)].toarray()[0, ::2]
    assert [game.states[k].name for k in np.flatnonzero(after)] == ["0,0 0,1 2"]
    both = here.moves[2 * (east * 5 + 3)].toarray()[
        0, ::2
    ]  # each moves into the other: who is second has it
    assert {game.states[k].name: both[k] for k in np.flatnonzero(both)} == {
        "0,0 0,1 1": 0.5,
        "0,0 0,1 2": 0.5,
    }
    west = states["0,1 0,0 2"].rewards[stand * 5 + 3]
    assert west.tolist() == [-1, 1]
    taken = states["0,1 0,0 1"].rewards[3 * 5 + 3]  # if player 1 moves first it loses the ball
    assert taken.tolist() == [-0.5, 0.5]
    tall = {state.name: state for state in soccer_game(rows=4, columns=2).states}
    assert not tall["0,1 2,0 1"].rewards.any()  # the goal is in the middle rows
    assert tall["1,1 2,0 1"].rewards.any()


def test_levels_are_a_special_case():
    """The finite game of two players, solved by backward induction and by all four."""
    game = random_stochastic_game(
        np.random.default_rng(4), levels=3, states=2, actions=2, zero_sum=True
    )
    wanted = np.concatenate([level[0] for level in solve_stochastic(game).values])
    for name in ALGORITHMS:
        running = solved(name, game, None if name.endswith("i-fp") else 100)
        found = certified(game, running.profile)
        assert found.epsilon < 0.08, name
        assert np.abs(found.values[::2] - wanted).max() < 0.08, name


def everybody_waits():
    """The slides' example, in small: three states of three players, each of whom can go or wait.

    Whoever goes first is paid as in a lottery worth 40; if all wait the game goes on."""
    go = np.full((3, 2, 2, 2), 0.0)
    for choice in product(range(2), repeat=3):
        going = [player for player in range(3) if choice[player] == 0]
        for player in range(3):
            go[(player, *choice)] = 0 if not going else 40 if player in going else 10
    moves = [
        [[{"turn": 1} if (a, b, c) == (1, 1, 1) else {} for c in (0, 1)] for b in (0, 1)]
        for a in (0, 1)
    ]
    return stochastic_game({"turn": Stage(go, moves)})


def test_vi_fp_converges_to_what_is_no_equilibrium():
    """States are believed to be worth 100 to everybody: all wait, which confirms the belief."""
    game = everybody_waits()
    wrong = vi_fp.Method(game, regret=1e-6, most=50, values=np.full(3, 100.0))
    wrong.profile = [np.array([1.0, 0, 1] * 3)]
    wrong.step()
    assert wrong.change == 0
    assert wrong.values.tolist() == [100.0] * 3
    found = certified(game, wrong.profile)
    assert found.values.tolist() == [0.0] * 3  # nobody is ever paid
    assert found.gains.tolist() == [40.0] * 3
    right = pi_fp.Method(game, regret=1e-6, most=500, values=np.full(3, 100.0))
    right.profile = [np.array([1.0, 0, 1] * 3)]
    while right.change > 1e-9:
        right.step()
    assert certified(game, right.profile).epsilon < 1e-6


def random_game(rng, players, states, actions, discount=1.0, lowest=0.0):
    """Any moves, with a chance to end everywhere unless it is discounted."""
    names = [str(k) for k in range(states)]
    shape = (actions,) * players
    stages = {}
    for name in names:

        def cell():
            chances = rng.dirichlet(np.ones(states + 1))
            return dict(zip(names, chances[:-1], strict=True))

        def nested(depth):
            return [cell() if depth == 1 else nested(depth - 1) for _ in range(actions)]

        stages[name] = Stage(rng.uniform(lowest, 1, (players, *shape)), nested(players))
    return stochastic_game(stages, discount=discount)


def random_profile(game, rng):
    profile = []
    for plan in uniform_profile(game):
        drawn = plan.copy()
        plex = game.states[len(profile)].stage.plex
        for start, end in pairwise(plex.roots):
            drawn[start + 1 : end] = rng.dirichlet(np.ones(end - start - 1))
        profile.append(drawn)
    return profile


def by_state(game, values):
    """[state, player] of values by seat."""
    return values.reshape(len(game.states), game.players)


def slow_values(game, profile):
    """[state, player], by playing on for a long time."""
    values = np.zeros((len(game.states), game.players))
    for _ in range(4000):
        after = []
        for here, plan in zip(game.states, profile, strict=True):
            roots = here.stage.plex.roots
            mixtures = [plan[a + 1 : b] for a, b in pairwise(roots)]
            worth = here.rewards + game.discount * (here.moves @ values.ravel()).reshape(
                here.rewards.shape
            )
            total = np.zeros(game.players)
            for cell, choice in enumerate(product(*(range(len(m)) for m in mixtures))):
                chance = np.prod([m[k] for m, k in zip(mixtures, choice, strict=True)])
                total += chance * worth[cell]
            after.append(total)
        if np.abs(values - after).max() < 1e-12:
            return values
        values = np.array(after)
    return values


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 9999), st.sampled_from([(2, 1.0), (3, 1.0), (3, 0.8)]))
def test_the_check_agrees_with_all_pure_policies(seed, kind):
    rng = np.random.default_rng(seed)
    players, discount = kind
    game = random_game(rng, players, 2, 2, discount, lowest=-1.0 if discount < 1 else 0.0)
    profile = random_profile(game, rng)
    found = certified(game, profile)
    values, best = (by_state(game, own) for own in (found.values, found.best))
    assert np.allclose(values, slow_values(game, profile), atol=1e-8)
    assert np.allclose(profile_values(game, outcome_chances(game, profile)), found.values)
    for player in range(players):
        tried = np.full(2, -np.inf)
        for choice in product(range(2), repeat=2):
            changed = [plan.copy() for plan in profile]
            for plan, k in zip(changed, choice, strict=True):
                plan[3 * player + 1 : 3 * player + 3] = np.eye(2)[k]
            tried = np.maximum(tried, slow_values(game, changed)[:, player])
        assert np.allclose(tried, best[:, player], atol=1e-8)
    process = InducedProcess.against(game, profile)
    own = process.own(profile)
    low = process.evaluated(own)
    assert np.allclose(low, found.values)
    answers = {
        "policy iteration": process.policy_iteration(own),
        "value iteration": process.value_iteration(low, 1e-12),
        "linear program": process.linear_program(own),
    }
    for name, (policy, worth) in answers.items():
        assert np.allclose(worth, found.best, atol=1e-6), name
        assert np.allclose(process.evaluated(policy), found.best, atol=1e-6), name


def test_staying_forever_is_worth_nothing_and_is_left():
    """One player: to wait is free, to go pays 1. Waiting forever solves v = v for any v."""
    stage = Stage([[[0.0], [1.0]], [[0.0], [0.0]]], [[{"a": 1}], [{}]])
    game = stochastic_game({"a": stage})
    waiting = [np.array([1.0, 1, 0, 1, 1])]
    assert profile_values(game, outcome_chances(game, waiting)).tolist() == [0, 0]
    found = certified(game, waiting)
    assert found.values.tolist() == [0, 0]
    assert found.best.tolist() == [1, 0]
    process = InducedProcess.against(game, waiting)
    for answer in (
        process.policy_iteration(process.own(waiting)),
        process.value_iteration(np.zeros(2), 1e-9),
        process.linear_program(process.own(waiting)),
    ):
        assert answer[1].tolist() == [1, 0]
        assert process.evaluated(answer[0]).tolist() == [1, 0]


def test_ties_keep_the_action_chosen_last():
    """Going pays 1 as waiting does for one who will go: a change would be to wait forever."""
    stage = Stage([[[1.0], [0.0]], [[0.0], [0.0]]], [[{}], [{"a": 1}]])
    game = stochastic_game({"a": stage})
    process = InducedProcess.against(game, [np.array([1.0, 1, 0, 1, 1])])
    still = np.array([1.0, 1])
    for wanted, values, before in (
        ([1, 1, 0], [1, 0], [1.0, 1, 0]),
        ([1, 0, 1], [1, 0], [1.0, 0, 1]),
        ([1, 1, 0], [0, 0], [1.0, 0, 1]),
    ):
        policy, _ = process.improved(np.array(values, float), [np.array(before), still])
        assert policy[0].tolist() == wanted


def test_play_that_is_paid_forever_is_refused():
    stage = Stage([[1.0]], [[{"a": 1}]])
    game = stochastic_game({"a": stage})
    with pytest.raises(Unsolved, match="'a' never ends and is paid"):
        profile_values(game, [np.ones(1)])
    with pytest.raises(Unsolved, match="never ends"):
        certified(game, [np.ones(4)])


def test_relabelled_players_change_nothing():
    rng = np.random.default_rng(7)
    game = random_game(rng, 3, 2, 2)
    order = [2, 0, 1]  # player k of the new game is player order[k] of the old one
    stages = {}
    for here in game.states:
        shape = (2, 2, 2)
        payoffs = here.rewards.T.reshape(3, *shape)[order].transpose(0, *(1 + k for k in order))
        cells = here.moves[::3, ::3].toarray().reshape(*shape, 2).transpose(*order, 3)
        moves = [
            [[dict(zip("01", cells[a, b, c], strict=True)) for c in (0, 1)] for b in (0, 1)]
            for a in (0, 1)
        ]
        stages[here.name] = Stage(payoffs, moves)
    renamed = stochastic_game(stages)
    for name in ("vi-fp", "pi-fp", "fp-mdp"):
        one, two = (solved(name, g, 5) for g in (game, renamed))
        assert np.allclose(by_state(game, one.values)[:, order], by_state(game, two.values)), name
        found = by_state(game, certified(game, one.profile).gains)[:, order]
        other = by_state(game, certified(renamed, two.profile).gains)
        assert np.allclose(found, other, atol=1e-9), name


@pytest.mark.parametrize("name", ["vi-fp", "pi-fp", "fp-mdp", "ftpl-mdp"])
def test_a_resumed_run_is_the_same_run(name):
    game = random_game(np.random.default_rng(1), 3, 2, 2)
    through, stopped = solved(name, game, 4), solved(name, game, 2)
    resumed = ALGORITHMS[name][0](game, **ALGORITHMS[name][1])
    resumed.restore(stopped.state())
    while resumed.iteration < 4:
        resumed.step()
    same = zip(through.state().values(), resumed.state().values(), strict=True)
    assert all(np.array_equal(one, two) for one, two in same)
    other = ALGORITHMS[name][0](shapley_game(), **ALGORITHMS[name][1])
    with pytest.raises(BadInput, match="another game"):
        other.restore(stopped.state())


def test_threads_change_nothing():
    game = random_game(np.random.default_rng(2), 3, 4, 2)
    one, two = solved("pi-fp", game, 3), solved("pi-fp", game, 3, threads=2)
    assert np.array_equal(np.concatenate(one.profile), np.concatenate(two.profile))


@pytest.mark.parametrize(
    ("stages", "discount", "message"),
    [
        ({}, 1.0, "at least one state"),
        ({1: Stage([[1]])}, 1.0, "names of states are text"),
        ({"a": Stage([[1]])}, 0.0, "must be above 0"),
        ({"a": Stage([[1]])}, 1.5, "at most 1"),
        ({"a": Stage([[1]], [[{"a": 1.5}]])}, 1.0, "sum to at most 1"),
        ({"a": Stage([[1]]), "b": Stage(np.zeros((3, 1, 1, 1)))}, 1.0, "players"),
        ({"a": Stage(np.zeros((3, 1, 1)))}, 1.0, "not of shape"),
        ({"a": Stage(np.zeros((3, 2, 1, 1)), [[[{"a": 1}]]])}, 1.0, "must be 2 × 1 × 1 cells"),
    ],
)
def test_bad_games_are_refused(stages, discount, message):
    with pytest.raises(BadInput, match=message):
        stochastic_game(stages, discount=discount)
