"""Abstractions: construction time and size.

GameShrink on Rhode Island hold'em must find the published 13, 205 and 1,774 classes in a second, as
Gilpin & Sandholm 2007 did; the coarsest lossless partition is shown for comparison. Leduc with 13
ranks is binned as in Carminati et al. 2020, who took 1.036 s. Building the form is not included."""

from __future__ import annotations

import time
from collections.abc import Callable

import regretless as rl
from benchmarks._report import Row

TURNS = 3
CLASSES = (13, 205, 1774)
PUBLISHED, SLIDES = "Gilpin & Sandholm", "Carminati et al."


def measure() -> list[Row]:
    """The minimum of several runs."""
    form = rl.forms.public_form("rhode_island")
    shrink_s, shrunk = _least(lambda: rl.abstract(form, "gameshrink"))
    lossless_s, lossless = _least(lambda: rl.abstract(form, "lossless"))
    leduc = rl.sequence_form("leduc:ranks=13")
    bins_s, bins = _least(lambda: _with_form(leduc))
    classes = shrunk.classes[0] or ()
    return [
        Row("gameshrink on rhode_island", shrink_s, "s", {PUBLISHED: 1.0}, "≤ 1", shrink_s <= 1),
        *(
            Row(f"classes, round {k + 1}", ours, "classes", {}, str(wanted), ours == wanted)
            for k, (ours, wanted) in enumerate(zip(classes, CLASSES, strict=True))
        ),
        Row("lossless on rhode_island", lossless_s, "s"),
        Row("classes, round 3", (lossless.classes[0] or (0,))[-1], "classes"),
        Row("leduc:ranks=13 in 5 bins, with the abstract game", bins_s, "s", {SLIDES: 1.036}),
        Row("decision points of it", bins.sizes[1].decision_points[0], "decision points"),
    ]


def _with_form(leduc: rl.forms.SequenceForm) -> rl.abstraction.Abstraction:
    made = rl.abstract(leduc, "binning:bins=5")
    made.form()
    return made


def _least(
    make: Callable[[], rl.abstraction.Abstraction],
) -> tuple[float, rl.abstraction.Abstraction]:
    best = float("inf")
    for _ in range(TURNS):
        started = time.perf_counter()
        made = make()
        best = min(best, time.perf_counter() - started)
    return best, made
