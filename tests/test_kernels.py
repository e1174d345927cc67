"""Every kernel agrees with its slow twin, on random games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games
from slow_twins import SlowRegretMinimiser, as_table, best_response_value, expected_values

from regretless.evaluation.exploitability import best_response, evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.sequence import sequence_form
from regretless.solvers._catalog import method_class, method_names, solver
from regretless.solvers._regret_minimiser import RegretMinimiser
from regretless.strategy.strategy import Strategy

ITERATIVE = [m for m in method_names() if issubclass(method_class(m), RegretMinimiser)]


def random_behaviour(form, seed):
    rng = np.random.default_rng(seed)
    plan = rng.random(size(form)) * (rng.random(size(form)) > 0.3)
    return behaviour_of(form, plan)


@settings(max_examples=60, deadline=None)
@given(random_games(), st.integers(0, 99))
def test_gradient_is_the_sum_over_terminals(game, seed):
    form = sequence_form(game)
    plan = plan_of(form, random_behaviour(form, seed))
    for player in range(form.players):
        found = np.full(size(form), np.nan)
        form.gradient(player, plan, found)
        slow = np.zeros(size(form))
        for sequences, chance, payoffs in zip(
            form.sequences, form.chance, form.payoffs, strict=True
        ):
            others = np.prod([plan[s] for i, s in enumerate(sequences) if i != player])
            slow[sequences[player]] += chance * payoffs[player] * others
        mine = own(form, player)
        np.testing.assert_allclose(found[mine], slow[mine], atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(random_games(), st.integers(0, 99))
def test_evaluation_agrees_with_a_walk_over_states(game, seed):
    form = sequence_form(game)
    behaviour = random_behaviour(form, seed)
    table = as_table(Strategy(form, behaviour))
    found = evaluate(Strategy(form, behaviour))
    slow = expected_values(game.root, table, game.players)
    assert found.values == pytest.approx(slow, abs=1e-12)
    for player in range(game.players):
        value = best_response_value(game.root, table, player)
        assert found.best_responses[player] == pytest.approx(value, abs=1e-12)
        assert found.epsilon[player] >= 0
        best, answer = best_response(Strategy(form, behaviour), player + 1)
        assert best == pytest.approx(value, abs=1e-12)
        assert evaluate(answer).values[player] == pytest.approx(value, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(random_games(), st.integers(0, 99))
def test_plans_and_behaviours_are_two_ways_to_say_the_same(game, seed):
    form = sequence_form(game)
    behaviour = random_behaviour(form, seed)
    plan = plan_of(form, behaviour)
    np.testing.assert_allclose(plan_of(form, behaviour_of(form, plan)), plan, atol=1e-14)
    for player, plex in enumerate(form.treeplexes):
        start = np.eye(1, len(plex.labels) + 1).ravel()
        constraints = plex.constraints @ plan[own(form, player)]
        np.testing.assert_allclose(constraints, start, atol=1e-12)


@pytest.mark.parametrize("method", ITERATIVE)
@pytest.mark.parametrize("simultaneous", [False, True])
@settings(max_examples=12, deadline=None)
@given(game=random_games())
def test_every_variant_agrees_with_the_slow_recursion(method, simultaneous, game):
    form = sequence_form(game)
    fast = solver(f"{method}:simultaneous={simultaneous}".lower(), form)
    slow = SlowRegretMinimiser(
        game,
        positive=lambda t: float(fast.positive(np.float64(t))),
        negative=lambda t: float(fast.negative(np.float64(t))),
        prediction=fast.prediction,
        average=lambda t: float(fast.average(np.float64(t))),
        simultaneous=simultaneous,
    )
    for _ in range(5):
        slow.iterate()
    fast.step(5)
    table = as_table(Strategy(form, fast.behaviour()))
    for key, probabilities in slow.average_table().items():
        assert table[key] == pytest.approx(probabilities, abs=1e-9), key
