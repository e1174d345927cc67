"""A public tree in the arrays that kernels read, in one precision."""

from __future__ import annotations

from itertools import product
from math import perm, prod
from typing import Any

import numpy as np

from regretless.cards.boards import Level
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.leaves import Leaves, leaf_tables
from regretless.forms.public_chances import (
    actual_hands,
    compatible_ways,
    hand_numbers,
    lane_chances,
    lane_weights,
)
from regretless.forms.public_layout import Layout, wide_places
from regretless.forms.public_terminals import hand_rows, has_uneven_ties, lane_chunks
from regretless.forms.runouts import runout_tables
from regretless.forms.stages import Kind
from regretless.games._locked import HandLock
from regretless.kernels.public_arrays import (
    AT_WIDE,
    BOARD,
    BOARDS,
    EXIT,
    HANDS,
    KEPT,
    LANE,
    LOCK,
    PAIR,
    PAIR_END,
    ROUND,
    STAGE,
    WIDTH,
    Locks,
    Public,
    Side,
    Tables,
)


def typed(layout: Layout, kind: Any, terminal: str, split: int, leaves: Leaves | None) -> Public:
    """The tree as kernels read it, in one precision."""
    rules, nodes = layout.deck.rules, layout.nodes
    sorted_pairs = terminal == "sorted" and rules.hole == 2
    side, pair_places = _side(layout, kind, terminal, pairs=sorted_pairs)
    site_sides = layout.site_sides.copy()
    if sorted_pairs:
        site_sides[:, :, [PAIR, PAIR_END]] = pair_places
    item_sides = layout.item_sides.copy()
    _place_exits(layout, split, item_sides)
    item_sides[:, :, AT_WIDE] = wide_places(layout)[0]
    terminals, chunks, chunk_rows = lane_chunks(layout)
    if terminal == "sorted" and has_uneven_ties(layout, (Kind.SHOWDOWN,)):
        raise Unsuitable("ties pay something else than half the pot: terminal must be matrix")
    table, locks = _locks(layout, kind)
    widest = int(layout.items[:, WIDTH].max())
    cells = np.zeros((len(layout.rounds), layout.players), dtype=np.int64)
    for player, mine in enumerate(layout.cells):
        if mine is not None:
            cells[:, player] = [mine.counts[round] for round in layout.rounds]
    return Public(
        stages=nodes.stage_table,
        nodes=table,
        slots=nodes.slots,
        segments=nodes.segments,
        firsts=nodes.firsts,
        sites=layout.sites,
        site_sides=site_sides,
        items=layout.items,
        item_sides=item_sides,
        terminals=terminals,
        chunks=chunks,
        chunk_rows=chunk_rows,
        rows=hand_rows(layout),
        cells=cells,
        pay=np.array([np.resize(row, widest) for row in nodes.pay], dtype=kind).reshape(-1, widest),
        side=side,
        tables=_tables(layout, kind, terminal, leaves),
        locks=locks,
        deck=layout.deck.kinds,
        inside=layout.inside,
        split=split,
    )


def exit_counts(layout: Layout) -> Ints:
    """[item, player] numbers at the ends of an item."""
    found: Ints = layout.nodes.deals[layout.items[:, STAGE], None] * layout.lanes
    return found


def _place_exits(layout: Layout, split: int, item_sides: Ints) -> None:
    """Ends of early rounds stand side by side, those of later ones at the same place; the
    beginnings of sites up to the split are kept."""
    counts, lanes = exit_counts(layout), layout.lanes
    rounds = layout.sites[layout.site_of_item, ROUND]
    early = np.where((rounds < split)[:, None], counts, 0)
    item_sides[:, :, EXIT] = np.cumsum(early, axis=0) - early
    kept = np.where((rounds <= split)[:, None], lanes, 0)
    item_sides[:, :, KEPT] = np.cumsum(kept, axis=0) - kept
    starts = np.zeros(layout.players, dtype=np.int64)
    for number in range(split, len(layout.rounds)):
        mine = np.flatnonzero(rounds == number)
        per_site = len(mine) // len(layout.round_sites[number])
        table = counts[mine].reshape(-1, per_site, layout.players)
        item_sides[mine, :, EXIT] = (starts + np.cumsum(table, axis=1) - table).reshape(
            -1, layout.players
        )
        starts = starts + table.sum(axis=1).max(axis=0)


