"""A report as tables, by kind of flop and flop by flop, as Parquet for programs, and as a picture.

Columns of the Parquet table: board, weight, ev_oop, ev_ip, equity_oop, equity_ip,
exploitability, exploitability_percent, iterations, seconds; then for every line `LINE: reach`
and `LINE: ACTION`; the first decision is called `start`.

In the picture flops are in the same order everywhere, by increasing frequency of the first action
of the first line. The width of a bar is the weight of its flop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.cards.deck import RANKS
from regretless.core.errors import BadInput
from regretless.core.parquet import write_columns
from regretless.core.pictures import blank_figure, write_figure
from regretless.core.tables import Column, Table, prose
from regretless.evaluation.spot_tables import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from regretless.runs.report import Report, Row


START = "start"
MOST_ROWS = 30  # flops that are shown one by one


def tables(report: Report) -> list[Table]:
    """Kinds of flops, then the flops with the largest weights."""
    header = (
        prose(""),
        Column("share", ".1%"),
        Column("EV OOP", ".3f"),
        Column("EV IP", ".3f"),
        Column("eq. OOP", ".1%"),
        *(Column(name, ".1%") for name in _action_names(report)),
    )
    kinds = [_line(report, name, rows) for name, rows in _groups(report)]
    shown = report.rows[:MOST_ROWS]
    flops = [_line(report, row.board, [row]) for row in shown]
    left = len(report.rows) - len(shown)
    title = "flops" if not left else f"the {len(shown)} most common flops, of {len(shown) + left:,}"
    return [Table("kinds of flops", header, kinds), Table(title, header, flops)]


def line_name(line: str) -> str:
    """The name of a line in tables and pictures."""
    return line.strip() or START


def write_parquet(report: Report, path: str | Path) -> None:
    """One row per flop."""
    write_columns(path, parquet_columns(report), {"board": "string", "iterations": "int64"})


def parquet_columns(report: Report) -> dict[str, list[Any]]:
    """Columns by name; frequencies at lines never reached are nan."""
    rows = report.rows
    columns: dict[str, list[Any]] = {
        "board": [row.board for row in rows],
        "weight": [row.weight for row in rows],
        "ev_oop": [row.ev[0] for row in rows],
        "ev_ip": [row.ev[1] for row in rows],
        "equity_oop": [row.equity[0] for row in rows],
        "equity_ip": [row.equity[1] for row in rows],
        "exploitability": [row.exploitability for row in rows],
        "exploitability_percent": [report.spot.percent(row.exploitability) for row in rows],
        "iterations": [row.iterations for row in rows],
        "seconds": [row.seconds for row in rows],
    }
    for n, line in enumerate(report.lines):
        columns[f"{line_name(line)}: reach"] = [row.lines[n].reach for row in rows]
        for a, action in enumerate(report.actions[n]):
            columns[f"{line_name(line)}: {action}"] = [row.lines[n].frequencies[a] for row in rows]
    return columns


def _action_names(report: Report) -> list[str]:
    return [
        action if len(report.lines) == 1 else f"{line_name(line)}: {action}"
        for line, actions in zip(report.lines, report.actions, strict=True)
        for action in actions
    ]


def _line(report: Report, name: str, rows: Sequence[Row]) -> tuple[str | float, ...]:
    """Means over some flops."""
    weights = [row.weight for row in rows]
    evs = [report.mean([row.ev[player] for row in rows], weights) for player in range(2)]
    equity = report.mean([row.equity[0] for row in rows], weights)
    cells: list[str | float] = [name, sum(weights), *evs, equity]
    for n, actions in enumerate(report.actions):
        often = [row.weight * row.lines[n].reach for row in rows]
        for a in range(len(actions)):
            taken = [row.lines[n].frequencies[a] for row in rows]
            cells.append(report.mean(taken, often))
    return tuple(cells)


def _groups(report: Report) -> list[tuple[str, list[Row]]]:
    """The kinds of flops that occur, and all flops together."""
    groups = [("all", list(report.rows))]
    for name, belongs in KINDS_OF_FLOPS:
        rows = [row for row in report.rows if belongs(row.board)]
        if rows and len(rows) < len(report.rows):
            groups.append((name, rows))
    return groups


def _suits(board: str) -> int:
    return len(set(board[1::2]))


def _ranks(board: str) -> int:
    return len(set(board[::2]))


def _high(rank: str) -> Callable[[str], bool]:
    return lambda board: max(board[::2], key=RANKS.index) == rank


KINDS_OF_FLOPS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("rainbow", lambda board: _suits(board) == 3),
    ("two-tone", lambda board: _suits(board) == 2),
    ("monotone", lambda board: _suits(board) == 1),
    ("unpaired", lambda board: _ranks(board) == 3),
    ("paired", lambda board: _ranks(board) == 2),
    ("trips", lambda board: _ranks(board) == 1),
    *((f"{rank} high", _high(rank)) for rank in RANKS[::-1]),
)


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
    return write_figure(figure, path)


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
