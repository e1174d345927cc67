"""Charts of a tournament as a picture: a grid of 13×13 classes per decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regretless.cards.holdings import CLASSES
from regretless.core.errors import BadInput, shown
from regretless.core.pictures import blank_figure, write_figure
from regretless.runs.tournament_charts import RANKS, Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDE = 4.2  # inches of a grid
ACROSS = 3  # grids
DIFFERENT = 0.5  # of a frequency: a frame marks the class


def draw_charts(found: list[Chart], path: str | Path | None = None) -> Figure:
    """One grid per decision; classes that ICM would play otherwise have a frame."""
    if not isinstance(found, list) or not all(isinstance(one, Chart) for one in found):
        raise BadInput(f"charts: must be a list of charts, not {shown(found)}")
    if not found or len(found[0].names) != CLASSES:
        raise BadInput("charts need the 169 classes of hold'em")
    across = min(ACROSS, len(found))
    down = -(-len(found) // across)
    figure = blank_figure((SIDE * across, (SIDE + 0.3) * down))
    panels = figure.subplots(down, across, squeeze=False)
    for panel in panels.ravel()[len(found) :]:
        panel.axis("off")
    for panel, chart in zip(panels.ravel(), found, strict=False):
        jams = chart.jams["tournament"].reshape(RANKS, RANKS)[::-1, ::-1]
        panel.imshow(jams, cmap="YlGn", vmin=0, vmax=1.2)
        others = chart.jams["icm"].reshape(RANKS, RANKS)[::-1, ::-1]
        names = np.array(chart.names, dtype=object).reshape(RANKS, RANKS)[::-1, ::-1]
        for row in range(RANKS):
            for column in range(RANKS):
                ink = "white" if jams[row, column] > 0.6 else "black"
                name = names[row, column]
                panel.text(column, row, name, color=ink, ha="center", va="center", fontsize=6)
                if abs(jams[row, column] - others[row, column]) >= DIFFERENT:
                    panel.add_patch(_frame(row, column))
        panel.set(xticks=[], yticks=[])
        panel.set_title(f"{chart.title}: {chart.percent:.1f} %", fontsize=10)
    return write_figure(figure, path)


def _frame(row: int, column: int) -> object:
    from matplotlib.patches import Rectangle

    corner = (column - 0.45, row - 0.45)
    return Rectangle(corner, 0.9, 0.9, fill=False, edgecolor="#c0392b", linewidth=1.3)
