"""Equilibria of two-player games in normal form.

Lemke-Howson: the slowest of ten random 200×200 games, payoffs uniform in [0, 1], from the matrices
to the verified answer. Support enumeration: all equilibria of the games in nashpy's documentation,
both programs from the matrices, excluding compilation. Linear programs: what `lp` chooses by size,
next to both algorithms; Lemke's algorithm on the sequence form of Leduc for comparison."""

from __future__ import annotations

import warnings
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import numpy as np

import regretless as rl
from benchmarks._report import NOT_INSTALLED, Row, faster
from benchmarks._timing import progress, repeated, seconds_each
from regretless.core.arrays import Floats
from regretless.solvers._bimatrix import Bimatrix
from regretless.solvers.support_enumeration import enumerated

NASHPY = "nashpy"
GAMES = 10
LIMIT_S = 1.0
EXAMPLES = {
    "README": ([[1, 2], [3, 0]], [[0, 2], [3, 1]]),
    "matching pennies": ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
    "battle of the sexes": ([[3, 1], [0, 2]], [[2, 1], [0, 3]]),
    "rock paper scissors": (
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        [[0, 1, -1], [-1, 0, 1], [1, -1, 0]],
    ),
    "3×2, degenerate": ([[3, 3], [2, 5], [0, 6]], [[3, 3], [2, 6], [3, 1]]),
    "2×2, degenerate": ([[-1, 0], [-1, 1]], [[1, 0], [1, -1]]),
}
PROGRAMS = ("leduc", "leduc:ranks=5", "leduc:ranks=8", "leduc:ranks=9")


def measure() -> list[Row]:
    """One row per quantity."""
    return [_large(), *_examples(), *_programs(), _lcp()]


def _large() -> Row:
    rng = np.random.default_rng(0)
    worst = 0.0
    for number in range(GAMES):
        progress(f"Lemke-Howson, game {number + 1} of {GAMES}")
        game = rl.games.normal_form_game("random", rng.random((2, 200, 200)))
        form = rl.sequence_form(game)
        work = repeated(partial(_solve, "lemke-howson", form))
        worst = max(worst, seconds_each({"ours": work}, repetitions=3)["ours"])
    what = "lemke-howson, random 200×200, slowest of 10"
    return Row(what, worst, "s", target=f"under {LIMIT_S:g} s", ok=worst < LIMIT_S)


def _solve(method: str, form: rl.forms.SequenceForm) -> None:
    solver = rl.solver(method, form)
    while not solver.finished:
        solver.step()
    assert rl.evaluate(rl.Strategy(form, solver.behaviour())).nash_conv < 1e-8


def _examples() -> list[Row]:
    rows = []
    for name, tables in EXAMPLES.items():
        progress(f"support enumeration, {name}")
        A, B = (np.array(table, dtype=float) for table in tables)
        works = {"ours": repeated(partial(_all, A, B))}
        if find_spec(NASHPY) is not None:
            works[NASHPY] = repeated(partial(_nashpy, A, B))
        milliseconds = {key: 1e3 * seconds for key, seconds in seconds_each(works).items()}
        ours, peer = milliseconds["ours"], milliseconds.get(NASHPY, NOT_INSTALLED)
        ok = faster("ms", ours, peer) > 1 if NASHPY in milliseconds else None
        rows.append(Row(f"support-enumeration, {name}", ours, "ms", {NASHPY: peer}, "faster", ok))
    return rows


def _all(A: Floats, B: Floats) -> int:
    return sum(not isinstance(event, int) for event in enumerated(Bimatrix(A, B)))


def _nashpy(A: Floats, B: Floats) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of degenerate games
        return len(list(import_module(NASHPY).Game(A, B).support_enumeration()))


def _programs() -> list[Row]:
    rows = []
    for spec in PROGRAMS:
        progress(f"lp, {spec}")
        form = rl.sequence_form(rl.load(spec))
        names = {"ours": "lp", "simplex": "lp:algorithm=simplex", "interior": "lp:algorithm=ipm"}
        works = {key: repeated(partial(_solve, name, form)) for key, name in names.items()}
        seconds = seconds_each(works, repetitions=1)
        rows.append(Row(f"lp, {spec}", seconds.pop("ours"), "s", seconds))
    return rows


def _lcp() -> Row:
    progress("lcp, leduc")
    form = rl.sequence_form(rl.load("leduc"))
    seconds = seconds_each({"ours": repeated(partial(_solve, "lcp", form))}, repetitions=1)
    return Row("lcp, leduc", seconds["ours"], "s")
