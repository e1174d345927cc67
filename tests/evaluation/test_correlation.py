"""Correlated play is measured as its definitions say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games
from random_matrices import matrix_games, payoffs

import regretless as rl
from regretless.core.errors import BadInput, BadParameter, TooLarge
from regretless.evaluation.correlation import JointPlay, best_fixed, coarse_evaluation
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.normal import pure_plans
from regretless.games._normal_form import normal_form_game

CHICKEN = normal_form_game(
    "chicken", [[[0, 7], [2, 6]], [[0, 2], [7, 6]]], [["dare", "chicken"]] * 2
)


def values_of(form, plan):
    """What every player earns, terminal by terminal."""
    reach = form.chance * plan[form.sequences].prod(axis=1)
    return reach @ form.payoffs


def brute_force_gap(form, plans, weights):
    """Gain of the best pure strategy against the mixture of plans, per player."""
    shares = np.array(weights) / sum(weights)
    played = sum(s * values_of(form, plan) for s, plan in zip(shares, plans, strict=True))
    gains = []
    for player in range(form.players):
        best = -np.inf
        for pure in pure_plans(form.treeplexes[player]):
            total = 0.0
            for share, plan in zip(shares, plans, strict=True):
                changed = plan.copy()
                changed[own(form, player)] = pure
                total += share * values_of(form, changed)[player]
            best = max(best, total)
        gains.append(best - played[player])
    return gains


@settings(max_examples=25, deadline=None)
@given(game=random_games(players=(2, 3)), seed=st.integers(0, 10**6), count=st.integers(1, 4))
def test_the_gap_is_that_of_brute_force(game, seed, count):
    form, rng = rl.sequence_form(game), np.random.default_rng(seed)
    behaviours = [behaviour_of(form, rng.random(size(form))) for _ in range(count)]
    weights = list(rng.random(count) + 0.1)
    play = JointPlay(form)
    for behaviour, weight in zip(behaviours, weights, strict=True):
        play.observe(behaviour, weight)
    found = play.evaluation()
    try:
        plans = [plan_of(form, behaviour) for behaviour in behaviours]
        wanted = brute_force_gap(form, plans, weights)
    except TooLarge:
        return
    gains = np.subtract(found.best_responses, found.values)
    np.testing.assert_allclose(gains, wanted, atol=1e-10)


@pytest.mark.parametrize("game", ["kuhn", "leduc:ranks=2"])
@pytest.mark.parametrize(("method", "weight"), [("cfr", lambda t: 1.0), ("cfr+", lambda t: t)])
def test_two_players_and_zero_sum_give_the_nash_conv_of_the_average(game, method, weight):
    solver = rl.solver(f"{method}:simultaneous=true", rl.sequence_form(rl.load(game)))
    found = rl.three_players.coarse_correlated_gap(solver, 60, weight=weight)
    average = rl.evaluate(rl.Strategy(solver.form, solver.behaviour()))
    gains = np.subtract(found.best_responses, found.values)
    assert gains.sum() == pytest.approx(average.nash_conv, abs=1e-10)


def test_the_gap_falls_with_three_players():
    form = rl.sequence_form(rl.load("kuhn:players=3"))
    gaps = [
        max(rl.three_players.coarse_correlated_gap(rl.solver("cfr", form), n).epsilon)
        for n in (20, 400)
    ]
    assert gaps[1] < gaps[0] / 4


def test_the_play_of_fictitious_play_is_its_responses_not_its_averages():
    form = rl.sequence_form(rl.load("kuhn:players=3"))
    twin, play = rl.solver("fictitious-play", form), JointPlay(form)
    for t in range(1, 31):
        twin.step()
        play.observe(twin.behaviour("last"), t)
    found = rl.three_players.coarse_correlated_gap(
        rl.solver("fictitious-play", form), 30, weight=lambda t: t
    )
    assert found.best_responses == pytest.approx(play.evaluation().best_responses, abs=1e-12)
    assert found.values == pytest.approx(play.evaluation().values, abs=1e-12)


def test_a_solver_that_has_finished_plays_no_more():
    solver = rl.solver("lcp", rl.sequence_form(rl.load("rps")))
    while not solver.finished:
        solver.step()
    with pytest.raises(BadInput, match="observe one first"):
        rl.three_players.coarse_correlated_gap(solver, 5)


@pytest.mark.parametrize("make", [rl.sequence_form, rl.forms.public_form])
def test_one_profile_has_the_gap_of_its_strategy(make):
    form = make(rl.load("kuhn"))
    behaviour = behaviour_of(form, np.random.default_rng(0).random(size(form)))
    play = JointPlay(form)
    play.observe(behaviour, 3.0)
    wanted = rl.evaluate(rl.Strategy(form, behaviour))
    assert play.evaluation().values == pytest.approx(wanted.values, abs=1e-12)
    assert play.evaluation().epsilon == pytest.approx(wanted.epsilon, abs=1e-12)


def obedience_by_definition(table, found):
    """Gains of the best swap of every recommended action, from the table of payoffs."""
    gains = []
    for player, earned in enumerate(table):
        total = 0.0
        for told in range(earned.shape[player]):
            here = [
                (tuple(profile), share)
                for profile, share in zip(found.profiles, found.probabilities, strict=True)
                if profile[player] == told
            ]
            worth = [
                sum(share * earned[(*p[:player], to, *p[player + 1 :])] for p, share in here)
                for to in range(earned.shape[player])
            ]
            total += max(worth) - worth[told]
        gains.append(total)
    return gains


@settings(max_examples=25, deadline=None)
@given(table=payoffs(players=(1, 3), actions=(1, 3)))
def test_correlated_equilibria_are_what_they_say(table):
    game = normal_form_game("matrices", table)
    fine, coarse = (
        rl.three_players.correlated_equilibrium(game),
        rl.three_players.coarse_correlated_equilibrium(game),
    )
    assert max(fine.epsilon) < 1e-9
    assert max(coarse.epsilon) < 1e-9
    assert max(obedience_by_definition(table, fine.play)) < 1e-9
    assert max(coarse_evaluation(fine.play).epsilon) < 1e-9  # correlated ones are coarse ones
    assert sum(coarse.values) >= sum(fine.values) - 1e-8


@settings(max_examples=10, deadline=None)
@given(game=matrix_games(actions=(2, 3)))
def test_correlation_is_worth_at_least_as_much_as_an_equilibrium(game):
    best = max(sum(rl.expected_values(one)) for one in rl.three_players.equilibria(game))
    assert sum(rl.three_players.correlated_equilibrium(game).values) >= best - 1e-8


def test_fair_play_maximises_the_smallest_value():
    """Where welfare would give all to one player, and mixing is worth less than halves."""
    game = normal_form_game("split", [[[9, 0], [0, 3]], [[1, 0], [0, 3]]])
    assert sum(rl.three_players.correlated_equilibrium(game).values) == pytest.approx(10)
    fair = rl.three_players.correlated_equilibrium(game, objective="fair")
    assert min(fair.values) == pytest.approx(3)
    assert min(
        rl.three_players.coarse_correlated_equilibrium(game, objective="fair").values
    ) == pytest.approx(3)


def test_the_smallest_value_may_be_negative():
    game = normal_form_game("split", [[[-1, -10], [-10, -7]], [[-9, -10], [-10, -7]]])
    for found in (
        rl.three_players.correlated_equilibrium,
        rl.three_players.coarse_correlated_equilibrium,
    ):
        assert min(found(game, objective="fair").values) == pytest.approx(-7)


def test_chicken_is_that_of_aumann():
    found = rl.three_players.correlated_equilibrium(CHICKEN)
    assert found.values == pytest.approx((5.25, 5.25))
    assert found.distribution == pytest.approx(
        {("dare", "chicken"): 0.25, ("chicken", "dare"): 0.25, ("chicken", "chicken"): 0.5}
    )
    assert rl.three_players.correlated_equilibrium(CHICKEN, objective="player1").values[
        0
    ] == pytest.approx(7)
    assert "correlated equilibrium of 'chicken'" in repr(found)


def test_kuhn_has_its_value_even_when_play_is_correlated():
    found = rl.three_players.coarse_correlated_equilibrium("kuhn", objective="any")
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-9)
    assert any("K" in part for actions in found.distribution for part in actions)


def test_best_fixed_is_the_maximum_over_pure_strategies():
    form = rl.sequence_form(rl.load("kuhn"))
    earned = np.random.default_rng(0).normal(size=size(form))
    for player in range(2):
        mine = own(form, player)
        wanted = max(plan @ earned[mine] for plan in pure_plans(form.treeplexes[player]))
        assert best_fixed(form, player, earned) == pytest.approx(wanted)


@pytest.mark.parametrize("objective", ["fame", "player3"])
def test_unknown_objectives(objective):
    with pytest.raises(BadParameter, match="must be one of welfare, any, fair, player1, player2"):
        rl.three_players.correlated_equilibrium(CHICKEN, objective=objective)


@pytest.mark.parametrize("weight", [-1.0, np.inf, np.nan])
def test_bad_weights(weight):
    play = JointPlay(rl.sequence_form(rl.load("rps")))
    with pytest.raises(BadParameter, match="weight"):
        play.observe(rl.Strategy.uniform(play.form).behaviour, weight)
    with pytest.raises(BadInput, match="observe one first"):
        play.evaluation()


def test_a_normal_form_that_is_too_large_is_refused():
    with pytest.raises(TooLarge, match="coarse_correlated_gap measures the play"):
        rl.three_players.correlated_equilibrium("leduc")
