"""The cross table of a league as a heat map: blue wins, red loses, white is even."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.pictures import blank_figure, write_figure
from regretless.core.tables import MISSING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from regretless.evaluation.league import League

DARK = 0.6  # of the strongest colour: beyond it, text is white
CELL_INCHES = (1.05, 0.48)
LETTER_INCHES = 0.085
MOST_INCHES = 60.0


def heat_map(league: League, path: str | Path | None = None) -> Figure:
    """Rows and columns as in the printed table; written to a file if one is named."""

    rows, columns, values = _matrix(league)
    label = LETTER_INCHES * max(map(len, rows))
    height = 1.5 + CELL_INCHES[1] * len(rows) + LETTER_INCHES * max(map(len, columns)) / 2
    width = max(5.5, 2.0 + label + CELL_INCHES[0] * len(columns))
    size = (min(width, MOST_INCHES), min(height, MOST_INCHES))
    figure = blank_figure(size)
    axes = figure.add_subplot()
    largest = float(np.nanmax(np.abs(values))) or 1.0
    image = axes.imshow(values, cmap="RdBu", vmin=-largest, vmax=largest, aspect="auto")
    axes.set_facecolor("#eeeeee")
    _numbers(axes, league, values, largest)
    _labels(axes, rows, columns)
    how = "all deals" if league.exact else f"{league.payoffs.deals:,} deals"
    who = "row against column" if league.players == 2 else "column against the row's opponents"
    axes.set_title(f"{league.game}: {who}, {how}", fontsize=10, pad=10)
    figure.colorbar(image, ax=axes, label=league.unit.words, fraction=0.05, pad=0.02)
    if path is not None:
        write_figure(figure, path)
    return figure


def _matrix(league: League) -> tuple[list[str], list[str], np.ndarray]:
    columns = list(league.names)
    if league.players == 2:
        cells = [[league.cross[other,].get(name) for other in columns] for name in columns]
        rows = columns
    else:
        cells = [[row.get(name) for name in columns] for row in league.cross.values()]
        rows = [", ".join(rest) for rest in league.cross]
    numbers = [[cell.mean if cell else np.nan for cell in row] for row in cells]
    return rows, columns, np.array(numbers)


def _numbers(axes: Axes, league: League, values: np.ndarray, largest: float) -> None:
    for (row, column), value in np.ndenumerate(values):
        text = MISSING if np.isnan(value) else f"{value:{league.unit.format}}"
        colour = "white" if abs(value) > DARK * largest else "#222222"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)


def _labels(axes: Axes, rows: list[str], columns: list[str]) -> None:
    long = max(map(len, columns)) * LETTER_INCHES > CELL_INCHES[0]
    turned: dict[str, Any] = {"rotation": 30, "ha": "left"} if long else {}
    axes.set_xticks(range(len(columns)), columns, **turned)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(
        length=0, labelsize=9, top=False, labeltop=True, bottom=False, labelbottom=False
    )
    axes.spines[:].set_visible(False)
    # White lines between the cells.
    axes.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
