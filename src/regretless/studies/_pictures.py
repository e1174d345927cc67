"""Pictures of studies: bars in groups, and intervals in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.core.pictures import panels, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer


def draw_bars(
    panel: Axes,
    groups: Sequence[str],
    series: Mapping[str, Sequence[float]],
    colours: Sequence[str],
) -> list[BarContainer]:
    """One bar per group and name, side by side within a group."""
    width, places = 0.8 / len(series), np.arange(len(groups))
    panel.set_xticks(places, groups)
    panel.set_axisbelow(True)
    return [
        panel.bar(places + (k - (len(series) - 1) / 2) * width, heights, width, color=c, label=name)
        for k, ((name, heights), c) in enumerate(zip(series.items(), colours, strict=True))
    ]


class Interval(NamedTuple):
    """A number between two bounds."""

    name: str
    low: float
    value: float
    high: float


def draw_intervals(rows: Sequence[Interval], what: str, path: Path) -> None:
    """One interval per row, the first one on top."""
    figure, (panel,) = panels(1, width=7.5, height=0.9 + 0.45 * len(rows))
    for place, row in enumerate(rows):
        panel.plot(
            [row.low, row.high], [place, place], c="#1f5fa8", lw=5, alpha=0.4, solid_capstyle="butt"
        )
        panel.plot([row.value], [place], c="#1f5fa8", marker="o", ms=4)
    panel.set_yticks(range(len(rows)), [row.name for row in rows])
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set(xlabel=what)
    write_figure(figure, path)
