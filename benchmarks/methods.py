"""Exploitability of every iterative method.

Average strategy, alternating updates, default parameters; PCFR+ also with the averaging weights of
its paper, t². The lowest exploitability of a game after so many iterations is in bold; below 1e-13
rounding decides. Long runs depend on rounding too: after 10,000 iterations of DCFR, Leduc with
suits folded and with distinct suits differed by a factor of two. With more than two players no
method is guaranteed to converge to an equilibrium: the number is the mean of the epsilons."""

from __future__ import annotations

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import progress
from regretless.solvers._catalog import method_class
from regretless.solvers._solver import Solver

GAMES = (
    "kuhn",
    "leduc",
    "leduc:ranks=5",
    "liars_dice:faces=4",
    "kuhn:players=3",
    "leduc:players=3,cap=1",
)
LOOKS = (100, 1_000, 10_000)  # iterations
AS_PUBLISHED = "pcfr+:gamma=2"


def measure() -> list[Row]:
    """One row per game, method and number of iterations."""
    rows = []
    for spec in GAMES:
        form = rl.sequence_form(rl.load(spec))
        for method in iterative():
            progress(f"{spec}, {method}")
            solver = rl.solver(method, form)
            for look in LOOKS:
                solver.step(look - solver.iteration)
                reached = rl.evaluate(rl.Strategy(form, solver.behaviour())).exploitability
                rows.append(Row(f"{spec}|{method}|{look:,}", reached, "chips"))
    return rows


def iterative() -> list[str]:
    """Methods that approach an equilibrium iteratively."""
    names = [
        name
        for name in rl.research.method_names()
        if method_class(name).finished is Solver.finished
    ]
    return sorted([*names, AS_PUBLISHED])


def table(rows: list[Row]) -> list[list[str]]:
    """One line per game and method, one column per number of iterations."""
    reached_by = {tuple(row.what.split("|")): row.ours for row in rows}
    methods = iterative()
    lines = [["game", "method", *(f"{look:,} iterations" for look in LOOKS)]]
    for spec in GAMES:
        for method in methods:
            line = [spec if method == methods[0] else "", method]
            for look in map("{:,}".format, LOOKS):
                least = min(reached_by[spec, other, look] for other in methods)
                reached = reached_by[spec, method, look]
                line.append(f"**{reached:.1e}**" if reached == least else f"{reached:.1e}")
            lines.append(line)
    return lines
