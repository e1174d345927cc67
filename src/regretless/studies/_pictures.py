"""Pictures of studies: an empty figure with panels side by side, and intervals in rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regretless.core.pictures import blank_figure, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(
    count: int, *, width: float = 5.0, height: float = 4.2
) -> tuple[Figure, tuple[Axes, ...]]:
    """A figure and its panels; width and height are of a panel, in inches."""

    figure = blank_figure((width * count, height))
    axes = figure.subplots(1, count, squeeze=False)[0]
    for panel in axes:
        panel.grid(alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
    return figure, tuple(axes)


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
