"""The linear program of a growing game: warm starts, states, and programs that fail."""

import numpy as np
import pytest

from regretless.core.errors import Unsolved
from regretless.forms.restriction import Restrictor
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.solvers._catalog import solver
from regretless.solvers._restricted_program import UNKNOWN, RestrictedProgram

SPECS = ["leduc", "kuhn", "goofspiel:cards=3", "pursuit:width=2,height=2,steps=3", "blotto"]
LIMITS = [
    ({"simplex_iteration_limit": 0, "presolve": "off"}, "Iteration limit reached"),
    ({"time_limit": 0.0, "presolve": "off"}, "Time limit reached"),
]


def copied(running):
    return {name: vector.copy() for name, vector in running.state().items()}


def same(one, two):
    return one.keys() == two.keys() and all(np.array_equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize("game", SPECS)
@pytest.mark.parametrize("leaves", ["extended", "best-response"])
def test_warm_programs_find_the_value_of_cold_ones(game, leaves):
    running = solver(f"double-oracle:rough=0,leaves={leaves}", sequence_form(load(game)))
    sizes = []
    while not running.finished:
        restricted = running.restrictor.restricted(running.included)
        cold = RestrictedProgram(running.form.plex).solve(restricted)
        warm = RestrictedProgram(running.form.plex)
        warm.sequences, warm.points = running.program.sequences, running.program.points
        warm.sequences, warm.points = warm.sequences.copy(), warm.points.copy()
        assert warm.solve(restricted).value == pytest.approx(cold.value, abs=1e-9)
        sizes.append(sum(restricted.sizes))
        running.step()
    assert sizes == sorted(sizes)
    assert len(sizes) > 2


def test_a_basis_saves_iterations():
    running = solver("double-oracle:rough=0", sequence_form(load("leduc")))
    warm = cold = 0
    while not running.finished:
        restricted = running.restrictor.restricted(running.included)
        again = RestrictedProgram(running.form.plex)
        again.sequences, again.points = (
            running.program.sequences.copy(),
            running.program.points.copy(),
        )
        warm += again.solve(restricted).simplex_iterations
        lone = RestrictedProgram(running.form.plex)
        lone.options = {"presolve": "off"}
        cold += lone.solve(restricted).simplex_iterations
        running.step()
    assert warm < cold


def test_plans_of_a_program_are_plans():
    form = sequence_form(load("leduc"))
    restrictor = Restrictor(form, np.zeros(form.plex.parents.size, np.int32))
    running = solver("double-oracle:rough=0", form)
    running.step(8)
    restricted = restrictor.restricted(running.included)
    found = RestrictedProgram(form.plex).solve(restricted)
    first, second = found.plan[: restricted.sizes[0]], found.plan[restricted.sizes[0] :]
    assert np.all(found.plan >= 0)
    assert first @ (restricted.matrix @ second) == pytest.approx(found.value, abs=1e-9)


@pytest.mark.parametrize("rough", [0, 20])
@pytest.mark.parametrize("before", [0, 1, 5, 25, 31])
def test_a_state_is_all_that_the_next_step_depends_on(rough, before):
    """In both phases: by regret minimisation, and by linear programs with their basis."""
    form = sequence_form(load("leduc"))
    whole, resumed = (solver(f"double-oracle:rough={rough}", form) for _ in range(2))
    whole.step(before)
    resumed.restore(copied(whole))
    assert resumed.iteration == whole.iteration == min(before, whole.iteration)
    while not whole.finished:
        whole.step()
        resumed.step()
        assert same(whole.state(), resumed.state())
    assert resumed.finished


def test_both_phases_are_gone_through():
    running = solver("double-oracle:rough=20", sequence_form(load("leduc")))
    assert not running.exact
    while not running.exact:
        running.step()
        assert np.all(running.program.sequences == UNKNOWN)
    assert not running.finished
    running.step()
    assert not np.all(running.program.sequences == UNKNOWN)


@pytest.mark.parametrize(("options", "status"), LIMITS)
@pytest.mark.parametrize("before", [0, 7])
def test_a_program_that_fails_says_so_and_changes_nothing(options, status, before):
    running = solver("double-oracle:rough=0", sequence_form(load("leduc")))
    running.step(before)
    state, behaviour = copied(running), running.behaviour()
    running.program.options = options
    with pytest.raises(Unsolved, match=f"restricted linear program: status {status}"):
        running.step()
    assert same(state, running.state())
    assert running.iteration == before
    assert np.array_equal(behaviour, running.behaviour())
    running.program.options = {}
    while not running.finished:
        running.step()
    assert running.low == pytest.approx(running.high, abs=1e-9)


def test_a_basis_that_leads_nowhere_is_thrown_away():
    """All sequences nonbasic is no basis at all: HiGHS repairs it or begins anew."""
    running = solver("double-oracle:rough=0", sequence_form(load("kuhn")))
    running.step(3)
    restricted = running.restrictor.restricted(running.included)
    wanted = RestrictedProgram(running.form.plex).solve(restricted).value
    running.program.sequences[:] = 0
    running.program.points[:] = 0
    assert running.program.solve(restricted).value == pytest.approx(wanted, abs=1e-9)
