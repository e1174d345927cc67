"""The one loop: it ends where it should, on time, and divides the work as it likes."""

import pytest

from regretless.core import interrupts, loop
from regretless.core.interrupts import time_limit
from regretless.core.loop import Loop, Stepper


class Clock:
    """Time passes when somebody works, and a little when somebody asks."""

    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        self.now += 1e-7
        return self.now

    monotonic = perf_counter


class Slow(Stepper):
    """Every iteration takes this long; the number of iterations is all that it learns."""

    def __init__(self, clock, seconds, end=None):
        self.clock, self.seconds, self.end, self.iteration, self.calls = clock, seconds, end, 0, []

    @property
    def finished(self):
        return self.end is not None and self.iteration >= self.end

    def step(self, count=1):
        self.calls.append(count)
        self.iteration += count
        self.clock.now += count * self.seconds


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(loop, "time", found)
    monkeypatch.setattr(interrupts, "time", found)
    return found


@pytest.mark.parametrize("step_s", [1e-4, 0.03, 0.4, 1.3, 4.9])
@pytest.mark.parametrize("evaluation_s", [0.0, 0.2, 2.0])
@pytest.mark.parametrize("seconds", [5.0, 10.0])
def test_a_time_limit_is_kept_within_a_tenth(clock, step_s, evaluation_s, seconds):
    work = Slow(clock, step_s)
    running = Loop(work=work, seconds=seconds)
    while not running.must_end():
        running.advance(2 * work.iteration + 1)
        clock.now += evaluation_s
        running.evaluation_s = evaluation_s
    least = step_s + evaluation_s  # there is always one iteration
    assert running.spent() <= max(1.1 * seconds, least) + 1e-3
    assert running.spent() > 0.9 * seconds - step_s - 2 * evaluation_s, "it is used, too"


def test_the_first_reason_to_end_counts(clock):
    for limits, expected in (({"iterations": 70}, 70), ({}, 91), ({"seconds": 0.5}, 50)):
        work = Slow(clock, 0.01, end=90)
        Loop(work=work, **limits).advance()
        assert work.iteration == pytest.approx(expected, abs=1)
    work = Slow(clock, 0.01)
    with time_limit(0.25):
        Loop(work=work, seconds=9.0).advance()
    assert work.iteration == pytest.approx(25, abs=1)


def test_calls_are_short_and_told(clock):
    work, told, saved = Slow(clock, 0.001), [], []
    running = Loop(work=work, iterations=2000, listen=told.append, save_s=0.5)
    running.save = lambda: saved.append(work.iteration)
    running.advance()
    assert work.iteration == 2000
    assert max(work.calls) <= 101
    assert [progress.iteration for progress in told][-1] == 2000
    assert all(0 < progress.done <= 1 for progress in told)
    assert len(saved) == 3, "every half second of two, and not at the end"
