"""Rhode Island hold'em.

Iterations on one and on two threads are timed in turn, on all cores; the results must be identical
bit for bit. Solving is a separate process, timed from start to exit, with its peak memory. For
comparison: Gilpin & Sandholm 2005 took 8 days and 25 GB (CPLEX, to 0.0016 chips, after shrinking
the game by its isomorphisms); a plain recursive DCFR in C++ with two threads, in float64, took 118
s. The value lies in [−0.65799, −0.65487]. `--long` adds the run to 1e-4 chips."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import LONG, all_cores, progress
from regretless.forms.public import public_form
from regretless.solvers._solver import Solver

GAME = "rhode_island"
THREADS = (1, 2)
METHOD = "dcfr"
FAST_METHOD = "scheduled-dcfr"
LONG_METHOD = "dcfr"
TURNS = 9
ITERATIONS = 8  # per turn: a third of a second on one thread
CPLEX, PLAIN = "CPLEX, 2005", "plain C++ DCFR"
VALUE = (-0.65799, -0.65487)
MIB = 2**20
# The peak resident memory of a process includes what its parent held when it started it,
# so there is a small process between this one and the solver.
WATCH = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True)
facts = json.loads(done.stdout)
facts["process_s"] = time.perf_counter() - started
held = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
facts["resident"] = held * (1 if sys.platform == "darwin" else 1024)
print(json.dumps(facts))
"""


def measure() -> list[Row]:
    """Threads, then the solution, on all cores."""
    with all_cores():
        rows = [*_threads(), *_solution(METHOD, 0.0016, most_s=60.0)]
        rows += _solution(FAST_METHOD, 0.0016, solving_s=10.0)
        if os.environ.get(LONG):
            rows += _solution(LONG_METHOD, 1e-4)
    return rows


def _threads() -> list[Row]:
    solvers = {n: rl.solver(METHOD, public_form(GAME, threads=n)) for n in THREADS}
    spent: dict[int, list[float]] = {n: [] for n in THREADS}
    for solver in solvers.values():
        solver.step(1)  # compiles, and touches all memory
    for turn in range(TURNS):
        progress(f"iterations with 1 and 2 threads, turn {turn + 1} of {TURNS}")
        for n, solver in solvers.items():
            started = time.perf_counter()
            solver.step(ITERATIONS)
            spent[n].append(1e3 * (time.perf_counter() - started) / ITERATIONS)
    rows = []
    for name, of in (("least", min), ("median", statistics.median)):
        one, two = (float(of(spent[n])) for n in THREADS)
        aim = ("≥ 1.7× one thread", one >= 1.7 * two)
        what = f"one iteration, {name} of {TURNS}"
        rows.append(Row(f"{what}, 2 threads", two, "ms", {"1 thread": one}, *aim))
    differing = _differing(*solvers.values())
    what = f"numbers that differ after {solvers[1].iteration} iterations, 1 and 2 threads"
    return [*rows, Row(what, differing, "numbers", {}, "0", differing == 0)]


def _differing(one: Solver, two: Solver) -> int:
    first, second = one.state(), two.state()
    return sum(int(np.sum(first[name] != second[name])) for name in first)


def _solution(
    method: str, target: float, *, most_s: float | None = None, solving_s: float | None = None
) -> list[Row]:
    _solve(method, target, "--iterations", "1")  # compiles, if necessary
    progress(f"{GAME} to {target} with {method}")
    facts = _solve(method, target)
    low, high = facts["bounds"]
    what = f"{method} to {target:g} chips"
    seconds, mib = facts["process_s"], round(facts["resident"] / MIB)
    peers = {CPLEX: 8 * 86400.0, PLAIN: 118.0} if most_s else {}
    aim = (f"< {most_s:.0f}", seconds < most_s) if most_s else ("", None)
    solving = (f"< {solving_s:.0f}", facts["seconds"] < solving_s) if solving_s else ("", None)
    memory = {CPLEX: float(round(25e9 / MIB))} if most_s else {}
    reached = facts["exploitability"]
    iterations = {PLAIN: 1000.0} if most_s else {}
    # The bounds hold for the value itself: they must overlap with the known interval.
    meets = low <= VALUE[1] and high >= VALUE[0]
    value = facts["values"][0]
    inside = VALUE[0] <= value <= VALUE[1]
    within = f"in [{VALUE[0]}, {VALUE[1]}]"
    return [
        Row(f"{what}: whole process", seconds, "s", peers, *aim),
        Row(f"{what}: solving", facts["seconds"], "s", {}, *solving),
        Row(f"{what}: iterations", facts["iterations"], "iterations", iterations),
        Row(
            f"{what}: exploitability",
            float(f"{reached:.3g}"),
            "chips",
            {},
            f"≤ {target:g}",
            reached <= target,
        ),
        Row(f"{what}: peak memory", mib, "MiB", memory, "< 400", mib < 400),
        Row(f"{what}: value of player 1", round(value, 6), "chips", {}, within, inside),
        Row(f"{what}: certified from", round(low, 6), "chips", {}, f"≤ {VALUE[1]}", meets),
        Row(f"{what}: certified to", round(high, 6), "chips", {}, f"≥ {VALUE[0]}", meets),
    ]


def _solve(method: str, target: float, *more: str) -> dict[str, Any]:
    solve = f"-m regretless solve {GAME} --target {target} --threads 2 --method {method} --json"
    command = [sys.executable, "-c", WATCH, sys.executable, *solve.split(), *more]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts
