"""How a public tree is laid out: stages of betting on boards, and where everything stands.

The sequences of a player stand item after item, within an item action after action, within
an action [hand][board][prefix]. An item is a stage on a board, or on several boards in a
row with equally many hands that compare alike, as long as their lanes fit a cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from regretless.cards.boards import Level, canonical, lane_of
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadParameter, UnknownName
from regretless.forms.stages import Kind, Stage
from regretless.forms.treeplex import Point
from regretless.games._poker import Deck
from regretless.games._state import Sizes
from regretless.kernels.public_arrays import (
    Work,
)
from regretless.kernels.treeplex import Plex

LAYOUT_VERSION = 1  # of the order of sequences: strategies of another one do not fit


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
