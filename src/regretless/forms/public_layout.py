"""The layout of a public tree: stages, sites, items, and every player's sequences.

A **site** is a board of a round, or in one-card games a few consecutive boards with the same
number of hands that compare alike, as long as their lanes fit in a cache. An **item** is a stage
on a site. The sequences of a player are ordered by item, within an item by action, within an
action [hand][board][prefix], or [prefix][hand] in two-card games (one board per site); if hands
share cells, by stage, and within an action [cell][prefix]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from regretless.cards.boards import RoundBoards
from regretless.core.arrays import Indices, Ints
from regretless.core.errors import BadParameter, Unsuitable
from regretless.forms.public_lanes import Relation, compared, sides_of
from regretless.forms.public_nodes import Nodes, number_nodes
from regretless.games._betting_tree import BettingTree, Kind, Stage, tabled
from regretless.games._locked import HandLock, as_hand_lock
from regretless.games._poker import Deck, PokerState
from regretless.games._state import Game, Sizes
from regretless.kernels.public_arrays import (
    ITEM_SIDES,
    ITEMS,
    SITE_SIDES,
    SITES,
    Records,
    no_records,
    records,
)

LAYOUT_VERSION = 2  # of the order of sequences: strategies of another version do not fit
MOST_LANES = 2048  # of an item with several boards: its rows still fit in a cache


@dataclass(frozen=True)
class Cells:
    """Hands that share regrets: the cell of every hand on every board of a round.

    `rows[round][lane]` counts lanes as the level of that round does, before they are sorted
    by strength; `counts[round]` is the number of cells."""

    counts: tuple[int, ...]
    rows: tuple[Indices, ...]


@dataclass(frozen=True, eq=False)
class PublicLayout:
    """The numbering of everything, independent of precision."""

    game: Game
    deck: Deck
    isomorphic: bool
    first: int  # round in which play begins
    stages: tuple[Stage, ...]
    nodes: Nodes
    sides: tuple[tuple[RoundBoards, ...], ...]  # [player][round]; the last one from weak to strong
    order: tuple[Indices, ...]  # [player] lanes of the last level before sorting
    relations: tuple[Relation, ...]  # [player] to the rival's lanes
    sites: Records
    site_sides: Records
    items: Records
    item_sides: Records
    roots: Ints
    cells: tuple[Cells | None, ...]  # [player]
    locks: tuple[HandLock, ...]
    work: tuple[Ints, Ints, Ints]  # [round] of every site: numbers of reach, values, chosen

    @property
    def players(self) -> int:
        return self.game.players

    @property
    def root(self) -> PokerState:
        root = self.game.root
        assert isinstance(root, PokerState)
        return root

    @property
    def is_shared(self) -> bool:
        """Whether all players have the same lanes."""
        return all(side is self.sides[0] for side in self.sides)

    @property
    def inside(self) -> bool:
        """Whether lanes are [prefix][hand] instead of [hand][board][prefix]."""
        return self.deck.rules.hole > 1

    def grid(self, lanes: np.ndarray, item: int) -> np.ndarray:
        """Numbers of lanes as a view [hand, board, prefix]."""
        prefixes = self.stages[int(self.items[item].stage)].prefixes
        boards = int(self.sites[self.site_of_item[item]].boards)
        hands = lanes.size // (boards * prefixes)  # possibly none
        if self.inside:
            return lanes.reshape(prefixes, 1, hands).transpose(2, 1, 0)
        return lanes.reshape(hands, boards, prefixes)

    @property
    def rounds(self) -> range:
        """The rounds played, as the rules count them."""
        return range(self.first, self.stages[-1].round + 1)

    @cached_property
    def round_sites(self) -> list[range]:
        """The sites of every round played."""
        edges = np.searchsorted(self.sites.round_number, np.arange(len(self.rounds) + 1))
        return [range(a, b) for a, b in pairwise(edges.tolist())]

    @cached_property
    def children(self) -> list[range]:
        """The sites that follow every site."""
        parents = self.sites.parent
        edges = np.searchsorted(parents, np.arange(len(self.sites) + 1))
        return [range(a, b) for a, b in pairwise(edges.tolist())]

    @property
    def lanes(self) -> Ints:
        """[item, player] lanes."""
        lanes: Ints = self.item_sides.lanes
        return lanes

    @cached_property
    def stages_of_site(self) -> Ints:
        """[site] its items."""
        per_round = np.diff(self.nodes.firsts)
        items: Ints = per_round[self.sites.round_number]
        return items

    @cached_property
    def site_of_item(self) -> Ints:
        return np.repeat(np.arange(len(self.sites)), self.stages_of_site)

    def level(self, player: int, round: int) -> RoundBoards:
        """Boards and a player's hands of a round, as the rules count rounds."""
        return self.sides[player][round]

    def widths(self, item: int, player: int) -> int:
        """Numbers of one action of a node in a player's sequences."""
        return int(self.item_sides[item, player].span)

    @cached_property
    def sizes(self) -> Sizes:
        """Nodes and terminals of the full game; decisions and sequences of this layout."""
        points = [0] * self.players
        for item, stage, player in self.owned_items():
            mine = [n for n in stage.nodes if n.kind is Kind.DECISION and n.player == player]
            points[player] += len(mine) * self.widths(item, player)
        counted = self.game.count() if self.game.count is not None else None
        nodes, terminals = (counted.nodes, counted.terminals) if counted else (0, 0)
        return Sizes(nodes, terminals, tuple(points), tuple(map(int, np.diff(self.roots))))

    def owned_items(self) -> list[tuple[int, Stage, int]]:
        """Items with their own sequences, for every player; shared cells have one per stage."""
        owned = []
        for player in range(self.players):
            seen: set[int] = set()
            for item, number in enumerate(self.items.stage.tolist()):
                if self.cells[player] is not None and number in seen:
                    continue
                seen.add(number)
                owned.append((item, self.stages[number], player))
        return owned


