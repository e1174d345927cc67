"""Methods estimate their memory before they take it, and end when their time is up."""

import time

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import TooLarge
from regretless.forms.normal import MANY, plan_count, pure_plans
from regretless.games._state import CHANCE, TERMINAL, Game, State

NORMAL_FORM_METHODS = ("lemke-howson", "support-enumeration", "mip-nash", "normal-lp", "tabu")
GIB = 2**30


class Wide(State):
    """Chance draws one of several matching games: few nodes, and a vast normal form."""

    def __init__(self, count, zero_sum, moves=()):
        self.count, self.zero_sum, self.moves = count, zero_sum, moves

    @property
    def player(self):
        return (CHANCE, 0, 1, TERMINAL)[len(self.moves)]

    @property
    def actions(self):
        return tuple(map(str, range(2 if self.moves else self.count)))

    @property
    def chances(self):
        return (1 / self.count,) * self.count

    def child(self, index):
        return Wide(self.count, self.zero_sum, (*self.moves, index))

    def view(self, player):
        return str(self.moves[0])

    @property
    def payoff(self):
        rng = np.random.default_rng(self.moves)
        first, second = map(float, rng.integers(-9, 10, 2))
        return first, -first if self.zero_sum else second


def wide(count, *, zero_sum):
    return rl.sequence_form(Game("wide", 2, Wide(count, zero_sum)))


@pytest.mark.parametrize("method", NORMAL_FORM_METHODS[:-1])  # tabu keeps no table
def test_a_vast_normal_form_is_refused_before_it_is_enumerated(method, monkeypatch):
    form = wide(13, zero_sum=True)
    assert form.nodes < 100
    monkeypatch.setattr("regretless.core.memory.usable_bytes", lambda: 3 * GIB)
    monkeypatch.setattr("regretless.solvers._needs.pure_plans", None)  # nothing may be enumerated
    shape = r"\(8,192 × 8,192 pure strategies\)"
    with pytest.raises(TooLarge, match=rf"{shape} needs .* 3 GiB is free; .* lcp"):
        rl.solver(method, form)


@pytest.mark.parametrize("method", NORMAL_FORM_METHODS)
def test_numbers_of_pure_strategies_are_bounded(method):
    form = wide(60, zero_sum=True)
    with pytest.raises(TooLarge, match="more than 1,000,000,000,000 pure strategies"):
        rl.solver(method, form)


def test_pure_strategies_are_counted_as_they_are_enumerated():
    for form in (wide(5, zero_sum=False), rl.sequence_form("kuhn"), rl.sequence_form("rps")):
        for plex in form.treeplexes:
            assert plan_count(plex) == len(pure_plans(plex)) < MANY


@pytest.mark.parametrize("method", [*NORMAL_FORM_METHODS, "lcp", "lp"])
def test_a_large_normal_form_ends_when_its_time_is_up(method):
    """9 binary decisions each: 512 × 512, which no normal-form method solves in half a second."""
    form = wide(9, zero_sum=True)
    rl.solve(wide(1, zero_sum=True), method=method)  # compiled, if it has a kernel
    began = time.perf_counter()
    solution = rl.solve(form, method=method, seconds=0.5)
    assert time.perf_counter() - began < 0.55 + 2.0  # other processes may be running
    assert solution.stop in (rl.Stop.TIME, rl.Stop.EXACT, rl.Stop.FAILED)
    assert solution.evaluation.exploitability >= -1e-12


def test_a_program_of_highs_knows_the_time_limit_around_it():
    """Presolving and polishing never ask whether to go on."""
    from regretless.core.errors import Interrupted
    from regretless.core.interrupts import time_limit
    from regretless.programs.highs import Running, model, optimum

    rng = np.random.default_rng(1)
    A = rng.random((300, 300))
    ones = np.ones(300)
    program = model(A, ones, (0 * ones, ones), (0 * ones, ones))
    assert optimum(program) is not None
    with time_limit(0.0):
        with pytest.raises(Interrupted):
            optimum(program)
        running = Running(program)
        assert not running.wait(30)  # stopped, not done
        assert running.details()["status"] == "Time limit reached"
        running.cancel()
    assert optimum(program) is not None  # the limit has not stayed behind
