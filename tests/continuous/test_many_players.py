"""Three and more players: products, Newton's method, bounds; finite games without a model."""

import numpy as np
import pytest

import regretless as rl
from regretless.continuous.examples import example
from regretless.continuous.finite import solve_finite
from regretless.continuous.solution import solve_continuous
from regretless.core.errors import BadInput, TooLarge
from regretless.games._normal_form import normal_form_game


@pytest.fixture(scope="module")
def three():
    made = example("three-players")
    return solve_continuous(made.game, list(made.models), breakpoints=5)


def test_three_players(three):
    assert three.epsilon < 1e-8
    assert 0 < three.linear.epsilon < three.bound
    assert three.epsilon <= three.linear.epsilon
    assert sum(three.values) == pytest.approx(0, abs=1e-9)
    assert "before Newton's method" in str(three)
    # Independently: indifference at every threshold, by the evaluator.
    from regretless.continuous.response import plan_values

    for i, own in enumerate(three.profile):
        pairs = zip(own.plans, own.plans[1:], strict=False)
        for place, (below, above) in zip(own.thresholds, pairs, strict=True):
            worth = plan_values(three.game, three.profile, i, place)
            numbers = [three.game.plans[i].index(plan) for plan in (below, above)]
            assert worth[numbers[0]] == pytest.approx(worth[numbers[1]], abs=1e-6)


def test_the_bound_shrinks_with_breakpoints(three):
    made = example("three-players")
    coarse = solve_continuous(made.game, list(made.models), breakpoints=3)
    assert coarse.bound == pytest.approx(4 * three.bound)
    assert coarse.linear.epsilon < coarse.bound


def test_a_wrong_model_of_three_players_is_refuted():
    plans = "p1: bet check bet | p2: fold call | p3: fold/fold call/fold call/call"
    found = solve_continuous(
        example("three-players").game, f"{plans} | p1.1 < p2.1 < p3.1 < p3.2 < p1.2"
    )
    assert found.found is None


def random_game(seed, shape):
    rng = np.random.default_rng(seed)
    return normal_form_game(f"random {seed}", rng.uniform(-1, 1, (len(shape), *shape)))


@pytest.mark.parametrize(("seed", "shape"), [(0, (2, 2, 2)), (1, (2, 3, 2)), (4, (2, 2, 2, 2))])
def test_normal_form_games_without_a_model(seed, shape):
    found = solve_finite(random_game(seed, shape), breakpoints=3)
    assert max(found.linear.epsilon) <= found.bound
    assert found.epsilon <= max(found.linear.epsilon)
    assert found.epsilon == max(rl.evaluate(found.strategy).epsilon)
    assert "epsilon" in str(found)


def test_a_mixed_equilibrium_of_three_players():
    """Three players match pennies in a circle: the only equilibrium mixes evenly."""
    tables = np.zeros((3, 2, 2, 2))
    for choice in np.ndindex(2, 2, 2):
        for i in range(3):
            same = choice[i] == choice[(i + 1) % 3]
            tables[(i, *choice)] = 1.0 if same == (i != 2) else -1.0
    found = solve_finite(normal_form_game("circle", tables), breakpoints=3)
    assert found.epsilon < 1e-9
    assert found.strategy.behaviour[[1, 2, 4, 5, 7, 8]] == pytest.approx(np.full(6, 0.5), abs=1e-8)


def test_two_players_are_exact():
    found = solve_finite("kuhn")
    assert found.bound == 0
    assert found.epsilon < 1e-9
    assert found.evaluation.values == pytest.approx((-1 / 18, 1 / 18))


def test_refusals():
    with pytest.raises(TooLarge, match="fewer breakpoints"):
        solve_finite("kuhn:players=3", breakpoints=65)
    with pytest.raises(BadInput, match="must be a game or its name"):
        solve_finite(3)
