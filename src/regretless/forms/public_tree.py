"""How a public tree is laid out: stages of betting on boards, and where everything stands.

The sequences of a player stand item after item, within an item action after action, within
an action [hand][board][prefix]. An item is a stage on a board, or on several boards in a
row with equally many hands that compare alike, as long as their lanes fit a cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import comb, perm, prod
from typing import Any

import numpy as np

from regretless.cards.boards import Level, canonical, compatible, expanded, lane_of, levels
from regretless.cards.boards import sizes as board_sizes
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadParameter, UnknownName, Unsuitable
from regretless.forms.stages import Kind, Stage, stages
from regretless.forms.treeplex import Point
from regretless.games._betting import Betting, Ranking
from regretless.games._poker import Deck, count_deals, sizes
from regretless.games._state import Sizes
from regretless.kernels.public_arrays import (
    NODE_COLUMNS,
    Lanes,
    Pairs,
    Public,
    Tables,
    Work,
)
from regretless.kernels.treeplex import Plex

LAYOUT_VERSION = 1  # of the order of sequences: strategies of another one do not fit
MOST_LANES = 2048  # of an item with several boards: its rows still fit a cache


@dataclass(frozen=True, eq=False)
class Layout:
    """Numbers of everything, independent of precision."""

    deck: Deck
    isomorphic: bool
    stages: tuple[Stage, ...]
    levels: tuple[Level, ...]  # lanes of the last one from weak to strong
    ties: Indices  # [lane of the last level] first hand of the board that is stronger
    stage_table: Ints
    node_table: Ints
    children: Ints
    slots: Ints
    rounds: Ints
    items: Ints
    places: Ints
    spots: Ints
    bases: Ints
    roots: Ints
    pay: Floats
    live_sets: tuple[tuple[bool, ...], ...]
    counted: Sizes  # sizes of the full game, before suits are put together

    @property
    def players(self) -> int:
        return self.deck.rules.players

    @property
    def entries(self) -> int:
        """Lanes at the beginning of all items together."""
        return int(self.items[-1, 3] + self.item_lanes[-1])

    @cached_property
    def exits(self) -> Ints:
        """First exit of every round, then the total: lanes at the ends of rounds."""
        deals = [sum(n.kind is Kind.DEAL for n in stage.nodes) for stage in self.stages]
        lanes = np.array(deals)[self.items[:, 0]] * self.item_lanes
        total = int(self.items[-1, 8] + lanes[-1])
        return np.append(self.items[self.rounds[:-1], 8], total)

    @property
    def entry_lanes(self) -> int:
        """Lanes at the beginning of the game."""
        return int(self.item_lanes[: int(self.rounds[1])].sum())

    @cached_property
    def item_lanes(self) -> Ints:
        lanes: Ints = self.items[:, 1] * self.items[:, 4]
        return lanes

    @cached_property
    def sizes(self) -> Sizes:
        """Nodes and terminals of the full game; decisions and sequences as laid out."""
        points = [0] * self.players
        for item, lanes in enumerate(self.item_lanes):
            for node in self.stages[int(self.items[item, 0])].nodes:
                if node.kind is Kind.DECISION:
                    points[node.player] += int(lanes)
        sequences = tuple(int(n) for n in np.diff(self.roots))
        return Sizes(self.counted.nodes, self.counted.terminals, tuple(points), sequences)

    def decisions(self, player: int) -> Iterator[tuple[int, int, int, int]]:
        """Item, node within its stage, first sequence and actions of a player's blocks."""
        for item, lanes in enumerate(self.item_lanes):
            stage = int(self.items[item, 0])
            first = int(self.stage_table[stage, 1])
            for n, node in enumerate(self.stages[stage].nodes):
                if node.kind is Kind.DECISION and node.player == player:
                    row = int(self.node_table[first + n, 4])
                    start = int(self.bases[item, player] + row * lanes)
                    yield item, n, start, len(node.children)

    @cached_property
    def blocks(self) -> Plex:
        """Blocks of all players, without parents: enough to turn plans into behaviours."""
        rows, ranges, point = [], [0], 0
        for player in range(self.players):
            for item, _, start, actions in self.decisions(player):
                lanes = int(self.item_lanes[item])
                rows.append((start, actions, lanes, point))
                point += lanes
            ranges.append(len(rows))
        table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        return Plex(self.roots, np.array(ranges), table, np.empty(0, np.int32))

    def plex(self) -> Plex:
        """The treeplexes as generic kernels read them."""
        parents = [self._parents(player) for player in range(self.players)]
        return self.blocks._replace(parents=np.concatenate(parents).astype(np.int32))

    def _parents(self, player: int) -> Ints:
        """The sequence above every decision point of a player."""
        found = []
        entering = self.entering(player)
        for item, n, _, _ in self.decisions(player):
            found.append(self.last(player, item, n, entering[item]))
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def last(self, player: int, item: int, n: int, entering: Ints) -> Ints:
        """The player's last sequence before node n of an item, for every lane."""
        stage = int(self.items[item, 0])
        row = self._rows_above[player][stage][n]
        if row < 0:
            return entering
        lanes = int(self.item_lanes[item])
        found: Ints = self.bases[item, player] + row * lanes + np.arange(lanes)
        return found

    def entering(self, player: int) -> list[Ints]:
        """The player's last sequence at the beginning of every item."""
        found = [np.full(int(n), self.roots[player]) for n in self.item_lanes]
        self._hand_down(found, lambda item, n, _: self.last(player, item, n, found[item]))
        return found

    def sources(self) -> Ints:
        """The exit of the round before that leads to every lane."""
        found = [np.zeros(int(n), dtype=np.int64) for n in self.item_lanes]

        def leaving(item: int, _: int, deal: int) -> Ints:
            lanes = int(self.item_lanes[item])
            here: Ints = self.items[item, 8] + deal * lanes + np.arange(lanes)
            return here

        self._hand_down(found, leaving)
        return np.concatenate(found)

    def _hand_down(self, found: list[Ints], leaving: Callable[[int, int, int], Ints]) -> None:
        """Fill what enters items with what leaves (item, node, number of the deal) above."""
        for item in range(int(self.rounds[-2])):
            stage = self.stages[int(self.items[item, 0])]
            deals = [n for n, node in enumerate(stage.nodes) if node.kind is Kind.DEAL]
            for deal, n in enumerate(deals):
                node, here = stage.nodes[n], leaving(item, n, deal).reshape(*self.shape(item))
                span = slice(node.next_prefix, node.next_prefix + here.shape[2])
                level = self.levels[stage.round + 1]
                for number in range(here.shape[1]):
                    _, first, end = self.spots[self.items[item, 6] + number]
                    for child in range(int(first), int(end)):
                        below, place = self.place(node.next_stage, child)
                        grid = found[below].reshape(*self.shape(below))
                        grid[:, place, span] = here[level.above[level.lanes(child)], number]

    def shape(self, item: int) -> tuple[int, int, int]:
        """Hands, boards and prefixes of an item."""
        stage, hands, boards = (int(self.items[item, column]) for column in (0, 1, 5))
        return hands, boards, self.stages[stage].prefixes

    def place(self, stage: int, board: int) -> tuple[int, int]:
        """The item of a board in a stage, and the number of the board within it."""
        item = int(self.places[self.stage_table[stage, 4] + board])
        return item, board - int(self.items[item, 7])

    @cached_property
    def _rows_above(self) -> list[list[list[int]]]:
        """[player][stage][node] row of the player's last action within the stage, or -1."""
        found = []
        for player in range(self.players):
            by_stage = []
            for number, stage in enumerate(self.stages):
                rows = [-1] * len(stage.nodes)
                for n, node in enumerate(stage.nodes):
                    for action, child in enumerate(node.children):
                        row = int(self.node_table[self.stage_table[number, 1] + n, 4])
                        rows[child] = row + action if node.player == player else rows[n]
                by_stage.append(rows)
            found.append(by_stage)
        return found

    def points(self, player: int) -> Iterator[Point]:
        """Every decision point of a player, with its label."""
        entering = self.entering(player)
        for item, n, start, actions in self.decisions(player):
            stage = self.stages[int(self.items[item, 0])]
            bettings, first = stage.nodes[n].bettings, int(self.items[item, 7])
            hands, boards, _ = self.shape(item)
            parents = self.last(player, item, n, entering[item]) - self.roots[player]
            offsets = start - self.roots[player] + parents.size * np.arange(actions)
            lane = 0
            for hand, board in product(range(hands), range(first, first + boards)):
                cards = self.hand_text(stage.round, board, hand)
                for betting in bettings:
                    names = tuple(move.name for move in betting.moves)
                    sequences = (offsets + lane).astype(np.int32)
                    label = f"{cards}:{betting.history}"
                    yield Point(label, names, sequences, int(parents[lane]))
                    lane += 1

    @cached_property
    def histories(self) -> dict[str, tuple[int, int, int]]:
        """Stage, node and prefix of every betting history at which somebody decides."""
        return {
            betting.history: (number, n, prefix)
            for number, stage in enumerate(self.stages)
            for n, node in enumerate(stage.nodes)
            if node.kind is Kind.DECISION
            for prefix, betting in enumerate(node.bettings)
        }

    def find(self, player: int, label: str) -> Point | None:
        """The decision point of this label; boards and hands may have any equivalent suits."""
        cards, _, history = label.partition(":")
        hole, *board = cards.split("/")
        if history not in self.histories:
            return None
        stage, n, prefix = self.histories[history]
        node = self.stages[stage].nodes[n]
        try:
            dealt = self.dealt(board, self.stages[stage].round)
            number, lane = lane_of(self.levels, dealt, self.deck.read(hole))
        except BadParameter:
            return None
        return self._point(stage, n, number, lane, prefix) if node.player == player else None

    def _point(self, stage: int, n: int, board: int, hand: int, prefix: int) -> Point:
        """The decision point of a hand on a board, without what lies above it."""
        item, number = self.place(stage, board)
        node, player = self.stages[stage].nodes[n], self.stages[stage].nodes[n].player
        lanes = int(self.item_lanes[item])
        _, boards, P = self.shape(item)
        row = int(self.node_table[self.stage_table[stage, 1] + n, 4])
        start = int(self.bases[item, player] - self.roots[player]) + row * lanes
        lane = (hand * boards + number) * P + prefix
        sequences = start + lane + lanes * np.arange(len(node.children))
        betting = node.bettings[prefix]
        label = f"{self.hand_text(self.stages[stage].round, board, hand)}:{betting.history}"
        names = tuple(move.name for move in betting.moves)
        return Point(label, names, sequences.astype(np.int32), 0)

    def dealt(self, board: Sequence[str], round: int) -> list[tuple[int, ...]]:
        """Texts of boards as cards by round; rounds without new cards are skipped in texts."""
        wanted = self.deck.rules.board[: round + 1]
        if len(board) != sum(count > 0 for count in wanted):
            raise BadParameter(f"board {'/'.join(board)!r}: needed are cards of {wanted} a round")
        texts = iter(board)
        found = [self.deck.read(next(texts)) if count else () for count in wanted]
        for count, cards in zip(wanted, found, strict=True):
            if len(cards) != count:
                raise BadParameter(f"board {'/'.join(board)!r}: needed are {wanted} cards a round")
        return found

    def hands_at(self, board: Sequence[str], history: str) -> list[tuple[int, str, int, Point]]:
        """Player, hand, how many suits it stands for, and decision point, for all hands."""
        if history not in self.histories:
            raise UnknownName("betting", history, self.histories)
        stage, n, prefix = self.histories[history]
        node, round = self.stages[stage].nodes[n], self.stages[stage].round
        number, moved = canonical(self.levels, self.dealt(board, round))
        level = self.levels[round]
        back = np.argsort(moved)  # from the representative to the board that was asked for
        found = []
        for lane in range(int(level.first[number + 1] - level.first[number])):
            hand = tuple(sorted(back[level.hands[level.first[number] + lane]].tolist()))
            point = self._point(stage, n, number, lane, prefix)
            count = int(level.counts[level.first[number] + lane])
            found.append((node.player, self.deck.text(hand), count, point))
        return found

    def hand_text(self, round: int, board: int, hand: int) -> str:
        """Hole cards and board, as in the labels of decision points."""
        level, text = self.levels[round], self.deck.text
        parts = [text(tuple(level.hands[level.first[board] + hand].tolist()))]
        return "/".join(parts + [text(cards) for cards in self.new_cards(round, board) if cards])

    def new_cards(self, round: int, board: int) -> list[tuple[int, ...]]:
        """The cards of every round up to this one on a board."""
        found = []
        for number in range(round, -1, -1):
            found.append(self.levels[number].cards[board])
            board = int(self.levels[number].parents[board])
        return found[::-1]

    def workspace(self, kind: Any) -> Work:
        """Scratch rows that are large enough for every item."""
        lanes, hands = int(self.item_lanes.max()), int(self.items[:, 1].max())
        rows = max(sum(len(node.children) for node in stage.nodes) for stage in self.stages)
        terminals = [
            max(sum(node.kind is k for node in stage.nodes) for k in (Kind.FOLD, Kind.SHOWDOWN))
            for stage in self.stages
        ]
        columns = int((np.array(terminals)[self.items[:, 0]] * self.items[:, 4]).max())
        cards = self.deck.kinds if self.deck.rules.hole == 2 else 0
        return Work(
            reach=np.zeros((int(self.slots.max()) + 1, lanes), dtype=kind),
            value=np.zeros((max(len(stage.nodes) for stage in self.stages), lanes), dtype=kind),
            chosen=np.zeros((rows, lanes), dtype=kind),
            table=np.zeros((hands, columns), dtype=kind),
            won=np.zeros((hands, columns), dtype=kind),
            sums=np.zeros((1 + cards, max(lanes, columns)), dtype=kind),
        )


