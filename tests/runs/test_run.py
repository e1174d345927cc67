"""Runs: why they stop, that they are the same every time, that they go on."""

import os
import signal
import threading
from itertools import pairwise

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadFile, BadInput, BadParameter, WrongGame
from regretless.runs.limits import Limits, Stop
from regretless.runs.run import _check_after, run
from regretless.runs.solve import solve
from regretless.strategy import files
from regretless.strategy.files import load_strategy


def same(one, two):
    assert one.iterations == two.iterations
    assert np.array_equal(one.strategy.behaviour, two.strategy.behaviour)
    for name, vector in one.state.items():
        assert np.array_equal(vector, two.state[name]), name


def curve(solution):
    return [(look.iteration, look.exploitability) for look in solution.trace]


def test_every_limit_stops_a_run():
    assert solve("kuhn", target=1e-3).stop is Stop.CONVERGED
    assert solve("kuhn", iterations=7).stop is Stop.BUDGET
    assert solve("kuhn", iterations=7).iterations == 7
    assert solve("leduc", method="cfr", seconds=0.2, target=0).stop is Stop.TIME
    assert solve("kuhn", method="lp").stop is Stop.EXACT
    assert solve("kuhn:players=3", method="cfr").stop is Stop.BUDGET


def test_target_is_kept():
    for target in (1e-2, 1e-4, 1e-6):
        assert solve("leduc", target=target).exploitability <= target


def schedule(until, exploitability, *, interrupted=()):
    """Iterations of evaluations up to 5,000, if a run is also evaluated where it is interrupted."""
    looked, planned = {}, []
    while not planned or planned[-1] < 5000:
        planned.append(_check_after(looked, until))
        for iteration in interrupted:
            if max(looked, default=0) < iteration < planned[-1]:
                looked[iteration] = exploitability(iteration)
                assert _check_after(looked, until) == planned[-1]
        looked[planned[-1]] = exploitability(planned[-1])
    return planned


@pytest.mark.slow
@pytest.mark.parametrize("target", [None, 0.0, 1e-3])
def test_looks_do_not_depend_on_where_a_run_was_interrupted(target):
    until = Limits(target=target, iterations=10**9)
    plain = schedule(until, lambda t: 1 / t)
    assert plain[:5] == [1, 2, 4, 8, 16]
    for every in (1, 7, 100):
        assert schedule(until, lambda t: 1 / t, interrupted=range(1, 5000, every)) == plain


def test_looks_are_rare_far_from_the_target_and_frequent_close_to_it():
    looks = schedule(Limits(target=1e-3), lambda t: 1 / t)
    assert [b for a, b in pairwise(looks) if a in (16, 24)] == [24, 36]  # a half more
    far, usual, close = ([b / a for a, b in pairwise(looks) if lo <= a < hi] for lo, hi in RANGES)
    assert min(far) > 1.4
    assert all(1.1 < growth < 1.13 for growth in usual)
    assert all(1.02 < growth < 1.04 for growth in close)


RANGES = ((16, 240), (251, 660), (670, 1000))  # iterations by 1 / t and a target of 1e-3


def test_a_budget_ends_the_looks():
    assert _check_after({100: 1.0}, Limits(iterations=101)) == 101
    assert _check_after({101: 1.0}, Limits(iterations=101)) == 101


def test_two_runs_are_the_same():
    one, two = (solve("leduc", target=1e-3, seed=3) for _ in range(2))
    same(one, two)
    assert curve(one) == curve(two)


@pytest.mark.parametrize("method", ["sapcfr+", "dcfr", "cfr:simultaneous=true"])
def test_a_resumed_run_is_the_uninterrupted_one(tmp_path, method):
    path = tmp_path / "x.strategy"
    solve("leduc", method=method, iterations=333, out=path)
    resumed = solve(resume=path, iterations=1000)
    whole = solve("leduc", method=method, iterations=1000)
    same(resumed, whole)
    assert resumed.seconds > whole.trace[0].seconds
    assert resumed.method == whole.method
    assert set(curve(whole)) <= set(curve(resumed)), "an extra look at 333 is allowed"


def test_a_target_is_reached_at_the_same_iteration_after_a_resume(tmp_path):
    path = tmp_path / "x.strategy"
    solve("leduc", iterations=500, out=path)
    same(solve("leduc", resume=path, target=1e-4), solve("leduc", target=1e-4))


def test_resuming_what_is_done_changes_nothing(tmp_path):
    path = tmp_path / "x.strategy"
    done = solve("leduc", target=1e-2, out=path)
    again = solve(resume=path, target=1e-2)
    assert again.stop is Stop.CONVERGED
    assert again.iterations == done.iterations
    exact = solve("kuhn", method="lp", out=path)
    same(solve(resume=path), exact)


