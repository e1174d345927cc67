"""Leagues as tables, for the terminal, for Markdown and for spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from regretless.core.tables import Column, Estimated, Table, csv_text, prose
from regretless.evaluation.payoffs import Cell

if TYPE_CHECKING:
    from regretless.evaluation.league import League

COLUMNS = ("table", "strategy", "opponents", "order", "position", "mean", "half_width_95")


def tables(league: League) -> list[Table]:
    """Standings, cross table, and for three players or more the cyclic orders."""
    two = league.players == 2
    return [standings(league), *([_square(league)] if two else [_tall(league), _orders(league)])]


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


def standings(league: League) -> Table:
    """Best first: by position, overall, and the variance reduction of playing the same deals."""
    heads = [*(f"position {i + 1}" for i in range(league.players)), "overall"]
    heads += [] if league.exact else ["± same deals", "± new deals"]
    rows = [
        (
            name,
            *(one.mean for one in league.positions[name]),
            cell.mean,
            *(() if league.exact else (cell.half_width, cell.plain)),
        )
        for name, cell in league.overall.items()
    ]
    return _table(league, "Standings", "strategy", heads, rows)


def _square(league: League) -> Table:
    """Two players: row against column."""
    names = league.names
    rows = [
        (name, *(_shown(league, league.cross[other,].get(name)) for other in names))
        for name in names
    ]
    return _table(league, "Row against column, both seats", "", names, rows)


def _tall(league: League) -> Table:
    """What the strategy of a column earns against the opponents of a row."""
    lines = [(", ".join(rest), row) for rest, row in league.cross.items()]
    rows = [
        (head, *(_shown(league, row.get(name)) for name in league.names))
        for head, row in [*lines, ("overall", league.overall)]
    ]
    title = "Column against the opponents of the row, all seatings"
    return _table(league, title, "opponents", league.names, rows)


def _orders(league: League) -> Table:
    rows = [
        (" → ".join(order), *(_shown(league, cell) for cell in cells))
        for order, cells in league.orders.items()
        if len(set(order)) > 1
    ]
    seats = [f"seat {i + 1}" for i in range(league.players)]
    return _table(league, "By order around the table", "order", seats, rows)


def _table(
    league: League, title: str, first: str, heads: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> Table:
    columns = (prose(first), *(Column(head, league.unit.format) for head in heads))
    return Table(f"{title} ({league.unit.name})", columns, rows)


def _shown(league: League, cell: Cell | None) -> float | Estimated | None:
    if cell is None or league.exact:
        return cell and cell.mean
    return Estimated(cell.mean, cell.half_width)


def csv(league: League) -> str:
    """One number per row; fields that do not apply to a table are empty."""
    rows: list[tuple[Any, ...]] = [
        ("cross", name, " ".join(rest), "", "", *cell)
        for rest, cells in league.cross.items()
        for name, cell in cells.items()
    ]
    rows += [
        ("position", name, "", "", position, *cell)
        for name, seats in league.positions.items()
        for position, cell in enumerate(seats, start=1)
    ]
    rows += [
        ("order", order[seat], "", " ".join(order), seat + 1, *cell)
        for order, seats in league.orders.items()
        for seat, cell in enumerate(seats)
    ]
    rows += [("overall", name, "", "", "", *cell) for name, cell in league.overall.items()]
    unit = league.unit.name
    names = (*COLUMNS, "half_width_95_new_deals", "unit")
    return csv_text(names, [(*row, unit) for row in rows])
