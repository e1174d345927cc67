"""How a public tree is numbered: stages, nodes, items, and the sequences of every player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from regretless.cards.boards import Level, levels
from regretless.cards.boards import sizes as board_sizes
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.public_tree import Layout
from regretless.forms.stages import Kind, Stage, stages
from regretless.games._betting import Betting, Ranking
from regretless.games._poker import Deck, count_deals, sizes
from regretless.kernels.public_arrays import (
    NODE_COLUMNS,
)

MOST_LANES = 2048  # of an item with several boards: its rows still fit a cache


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