def test_a_resumed_run_keeps_its_limits(tmp_path):
    path = tmp_path / "x.strategy"
    solve("leduc", iterations=10, target=1e-3, out=path)
    assert solve(resume=path).iterations == 10
    assert solve(resume=path, target=1e-3).stop is Stop.CONVERGED


def test_interrupt_keeps_what_there_is(tmp_path):
    path = tmp_path / "x.strategy"
    solve("leduc", method="cfr", iterations=1)  # compiles, so that the signal finds a run
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    stopped = solve("leduc", method="cfr", target=0, iterations=10**9, out=path)
    assert stopped.stop is Stop.INTERRUPTED
    assert stopped.iterations > 0
    same(solve(resume=path, iterations=stopped.iterations), stopped)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_runs_in_a_thread_need_no_signals():
    found = []
    thread = threading.Thread(target=lambda: found.append(solve("kuhn", target=1e-3)))
    thread.start()
    thread.join()
    assert found[0].stop is Stop.CONVERGED


def test_checkpoints_are_complete_strategies(tmp_path):
    path = tmp_path / "x.strategy"
    seen = []

    def look(progress):
        if path.exists():
            seen.append(files.read(path).about["iterations"])

    last = solve(
        "leduc", method="cfr", seconds=0.6, out=path, checkpoint_s=0.05, listen=look
    ).iterations
    assert len(set(seen)) >= 2
    assert seen == sorted(seen)
    assert files.read(path).about["iterations"] == last
    assert [p.name for p in tmp_path.iterdir()] == ["x.strategy"], "nothing is left behind"


def test_progress_is_told():
    told = []
    solve("leduc", target=1e-4, listen=told.append)
    solving = [progress for progress in told if progress.stage == "solving"]
    assert solving[-1].iteration > 0
    assert all(0 <= progress.done <= 1 for progress in solving)
    assert any(progress.seconds_left is not None for progress in solving)


def test_the_loop_can_be_driven_by_hand():
    form = rl.sequence_form(rl.load("kuhn"))
    reports = list(run(rl.solver("cfr+", form), until=Limits(target=1e-3)))
    assert [report.stop for report in reports[:-1]] == [None] * (len(reports) - 1)
    assert reports[-1].stop is Stop.CONVERGED
    assert reports[-1].exploitability <= 1e-3


def test_iterates_can_be_chosen():
    for which in ("average", "current", "last"):
        assert solve("kuhn", iterations=50, strategy=which).iterate == which
    with pytest.raises(BadParameter, match="average, current or last"):
        solve("kuhn", strategy="newest")


@pytest.mark.parametrize(
    "limits", [{"target": -1}, {"iterations": 0}, {"seconds": 0}, {"target": float("nan")}]
)
def test_senseless_limits_are_refused(limits):
    with pytest.raises(BadParameter, match="must be"):
        solve("kuhn", **limits)


def test_what_cannot_be_resumed(tmp_path):
    path = tmp_path / "x.strategy"
    solution = solve("kuhn", iterations=5, out=path)
    with pytest.raises(WrongGame, match="kuhn"):
        solve("leduc", resume=path)
    with pytest.raises(BadInput, match="sapcfr\\+"):
        solve(resume=path, method="cfr")
    files.write(path, solution.strategy, {"method": "sapcfr+"})
    with pytest.raises(BadFile, match="no solver state"):
        solve(resume=path)
    with pytest.raises(BadInput, match="no game"):
        solve()


def test_a_solution_draws_itself(tmp_path):
    solution = solve("kuhn", method="lp")
    assert "-1/18" in solution._repr_html_()
    assert "kuhn" in repr(solution)
    picture = tmp_path / "x.png"
    solve("kuhn").plot(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadFile, match=r"must be [.]avif"):
        solve("kuhn").plot(tmp_path / "x.nonsense")


def test_saved_and_loaded_strategies_are_identical(tmp_path):
    path = tmp_path / "x.strategy"
    solution = solve("leduc", iterations=50, out=path)
    loaded = load_strategy(path)
    assert np.array_equal(loaded.behaviour, solution.strategy.behaviour)
    assert loaded.form.fingerprint() == solution.form.fingerprint()
    assert rl.research.evaluate_file(path) == solution.evaluation


def test_only_zero_sum_games_of_two_have_certified_bounds():
    low, high = solve("kuhn", iterations=50).bounds
    assert low <= -1 / 18 <= high
    assert solve("prisoners_dilemma", method="cfr", iterations=5).bounds is None
    assert solve("kuhn:players=3", method="cfr", iterations=5).bounds is None