def hands_by_round(deck: Deck) -> tuple[int, ...]:
    """Hands on boards of every round, up to renaming of suits, counted without listing them."""
    rules = deck.rules
    if deck.copies > 1 and rules.hole == 1:
        full = (0,) * deck.copies + (deck.kinds,)
        return tuple(
            count_deals(full, (rules.hole, *rules.board[: r + 1])) for r in range(rules.rounds)
        )
    found = board_sizes(ranks=rules.ranks, suits=rules.suits, hole=rules.hole, board=rules.board)
    return tuple(size.lanes for size in found)


def lay_out(deck: Deck, *, isomorphic: bool) -> Layout:
    """Cut the betting into stages, find the boards, and number everything."""
    rules = deck.rules
    if rules.players > 2 and rules.hole > 1:
        raise Unsuitable("the public form of more than two players has one hole card")
    copies = deck.copies if rules.hole == 1 else 1
    if rules.hole > 1 and deck.copies > 1:
        deck = Deck(rules, suits_distinct=True)  # two cards: suits are put together by symmetry
    found = levels(
        ranks=rules.ranks,
        suits=rules.suits,
        hole=rules.hole,
        board=rules.board,
        copies=copies,
        isomorphic=isomorphic or copies > 1,
    )
    last, ties = _by_strength(deck, found[-1])
    cut = tuple(stages(rules))
    batched = rules.hole == 1
    numbered = _Numbering(cut, (*found[:-1], last), rules.players, ties if batched else None)
    return Layout(
        deck=deck,
        isomorphic=isomorphic,
        stages=cut,
        levels=(*found[:-1], last),
        ties=ties,
        stage_table=numbered.stage_table,
        node_table=numbered.node_table,
        children=numbered.children,
        slots=numbered.slots,
        rounds=numbered.rounds,
        items=numbered.items,
        places=numbered.places,
        spots=numbered.spots,
        bases=numbered.bases,
        roots=numbered.roots,
        pay=numbered.pay,
        live_sets=tuple(numbered.live_sets),
        counted=sizes(deck),
    )