def lay_out(
    game: Game,
    *,
    isomorphic: bool = True,
    runouts: bool = False,
    last: int | None = None,
    cells: tuple[Cells | None, ...] | None = None,
) -> PublicLayout:
    """Cut the betting into stages, find the boards, and number everything."""
    root = game.root
    assert isinstance(root, PokerState)
    deck, rules = root.deck, root.deck.rules
    if rules.players > 2 and rules.hole > 1:
        raise Unsuitable("the public form of more than two players has one hole card")
    if rules.players > 2 and deck.weights:
        raise Unsuitable("the public form of more than two players has no ranges")
    if runouts and (rules.players, rules.hole) != (2, 2):
        raise Unsuitable("run-outs are for two players with two hole cards")
    if rules.hole > 1 and deck.copies > 1:
        if deck.weights or root.boards or game.locks:
            raise Unsuitable("a root or locks with two hole cards need distinct suits")
        deck = Deck(rules, suits_distinct=True)  # suits are merged by symmetry
    cells = cells or (None,) * rules.players
    locks = tuple(as_hand_lock(lock, deck) for lock in game.locks)
    cut = tuple(BettingTree(root.betting, runouts=runouts, last=last).stages())
    nodes = number_nodes(cut, rules.players)
    rounds = range(root.betting.round, cut[-1].round + 1)
    dealt = rules.board[: rounds[-1] + 1] if tabled(rules, rounds[-1]) else rules.board
    sides = sides_of(deck, root, isomorphic, locks, dealt)
    check_cells(cells, sides)
    lanes = compared(deck, sides)
    sides = lanes.sides
    if any(mine is not None for mine in cells):
        sides = tuple((*side,) for side in sides)  # players share lanes unless their cells differ
    batched = rules.hole == 1 and not any(any(lock.board) for lock in locks)
    alike = lanes.alike(rounds) if batched else None
    sites, site_sides = _sites(cut, sides, rounds, alike)
    numbered = _items(cut, nodes, sites, site_sides, sides, cells)
    return PublicLayout(
        game=game,
        deck=deck,
        isomorphic=isomorphic,
        first=rounds[0],
        stages=cut,
        nodes=nodes,
        sides=sides,
        order=lanes.order,
        relations=lanes.relations,
        sites=sites,
        site_sides=site_sides,
        items=numbered[0],
        item_sides=numbered[1],
        roots=numbered[2],
        cells=cells,
        locks=locks,
        work=numbered[3],
    )


def _sites(
    cut: tuple[Stage, ...],
    sides: tuple[tuple[RoundBoards, ...], ...],
    rounds: range,
    alike: list[list[bytes]] | None,
) -> tuple[Records, Records]:
    """Boards, single or grouped, and the first lane of each player."""
    shared = all(side is sides[0] for side in sides)
    lengths = [
        sum(len(level.counts) for level in side[rounds[0] : rounds[-1] + 1]) for side in sides
    ]
    starts = [0] * len(sides) if shared else [sum(lengths[:p]) for p in range(len(sides))]
    rows: list[list[int]] = []
    parts: list[list[list[int]]] = []
    above: list[int] = []  # the site of every board of the previous round
    items = table = 0
    for number, round in enumerate(rounds):
        here = [stage for stage in cut if stage.round == round]
        widest = max(stage.prefixes for stage in here)
        level, sites_here = sides[0][round], []
        for board, boards in _batches(level, widest, alike[number] if alike else None, above):
            parent = above[int(level.parents[board])] if number else -1
            rows.append([number, boards, items, parent, board, table + board])
            parts.append(
                [
                    [
                        int(np.diff(side[round].first)[board]),
                        starts[p] + int(side[round].first[board]),
                        0,
                        0,
                    ]
                    for p, side in enumerate(sides)
                ]
            )
            sites_here += [len(rows) - 1] * boards
            items += len(here)
        above, table = sites_here, table + len(level.boards)
        starts = [
            start + len(side[round].counts) for start, side in zip(starts, sides, strict=True)
        ]
    return records(rows, SITES), records(parts, SITE_SIDES).reshape(len(rows), -1)


