"""Tables for the evaluation of terminals, one kind per method (kernels/ends.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, product
from math import perm, prod
from typing import Any, NamedTuple

import numpy as np

from regretless.cards.boards import RoundBoards
from regretless.core.arrays import Floats, Indices, Ints
from regretless.forms.public_chances import actual_hands, compatible_ways
from regretless.forms.public_layout import PublicLayout, wide_places
from regretless.forms.runouts import runout_tables
from regretless.games._betting_tree import Kind
from regretless.kernels.hand_lanes import KINDS, Lanes
from regretless.kernels.hand_rows import Rows
from regretless.kernels.joint_hands import Joint
from regretless.kernels.public_arrays import (
    CHUNKS,
    COLUMNS,
    MID,
    NET,
    PAID,
    ROW_CHUNKS,
    RUNS,
    TERMINALS,
    TIE,
    Records,
    records,
)
from regretless.kernels.sorted_lanes import SortedLanes

HAND_COLUMNS = 96  # of two-card games: their sums fit in the L1 cache
LANE_COLUMNS = 1024  # of one-card games


class Pairs(NamedTuple):
    """All actual two-card hands of every board, in the order of their lanes."""

    lanes: Indices
    cards: Indices
    places: Ints  # [site, player] first and end


NO_PAIRS = Pairs(np.empty(0, np.int32), np.empty((0, 2), np.int32), np.empty((0, 0, 2), np.int64))


def sorted_ends(layout: PublicLayout, kind: Any, scale: Floats, counts: Floats) -> SortedLanes:
    """Tables of one-card games, by running sums."""
    wide, many = (_wide(layout, column).astype(kind, copy=False) for column in (scale, counts))
    return SortedLanes(_raked(layout), wide, many)


def lane_ends(layout: PublicLayout, kind: Any, scale: Floats) -> Lanes:
    """Tables of one-card games, by matrices."""
    terminals, chunks, rows = lane_chunks(layout)
    first, ways = _matrices(layout)
    wide = _wide(layout, scale)
    wide, ways = (table.astype(kind, copy=False) for table in (wide, ways))
    return Lanes(terminals, chunks, rows, wide, first, ways)


def row_ends(layout: PublicLayout, kind: Any, terminal: str, cards: Indices, pairs: Pairs) -> Rows:
    """Tables of games with two or more hole cards."""
    uneven = has_uneven_ties(layout, (Kind.RUNOUT,))
    runouts, won, tied = runout_tables(layout, uneven=uneven)
    first, ways = _matrices(layout) if terminal == "matrix" else (_no_tables(layout), np.empty(0))
    return Rows(
        **hand_rows(layout),
        runouts=runouts,
        won=won.astype(kind),
        tied=tied.astype(kind),
        cards=(cards if terminal == "sorted" else cards[:0]).astype(np.int32),
        pair_lane=pairs.lanes.astype(np.int32),
        pair_cards=pairs.cards.astype(np.int32),
        first=first,
        ways=ways.astype(kind),
    )


def joint_ends(layout: PublicLayout, kind: Any) -> Joint:
    """Tables for any number of players."""
    first = _no_tables(layout)
    ways, share = _joint(layout, first)
    return Joint(first, ways.astype(kind), share.astype(kind))


def _no_tables(layout: PublicLayout) -> Ints:
    boards = sum(len(layout.sides[0][round].boards) for round in layout.rounds)
    return np.zeros((layout.players, boards + 1), dtype=np.int64)


def has_uneven_ties(layout: PublicLayout, kinds: tuple[Kind, ...]) -> bool:
    """Whether a tie at such a terminal pays anything but the mean of win and loss."""
    if layout.players > 2:
        return False
    return any(
        layout.nodes.pay[int(layout.nodes.table[n].pay) + 3 * player + TIE].any()
        for n in range(len(layout.nodes.table))
        if layout.nodes.table[n].kind in kinds
        for player in range(2)
    )


def lane_chunks(layout: PublicLayout) -> tuple[Records, Ints, Records]:
    """One-card games: terminals by round and kind, in chunks with a limited number of columns."""
    collected: list[list[tuple[int, int]]] = []
    chunks = np.zeros((len(layout.rounds), len(KINDS) + 1), dtype=np.int64)
    firsts, starts = layout.nodes.firsts.tolist(), layout.nodes.stage_table.first.tolist()
    for number in range(len(layout.rounds) if not layout.inside else 0):
        boards = int(layout.sites.boards[layout.round_sites[number]].max())
        for k, kind in enumerate(KINDS):
            chunks[number, k] = len(collected)
            for stage in range(firsts[number], firsts[number + 1]):
                columns = boards * layout.stages[stage].prefixes
                width = LANE_COLUMNS  # a new chunk begins
                for n, node in enumerate(layout.stages[stage].nodes):
                    if node.kind != kind:
                        continue
                    if width + columns > LANE_COLUMNS:
                        collected.append([])
                        width = 0
                    width += columns
                    collected[-1].append((stage - firsts[number], starts[stage] + n))
        chunks[number, len(KINDS)] = len(collected)
    ends = np.cumsum([len(chunk) for chunk in collected])
    rows = [
        (end - len(chunk), end, *_paid(layout, chunk))
        for chunk, end in zip(collected, ends, strict=True)
    ]
    return records(list(chain(*collected)), TERMINALS), chunks, records(rows, CHUNKS)


def _paid(layout: PublicLayout, chunk: list[tuple[int, int]]) -> tuple[bool, bool]:
    """Whether a showdown of a chunk pays TIE, and MID."""
    nodes, pay = layout.nodes.table, layout.nodes.pay
    shown = [n for _, n in chunk if layout.players == 2 and nodes[n].kind == Kind.SHOWDOWN]
    rows = [int(nodes[n].pay) + 3 * player for n in shown for player in range(2)]
    return any(pay[row + TIE].any() for row in rows), any(pay[row + MID].any() for row in rows)


@dataclass
class _Column:
    """The rival's reach at some terminals, and the payoffs computed from it."""

    place: tuple[int, int, int]  # item of the site, slot, prefix
    shown: bool = False
    paid: list[tuple[int, int, int, int, int]] = field(default_factory=list)


