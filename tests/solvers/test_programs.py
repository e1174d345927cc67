"""Linear programs choose their algorithm, tell how far they are, and can be ended."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from children import SOON

import regretless as rl
from regretless.core.errors import Unsolved
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game
from regretless.programs.highs import (
    INTERIOR_ENTRIES,
    SIMPLEX_ENTRIES,
    Algorithm,
    Running,
    model,
    optimum,
)

VALUE = -13 / 210  # of the two-card game, by interior point and by double oracle


@pytest.fixture(scope="module")
def two_cards():
    """Two hole cards, a board of three, eight cards: minutes of simplex."""
    rules = PokerRules(
        players=2,
        ranks=4,
        suits=2,
        hole=2,
        board=(0, 3),
        blinds=(2, 1),
        first=(1, 0),
        caps=(1, 1),
        raises=(2, 4),
    )
    return rl.sequence_form(poker_game("two cards", rules, suits_distinct=True))


def uniform_exploitability(form):
    return rl.exploitability(rl.Strategy.uniform(form))


def test_auto_goes_by_size():
    auto = Algorithm.AUTO
    assert auto.for_entries(SIMPLEX_ENTRIES) is Algorithm.SIMPLEX
    assert auto.for_entries(SIMPLEX_ENTRIES + 1) is Algorithm.INTERIOR
    assert auto.for_entries(INTERIOR_ENTRIES + 1) is Algorithm.FIRST_ORDER
    assert Algorithm.SIMPLEX.for_entries(10**9) is Algorithm.SIMPLEX


@pytest.mark.parametrize(("algorithm", "most"), [("simplex", 1e-9), ("ipm", 1e-9), ("pdlp", 1e-3)])
def test_algorithms_agree(algorithm, most):
    solution = rl.solve("kuhn:ranks=4", method=f"lp:algorithm={algorithm}")
    assert solution.exploitability < most
    assert solution.values[0] == pytest.approx(-1 / 24, abs=most)


@pytest.mark.slow
def test_a_large_program_is_solved_by_interior_point(two_cards):
    heard = []
    solution = rl.solve(two_cards, method="lp", listen=heard.append)
    assert solution.stop is rl.Stop.EXACT
    assert solution.exploitability < 1e-9
    assert solution.values[0] == pytest.approx(VALUE, abs=1e-9)
    assert solution.details["algorithm"] == "interior point"
    assert any("interior point" in progress.news for progress in heard)


@pytest.mark.parametrize("algorithm", ["simplex", "pdlp"])
def test_a_time_limit_ends_a_large_program(two_cards, algorithm):
    solution = rl.solve(two_cards, method=f"lp:algorithm={algorithm}", seconds=0.5)
    assert solution.stop is rl.Stop.TIME
    assert solution.seconds < 2.5
    assert solution.exploitability <= uniform_exploitability(two_cards) + 1e-12


def test_what_a_first_order_method_has_is_kept():
    solution = rl.solve("leduc", method="lp:algorithm=pdlp", seconds=1.0)
    assert solution.exploitability < uniform_exploitability(solution.form) / 4


@pytest.mark.parametrize("method", ["lp:algorithm=simplex", "double-oracle:rough=0"])
def test_control_c_ends_a_large_program_within_a_second(two_cards, method):
    pressed = []

    def press():
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    def listen(progress):
        if progress.news and not timers:  # the form is built, and the program runs
            timers.append(threading.Timer(0.5, press))
            timers[0].start()

    timers = []
    solution = rl.solve(two_cards, method=method, listen=listen)
    late = time.perf_counter() - pressed[0]
    assert solution.stop is rl.Stop.INTERRUPTED
    assert late < 1.0
    assert solution.exploitability <= uniform_exploitability(two_cards) + 1e-12


def test_an_unfinished_program_begins_anew_when_it_is_resumed():
    solver = rl.solver("lp", rl.sequence_form(rl.load("kuhn")))
    before = solver.state()
    solver.settle()  # nothing runs: nothing to end
    solver.step()
    again = rl.solver("lp", solver.form)
    again.restore(before)
    assert not again.finished
    again.step()
    assert np.array_equal(again.behaviour(), solver.behaviour())


def test_a_process_can_end_while_a_program_runs():
    code = (
        "import regretless as rl\n"
        "form = rl.sequence_form(rl.load('leduc:ranks=9,suits=2'))\n"
        "solver = rl.solver('lp:algorithm=simplex', form)\n"
        "solver.step()\n"
        "assert not solver.finished\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=SOON
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_abandoned_program_leaves_no_thread_behind(two_cards):
    before = threading.active_count()
    solver = rl.solver("lp:algorithm=simplex", two_cards)
    solver.step()
    assert not solver.finished
    assert "iterations" in solver.news()
    assert threading.active_count() == before + 1
    del solver
    gc.collect()
    deadline = time.perf_counter() + 5
    while threading.active_count() > before and time.perf_counter() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_programs_without_a_solution():
    empty = model(np.ones((1, 2)), np.ones(2), (np.zeros(2), np.ones(2)), (np.array([3.0]),) * 2)
    assert optimum(empty) is None
    running = Running(empty)
    running.wait()
    with pytest.raises(Unsolved, match="no solution"):
        running.result()
