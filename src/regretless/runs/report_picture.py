"""A report as a picture: frequencies of every line as stacked bars, EV and equity below.

Flops are in the same order everywhere, by increasing frequency of the first action of the
first line. The width of a bar is the weight of its flop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.errors import BadInput
from regretless.core.pictures import blank_figure, write_figure
from regretless.evaluation.spot_picture import colours
from regretless.runs.report_tables import line_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from regretless.runs.report import Report

OOP, IP = "#1f5fa8", "#b8402a"
NAMED = 40  # more flops than this have no names below their bars
HEIGHT, WIDTH = 2.1, 10.0  # inches of a panel


def picture(report: Report, path: str | Path | None = None) -> Figure:
    """One panel per line, and one with EV and equity."""

    if not report.rows:
        raise BadInput("no flops are solved yet: there is nothing to draw")
    panels = len(report.lines) + 1
    figure = blank_figure((WIDTH, 1.2 + HEIGHT * panels))
    axes = figure.subplots(panels, 1, sharex=True, squeeze=False)[:, 0]
    first = np.array([row.lines[0].frequencies[0] for row in report.rows])
    order = np.argsort(np.nan_to_num(first, nan=2.0), kind="stable")
    widths = np.array([report.rows[n].weight for n in order])
    widths = widths / widths.sum()
    left = np.cumsum(widths) - widths
    for number, panel in enumerate(axes[:-1]):
        _frequencies(panel, report, number, order, left, widths)
    _values(axes[-1], report, order, left + widths / 2)
    if len(order) <= NAMED:
        names = [report.rows[n].board for n in order]
        axes[-1].set_xticks(left + widths / 2, names, rotation=90, fontsize=8, family="monospace")
    else:
        axes[-1].set_xticks([])
        axes[-1].set_xlabel(f"{len(order):,} flops")
    axes[-1].set_xlim(0, 1)
    figure.suptitle(f"{len(order):,} flops, pot {report.spot.pot:,}", fontsize=11)
    if path is not None:
        write_figure(figure, path)
    return figure


def _frequencies(
    axes: Axes, report: Report, number: int, order: np.ndarray, left: np.ndarray, widths: np.ndarray
) -> None:
    below = np.zeros(len(order))
    names = report.actions[number]
    for action, (name, colour) in enumerate(zip(names, colours(names), strict=True)):
        taken = [report.rows[n].lines[number].frequencies[action] for n in order]
        heights = np.nan_to_num(np.array(taken))
        axes.bar(left, heights, widths, below, align="edge", color=colour, label=name)
        below += heights
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.set_ylabel(line_name(report.lines[number]))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _values(axes: Axes, report: Report, order: np.ndarray, middle: np.ndarray) -> None:
    """EVs as shares of the pot, beside the equities; with ICM equities only."""
    icm = report.spot.rules.utility is not None
    few = len(order) <= NAMED
    size = 5.0 if few else 1.5
    for player, (name, colour) in enumerate((("OOP", OOP), ("IP", IP))):
        equity = [report.rows[n].equity[player] for n in order]
        mark = {"marker": "_", "markersize": 14.0} if few else {"marker": ","}
        axes.plot(middle, equity, linestyle="", color=colour, label=f"equity {name}", **mark)
        if not icm:
            ev = [report.rows[n].ev[player] / report.spot.pot for n in order]
            axes.plot(middle, ev, "o", color=colour, markersize=size, label=f"EV {name}")
    axes.axhline(0.5, color="#cccccc", linewidth=0.8, zorder=0)
    axes.set_ylabel("equity" if icm else "share of the pot")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
