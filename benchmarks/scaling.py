"""Time per iteration against the size of the game.

One iteration of CFR+ on the public form, one thread. An entry is an action of a public node with a
hand: a sequence. Leduc is measured with suits folded (the default) and with distinct suits, every
card a hand, no isomorphism; Rhode Island with isomorphic suits. All regrets are in double precision
here, so that only sizes differ; in single precision, the default of large games, Rhode Island is
faster (rhode_island.md). Time grows linearly if the time per entry is constant; below some thousand
entries the fixed cost of a sweep shows. The last column is the exponent of growth since the line
before of the same kind: one is linear.

![Time per iteration against entries](scaling.png)"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import regretless as rl
from benchmarks._report import Row, number
from benchmarks._timing import progress, seconds_each
from regretless.core.pictures import panels, write_figure
from regretless.forms.public import public_form

DECKS = ((3, 2), (4, 2), (5, 2), (3, 3), (6, 3), (8, 3), (5, 4), (10, 4), (13, 4))
FOLDED, APART, RHODE = "Leduc, suits folded", "Leduc, distinct suits", "Rhode Island"
COLOURS = {FOLDED: "#8aa9c9", APART: "#1f5fa8", RHODE: "#c0562f"}
LARGE = 10_000  # growth is fitted from this many entries


@dataclass(frozen=True, slots=True)
class _Point:
    kind: str
    deck: str
    entries: int
    ms: float


def measure() -> list[Row]:
    """One row per game: kind, deck, entries; milliseconds."""
    rows = []
    for ranks, suits in DECKS:
        rows.append(_row(FOLDED, ranks, suits, f"leduc:ranks={ranks},suits={suits}"))
    for ranks, suits in DECKS:
        spec = f"leduc:ranks={ranks},suits={suits},suits_distinct=true"
        rows.append(_row(APART, ranks, suits, spec))
    for ranks, suits in ((3, 4), (5, 4), (8, 4), (13, 4)):
        rows.append(_row(RHODE, ranks, suits, f"rhode_island:ranks={ranks},suits={suits}"))
    return rows


def _row(kind: str, ranks: int, suits: int, spec: str) -> Row:
    progress(spec)
    form = public_form(spec, isomorphic=kind != APART, precision="double")
    entries = sum(form.sizes.sequences)
    solver = rl.solver("cfr+", form)
    ms = 1e3 * seconds_each({"ours": solver.step}, repetitions=5)["ours"]
    return Row(f"{kind}|{ranks}×{suits}|{entries}", ms, "ms")


def table(rows: list[Row]) -> list[list[str]]:
    """One line per game, ordered by entries within its kind; the fit comes last."""
    lines = [["game", "deck", "entries", "ms", "ns per entry", "exponent"]]
    before: _Point | None = None
    for point in sorted(
        _points(rows), key=lambda point: (list(COLOURS).index(point.kind), point.entries)
    ):
        grown = ""
        if (
            before is not None
            and before.kind == point.kind
            and point.entries > 1.2 * before.entries
        ):
            grown = f"{_exponent([before, point]):.2f}"
        each = f"{1e6 * point.ms / point.entries:.2f}"
        shown = [f"{point.entries:,}", number(point.ms, "ms"), each, grown]
        lines.append([point.kind, point.deck, *shown])
        before = point
    fitted = [point for point in _points(rows) if point.entries >= LARGE]
    lines.append(
        [f"all with at least {LARGE:,} entries", "", "", "", "", f"{_exponent(fitted):.2f}"]
    )
    return lines


def draw(rows: list[Row], folder: Path) -> None:
    """Both axes are logarithmic; a line of slope one guides the eye."""
    figure, (axes,) = panels(1, width=7, height=4.6)
    points = _points(rows)
    for kind, colour in COLOURS.items():
        own = sorted((point.entries, point.ms) for point in points if point.kind == kind)
        axes.loglog(*zip(*own, strict=True), "o-", color=colour, label=kind, markersize=4)
    last = max(points, key=lambda point: point.entries)
    least = min(point.entries for point in points)
    ends = [least, last.entries]
    linear = [last.ms * end / last.entries for end in ends]
    axes.loglog(ends, linear, ":", color="#888888", label="linear", zorder=0)
    axes.set_xlabel("entries: public node × action × hand")
    axes.set_ylabel("milliseconds per iteration of CFR+")
    axes.legend(frameon=False)
    write_figure(figure, folder / "scaling.png", dpi=150)


def _points(rows: list[Row]) -> list[_Point]:
    points = []
    for row in rows:
        kind, deck, entries = row.what.split("|")
        points.append(_Point(kind, deck, int(entries), row.ours))
    return points


def _exponent(points: list[_Point]) -> float:
    """Slope of the logarithm of time against the logarithm of entries."""
    entries = [math.log(point.entries) for point in points]
    times = [math.log(point.ms) for point in points]
    return float(np.polyfit(entries, times, 1)[0])
