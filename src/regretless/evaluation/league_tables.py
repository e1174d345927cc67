"""Leagues as tables of text, for the terminal, for Markdown and for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from regretless.evaluation.payoffs import Cell

if TYPE_CHECKING:
    from regretless.evaluation.league import League

NOT_PLAYED = "·"
COLUMNS = ("table", "strategy", "opponents", "order", "position", "mean", "half_width_95")


class Text(NamedTuple):
    """A table: title, column heads, and rows that begin with their names."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(league: League) -> list[Text]:
    """Standings, cross table, and for three players or more the cyclic orders."""
    found = [standings(league), _square(league) if league.players == 2 else _tall(league)]
    return found if league.players == 2 else [*found, _orders(league)]


def about(league: League) -> str:
    """One line on how the numbers were obtained."""
    met = f"{len(league.seatings.all):,} seatings"
    if league.exact:
        return f"{league.game}: {met}, exact over all deals, in {league.unit.words}"
    cut = f" of {league.asked:,} requested (interrupted)" if league.interrupted else ""
    return (
        f"{league.game}: {league.payoffs.deals:,} deals{cut}, each played in {met}, "
        f"seed {league.seed}, in {league.unit.words}, ± is a 95 % confidence interval"
    )


def standings(league: League) -> Text:
    """Best first: by position, overall, and the variance reduction of playing the same deals."""
    positions = [f"position {i + 1}" for i in range(league.players)]
    header = ["strategy", *positions, "overall"]
    if not league.exact:
        header += ["± same deals", "± new deals"]
    rows = []
    for name, cell in league.overall.items():
        row = [name, *(number(league, c.mean) for c in league.positions[name])]
        row.append(number(league, cell.mean))
        if not league.exact:
            row += [number(league, cell.half_width), number(league, cell.plain)]
        rows.append(tuple(row))
    return Text(f"Standings ({league.unit.name})", tuple(header), tuple(rows))


def _square(league: League) -> Text:
    """Two players: row against column."""
    names = league.names
    rows = tuple(
        (name, *(_shown(league, league.cross[other,].get(name)) for other in names))
        for name in names
    )
    return Text(f"Row against column, both seats ({league.unit.name})", ("", *names), rows)


def _tall(league: League) -> Text:
    """What the strategy of a column earns against the opponents of a row."""
    rows = [
        (", ".join(rest), *(_shown(league, row.get(name)) for name in league.names))
        for rest, row in league.cross.items()
    ]
    rows.append(("overall", *(_shown(league, league.overall[name]) for name in league.names)))
    title = f"Column against the opponents of the row, all seatings ({league.unit.name})"
    return Text(title, ("opponents", *league.names), tuple(rows))


def _orders(league: League) -> Text:
    seats = [f"seat {i + 1}" for i in range(league.players)]
    rows = tuple(
        (" → ".join(order), *(_shown(league, cell) for cell in cells))
        for order, cells in league.orders.items()
        if len(set(order)) > 1
    )
    return Text(f"By order around the table ({league.unit.name})", ("order", *seats), rows)


def number(league: League, value: float) -> str:
    """One decimal for mbb and ma, four for chips; no minus before zero."""
    digits = 1 if league.unit.scale != 1.0 else 4
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def _shown(league: League, cell: Cell | None) -> str:
    if cell is None:
        return NOT_PLAYED
    mean = number(league, cell.mean)
    return mean if league.exact else f"{mean} ±{number(league, cell.half_width)}"


def markdown(league: League) -> str:
    """All tables, names to the left and numbers to the right."""
    parts = [f"# League of {league.game}", about(league)]
    for table in tables(league):
        parts += [f"## {table.title}", _markdown(table)]
    return "\n\n".join(parts) + "\n"


def _markdown(table: Text) -> str:
    lines = [table.header, *table.rows]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    padded = (_padded(line, widths) for line in (cells[0], rule, *cells[1:]))
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def _padded(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *rest = line
    return [first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]


def csv_text(league: League) -> str:
    """One number per row; fields that do not apply to a table are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*COLUMNS, "half_width_95_new_deals", "unit"))

    def row(*names: str, cell: Cell) -> None:
        numbers = [repr(float(value)) for value in cell]
        writer.writerow((*names, *numbers, league.unit.name))

    for rest, cells in league.cross.items():
        for name, cell in cells.items():
            row("cross", name, " ".join(rest), "", "", cell=cell)
    for name, seats in league.positions.items():
        for position, cell in enumerate(seats):
            row("position", name, "", "", str(position + 1), cell=cell)
    for order, seats in league.orders.items():
        for seat, cell in enumerate(seats):
            row("order", order[seat], "", " ".join(order), str(seat + 1), cell=cell)
    for name, cell in league.overall.items():
        row("overall", name, "", "", "", cell=cell)
    return text.getvalue()
