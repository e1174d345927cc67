"""Three players: how long CFR, MaxMin and Stackelberg take on Kuhn and Leduc.

CFR is plain CFR with alternating updates; epsilon is the largest of the three positions. The 2017
thesis that the study `three-players` follows needed 9 days for 10^8 iterations on Leduc. Guarantees
(TMECor) are exact, local Stackelberg solutions verified: followers' regrets are below 1e-7."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks._report import number
from benchmarks._timing import progress
from regretless.evaluation.exploitability import evaluate
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.solvers._catalog import solver
from regretless.solvers._teams import guarantee
from regretless.strategy.strategy import Strategy

KUHN, LEDUC = "kuhn:players=3", "leduc:players=3,cap=1"
COUNTS = {KUHN: (1_000, 10_000, 100_000), LEDUC: (100, 1_000, 10_000)}


class Line(NamedTuple):
    """One measurement."""

    what: str
    seconds: float
    found: str


def measure() -> list[Line]:
    """Learning first, then exact methods."""
    forms = {game: sequence_form(game) for game in (KUHN, LEDUC)}
    lines = []
    for game, form in forms.items():
        for method in ("cfr", "maxmin:learner=cfr"):
            progress(f"{game} {method}")
            lines += _learned(form, method, COUNTS[game])
    for player in range(3):
        progress(f"guarantee of position {player + 1}")
        fresh = sequence_form(KUHN)
        seconds = _timed(lambda fresh=fresh, player=player: guarantee(fresh, player))  # type: ignore[misc]
        lines.append(Line(f"guarantee, position {player + 1}", seconds, _value(fresh, player)))
        progress(f"leader {player + 1}")
        running = solver(f"stackelberg:leader={player + 1},starts=1", fresh)
        seconds = _timed(lambda running=running: running.step(2))  # type: ignore[misc]
        details = running.details()
        assert max(details["follower_regrets"]) < 1e-7
        lines.append(
            Line(f"local commitment, position {player + 1}", seconds, f"{details['values'][0]:.6f}")
        )
    return lines


def _value(form: SequenceForm, player: int) -> str:
    return f"{guarantee(form, player).value:.6f}"


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _learned(form: SequenceForm, method: str, counts: tuple[int, ...]) -> list[Line]:
    running = solver(method, form)
    running.step(0)
    spent, lines = 0.0, []
    for count in counts:
        started = time.perf_counter()
        running.step(count - running.iteration)
        spent += time.perf_counter() - started
        epsilon = np.max(evaluate(Strategy(form, running.behaviour())).epsilon)
        lines.append(Line(f"`{form.spec}` {method}, {count:,}", spent, f"epsilon {epsilon:.2g}"))
    return lines


def table(lines: list[Line]) -> list[list[str]]:
    """Task, seconds and result."""
    head = ["what", "seconds", "found"]
    return [head, *([line.what, number(line.seconds, "s"), line.found] for line in lines)]