def _by_strength(deck: Deck, level: Level) -> tuple[Level, Indices]:
    """The last level with the lanes of every board from weak to strong, and their ties."""
    strengths = lane_strengths(deck, level)
    board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
    order = np.lexsort((np.arange(board.size), strengths, board))
    strengths = strengths[order]
    changes = np.flatnonzero((np.diff(strengths) != 0) | (np.diff(board) != 0)) + 1
    ends = np.append(changes, board.size)
    ties = ends[np.searchsorted(ends, np.arange(board.size), side="right")] - level.first[board]
    sorted_level = replace(
        level,
        counts=level.counts[order],
        above=level.above[order],
        hands=level.hands[order],
    )
    return sorted_level, ties.astype(np.int32)


def lane_strengths(deck: Deck, level: Level) -> Ints:
    """A number for every lane that compares like its hand on its board."""
    board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
    shown = deck.rules.hole + sum(deck.rules.board)
    if deck.copies == 1 and shown >= 5 and deck.rules.ranking is Ranking.BEST_FIVE:
        from regretless.cards.evaluator import ranks

        table = np.array(level.boards, dtype=np.int64).reshape(len(level.boards), -1)
        cards = np.concatenate([level.hands, table[board]], axis=1)
        suits, lowest = deck.rules.suits, 13 - deck.rules.ranks
        return np.asarray(ranks((cards // suits + lowest) * 4 + cards % suits), dtype=np.int64)
    hands = level.hands.tolist()
    found = [
        deck.strength(tuple(sorted((*hands[k], *level.boards[b])))) for k, b in enumerate(board)
    ]
    order = {strength: number for number, strength in enumerate(sorted(set(found)))}
    return np.array([order[strength] for strength in found], dtype=np.int64)


class _Numbering:
    """Tables of stages, nodes, items and sequences."""

    def __init__(
        self,
        cut: tuple[Stage, ...],
        found: tuple[Level, ...],
        players: int,
        ties: Indices | None,
    ) -> None:
        """`ties` of the last level, if boards may share items."""
        self.players = players
        self.live_sets: list[tuple[bool, ...]] = []
        pay = self._stages_and_nodes(cut)
        self._spots(found)
        self._items(cut, found, ties)
        # Prefixes again and again, once for every board of an item.
        widest = int(self.items[:, 4].max())
        self.pay = np.array([np.resize(row, widest) for row in pay])

    def _stages_and_nodes(self, cut: tuple[Stage, ...]) -> list[Floats]:
        """Tables of stages and nodes; returns the pay of every terminal by prefix."""
        nodes: list[list[int]] = []
        children: list[int] = []
        stage_rows: list[list[int]] = []
        slots: list[list[int]] = [[] for _ in range(self.players)]
        pay: list[np.ndarray] = []
        self.rows = np.zeros((len(cut), self.players), dtype=np.int64)
        for number, stage in enumerate(cut):
            first = len(nodes)
            stage_rows.append([stage.round, first, first + len(stage.nodes), stage.prefixes, 0])
            self._slots(stage, slots)
            workspace_row = deals = 0
            for node in stage.nodes:
                row = int(self.rows[number, node.player]) if node.kind is Kind.DECISION else 0
                live = self._live(node.bettings[0])
                entry = [int(node.kind), node.player, len(children), len(node.children), row]
                entry += [workspace_row, len(pay), node.next_stage, node.next_prefix, live, deals]
                deals += node.kind is Kind.DEAL
                assert len(entry) == NODE_COLUMNS
                nodes.append(entry)
                children += [first + child for child in node.children]
                if node.kind is Kind.DECISION:
                    self.rows[number, node.player] += len(node.children)
                    workspace_row += len(node.children)
                elif node.kind is not Kind.DEAL:
                    pay += _pays(node.bettings)
        self.stage_table = np.array(stage_rows, dtype=np.int64)
        self.node_table = np.array(nodes, dtype=np.int64)
        self.children = np.array(children, dtype=np.int64)
        self.slots = np.array(slots, dtype=np.int64)
        return pay

    def _slots(self, stage: Stage, slots: list[list[int]]) -> None:
        """A player's reach changes at its own decisions only: elsewhere rows are shared."""
        mine = [[player] * len(stage.nodes) for player in range(self.players)]
        following = self.players
        for n, node in enumerate(stage.nodes):
            for child in node.children:
                for player in range(self.players):
                    mine[player][child] = mine[player][n]
                mine[node.player][child] = following
                following += 1
        for player in range(self.players):
            slots[player] += mine[player]

    def _live(self, betting: Betting) -> int:
        live = tuple(not gone for gone in betting.folded)
        if live not in self.live_sets:
            self.live_sets.append(live)
        return self.live_sets.index(live)

    def _spots(self, found: tuple[Level, ...]) -> None:
        """Of every board: the board before, and the boards after it."""
        rows = []
        for round, level in enumerate(found):
            boards = np.arange(len(level.boards) + 1)
            edges = np.zeros_like(boards)
            if round + 1 < len(found):
                edges = np.searchsorted(found[round + 1].parents, boards)
            rows.append(np.stack([level.parents, edges[:-1], edges[1:]], axis=1))
        self.spots = np.concatenate(rows).astype(np.int64)

    def _items(
        self, cut: tuple[Stage, ...], found: tuple[Level, ...], ties: Indices | None
    ) -> None:
        lane_first = np.cumsum([0] + [len(level.counts) for level in found])
        spot_first = np.cumsum([0] + [len(level.boards) for level in found])
        rows: list[list[int]] = []
        places: list[int] = []
        rounds = [0]
        entry = leaving = 0
        for round, level in enumerate(found):
            last = round == len(found) - 1
            for number, stage in enumerate(cut):
                if stage.round != round:
                    continue
                self.stage_table[number, 4] = len(places)
                deals = sum(node.kind is Kind.DEAL for node in stage.nodes)
                alike = None if ties is None else (ties if last else ties[:0])
                for board, boards in _batches(level, stage.prefixes, alike):
                    hands = int(level.first[board + 1] - level.first[board])
                    lane = int(lane_first[round] + level.first[board])
                    spot, width = int(spot_first[round]) + board, boards * stage.prefixes
                    row = [number, hands, lane, entry, width, boards, spot, board, leaving]
                    places += [len(rows)] * boards
                    rows.append(row)
                    entry += hands * width
                    leaving += deals * hands * width
            rounds.append(len(rows))
        self.items = np.array(rows, dtype=np.int64)
        self.places = np.array(places, dtype=np.int64)
        self.rounds = np.array(rounds, dtype=np.int64)
        sizes = self.rows[self.items[:, 0]] * (self.items[:, 1] * self.items[:, 4])[:, None]
        totals = 1 + sizes.sum(axis=0)
        self.roots = np.concatenate([[0], np.cumsum(totals)])
        before = np.cumsum(sizes, axis=0) - sizes
        self.bases = np.ascontiguousarray(self.roots[:-1] + 1 + before)


def _batches(level: Level, prefixes: int, ties: Indices | None) -> Iterator[tuple[int, int]]:
    """First board and number of boards of every item; `ties` is None to keep boards apart."""
    hands = np.diff(level.first)
    board = 0
    while board < len(hands):
        end = board + 1
        while ties is not None and end < len(hands) and hands[end] == hands[board]:
            mine, other = ties[level.lanes(board)], ties[level.lanes(end)]
            if (end + 1 - board) * hands[board] * prefixes > MOST_LANES:
                break
            if not np.array_equal(mine, other):
                break
            end += 1
        yield board, end - board
        board = end


def _pays(bettings: list[Betting]) -> list[Floats]:
    """By prefix: what a loser pays (two players), the pot, and the chips of every player."""
    rows = np.zeros((2 + len(bettings[0].spent), len(bettings)))
    for prefix, betting in enumerate(bettings):
        live = {
            chips for chips, gone in zip(betting.spent, betting.folded, strict=True) if not gone
        }
        if len(betting.spent) > 2 and len(live) > 1:
            raise Unsuitable("the public form of more than two players has no side pots")
        rows[0, prefix] = min(betting.spent)
        rows[1, prefix] = sum(betting.spent)
        rows[2:, prefix] = betting.spent
    return list(rows)


def typed(layout: Layout, kind: Any, terminal: str) -> Public:
    """The tree as kernels read it, in one precision."""
    return Public(
        stages=layout.stage_table,
        nodes=layout.node_table,
        children=layout.children,
        slots=layout.slots,
        rounds=layout.rounds,
        items=layout.items,
        exits=layout.exits,
        bases=layout.bases,
        pay=layout.pay.astype(kind),
        lanes=_lanes(layout, kind),
        pairs=_pairs(layout, wanted=terminal == "sorted" and layout.deck.rules.hole == 2),
        tables=_tables(layout, kind, terminal),
    )


def chances(layout: Layout) -> Floats:
    """[lane] probability of one actual deal, times the boards and hands the lane stands for."""
    rules = layout.deck.rules
    cards = rules.ranks * rules.suits
    deals = prod(comb(cards - rules.hole * q, rules.hole) for q in range(rules.players))
    left = cards - rules.hole * rules.players
    found = []
    boards = np.ones(1)
    for round, level in enumerate(layout.levels):
        deals *= comb(left, rules.board[round])
        left -= rules.board[round]
        boards = boards[level.parents] * level.weights
        found.append(np.repeat(boards, np.diff(level.first)) * level.counts / deals)
    return np.concatenate(found)


def _lanes(layout: Layout, kind: Any) -> Lanes:
    earlier = sum(len(level.counts) for level in layout.levels[:-1])
    counts = np.concatenate([level.counts for level in layout.levels])
    scale = chances(layout)
    order = []
    for item in range(len(layout.items)):
        hands, boards, prefixes = layout.shape(item)
        by_board = layout.items[item, 2] + np.arange(boards * hands).reshape(boards, hands)
        order.append(np.repeat(by_board.T.ravel(), prefixes))
    lanes = np.concatenate(order)
    return Lanes(
        sources=layout.sources().astype(np.int32),
        ties=np.concatenate([np.zeros(earlier, np.int32), layout.ties]).astype(np.int32),
        counts=counts[lanes].astype(kind),
        scale=scale[lanes].astype(kind),
    )


def _pairs(layout: Layout, *, wanted: bool) -> Pairs:
    """All actual two-card hands of every board, those of the last round from weak to strong."""
    if not wanted:
        none = np.empty(0, np.int32)
        return Pairs(np.zeros(1, np.int64), none, np.empty((0, 2), np.int32), none, none)
    first, lanes, cards, ties, shown = [0], [], [], [], []
    for round, level in enumerate(layout.levels):
        for board in range(len(level.boards)):
            hands, lane = expanded(level, board)
            order = np.argsort(lane, kind="stable")
            hands, lane = hands[order], lane[order]
            firsts = np.concatenate([[True], np.diff(lane) != 0])
            ends = np.full(lane.size, lane.size)
            if round == len(layout.levels) - 1:
                here = layout.ties[level.lanes(board)]
                ends = np.searchsorted(lane, here[lane], side="left")
            first.append(first[-1] + lane.size)
            lanes.append(lane)
            cards.append(hands)
            ties.append(ends)
            shown.append(firsts)
    return Pairs(
        first=np.array(first, dtype=np.int64),
        lane=np.concatenate(lanes).astype(np.int32),
        cards=np.ascontiguousarray(np.concatenate(cards), dtype=np.int32),
        ties=np.concatenate(ties).astype(np.int32),
        shown=np.concatenate(shown).astype(np.int32),
    )


def _tables(layout: Layout, kind: Any, terminal: str) -> Tables:
    """Ways of every combination of lanes, and who wins which part of the pot."""
    if terminal == "sorted":
        return Tables(np.zeros(1, np.int64), np.empty(0, kind), np.empty((0, 0, 0), kind))
    first, ways, shares = [0], [], []
    for round, level in enumerate(layout.levels):
        for board in range(len(level.boards)):
            if terminal == "matrix":
                here = compatible(level, board).astype(kind).ravel()
            else:
                here = _joint_ways(level, board, layout.players)
                ties = layout.ties[level.lanes(board)] if round == len(layout.levels) - 1 else None
                shares.append(_shares(layout, int(np.diff(level.first)[board]), ties))
            ways.append(here)
            first.append(first[-1] + here.size)
    share = np.concatenate(shares, axis=1) if shares else np.empty((0, 0, 0))
    return Tables(np.array(first, np.int64), np.concatenate(ways).astype(kind), share.astype(kind))


def _joint_ways(level: Level, board: int, players: int) -> Floats:
    """One hole card each: ordered choices of actual cards for every combination of lanes."""
    counts = level.counts[level.lanes(board)]
    ways = []
    for hands in product(range(counts.size), repeat=players):
        chosen = [perm(int(counts[hand]), hands.count(hand)) for hand in set(hands)]
        ways.append(float(prod(chosen)))
    return np.array(ways)


def _shares(layout: Layout, hands: int, ties: Indices | None) -> Floats:
    """[live set, combination, player] part of the pot; before the last round one is left."""
    found = np.zeros((len(layout.live_sets), hands**layout.players, layout.players))
    for number, live in enumerate(layout.live_sets):
        for entry, held in enumerate(product(range(hands), repeat=layout.players)):
            strength = [
                (0 if ties is None else int(ties[hand])) if alive else -1
                for hand, alive in zip(held, live, strict=True)
            ]
            winners = [p for p in range(layout.players) if strength[p] == max(strength)]
            found[number, entry, winners] = 1 / len(winners)
    return found
