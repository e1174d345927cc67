"""A public tree as arrays for kernels, in one precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.cell_groups import cell_rows, lane_cells, row_places
from regretless.forms.leaves import Leaves, leaf_tables
from regretless.forms.public_chances import (
    hand_numbers,
    lane_chances,
    lane_weights,
)
from regretless.forms.public_layout import PublicLayout, wide_places
from regretless.forms.public_terminals import (
    NO_PAIRS,
    Pairs,
    all_pairs,
    has_uneven_ties,
    in_pairs,
    joint_ends,
    lane_ends,
    row_ends,
    sorted_ends,
)
from regretless.games._betting_tree import Kind
from regretless.games._locked import HandLock
from regretless.kernels.hand_lanes import Lanes
from regretless.kernels.hand_rows import Rows
from regretless.kernels.joint_hands import Joint
from regretless.kernels.leaf_values import LeafValues
from regretless.kernels.public_arrays import (
    LOCKS,
    Locks,
    NoLeaves,
    Public,
    Records,
    Side,
    records,
)
from regretless.kernels.sorted_lanes import SortedLanes


def typed(
    layout: PublicLayout, kind: Any, terminal: str, split: int, leaves: Leaves | None
) -> Public:
    """The tree for kernels, in one precision."""
    rules, nodes = layout.deck.rules, layout.nodes
    players = 1 if layout.is_shared else layout.players
    sorted_pairs = terminal == "sorted" and rules.hole == 2
    columns = _columns(layout)
    pairs = all_pairs(layout, range(players)) if sorted_pairs else NO_PAIRS
    site_sides = layout.site_sides.copy()
    if sorted_pairs:
        columns["below"], columns["upto"] = in_pairs(layout, columns, pairs)
        site_sides.pair, site_sides.pair_end = pairs.places.transpose(2, 0, 1)
    item_sides = layout.item_sides.copy()
    _place_exits(layout, split, item_sides)
    item_sides.guessed, item_sides.summed = baseline_places(layout)[:2]
    item_sides.at_wide = wide_places(layout)[0]
    if terminal == "sorted" and has_uneven_ties(layout, (Kind.SHOWDOWN,)):
        raise Unsuitable("ties do not pay half the pot: terminal must be matrix")
    table, locks = _locks(layout, kind)
    widest = int(layout.items.width.max())
    side = _side(layout, kind, columns)
    rows = cell_rows(layout, side.cells)
    item_sides.at_sums, item_sides.at_more = row_places(layout, rows.table)[:2]
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
        cells=rows.table,
        pay=np.array([np.resize(row, widest) for row in nodes.pay], dtype=kind).reshape(-1, widest),
        side=side._replace(rows=rows.lanes),
        ends=_ends(layout, kind, terminal, columns, pairs),
        leaves=_leaves(layout, kind, leaves),
        locks=locks,
        deck=layout.deck.kinds,
        inside=layout.inside,
        split=split,
    )


def exit_counts(layout: PublicLayout) -> Ints:
    """[item, player] how many numbers there are at the ends of an item."""
    counts: Ints = layout.nodes.deals[layout.items.stage, None] * layout.lanes
    return counts


def baseline_places(layout: PublicLayout) -> tuple[Ints, Ints, int, int]:
    """[item, player] where guesses and their sums begin, and how many there are of both."""
    rounds = layout.sites[layout.site_of_item].round_number
    guesses = np.where((rounds > 0)[:, None], layout.lanes, 0)  # nothing is above the first
    sums = exit_counts(layout)
    places = [np.cumsum(counts).reshape(counts.shape) - counts for counts in (guesses, sums)]
    return places[0], places[1], int(guesses.sum()), int(sums.sum())


def _place_exits(layout: PublicLayout, split: int, item_sides: Records) -> None:
    """Ends of early rounds are stored separately, those of later ones share their memory; the
    starts of sites up to the split are kept."""
    counts = exit_counts(layout)
    rounds = layout.sites[layout.site_of_item].round_number
    early = np.where((rounds < split)[:, None], counts, 0)
    item_sides.exit = np.cumsum(early, axis=0) - early
    item_sides.kept = kept_places(layout, split)[0]
    starts = np.zeros(layout.players, dtype=np.int64)
    for number in range(split, len(layout.rounds)):
        mine = np.flatnonzero(rounds == number)
        per_site = len(mine) // len(layout.round_sites[number])
        table = counts[mine].reshape(-1, per_site, layout.players)
        item_sides.exit[mine] = (starts + np.cumsum(table, axis=1) - table).reshape(
            -1, layout.players
        )
        starts = starts + table.sum(axis=1).max(axis=0)


def kept_places(layout: PublicLayout, split: int) -> tuple[Ints, int]:
    """[item, player] where the values at the start of an item are kept, and how many there are.

    Players take turns with those of later rounds; what all of them earn at the root stays."""
    rounds = layout.sites[layout.site_of_item].round_number[:, None]
    root, later = (
        np.where(chosen, layout.lanes, 0)
        for chosen in (rounds == 0, (rounds > 0) & (rounds <= split))
    )
    before = np.cumsum(root.sum(axis=0)) - root.sum(axis=0)
    first = before + np.cumsum(root, axis=0) - root
    places = np.where(rounds == 0, first, root.sum() + np.cumsum(later, axis=0) - later)
    return places, int(root.sum() + later.sum(axis=0).max())


def _columns(layout: PublicLayout) -> dict[str, np.ndarray]:
    """The properties of the lanes of the rounds played, player by player unless they share
    them, and board by board."""
    players = range(1 if layout.is_shared else layout.players)
    chances, weights = lane_chances(layout), lane_weights(layout)
    parts = [
        _player_lanes(layout, player) | {"scale": chances[player], "weight": weights[player]}
        for player in players
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _side(layout: PublicLayout, kind: Any, columns: dict[str, np.ndarray]) -> Side:
    here = {name: _by_board(layout, columns[name]) for name in columns if name != "cards"}
    weighted = bool(layout.deck.weights)
    names = ("above", "parent", "below", "upto", "same", "hand", "cells")
    return Side(
        scale=here["scale"].astype(kind),
        weight=here["weight"].astype(kind) if weighted else np.empty(0, kind),
        counts=here["counts"].astype(kind),
        **{name: here[name].astype(np.int32) for name in names},
        rows=np.empty(0, np.int32),
    )


def _ends(
    layout: PublicLayout, kind: Any, terminal: str, columns: dict[str, np.ndarray], pairs: Pairs
) -> Lanes | SortedLanes | Rows | Joint:
    """Tables of the terminals for the module that evaluates them."""
    if terminal == "joint":
        return joint_ends(layout, kind)
    if not layout.inside:
        scale, counts = (_by_board(layout, columns[name]) for name in ("scale", "counts"))
        if terminal == "sorted":
            return sorted_ends(layout, kind, scale, counts)
        return lane_ends(layout, kind, scale)
    return row_ends(layout, kind, terminal, columns["cards"], pairs)


def _leaves(layout: PublicLayout, kind: Any, leaves: Leaves | None) -> NoLeaves | LeafValues:
    if leaves is None:
        return NoLeaves(0)
    starts, values = leaf_tables(layout, leaves)
    return LeafValues(starts, values.astype(kind))


def _player_lanes(layout: PublicLayout, player: int) -> dict[str, np.ndarray]:
    """The properties of every lane of a player, board by board."""
    side, relation, deck = layout.sides[player], layout.relations[player], layout.deck
    columns: dict[str, list[np.ndarray]] = {
        name: []
        for name in ("counts", "above", "parent", "below", "upto", "same", "hand", "cards", "cells")
    }
    first_boards = _first_boards(layout)
    for number, round in enumerate(layout.rounds):
        level, size = side[round], len(side[round].counts)
        columns["counts"].append(level.counts)
        columns["above"].append(level.above)
        board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
        above = level.parents[board]
        within = above - first_boards[number - 1][above] if number else np.zeros(size, np.int64)
        columns["parent"].append(within)
        last = round == len(side) - 1
        columns["below"].append(relation.below if last else np.zeros(size, np.int32))
        columns["upto"].append(relation.upto if last else np.zeros(size, np.int32))
        columns["same"].append(relation.same[round])
        columns["hand"].append(hand_numbers(level.hands, deck.kinds))
        columns["cards"].append(_two(level.hands))
        columns["cells"].append(lane_cells(layout, player, round))
    return {name: np.concatenate(parts) for name, parts in columns.items()}


def _two(hands: Indices) -> Indices:
    return hands if hands.shape[1] == 2 else np.zeros((len(hands), 2), np.int32)


def _first_boards(layout: PublicLayout) -> list[Ints]:
    """[round][board] the first board of its site."""
    firsts = []
    for sites in layout.round_sites:
        rows = layout.sites[sites.start : sites.stop]
        firsts.append(np.repeat(rows.board, rows.boards))
    return firsts


def _by_board(layout: PublicLayout, column: np.ndarray) -> np.ndarray:
    """From [board][hand] to [hand][board] within every site."""
    if not (layout.sites.boards > 1).any() or not column.size:
        return np.ascontiguousarray(column)
    out = column.copy()
    for site, (_, boards, *_) in enumerate(layout.sites.tolist()):
        for player in range(1 if layout.is_shared else layout.players):
            hands, first, *_ = layout.site_sides[site, player].tolist()
            part = column[first : first + hands * boards]
            out[first : first + hands * boards] = part.reshape(boards, hands).T.ravel()
    return out


def _locks(layout: PublicLayout, kind: Any) -> tuple[Records, Locks]:
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
            blocks: dict[int, Floats] = {}  # by site, or -1 for all of them: [prefix, action, hand]
            for prefix, betting in enumerate(node.bettings):
                for lock in layout.locks:
                    if lock.history != betting.history:
                        continue
                    for site in _sites_of(layout, stage.round, lock):
                        shape = (stage.prefixes, len(node.children), hands)
                        block = blocks.setdefault(site, np.full(shape, -1.0))
                        chosen = lock.play.T
                        block[prefix] = np.where(chosen[:1] >= 0, chosen, block[prefix])
            if not blocks:
                continue
            table[int(starts[number].first) + n].lock = len(rows)
            end = len(rows) + len(blocks)
            for site, block in blocks.items():
                rows.append([site, end, at, hands])
                parts.append(block.ravel())
                at += block.size
    chosen = np.concatenate(parts).astype(kind) if parts else np.empty(0, kind)
    return table, Locks(records(rows, LOCKS), chosen)


def _sites_of(layout: PublicLayout, round: int, lock: HandLock) -> list[int]:
    """The sites to which a lock applies; -1 for all."""
    if not any(lock.board):
        return [-1]
    sites = []
    for site in layout.round_sites[round - layout.first]:
        board, cards = int(layout.sites[site].board), []
        for number in range(round, -1, -1):
            level = layout.sides[0][number]
            cards.append(level.cards[board])
            board = int(level.parents[board])
        if lock.is_on(tuple(cards[::-1])):
            sites.append(site)
    return sites
