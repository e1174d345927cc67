"""Every refinement keeps the contract of a refinement. A new file inherits this."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

from regretless.core import specs
from regretless.core.errors import BadParameter, UnknownName, Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.refinement._catalog import (
    REFINEMENTS,
    parsed,
    refined,
    refinement_about,
    refinement_function,
    refinement_names,
)
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

NAMES = refinement_names()
SAFE = [name for name in NAMES if getattr(REFINEMENTS.module(name), "SAFE", False)]
SLACK = 1e-9  # rounding of a best response


def parameters(name):
    return specs.parameters(refinement_function(name))


def light(name):
    """The refinement with little work, where it has a number of iterations."""
    return f"{name}:iterations=50" if "iterations" in parameters(name) else name


def early(form, iterations=20):
    """A blueprint that leaves something to refine."""
    found = solver("cfr+", form)
    found.step(iterations)
    return Strategy(form, found.behaviour())


def skewed(form, seed):
    """Random probabilities, some of them zero."""
    draw = np.random.default_rng(seed)
    weights = draw.random(sum(form.sizes.sequences)) * (draw.random(1) < 0.8)
    weights *= draw.random(weights.size) < 0.7
    from regretless.forms.form import behaviour_of

    return Strategy(form, behaviour_of(form, weights))


@pytest.fixture(scope="module", params=["kuhn", "leduc", "leduc public"])
def blueprint(request):
    game = load(request.param.split()[0])
    form = public_form(game) if "public" in request.param else sequence_form(game)
    return early(form)


def test_there_are_some():
    assert "in-game" in NAMES
    assert set(SAFE) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name):
    assert refinement_about(name)
    assert parsed(name).text == name
    for key, parameter in parameters(name).items():
        assert parsed(f"{name}:{key}={specs.text(parameter.default)}").text == name
    assert refinement_function(name).__doc__


@pytest.mark.parametrize("name", NAMES)
def test_a_strategy_of_the_same_form_comes_back(name, blueprint):
    before = blueprint.behaviour.copy()
    found = refined(light(name), blueprint)
    assert found.form is blueprint.form
    found.check()
    assert np.array_equal(blueprint.behaviour, before)  # a blueprint is not written to
    assert found == refined(light(name), blueprint)  # to the last bit


@pytest.mark.parametrize("name", NAMES)
def test_it_reports_what_it_does(name, blueprint):
    heard = []
    refined(light(name), blueprint, listen=heard.append)
    assert heard
    assert all(0 <= progress.done <= 1 for progress in heard)


@pytest.mark.parametrize("name", SAFE)
def test_safe_ones_never_lose_more_to_a_best_response(name, blueprint):
    before, after = evaluate(blueprint), evaluate(refined(light(name), blueprint))
    for player in range(2):
        assert after.best_responses[player] <= before.best_responses[player] + SLACK


@pytest.mark.parametrize("name", SAFE)
@given(random_games(players=(2, 2), zero_sum=True), st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_safe_ones_never_lose_more_on_random_games(name, game, seed):
    blueprint = skewed(sequence_form(game), seed)
    before, after = evaluate(blueprint), evaluate(refined(light(name), blueprint))
    for player in range(2):
        assert after.best_responses[player] <= before.best_responses[player] + SLACK


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("game", "named"), [("kuhn:players=3", "3 players"), ("battle_of_the_sexes", "not zero-sum")]
)
def test_games_it_cannot_refine_are_refused(name, game, named):
    form = sequence_form(game)
    with pytest.raises(Unsuitable, match=named):
        refined(name, Strategy.uniform(form))


def test_unknown_names_and_parameters():
    with pytest.raises(UnknownName, match="in-game"):
        parsed("ingame")
    with pytest.raises(UnknownName, match="parameter of refinement in-game"):
        parsed("in-game:rounds=2")
    with pytest.raises(BadParameter):
        parsed("in-game:iterations=many")
    assert "listen" not in parameters("in-game")