def hand_rows(layout: PublicLayout) -> dict[str, Ints]:
    """Two-card games: the columns of every round and player, and the payoffs from them."""
    tables = _RowTables()
    shape = (len(layout.rounds), layout.players + 1)
    firsts, run_firsts = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for number in range(len(layout.rounds) if layout.inside else 0):
        for player in range(2):
            firsts[number, player], run_firsts[number, player] = (
                len(tables.chunks),
                len(tables.runs),
            )
            tables.add(_columns(layout, number, player, tables.runs))
        firsts[number, 2], run_firsts[number, 2] = len(tables.chunks), len(tables.runs)
    return {
        "firsts": firsts,
        "chunks": records(tables.chunks, ROW_CHUNKS),
        "columns": records(tables.columns, COLUMNS),
        "paid": records(tables.paid, PAID),
        "run_firsts": run_firsts,
        "runs": records(tables.runs, RUNS),
    }


def _columns(
    layout: PublicLayout, number: int, player: int, runs: list[list[int]]
) -> list[_Column]:
    """The columns of a round for a player; its run-outs are written to `runs`."""
    columns: dict[tuple[int, int, int], _Column] = {}
    nodes, first = layout.nodes, int(layout.nodes.firsts[number])
    for stage in range(first, int(nodes.firsts[number + 1])):
        for n, node in enumerate(layout.stages[stage].nodes, int(nodes.stage_table[stage].first)):
            if node.kind not in (Kind.FOLD, Kind.SHOWDOWN, Kind.RUNOUT):
                continue
            pay, slot = int(nodes.table[n].pay) + 3 * player, int(nodes.slots[1 - player][n])
            value = int(nodes.table[n].value)
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
                    column = columns.setdefault(where, _Column(where))
                    column.shown |= node.kind is Kind.SHOWDOWN
                    more = int(node.kind is Kind.RUNOUT or kind != wanted[0])
                    column.paid.append((stage - first, value, prefix, pay + kind, more))
    return list(columns.values())


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


def _wide(layout: PublicLayout, column: Floats) -> Floats:
    """One-card games: numbers of lanes as [hand][board][prefix] of every item."""
    places, total = wide_places(layout)
    wide = np.empty(total)
    for item, site in enumerate(layout.site_of_item.tolist()):
        prefixes = layout.stages[int(layout.items[item].stage)].prefixes
        for player in range(1 if layout.is_shared else layout.players):
            hands, first, *_ = layout.site_sides[site, player].tolist()
            lanes = slice(first, first + hands * int(layout.sites[site].boards))
            at = int(places[item, player])
            to = slice(at, at + int(layout.lanes[item, player]))
            wide[to] = np.repeat(column[lanes], prefixes)
    return wide