def _side(layout: Layout, kind: Any, terminal: str, *, pairs: bool) -> tuple[Side, Ints]:
    """The lanes of the rounds that are played, player after player unless they share them."""
    shared = all(side is layout.sides[0] for side in layout.sides)
    players = range(1 if shared else layout.players)
    chances, weights = lane_chances(layout), lane_weights(layout)
    parts = [_player_lanes(layout, player) for player in players]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    scale = np.concatenate([chances[player] for player in players])
    weight = np.concatenate([weights[player] for player in players])
    lane, cards, places = _pairs(layout, players) if pairs else _no_pairs(layout)
    if pairs:
        columns["below"], columns["upto"] = _in_pairs(layout, columns, lane, places)
    wide, counts = _wide(layout, scale, columns["counts"])
    one_card = layout.deck.rules.hole == 1
    side = Side(
        scale=_by_board(layout, scale).astype(kind),
        weight=_by_board(layout, weight).astype(kind) if layout.deck.weights else np.empty(0, kind),
        counts=_by_board(layout, columns["counts"]).astype(kind),
        cards=columns["cards"].astype(np.int32) if pairs else np.empty((0, 2), np.int32),
        pair_lane=lane.astype(np.int32),
        pair_cards=cards.astype(np.int32),
        cells=_by_board(layout, columns["cells"]).astype(np.int32),
        ones=np.ones(int(layout.site_sides[:, :, HANDS].max()), kind),
        wide_scale=wide.astype(kind) if one_card else np.empty(0, kind),
        wide_counts=counts.astype(kind) if one_card and terminal == "sorted" else np.empty(0, kind),
        **{
            name: _by_board(layout, columns[name]).astype(np.int32)
            for name in ("above", "parent", "below", "upto", "same", "hand")
        },
    )
    return side, places


def _player_lanes(layout: Layout, player: int) -> dict[str, np.ndarray]:
    """What is known of every lane of a player, board after board."""
    side, relation, deck = layout.sides[player], layout.relations[player], layout.deck
    found: dict[str, list[np.ndarray]] = {
        name: []
        for name in ("counts", "above", "parent", "below", "upto", "same", "hand", "cards", "cells")
    }
    first_boards = _first_boards(layout)
    for number, round in enumerate(layout.rounds):
        level, size = side[round], len(side[round].counts)
        found["counts"].append(level.counts)
        found["above"].append(level.above)
        board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
        above = level.parents[board]
        within = above - first_boards[number - 1][above] if number else np.zeros(size, np.int64)
        found["parent"].append(within)
        last = round == len(side) - 1
        found["below"].append(relation.below if last else np.zeros(size, np.int32))
        found["upto"].append(relation.upto if last else np.zeros(size, np.int32))
        found["same"].append(relation.same[round])
        found["hand"].append(hand_numbers(level.hands, deck.kinds))
        found["cards"].append(_two(level.hands))
        mine = layout.cells[player]
        rows = np.zeros(size, np.int32)
        if mine is not None:
            rows = mine.rows[round][layout.order[player]] if last else mine.rows[round]
        found["cells"].append(rows)
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _two(hands: Indices) -> Indices:
    return hands if hands.shape[1] == 2 else np.zeros((len(hands), 2), np.int32)


def _first_boards(layout: Layout) -> list[Ints]:
    """[round][board] the first board of its site."""
    found = []
    for sites in layout.round_sites:
        rows = layout.sites[sites.start : sites.stop]
        found.append(np.repeat(rows[:, BOARD], rows[:, BOARDS]))
    return found


