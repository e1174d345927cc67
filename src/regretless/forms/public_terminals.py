"""Which terminals of a site are evaluated together: tables for the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from regretless.core.arrays import Ints
from regretless.forms.public_layout import Layout
from regretless.forms.stages import Kind
from regretless.kernels.public_arrays import (
    BOARDS,
    KIND,
    MID,
    NET,
    PAY,
    RAKED,
    STOP,
    TIE,
    UNEVEN,
    VALUE,
    Rows,
)
from regretless.kernels.terminals import KINDS

HAND_COLUMNS = 96  # of two-card games, side by side: their sums fit the first cache
LANE_COLUMNS = 1024  # of one-card games


def has_uneven_ties(layout: Layout, kinds: tuple[Kind, ...]) -> bool:
    """Whether a tie at such a terminal pays something else than the mean of win and loss."""
    if layout.players > 2:
        return False
    return any(
        layout.nodes.pay[int(layout.nodes.table[n, PAY]) + 3 * player + TIE].any()
        for n in range(len(layout.nodes.table))
        if layout.nodes.table[n, KIND] in kinds
        for player in range(2)
    )


def lane_chunks(layout: Layout) -> tuple[Ints, Ints, Ints]:
    """One-card games: terminals by round and kind, cut into pieces of not too many columns."""
    terminals: list[list[int]] = []
    chunks = np.zeros((len(layout.rounds), len(KINDS) + 1), dtype=np.int64)
    rows: list[list[int]] = []
    firsts, starts = layout.nodes.firsts, layout.nodes.stage_table
    for number in range(len(layout.rounds) if not layout.inside else 0):
        boards = int(layout.sites[layout.round_sites[number], BOARDS].max())
        for k, kind in enumerate(KINDS):
            chunks[number, k] = len(rows)
            for stage in range(int(firsts[number]), int(firsts[number + 1])):
                columns = boards * layout.stages[stage].prefixes
                width = LANE_COLUMNS  # a new chunk begins
                for n, node in enumerate(layout.stages[stage].nodes):
                    if node.kind != kind:
                        continue
                    if width + columns > LANE_COLUMNS:
                        rows.append([len(terminals), len(terminals), 0, 0])
                        width = 0
                    width += columns
                    position = [stage - int(firsts[number]), int(starts[stage, 0]) + n]
                    terminals.append(position)
                    _note(layout, rows[-1], position[1], len(terminals))
        chunks[number, len(KINDS)] = len(rows)
    return _table(terminals, 2), chunks, _table(rows, 4)


def _note(layout: Layout, row: list[int], node: int, end: int) -> None:
    """A chunk has one more terminal: what kinds of pay it has."""
    row[STOP] = end
    if layout.players > 2 or layout.nodes.table[node, KIND] == KINDS[0]:
        return
    first = int(layout.nodes.table[node, PAY])
    for player in range(2):
        pay = [layout.nodes.pay[first + 3 * player + column] for column in (NET, MID, TIE)]
        row[RAKED] |= int(pay[MID].any())
        row[UNEVEN] |= int(pay[TIE].any())


@dataclass
class _Column:
    """The rival's reach at some terminals, and what they are paid from it."""

    place: tuple[int, int, int]  # item of the site, slot, prefix
    shown: bool = False
    paid: list[tuple[int, int, int, int, int]] = field(default_factory=list)


def hand_rows(layout: Layout) -> Rows:
    """Two-card games: for every round and player the columns, and what is paid from them."""
    found = _RowTables()
    shape = (len(layout.rounds), layout.players + 1)
    firsts, run_firsts = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for number in range(len(layout.rounds) if layout.inside else 0):
        for player in range(2):
            firsts[number, player], run_firsts[number, player] = len(found.chunks), len(found.runs)
            found.add(_columns(layout, number, player, found.runs))
        firsts[number, 2], run_firsts[number, 2] = len(found.chunks), len(found.runs)
    return Rows(
        firsts=firsts,
        chunks=_table(found.chunks, 5),
        columns=_table(found.columns, 3),
        paid=_table(found.paid, 6),
        run_firsts=run_firsts,
        runs=_table(found.runs, 6),
    )


def _columns(layout: Layout, number: int, player: int, runs: list[list[int]]) -> list[_Column]:
    """The columns of a round for a player; what it wins by run-outs is written to `runs`."""
    found: dict[tuple[int, int, int], _Column] = {}
    nodes, first = layout.nodes, int(layout.nodes.firsts[number])
    for stage in range(first, int(nodes.firsts[number + 1])):
        for n, node in enumerate(layout.stages[stage].nodes, int(nodes.stage_table[stage, 0])):
            if node.kind not in (Kind.FOLD, Kind.SHOWDOWN, Kind.RUNOUT):
                continue
            pay, slot = int(nodes.table[n, PAY]) + 3 * player, int(nodes.slots[1 - player][n])
            value = int(nodes.table[n, VALUE])
            wanted = [NET] if node.kind is Kind.SHOWDOWN else []
            if node.kind is Kind.FOLD or nodes.pay[pay + MID].any():
                wanted.append(MID)
            tie = pay + TIE if nodes.pay[pay + TIE].any() else -1
            if node.kind is Kind.SHOWDOWN and tie >= 0:
                wanted.append(TIE)
            for prefix in range(layout.stages[stage].prefixes):
                where = (stage - first, slot, prefix)
                if node.kind is Kind.RUNOUT:
                    runs.append([stage - first, value, prefix, slot, pay + NET, tie])
                for kind in wanted:
                    column = found.setdefault(where, _Column(where))
                    column.shown |= node.kind is Kind.SHOWDOWN
                    more = int(node.kind is Kind.RUNOUT or kind != wanted[0])
                    column.paid.append((stage - first, value, prefix, pay + kind, more))
    return list(found.values())


class _RowTables:
    """The tables of `Rows`, as they grow."""

    def __init__(self) -> None:
        self.chunks: list[list[int]] = []
        self.columns: list[list[int]] = []
        self.paid: list[list[int]] = []
        self.runs: list[list[int]] = []

    def add(self, columns: list[_Column]) -> None:
        for start in range(0, len(columns), HAND_COLUMNS):
            chunk = sorted(columns[start : start + HAND_COLUMNS], key=lambda c: not c.shown)
            begin, paid = len(self.columns), len(self.paid)
            for number, column in enumerate(chunk):
                self.columns.append(list(column.place))
                self.paid += [
                    [position, value, prefix, number, row, more]
                    for position, value, prefix, row, more in column.paid
                ]
            shown = sum(column.shown for column in chunk)
            self.chunks.append([begin, len(self.columns), shown, paid, len(self.paid)])


def _table(rows: list[list[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
