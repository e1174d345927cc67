"""Time to re-solve an endgame.

The blueprint and its form are given; everything else counts: finding the subgame, both players'
reach, the opponent's alternatives, the gadget, its linear program, and writing the result back, for
both players. An endgame is the last round on one board after one betting line."""

from __future__ import annotations

from functools import partial

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import progress, repeated, seconds_each
from regretless.refinement._catalog import refined

ENDGAMES = {
    "leduc": ("sequence", "/Q:cc/", 100),
    "leduc:ranks=13,suits=4": ("public", "/2:rc/", 20),
    "rhode_island": ("public", "/9c/Ac:cc/crc/", 5),
}
METHODS = ("unsafe", "resolving", "maxmargin", "reach")
MOST_S = 1.0


def measure() -> list[Row]:
    """Every method on an endgame of each game."""
    return [row for spec in ENDGAMES for row in _rows(spec)]


def _rows(spec: str) -> list[Row]:
    kind, where, iterations = ENDGAMES[spec]
    progress(f"blueprint of {spec}")
    form = rl.forms.form_of(spec, kind=kind)
    solver = rl.solver("dcfr", form)
    solver.step(iterations)
    blueprint = rl.Strategy(form, solver.behaviour())
    points = " + ".join(str(len(mine)) for mine in rl.forms.subgame_at(form, where).points)
    rows = []
    for method in METHODS:
        progress(f"{method} at {where} of {spec}")
        once = partial(refined, f"{method}:at={where}", blueprint)
        seconds = seconds_each({"ours": repeated(once)}, repetitions=3)["ours"]
        name = f"{method}, {spec} at {where} ({points} decision points)"
        rows.append(Row(name, seconds, "s", {}, f"< {MOST_S:g}", seconds < MOST_S))
    return rows