def _by_board(layout: Layout, column: np.ndarray) -> np.ndarray:
    """From [board][hand] to [hand][board] within every site."""
    if not (layout.sites[:, BOARDS] > 1).any() or not column.size:
        return np.ascontiguousarray(column)
    out = column.copy()
    shared = all(side is layout.sides[0] for side in layout.sides)
    for site, (_, boards, *_) in enumerate(layout.sites.tolist()):
        for player in range(1 if shared else layout.players):
            hands, first = layout.site_sides[site, player, [HANDS, LANE]].tolist()
            part = column[first : first + hands * boards]
            out[first : first + hands * boards] = part.reshape(boards, hands).T.ravel()
    return out


def _wide(layout: Layout, scale: Floats, counts: Ints) -> tuple[Floats, Floats]:
    """One-card games: [hand][board][prefix] of every item."""
    if layout.deck.rules.hole != 1:
        return np.empty(0), np.empty(0)
    places, total = wide_places(layout)
    wide, many = np.empty(total), np.empty(total)
    columns = _by_board(layout, scale), _by_board(layout, counts)
    shared = all(side is layout.sides[0] for side in layout.sides)
    for item, site in enumerate(layout.site_of_item.tolist()):
        prefixes = layout.stages[int(layout.items[item, STAGE])].prefixes
        for player in range(1 if shared else layout.players):
            hands, first = layout.site_sides[site, player, [HANDS, LANE]].tolist()
            lanes = slice(first, first + hands * int(layout.sites[site, BOARDS]))
            at = int(places[item, player])
            to = slice(at, at + int(layout.lanes[item, player]))
            wide[to] = np.repeat(columns[0][lanes], prefixes)
            many[to] = np.repeat(columns[1][lanes], prefixes)
    return wide, many


def _no_pairs(layout: Layout) -> tuple[Indices, Indices, Ints]:
    places = np.zeros((len(layout.sites), layout.players, 2), dtype=np.int64)
    return np.empty(0, np.int32), np.empty((0, 2), np.int32), places


def _pairs(layout: Layout, players: range) -> tuple[Indices, Indices, Ints]:
    """All actual two-card hands of every board in the order of their lanes, and their places."""
    lanes, cards = [], []
    places = np.zeros((len(layout.sites), layout.players, 2), dtype=np.int64)
    end = 0
    for player in players:
        for number, round in enumerate(layout.rounds):
            level = layout.sides[player][round]
            for site in layout.round_sites[number]:
                board = int(layout.sites[site, BOARD])
                hands, lane = actual_hands(level, board)
                places[site, player] = end, end + lane.size
                end += lane.size
                lanes.append(lane)
                cards.append(hands)
    if len(players) == 1:
        places[:, 1:] = places[:, :1]
    return np.concatenate(lanes), np.concatenate(cards), places


def _in_pairs(
    layout: Layout, columns: dict[str, np.ndarray], lane: Indices, places: Ints
) -> tuple[Ints, Ints]:
    """Weaker and equal rival lanes as numbers of actual hands."""
    below, upto = columns["below"].copy(), columns["upto"].copy()
    shared = all(side is layout.sides[0] for side in layout.sides)
    for site in layout.round_sites[-1]:
        for player in range(1 if shared else 2):
            hands, first = layout.site_sides[site, player, [HANDS, LANE]].tolist()
            start, end = places[site, 1 - player].tolist()
            rivals = lane[start:end]
            mine = slice(first, first + hands)
            below[mine] = np.searchsorted(rivals, below[mine])
            upto[mine] = np.searchsorted(rivals, upto[mine])
    return below, upto


