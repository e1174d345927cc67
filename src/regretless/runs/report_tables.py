"""A report as tables: by kind of flop and flop by flop for people, as Parquet for programs.

Columns of the Parquet table: board, weight, ev_oop, ev_ip, equity_oop, equity_ip,
exploitability, exploitability_percent, iterations, seconds; then for every line `LINE: reach`
and `LINE: ACTION`; the first decision is called `start`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.cards.deck import RANKS
from regretless.core.files import write_with
from regretless.core.parquet import arrow
from regretless.core.tables import Column, Table, prose

if TYPE_CHECKING:
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
    pa, pq = arrow()
    kinds = {"board": pa.string(), "iterations": pa.int64()}
    columns = parquet_columns(report)
    arrays = {n: pa.array(values, kinds.get(n, pa.float64())) for n, values in columns.items()}
    table = pa.table(arrays)
    write_with(path, lambda beside: pq.write_table(table, str(beside), compression="zstd"))


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