def _batches(
    level: RoundBoards, prefixes: int, alike: list[bytes] | None, above: list[int]
) -> list[tuple[int, int]]:
    """First board and number of boards of every site."""
    count = len(level.boards)
    if alike is None:
        return [(board, 1) for board in range(count)]
    batches, board = [], 0
    while board < count:
        end, hands = board + 1, int(level.first[board + 1] - level.first[board])
        while end < count and alike[end] == alike[board]:
            if above and above[int(level.parents[end])] != above[int(level.parents[board])]:
                break
            if (end + 1 - board) * hands * prefixes > MOST_LANES:
                break
            end += 1
        batches.append((board, end - board))
        board = end
    return batches


def _items(
    cut: tuple[Stage, ...],
    nodes: Nodes,
    sites: Records,
    site_sides: Records,
    sides: tuple[tuple[RoundBoards, ...], ...],
    cells: tuple[Cells | None, ...],
) -> tuple[Records, Records, Ints, tuple[Ints, Ints, Ints]]:
    """Items, their offsets in the workspace, and the sequences of every player."""
    players = len(sides)
    items, parts, widths, work = [], [], [], []
    regions = np.zeros(3, dtype=np.int64)  # where the scratch of a round begins
    for number in range(len(nodes.firsts) - 1):
        here = slice(int(nodes.firsts[number]), int(nodes.firsts[number + 1]))
        mine = np.flatnonzero(sites.round_number == number)
        prefixes = np.array([stage.prefixes for stage in cut[here]])
        width = sites.boards[mine, None] * prefixes  # [site, stage]
        lanes = site_sides.hands[mine, None, :] * width[:, :, None]  # [site, stage, player]
        most = lanes.max(axis=2)
        reach = nodes.slot_counts[here] * lanes
        sizes = [reach.sum(axis=2), nodes.value_rows[here] * most, nodes.chosen_rows[here] * most]
        ends = [np.cumsum(size, axis=1) for size in sizes]
        begin = [
            region + end - size for region, end, size in zip(regions, ends, sizes, strict=True)
        ]
        table: Records = no_records(width.shape, ITEMS)
        table.stage = np.arange(here.start, here.stop)
        table.width, table.most = width, most
        table.at_value, table.at_chosen = begin[1], begin[2]
        side = no_records(lanes.shape, ITEM_SIDES)
        side.lanes = side.span = lanes
        side.at_reach = begin[0][:, :, None] + np.cumsum(reach, axis=2) - reach
        rows = nodes.rows[here] * lanes
        for player, cell in enumerate(cells):
            if cell is not None:
                round = cut[here.start].round
                side[:, :, player].span = prefixes * cell.counts[round]
                rows[:, :, player] = 0
                rows[0, :, player] = nodes.rows[here][:, player] * prefixes * cell.counts[round]
        items.append(table.ravel())
        parts.append(side.reshape(-1, players))
        widths.append(rows.reshape(-1, players))
        totals = np.array([int(end[:, -1].max()) for end in ends])
        work.append(totals)
        regions = regions + totals
    all_parts: Records = np.concatenate(parts).view(np.recarray)
    all_rows = np.concatenate(widths)
    roots = np.concatenate([[0], np.cumsum(1 + all_rows.sum(axis=0))])
    before = np.cumsum(all_rows, axis=0) - all_rows
    table = np.concatenate(items).view(np.recarray)
    for player, cell in enumerate(cells):
        if cell is not None:  # all sites of a stage share the sequences of its first one
            _, first, back = np.unique(table.stage, return_index=True, return_inverse=True)
            before[:, player] = before[first[back], player]
    all_parts.first = roots[:-1] + 1 + before
    return table, all_parts, roots.astype(np.int64), tuple(np.array(work).T)


def wide_places(layout: PublicLayout) -> tuple[Ints, int]:
    """[item, player] where [hand][board][prefix] of an item begin, and how many there are."""
    shared = all(side is layout.sides[0] for side in layout.sides)
    lanes = layout.lanes[:, :1] if shared else layout.lanes
    ends = np.cumsum(lanes.ravel()).reshape(lanes.shape)
    places = np.broadcast_to(ends - lanes, layout.lanes.shape)
    return places, int(ends[-1, -1])


def check_cells(
    cells: tuple[Cells | None, ...], sides: tuple[tuple[RoundBoards, ...], ...]
) -> None:
    """Raise unless every lane has a cell that exists."""
    for player, mine in enumerate(cells):
        if mine is None:
            continue
        for round, level in enumerate(sides[player]):
            rows = mine.rows[round]
            if rows.shape != level.counts.shape or (
                rows.size and not 0 <= rows.min() <= rows.max() < mine.counts[round]
            ):
                raise BadParameter(
                    f"cells of player {player + 1}, round {round + 1}: expected one of "
                    f"{mine.counts[round]} cells for each of {level.counts.size} hands on boards"
                )
