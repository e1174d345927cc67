"""Time from a game's name to its solution.

Each line is one call of `solve`: states are walked, the form is built, the method runs with its
regular evaluations of exploitability, and the result is evaluated. Compilation is excluded. The
last line is the walk alone, of Leduc with 52 cards."""

from __future__ import annotations

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import progress, repeated, seconds_each

TARGET = 1e-9
METHODS = ("sapcfr+", "pcfr+", "pdcfr+")
LARGE = "leduc:ranks=13,suits=4"


def measure() -> list[Row]:
    """Seconds for each method."""
    rows = [_solved(method, most_s=2.0) for method in METHODS]
    return [*rows, _solved("lp", most_s=0.1), _built()]


def _solved(method: str, *, most_s: float) -> Row:
    progress(f"leduc to {TARGET} by {method}")
    solution = rl.solve("leduc", method=method, target=TARGET)
    each = seconds_each({"ours": repeated(lambda: rl.solve("leduc", method=method, target=TARGET))})
    reached = solution.exploitability <= TARGET
    seconds = each["ours"]
    what = f"leduc to {TARGET} by {method}, {solution.iterations:,} iterations"
    if solution.iterations == 1:
        what = f"leduc exactly by {method}"
    return Row(what, seconds, "s", {}, f"< {most_s}", reached and seconds < most_s)


def _built() -> Row:
    progress(f"form of {LARGE}")
    game = rl.load(LARGE)
    sizes = rl.forms.game_sizes(game)
    works = {"ours": repeated(lambda: rl.sequence_form(rl.load(LARGE)))}
    seconds = seconds_each(works, repetitions=3)["ours"]
    what = f"form of {LARGE}, {sizes.nodes:,} nodes"
    return Row(what, seconds, "s", {}, "< 10", seconds < 10)
