"""Charts of push or fold as 13×13 grids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from regretless.cards.holdings import class_names
from regretless.core.pictures import blank_figure, write_figure
from regretless.evaluation.spot_tables import EMPTY, SIDE, grid_place
from regretless.stochastic.push_fold import PushFold

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FULL = "#d7483f"
ACROSS = 3  # charts side by side


def chart_picture(found: PushFold, path: str | Path | None = None) -> Figure:
    """All charts that are drawn; the height of the fill is how often a class jams."""
    count = len(found.drawn)
    across = min(count, ACROSS)
    down = -(-count // across)
    figure = blank_figure((5.2 * across, 5.5 * down))
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for axis, one in zip(axes, found.drawn, strict=False):
        _chart(axis, found, *one)
    for axis in axes[count:]:
        axis.axis("off")
    return write_figure(figure, path)


def _chart(axes: Axes, found: PushFold, position: str, after: str) -> None:
    from matplotlib.patches import Rectangle

    for cell, (name, often) in enumerate(
        zip(class_names(), found.chart(position, after).tolist(), strict=True)
    ):
        row, column = grid_place(cell)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=EMPTY, edgecolor="white"))
        axes.add_patch(Rectangle((column, row + 1 - often), 1, often, facecolor=FULL))
        axes.text(column + 0.5, row + 0.5, name, ha="center", va="center", fontsize=7)
    axes.set_xlim(0, SIDE)
    axes.set_ylim(SIDE, 0)
    axes.set_aspect("equal")
    axes.axis("off")
    told = f"{found.told(position, after)}: {found.percent(position, after):.1f} %"
    axes.set_title(told, fontsize=11, loc="left")
