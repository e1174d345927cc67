"""Public chance sampling on Rhode Island hold'em: exploitability against time.

Public chance sampling sweeps over one run of boards per iteration, the full sweeps of CFR and
discounted CFR over all of them. All run on one thread and the same public form. Time is processor
time in seconds, excluding construction, compilation and evaluations; exploitability is in chips per
hand, by best responses in double precision. The crossover is where the curve of a full sweep falls
below that of sampling, interpolated linearly between evaluations on logarithmic axes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import progress
from regretless.core.pictures import panels, write_figure

GAME = "rhode_island"
SAMPLED, FULL = "public-chance-sampling", ("cfr", "dcfr")
LOOKS_S = (0.05, 0.15, 0.5, 1.5, 4.0, 10.0)
Curve = list[tuple[float, float]]  # seconds, exploitability
CURVES: dict[str, Curve] = {}


def measure() -> list[Row]:
    """One row per evaluation, then the crossovers."""
    form = rl.forms.public_form(GAME)
    CURVES.clear()
    for method in (SAMPLED, *FULL):
        CURVES[method] = _curve(method, form)
    rows = []
    for k, look in enumerate(LOOKS_S):
        peers = {f"full sweeps of {method}": CURVES[method][k][1] for method in FULL}
        rows.append(Row(f"exploitability after {look:g} s", CURVES[SAMPLED][k][1], "chips", peers))
    for method in FULL:
        at = crossover(CURVES[SAMPLED], CURVES[method])
        what = f"{method} overtakes sampling after" if at else f"{method} does not overtake within"
        rows.append(Row(what, at or LOOKS_S[-1], "s"))
    return rows


def _curve(method: str, form: rl.forms.PublicForm) -> Curve:
    solver = rl.solver(method, form, seed=1)
    solver.step(0)
    spent, points = 0.0, []
    for look in LOOKS_S:
        progress(f"{method}: {look:g} s")
        while spent < look:
            started = time.process_time()
            solver.step(10 if method == SAMPLED else 1)
            spent += time.process_time() - started
        strategy = rl.Strategy(form, solver.behaviour())
        points.append((spent, float(f"{rl.exploitability(strategy):.3g}")))
    return points


def crossover(sampled: Curve, full: Curve) -> float | None:
    """The first time from which the full sweep is ahead; None if never."""
    grid = np.geomspace(max(sampled[0][0], full[0][0]), min(sampled[-1][0], full[-1][0]), 400)
    lines = [np.interp(np.log(grid), *np.log(np.array(curve).T)) for curve in (sampled, full)]
    behind = np.flatnonzero(lines[0] <= lines[1])
    after = behind[-1] + 1 if behind.size else 0
    return float(grid[after]) if after < grid.size else None


def draw(rows: list[Row], folder: Path) -> None:
    """Exploitability against time."""
    figure, (axes,) = panels(1, width=7, height=4.6)
    for method, curve in CURVES.items():
        name = method if method == SAMPLED else f"{method}, full sweeps"
        axes.loglog(*zip(*curve, strict=True), label=name, linewidth=1.6, marker=".")
    axes.set_title("Rhode Island hold'em")
    axes.set_xlabel("processor time (s)")
    axes.set_ylabel("exploitability (chips per hand)")
    axes.legend(frameon=False, fontsize=8)
    write_figure(figure, folder / "public_chance_sampling.png", dpi=130)