def _raked(layout: PublicLayout) -> Ints:
    """[node] whether a showdown pays anything to win and loss alike."""
    raked = np.zeros(len(layout.nodes.table), dtype=np.int64)
    for n in np.flatnonzero(layout.nodes.table.kind == Kind.SHOWDOWN):
        first = int(layout.nodes.table[n].pay)
        raked[n] = any(layout.nodes.pay[first + 3 * player + MID].any() for player in range(2))
    return raked


def all_pairs(layout: PublicLayout, players: range) -> Pairs:
    """All actual two-card hands of every board in order of their lanes, and their positions."""
    lanes, cards = [], []
    places = np.zeros((len(layout.sites), layout.players, 2), dtype=np.int64)
    end = 0
    for player in players:
        for number, round in enumerate(layout.rounds):
            level = layout.sides[player][round]
            for site in layout.round_sites[number]:
                board = int(layout.sites[site].board)
                hands, lane = actual_hands(level, board)
                places[site, player] = end, end + lane.size
                end += lane.size
                lanes.append(lane)
                cards.append(hands)
    if len(players) == 1:
        places[:, 1:] = places[:, :1]
    return Pairs(np.concatenate(lanes), np.concatenate(cards), places)


def in_pairs(
    layout: PublicLayout, columns: dict[str, np.ndarray], pairs: Pairs
) -> tuple[Ints, Ints]:
    """Weaker and equal rival lanes as numbers of actual hands."""
    below, upto = columns["below"].copy(), columns["upto"].copy()
    for site in layout.round_sites[-1]:
        for player in range(1 if layout.is_shared else 2):
            hands, first, *_ = layout.site_sides[site, player].tolist()
            start, end = pairs.places[site, 1 - player].tolist()
            rivals = pairs.lanes[start:end]
            mine = slice(first, first + hands)
            below[mine] = np.searchsorted(rivals, below[mine])
            upto[mine] = np.searchsorted(rivals, upto[mine])
    return below, upto


def _matrices(layout: PublicLayout) -> tuple[Ints, Floats]:
    """[player, board] first entry, and ways of every pair of lanes."""
    first = _no_tables(layout)
    shared = layout.sides[0] is layout.sides[1]
    matrices, end = [], 0
    for player in range(1 if shared else 2):
        board_number = 0
        for round in layout.rounds:
            mine, theirs = layout.sides[player][round], layout.sides[1 - player][round]
            for board in range(len(mine.boards)):
                here = compatible_ways(mine, theirs, board)
                first[player, board_number] = end
                end += here.size
                board_number += 1
                matrices.append(here.ravel())
    if shared:
        first[1] = first[0]
    return first, np.concatenate(matrices).astype(np.float64)


def _joint(layout: PublicLayout, first: Ints) -> tuple[Floats, Floats]:
    ways, shares, end, board_number = [], [], 0, 0
    for round in layout.rounds:
        level = layout.sides[0][round]
        last = round == len(layout.sides[0]) - 1
        for board in range(len(level.boards)):
            here = _joint_ways(level, board, layout.players)
            strength = layout.relations[0].upto[level.lanes(board)] if last else None
            shares.append(_shares(layout, int(np.diff(level.first)[board]), strength))
            ways.append(here)
            first[:, board_number] = end
            end += here.size
            board_number += 1
    return np.concatenate(ways), np.concatenate(shares, axis=1)


def _joint_ways(level: RoundBoards, board: int, players: int) -> Floats:
    """One hole card each: ordered choices of actual cards for every combination of lanes."""
    counts = level.counts[level.lanes(board)]
    ways = []
    for hands in product(range(counts.size), repeat=players):
        chosen = [perm(int(counts[hand]), hands.count(hand)) for hand in set(hands)]
        ways.append(float(prod(chosen)))
    return np.array(ways)


def _shares(layout: PublicLayout, hands: int, strengths: Indices | None) -> Floats:
    """[live set, combination, player] share of the pot; before the last round one is left."""
    live_sets = layout.nodes.live_sets
    shares = np.zeros((len(live_sets), hands**layout.players, layout.players))
    for number, live in enumerate(live_sets):
        for entry, held in enumerate(product(range(hands), repeat=layout.players)):
            strength = [
                (0 if strengths is None else int(strengths[hand])) if alive else -1
                for hand, alive in zip(held, live, strict=True)
            ]
            winners = [p for p in range(layout.players) if strength[p] == max(strength)]
            shares[number, entry, winners] = 1 / len(winners)
    return shares
