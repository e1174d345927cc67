"""Every solver keeps the contract of a solver, on both forms. A new file inherits this.

What regret minimisers promise beyond that is in test_regret_minimisers.py."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from random_games import Plan, RandomState, random_games

from regretless.core import specs
from regretless.core.errors import BadInput, TooLarge, Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import behaviour_of, plan_of, size, uniform
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.solvers._catalog import method_class, method_names, parsed, solver
from regretless.solvers._needs import CONSTANT_SUM, PURE, ZERO_SUM, meets
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy.strategy import Strategy

# Public chance sampling has tests of its own: it needs boards.
METHODS = [m for m in method_names() if m != "public-chance-sampling"]
ENDING = [m for m in METHODS if method_class(m).finished is not Solver.finished]
EXACT = [m for m in ENDING if PURE not in method_class(m).needs]  # they end with an equilibrium
ITERATIVE = [m for m in METHODS if m not in ENDING]
ENUMERATING = ("support-enumeration", "mip-nash")  # for matrices of some rows and columns
TINY = ["kuhn", "kuhn:ranks=4", "rps", "matching_pennies", "biased_rps", "blotto"]
SMALL = ["leduc", "leduc:ranks=2,suits=3", "liars_dice:faces=3", "kuhn:ranks=13"]
VALUES = {}
# Iterations, and the exploitability that they must lead to; others: 4,000 and 1e-2. Python
# leads first-order methods step by step, so they get fewer; sampled iterations are cheap.
EFFORT = {
    "cfr": (4000, 2e-2),
    "linear-cfr": (4000, 2e-2),
    "cfr-br": (4000, 0.2),
    "chance-sampling": (40_000, 0.15),
    "egt": (300, 5e-2),
    "external-sampling": (100_000, 0.1),
    "fictitious-play": (2000, 0.1),
    "hedge": (4000, 0.5),
    "iterated-smoothing": (300, 0.3),
    "mirror-prox": (300, 5e-2),
    "optimistic-mirror-descent": (400, 0.15),
    "outcome-sampling": (400_000, 0.5),
    "perturbed-leader": (600, 0.15),
    "smoothed-fictitious-play": (600, 0.1),
}
NO_EQUILIBRIA = ("restricted-nash",)  # they look for something else


def runs_on(method, *games):
    try:
        for game in games:
            solver(method, sequence_form(load(game)))
    except Unsuitable:
        return False
    return True


ANY_GAME = [m for m in ITERATIVE if runs_on(m, "kuhn:players=3", "prisoners_dilemma")]
TWO_PLAYERS = [m for m in ITERATIVE if m not in ANY_GAME]
SIMULTANEOUS = [m for m in ITERATIVE if "simultaneous" in specs.parameters(method_class(m))]
SHOW_ALL = [m for m in ITERATIVE if method_class(m).iterates == tuple(Iterate)]
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


def fits(method, game):
    """Normal forms are for tiny games, and enumerating them is for the tiniest."""
    if method in ENUMERATING:
        return game in ("rps", "matching_pennies", "biased_rps")
    if method == "hedge":
        return game != "biased_rps"  # payoffs of very different size: another rate
    if method == "lcp":
        return "leduc" not in game  # some seconds each
    return game in TINY or method not in ("normal-lp", "lemke-howson")


def small(method, game):
    """The game, or another one for methods that would take long."""
    if method == "tabu":
        return "kuhn:ranks=4"
    return "biased_rps" if method in ENUMERATING else game


SOLVING = [m for m in EXACT + ITERATIVE if m not in NO_EQUILIBRIA]
PAIRS = [(m, g) for m in SOLVING for g in TINY + SMALL if fits(m, g)]


@pytest.mark.parametrize(("method", "game"), PAIRS)
def test_all_methods_agree_on_the_value(method, game):
    form = sequence_form(load(game))
    running = finished(method, form) if method in EXACT else solver(method, form)
    iterations, reached = EFFORT.get(method, (4000, 1e-2))
    running.step(iterations)  # of what is finished: nothing
    found = evaluate(Strategy(form, running.behaviour()))
    assert found.exploitability < (1e-9 if method in EXACT else reached)
    # The value of an epsilon equilibrium is within epsilon of the value of the game.
    assert abs(found.values[0] - exact_value(game)) <= found.nash_conv + 1e-9


WITH_BOARDS = [(m, f) for m, f in BOTH if m in SOLVING and m not in ENUMERATING]


@pytest.mark.parametrize(("method", "kind"), WITH_BOARDS)
def test_public_and_sequence_forms_have_one_value(method, kind):
    game = "leduc:ranks=2,suits=3" if fits(method, "leduc") else "kuhn:ranks=4"
    form = FORMS[kind](load(game))
    running = finished(method, form) if method in EXACT else solver(method, form)
    iterations, reached = EFFORT.get(method, (1500, 8e-2))
    running.step(iterations)
    found = evaluate(Strategy(form, running.behaviour()))
    assert found.exploitability < (1e-9 if method in EXACT else reached)
    assert abs(found.values[0] - exact_value(game)) <= found.nash_conv + 1e-9


@pytest.mark.parametrize(
    "method", [m for m in METHODS if method_class(m).needed_form() == "sequence" and m != "lp"]
)
def test_what_needs_terminals_refuses_a_public_form(method):
    with pytest.raises(Unsuitable):
        solver(method, public_form(load("kuhn")))


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_a_restored_solver_goes_on_bit_for_bit(method, kind):
    game = small(method, "kuhn:ranks=5")
    if kind == "public" and "kuhn" not in game:
        pytest.skip("its small game is no poker")
    form = FORMS[kind](load(game))
    whole, parts = solver(method, form), solver(method, form)
    whole.step(100)
    parts.step(17)
    resumed = solver(method, form)
    resumed.restore(parts.state())
    resumed.step(50)
    resumed.step(33)
    for which in whole.iterates:
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
        assert np.array_equal(vector, state[name], equal_nan=True), name


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_behaviours_are_strategies_and_forms_stay_as_they_are(method, kind):
    form = FORMS[kind](load("kuhn"))
    before = form.fingerprint()
    running = solver(method, form)
    running.step(10)
    for which in running.iterates:
        behaviour = running.behaviour(which)
        plan = plan_of(form, behaviour)
        assert behaviour.shape == (size(form),)
        assert np.all(behaviour >= 0)
        np.testing.assert_allclose(plan_of(form, behaviour_of(form, plan)), plan, atol=1e-14)
    assert form.fingerprint() == before


@pytest.mark.parametrize("method", SHOW_ALL)
def test_iterates_are_what_they_say(method):
    form = sequence_form(load("kuhn"))
    running = solver(method, form)
    running.step(9)
    current = running.behaviour(Iterate.CURRENT)
    running.step(1)
    np.testing.assert_allclose(
        plan_of(form, running.behaviour(Iterate.LAST)), plan_of(form, current), atol=1e-15
    )
    assert not np.allclose(running.behaviour(Iterate.AVERAGE), current)


@pytest.mark.parametrize("method", ANY_GAME)
@settings(max_examples=10, deadline=None)
@given(game=random_games())
def test_any_game_can_be_iterated_and_is_never_better_than_its_best_response(method, game):
    iterated_and_evaluated(method, game)


# Every decision has one action, and what both earn adds up to zero only up to rounding.
NO_CHOICE = Game(
    "no-choice",
    2,
    RandomState(
        Plan(
            players=2,
            moves=((-1, 3), (0, 1), (-1, 2), (0, 1), (0, 1)),
            sees=((2, 1), (1, 1), (2, 1), (1, 1), (1, 1)),
            seed=9,
            zero_sum=True,
        )
    ),
)


@pytest.mark.parametrize("method", TWO_PLAYERS)
@settings(max_examples=10, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=True))
@example(game=NO_CHOICE)
def test_any_zero_sum_game_of_two_can_be_iterated(method, game):
    iterated_and_evaluated(method, game)


@pytest.mark.parametrize("method", ITERATIVE)
def test_a_strategy_that_a_method_does_not_keep_is_refused(method):
    running = solver(method, sequence_form(load("kuhn")))
    for which in set(Iterate) - set(running.iterates):
        with pytest.raises(Unsuitable, match=f"strategy={which}"):
            running.behaviour(which)


def iterated_and_evaluated(method, game):
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
    for method in [m for m in EXACT if m not in ENUMERATING]:
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
    form = sequence_form(load(small(method, "kuhn:ranks=4")))
    running = finished(method, form)
    iteration, behaviour = running.iteration, running.behaviour()
    running.step(5)
    assert running.iteration == iteration
    assert np.array_equal(running.behaviour(), behaviour)
    resumed = solver(method, form)
    resumed.restore(running.state())
    assert resumed.finished


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", ["kuhn:players=3", "prisoners_dilemma"])
def test_games_that_a_method_cannot_solve_are_refused(method, game):
    form, needs = sequence_form(load(game)), method_class(method).needs
    if meets(form, needs):
        if game != "kuhn:players=3" or PURE not in needs:  # too many pure strategies
            solver(method, form).step(1)
        return
    allowed = " ".join(kind for kind in ("two-player", ZERO_SUM, CONSTANT_SUM) if kind in needs)
    with pytest.raises(Unsuitable, match=f"{allowed} games.*methods that can: ") as refused:
        solver(method, form)
    named = str(refused.value).partition("methods that can: ")[2].removesuffix(", …").split(", ")
    assert all(meets(form, method_class(name).needs) for name in named)


@pytest.mark.parametrize(("method", "kind"), BOTH)
def test_foreign_states_are_refused(method, kind):
    running = solver(method, FORMS[kind](load("kuhn")))
    other = solver(method, FORMS[kind](load("kuhn:ranks=4")))
    with pytest.raises(BadInput):
        running.restore(other.state())
    with pytest.raises(BadInput):
        running.restore({})


@pytest.mark.parametrize("method", SIMULTANEOUS)
def test_simultaneous_updates_converge_too(method):
    form = sequence_form(load("kuhn"))
    running = solver(f"{method}:simultaneous=true", form)
    running.step(3000)
    _, reached = EFFORT.get(method, (4000, 1e-2))
    assert evaluate(Strategy(form, running.behaviour())).exploitability < reached


def test_canonical_names_leave_out_defaults():
    assert parsed("dcfr:alpha=1.5,gamma=3").text == "dcfr:gamma=3.0"
    assert parsed("cfr+").text == "cfr+"