def _locks(layout: Layout, kind: Any) -> tuple[Ints, Locks]:
    """Nodes that point to their locks, and the locks."""
    table = layout.nodes.table.copy()
    rows: list[list[int]] = []
    parts: list[Floats] = []
    at, hands = 0, len(layout.deck.hands) if layout.locks else 0
    starts = layout.nodes.stage_table
    for number, stage in enumerate(layout.stages):
        for n, node in enumerate(stage.nodes):
            if node.kind is not Kind.DECISION:
                continue
            found: dict[int, Floats] = {}  # by site, or -1 for all of them: [prefix, action, hand]
            for prefix, betting in enumerate(node.bettings):
                for lock in layout.locks:
                    if lock.history != betting.history:
                        continue
                    for site in _sites_of(layout, stage.round, lock):
                        shape = (stage.prefixes, len(node.children), hands)
                        block = found.setdefault(site, np.full(shape, -1.0))
                        chosen = lock.play.T
                        block[prefix] = np.where(chosen[:1] >= 0, chosen, block[prefix])
            if not found:
                continue
            table[int(starts[number, 0]) + n, LOCK] = len(rows)
            end = len(rows) + len(found)
            for site, block in found.items():
                rows.append([site, end, at, hands])
                parts.append(block.ravel())
                at += block.size
    chosen = np.concatenate(parts).astype(kind) if parts else np.empty(0, kind)
    return table, Locks(np.array(rows, dtype=np.int64).reshape(-1, 4), chosen)


def _sites_of(layout: Layout, round: int, lock: HandLock) -> list[int]:
    """The sites that a lock is meant on; -1 for every one."""
    if not any(lock.board):
        return [-1]
    found = []
    for site in layout.round_sites[round - layout.first]:
        board, cards = int(layout.sites[site, BOARD]), []
        for number in range(round, -1, -1):
            level = layout.sides[0][number]
            cards.append(level.cards[board])
            board = int(level.parents[board])
        if lock.is_on(tuple(cards[::-1])):
            found.append(site)
    return found


def _tables(layout: Layout, kind: Any, terminal: str, leaves: Leaves | None) -> Tables:
    """Ways of every combination of lanes, and who wins which part of the pot."""
    players = layout.players
    boards = sum(len(layout.sides[0][round].boards) for round in layout.rounds)
    first = np.zeros((players, boards + 1), dtype=np.int64)
    ways, share = np.empty(0), np.empty((0, 0, 0))
    if terminal == "matrix":
        ways = _matrices(layout, first)
    elif terminal == "joint":
        ways, share = _joint(layout, first)
    uneven = has_uneven_ties(layout, (Kind.RUNOUT,))
    places, won, tied = runout_tables(layout, uneven=uneven)
    starts, values = leaf_tables(layout, leaves)
    return Tables(
        first=first,
        ways=ways.astype(kind),
        share=share.astype(kind),
        runouts=places,
        won=won.astype(kind),
        tied=tied.astype(kind),
        leaves=starts,
        values=values.astype(kind),
    )


def _matrices(layout: Layout, first: Ints) -> Floats:
    shared = layout.sides[0] is layout.sides[1]
    found, end = [], 0
    for player in range(1 if shared else 2):
        board_number = 0
        for round in layout.rounds:
            mine, theirs = layout.sides[player][round], layout.sides[1 - player][round]
            for board in range(len(mine.boards)):
                here = compatible_ways(mine, theirs, board)
                first[player, board_number] = end
                end += here.size
                board_number += 1
                found.append(here.ravel())
    if shared:
        first[1] = first[0]
    return np.concatenate(found).astype(np.float64)


def _joint(layout: Layout, first: Ints) -> tuple[Floats, Floats]:
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


def _joint_ways(level: Level, board: int, players: int) -> Floats:
    """One hole card each: ordered choices of actual cards for every combination of lanes."""
    counts = level.counts[level.lanes(board)]
    ways = []
    for hands in product(range(counts.size), repeat=players):
        chosen = [perm(int(counts[hand]), hands.count(hand)) for hand in set(hands)]
        ways.append(float(prod(chosen)))
    return np.array(ways)


def _shares(layout: Layout, hands: int, strengths: Indices | None) -> Floats:
    """[live set, combination, player] part of the pot; before the last round one is left."""
    live_sets = layout.nodes.live_sets
    found = np.zeros((len(live_sets), hands**layout.players, layout.players))
    for number, live in enumerate(live_sets):
        for entry, held in enumerate(product(range(hands), repeat=layout.players)):
            strength = [
                (0 if strengths is None else int(strengths[hand])) if alive else -1
                for hand, alive in zip(held, live, strict=True)
            ]
            winners = [p for p in range(layout.players) if strength[p] == max(strength)]
            found[number, entry, winners] = 1 / len(winners)
    return found
