"""What every method that learns at every decision point promises, on both forms."""

import numpy as np
import pytest
from both_forms import places
from slow_twins import SlowHedge, as_table

from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.solvers._catalog import memory_bytes, method_class, method_names, solver
from regretless.solvers._learning import LearningSolver
from regretless.solvers._solver import Iterate
from regretless.strategy.strategy import Strategy

# Public chance sampling has tests of its own: it needs boards, and averages what it has drawn.
METHODS = [
    m
    for m in method_names()
    if issubclass(method_class(m), LearningSolver) and m != "public-chance-sampling"
]
FORMS = {"sequence": sequence_form, "public": public_form}
GAMES = ["kuhn", "leduc:ranks=2,suits=3", "kuhn:players=3"]


def test_there_are_learners_of_more_than_one_kind():
    assert {"cfr", "dcfr", "hedge"} <= set(METHODS)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("method", METHODS)
def test_iterates_are_what_they_say(method, kind):
    """The next is the last one after a step, and the average is their average."""
    form = FORMS[kind](load("kuhn"))
    running = solver(method, form)
    total, mean = 0.0, np.zeros(size(form))
    for t in range(1, 8):
        current = running.behaviour(Iterate.CURRENT)
        running.step(1)
        assert np.array_equal(running.behaviour(Iterate.LAST), current)
        weight = float(running.average(np.float64(t)))
        total += weight
        mean += weight * plan_of(form, current)
        average = plan_of(form, running.behaviour(Iterate.AVERAGE))
        np.testing.assert_allclose(average, mean / total, atol=1e-12)
    assert not np.allclose(running.behaviour(Iterate.AVERAGE), current)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("method", METHODS)
def test_steps_may_be_taken_one_by_one(method, kind):
    form = FORMS[kind](load("kuhn:ranks=4"))
    at_once, one_by_one = solver(method, form), solver(method, form)
    at_once.step(11)
    for _ in range(11):
        one_by_one.step()
    assert one_by_one.iteration == 11
    for name, vector in at_once.state().items():
        assert np.array_equal(vector, one_by_one.state()[name]), name


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_both_forms_show_the_same_strategies(method, simultaneous, game):
    """Average, current and last, exact ties included: a regret of rounding is none."""
    walked, public = sequence_form(load(game)), public_form(load(game))
    assert walked.largest_payoff == public.largest_payoff
    there = places(walked, public)
    text = f"{method}:simultaneous={simultaneous}".lower()
    here, elsewhere = solver(text, walked), solver(text, public)
    for _ in range(6):
        here.step()
        elsewhere.step()
        for which in Iterate:
            ours, theirs = here.behaviour(which), elsewhere.behaviour(which)
            np.testing.assert_allclose(theirs[there], ours, atol=1e-8)


@pytest.mark.parametrize("kind", FORMS)
def test_ties_stay_ties_in_the_current_strategy(kind):
    """Kuhn, CFR: a king that was never in doubt plays both ways alike until it learns."""
    running = solver("cfr", FORMS[kind](load("kuhn")))
    regret = running.memory.regret
    point = running.form.find(0, "K:")
    rows = int(running.form.blocks.roots[0]) + point.sequences
    regret[rows] = np.array([1.0, -1.0]) * running.learner.tiny / 2
    for _ in range(2):
        chosen = running.behaviour(Iterate.CURRENT)[rows]
        assert chosen.tolist() == [0.5, 0.5]
        regret[rows] = regret[rows][::-1].copy()
    regret[rows] = np.array([1.0, -1.0]) * running.learner.tiny * 2
    assert running.behaviour(Iterate.CURRENT)[rows].tolist() == [1.0, 0.0]
    assert running.learner.tiny == 2e-14  # of the largest payoff, 2 chips


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("method", METHODS)
def test_simultaneous_updates_converge_too(method, kind):
    form = FORMS[kind](load("kuhn"))
    running = solver(f"{method}:simultaneous=true", form)
    running.step(3000)
    reached = 5e-2 if method == "hedge" else 1e-2
    assert evaluate(Strategy(form, running.behaviour())).exploitability < reached


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("method", METHODS)
def test_memory_is_what_is_said(method, kind):
    form = FORMS[kind](load("leduc"))
    running = solver(method, form)
    kept = sum(np.asarray(v).nbytes for name, v in running.state().items() if name != "clock")
    assert kept == memory_bytes(method, form)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("simultaneous", [False, True])
def test_hedge_agrees_with_the_slow_recursion(kind, simultaneous):
    game = load("kuhn")
    form = FORMS[kind](game)
    fast = solver(f"hedge:rate=2.5,simultaneous={simultaneous}".lower(), form)
    slow = SlowHedge(game, rate=2.5 / form.largest_payoff, simultaneous=simultaneous)
    for _ in range(6):
        slow.iterate()
    fast.step(6)
    table = as_table(Strategy(form, fast.behaviour()))
    for key, probabilities in slow.average_table().items():
        assert table[key] == pytest.approx(probabilities, abs=1e-10), key
