"""Every solver keeps the contract of a solver, on both forms. A new file inherits this.

What regret minimisers promise beyond that is in test_regret_minimisers.py."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from random_games import random_games

from regretless.core.errors import BadInput, TooLarge, Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import behaviour_of, plan_of, size, uniform
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.solvers._catalog import canonical, method_class, method_names, solver
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy.strategy import Strategy

METHODS = method_names()
EXACT = [m for m in METHODS if method_class(m).finished is not Solver.finished]  # they end
ITERATIVE = [m for m in METHODS if m not in EXACT]
TINY = ["kuhn", "kuhn:ranks=4", "rps", "matching_pennies", "biased_rps", "blotto"]
SMALL = ["leduc", "leduc:ranks=2,suits=3", "liars_dice:faces=3", "kuhn:ranks=13"]
VALUES = {}
FORMS = {"sequence": sequence_form, "public": public_form}
# Every method on every form that it does not refuse.
BOTH = [(m, f) for m in METHODS for f in FORMS if method_class(m).needed_form() in ("", f)]


def finished(method, form):
    running = solver(method, form)
    while not running.finished:
        running.step()
    return running


def exact_value(game):
    if game not in VALUES:
        form = sequence_form(load(game))
        behaviour = finished("lp", form).behaviour()
        VALUES[game] = evaluate(Strategy(form, behaviour)).values[0]
    return VALUES[game]


# Normal forms are for tiny games.
PAIRS = [(m, g) for m in METHODS for g in TINY + SMALL if m != "normal-lp" or g in TINY]


@pytest.mark.parametrize(("method", "game"), PAIRS)
def test_all_methods_agree_on_the_value(method, game):
    form = sequence_form(load(game))
    running = finished(method, form) if method in EXACT else solver(method, form)
    running.step(4000)  # of what is finished: nothing
    found = evaluate(Strategy(form, running.behaviour()))
    slow = {"cfr": 2e-2, "linear-cfr": 2e-2, "hedge": 1e-1}.get(method, 1e-2)
    assert found.exploitability < (1e-9 if method in EXACT else slow)
    # The value of an epsilon equilibrium is within epsilon of the value of the game.
    assert abs(found.values[0] - exact_value(game)) <= found.nash_conv + 1e-9


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_public_and_sequence_forms_have_one_value(method, kind):
    game = "kuhn:ranks=4" if method == "normal-lp" else "leduc:ranks=2,suits=3"
    form = FORMS[kind](load(game))
    running = finished(method, form) if method in EXACT else solver(method, form)
    running.step(1500)
    found = evaluate(Strategy(form, running.behaviour()))
    assert found.exploitability < (1e-9 if method in EXACT else 8e-2)
    value = exact_value(game)
    assert abs(found.values[0] - value) <= found.nash_conv + 1e-9


@pytest.mark.parametrize("method", [m for m in METHODS if (m, "public") not in BOTH])
def test_what_needs_terminals_refuses_a_public_form(method):
    with pytest.raises(Unsuitable):
        solver(method, public_form(load("kuhn")))


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_a_restored_solver_goes_on_bit_for_bit(method, kind):
    form = FORMS[kind](load("kuhn:ranks=5"))
    whole, parts = solver(method, form), solver(method, form)
    whole.step(100)
    parts.step(17)
    resumed = solver(method, form)
    resumed.restore(parts.state())
    resumed.step(50)
    resumed.step(33)
    for which in Iterate:
        assert np.array_equal(whole.behaviour(which), resumed.behaviour(which))
    for name, vector in whole.state().items():
        assert np.array_equal(vector, resumed.state()[name]), name


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_no_step_changes_nothing(method, kind):
    form = FORMS[kind](load("kuhn"))
    running = solver(method, form)
    running.step(0)
    assert running.iteration == 0
    assert np.array_equal(running.behaviour(), uniform(form))
    state = {name: np.array(vector) for name, vector in running.state().items()}
    running.step(0)
    for name, vector in running.state().items():
        assert np.array_equal(vector, state[name]), name


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_behaviours_are_strategies_and_forms_stay_as_they_are(method, kind):
    form = FORMS[kind](load("kuhn"))
    before = form.fingerprint()
    running = solver(method, form)
    running.step(10)
    for which in Iterate:
        behaviour = running.behaviour(which)
        plan = plan_of(form, behaviour)
        assert behaviour.shape == (size(form),)
        assert np.all(behaviour >= 0)
        np.testing.assert_allclose(plan_of(form, behaviour_of(form, plan)), plan, atol=1e-14)
    assert form.fingerprint() == before


@pytest.mark.parametrize("method", ITERATIVE)
@settings(max_examples=10, deadline=None)
@given(game=random_games())
def test_any_game_can_be_iterated_and_is_never_better_than_its_best_response(method, game):
    form = sequence_form(game)
    running = solver(method, form)
    for _ in range(3):
        running.step(5)
        found = evaluate(Strategy(form, running.behaviour()))
        assert found.exploitability >= 0
        assert np.all(np.isfinite(running.behaviour()))
        pairs = zip(found.best_responses, found.values, strict=True)
        assert all(best >= value - 1e-12 for best, value in pairs)


@settings(max_examples=25, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=True))
def test_exact_methods_agree_on_random_games(game):
    form = sequence_form(game)
    values = []
    for method in EXACT:
        try:
            running = finished(method, form)
        except TooLarge:  # of a normal form
            assume(False)
        found = evaluate(Strategy(form, running.behaviour()))
        assert found.nash_conv < 1e-8
        values.append(found.values[0])
    assert values == pytest.approx([values[0]] * len(values), abs=1e-8)


@pytest.mark.parametrize("method", EXACT)
def test_exact_methods_end_by_themselves_and_stay_there(method):
    form = sequence_form(load("kuhn:ranks=4"))
    running = finished(method, form)
    iteration, behaviour = running.iteration, running.behaviour()
    running.step(5)
    assert running.iteration == iteration
    assert np.array_equal(running.behaviour(), behaviour)
    resumed = solver(method, form)
    resumed.restore(running.state())
    assert resumed.finished


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("game", ["kuhn:players=3", "prisoners_dilemma"])
def test_linear_programs_refuse_other_games(method, game):
    with pytest.raises(Unsuitable, match="two-player zero-sum"):
        solver(method, sequence_form(load(game)))


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_foreign_states_are_refused(method, kind):
    running = solver(method, FORMS[kind](load("kuhn")))
    other = solver(method, FORMS[kind](load("kuhn:ranks=4")))
    with pytest.raises(BadInput):
        running.restore(other.state())
    with pytest.raises(BadInput):
        running.restore({})


def test_canonical_names_leave_out_defaults():
    assert canonical("dcfr:alpha=1.5,gamma=3") == "dcfr:gamma=3.0"
    assert canonical("cfr+") == "cfr+"
