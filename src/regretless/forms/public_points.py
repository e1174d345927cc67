"""The decision points of a public tree, one by one: labels, sequences and parents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from regretless.cards.boards import canonical, lane_of
from regretless.core.arrays import Ints
from regretless.core.errors import BadParameter, UnknownName
from regretless.forms.public_layout import PublicLayout
from regretless.forms.treeplex import MOST_SEQUENCES, Point
from regretless.games._betting_tree import Kind
from regretless.kernels.treeplex import Plex


class Decision(NamedTuple):
    """A node where a player decides, on a site."""

    item: int
    node: int  # within its stage
    start: int  # first sequence
    actions: int


class Points:
    """Looks decision points up in a layout."""

    def __init__(self, layout: PublicLayout) -> None:
        self.layout = layout
        self.index = np.int32 if layout.roots[-1] <= MOST_SEQUENCES else np.int64
        self.histories = {
            betting.history: (number, n, prefix)
            for number, stage in enumerate(layout.stages)
            for n, node in enumerate(stage.nodes)
            if node.kind is Kind.DECISION
            for prefix, betting in enumerate(node.bettings)
        }

    def decisions(self, player: int) -> Iterator[Decision]:
        """A player's blocks, parents first."""
        layout = self.layout
        for item, stage, owner in layout.owned_items():
            if owner != player:
                continue
            first = int(layout.nodes.stage_table[layout.items[item].stage].first)
            for n, node in enumerate(stage.nodes):
                if node.kind is Kind.DECISION and node.player == player:
                    row = int(layout.nodes.table[first + n].row)
                    start = int(layout.item_sides[item, player].first)
                    start += row * layout.widths(item, player)
                    yield Decision(item, n, start, len(node.children))

    def blocks(self) -> Plex:
        """Blocks of all players, without parents: enough to turn plans into behaviours."""
        rows, ranges, point = [], [0], 0
        for player in range(self.layout.players):
            for item, _, start, actions in self.decisions(player):
                lanes = self.layout.widths(item, player)
                if lanes:  # a range can have no hand on a board
                    rows.append((start, actions, lanes, point))
                    point += lanes
            ranges.append(len(rows))
        table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        return Plex(self.layout.roots, np.array(ranges), table, np.empty(0, np.int32))

    def parents(self, player: int) -> Ints:
        """The sequence above every decision point of a player."""
        entering = self.entering(player)
        parents = [
            self.last(player, item, n, entering[item]) for item, n, _, _ in self.decisions(player)
        ]
        return np.concatenate(parents) if parents else np.empty(0, np.int64)

    def last(self, player: int, item: int, n: int, entering: Ints) -> Ints:
        """The player's last sequence before node n of an item, for every lane."""
        layout = self.layout
        row = self.rows_above(player, int(layout.items[item].stage))[n]
        if row < 0:
            return entering
        lanes = int(layout.lanes[item, player])
        sequences: Ints = layout.item_sides[item, player].first + row * lanes + np.arange(lanes)
        return sequences

    def entering(self, player: int) -> list[Ints]:
        """The player's last sequence at the start of every item, [hand][board][prefix]."""
        known: dict[int, Ints] = {}
        return [self.entered(player, item, known) for item in range(len(self.layout.items))]

    def entered(self, player: int, item: int, known: dict[int, Ints]) -> Ints:
        """The same for one item; `known` has those that were needed before."""
        if item in known:
            return known[item]
        layout = self.layout
        number, boards, _, parent, board, _ = layout.sites[layout.site_of_item[item]].tolist()
        sequences = np.full(int(layout.lanes[item, player]), layout.roots[player])
        if parent >= 0:
            level = layout.level(player, layout.rounds[number])
            within = level.parents[board : board + boards] - layout.sites[parent].board
            lanes = [level.above[level.lanes(board + b)] for b in range(boards)]
            above = int(layout.sites[parent].first_item - layout.nodes.firsts[number - 1])
            for stage, n in self._arriving[int(layout.items[item].stage)]:
                before = self.entered(player, above + stage, known)
                grid = layout.grid(self.last(player, above + stage, n, before), above + stage)
                start, prefixes = layout.stages[stage].nodes[n].next_prefix, grid.shape[2]
                for b, whole in enumerate(layout.grid(sequences, item).swapaxes(0, 1)):
                    whole[:, start : start + prefixes] = grid[lanes[b], within[b]]
        known[item] = sequences
        return sequences

    @cached_property
    def _arriving(self) -> list[list[tuple[int, int]]]:
        """[stage] the deals that lead to it: their stages and nodes."""
        deals: list[list[tuple[int, int]]] = [[] for _ in self.layout.stages]
        for number, stage in enumerate(self.layout.stages):
            for n, node in enumerate(stage.nodes):
                if node.kind is Kind.DEAL:
                    deals[node.next_stage].append((number, n))
        return deals

    def rows_above(self, player: int, stage: int) -> list[int]:
        """[node] row of the player's last action within the stage, or -1."""
        layout = self.layout
        nodes = layout.stages[stage].nodes
        first = int(layout.nodes.stage_table[stage].first)
        rows = [-1] * len(nodes)
        for n, node in enumerate(nodes):
            for action, child in enumerate(node.children):
                row = int(layout.nodes.table[first + n].row)
                rows[child] = row + action if node.player == player else rows[n]
        return rows

    def all(self, player: int) -> Iterator[Point]:
        """Every decision point of a player, with its label."""
        layout = self.layout
        if layout.cells[player] is not None:
            yield from self._cell_points(player)
            return
        entering = self.entering(player)
        for item, n, start, actions in self.decisions(player):
            stage = layout.stages[int(layout.items[item].stage)]
            site = layout.sites[layout.site_of_item[item]]
            bettings, first, boards = stage.nodes[n].bettings, int(site.board), int(site.boards)
            hands = int(layout.site_sides[layout.site_of_item[item], player].hands)
            parents = self.last(player, item, n, entering[item]) - layout.roots[player]
            offsets = start - layout.roots[player] + parents.size * np.arange(actions)
            numbers = layout.grid(np.arange(parents.size), item)
            for hand, board in product(range(hands), range(boards)):
                cards = self.hand_text(player, stage.round, first + board, hand)
                for prefix, betting in enumerate(bettings):
                    lane = int(numbers[hand, board, prefix])
                    names = tuple(move.name for move in betting.choices)
                    sequences = (offsets + lane).astype(self.index)
                    label = f"{cards}:{betting.history}"
                    yield Point(label, names, sequences, int(parents[lane]))

    def _cell_points(self, player: int) -> Iterator[Point]:
        """Shared rows: a label has the number of the cell; there are no parents."""
        layout, mine = self.layout, self.layout.cells[player]
        assert mine is not None
        for item, n, start, actions in self.decisions(player):
            stage = layout.stages[int(layout.items[item].stage)]
            count = mine.counts[stage.round] * stage.prefixes
            offsets = start - layout.roots[player] + count * np.arange(actions)
            for lane in range(count):
                betting = stage.nodes[n].bettings[lane % stage.prefixes]
                names = tuple(move.name for move in betting.choices)
                label = f"cell {lane // stage.prefixes + 1}:{betting.history}"
                yield Point(label, names, (offsets + lane).astype(self.index), 0)

    def find(self, player: int, label: str) -> Point | None:
        """The decision point with this label; boards and hands may have any equivalent suits."""
        cards, _, history = label.partition(":")
        hole, *board = cards.split("/")
        if history not in self.histories:
            return None
        stage, n, prefix = self.histories[history]
        round = self.layout.stages[stage].round
        if self.layout.stages[stage].nodes[n].player != player:
            return None
        try:
            dealt = self.dealt(board, round)
            number, lane = lane_of(self.layout.sides[player], dealt, self.layout.deck.read(hole))
        except BadParameter:
            return None
        return self._point(stage, n, number, lane, prefix)

    def _point(self, stage: int, n: int, board: int, hand: int, prefix: int) -> Point:
        """The decision point of a hand on a board, without its parent."""
        node, round = self.layout.stages[stage].nodes[n], self.layout.stages[stage].round
        sequences = self.sequences(stage, n, board, np.array([hand]), prefix)[0]
        betting = node.bettings[prefix]
        label = f"{self.hand_text(node.player, round, board, hand)}:{betting.history}"
        names = tuple(move.name for move in betting.choices)
        return Point(label, names, sequences.astype(self.index), 0)

    def sequences(self, stage: int, n: int, board: int, hands: Ints, prefix: int) -> Ints:
        """[hand, action] the acting player's sequences with some hands of a board."""
        layout = self.layout
        node, round = layout.stages[stage].nodes[n], layout.stages[stage].round
        item, number = self.place(stage, board)
        player, prefixes = node.player, layout.stages[stage].prefixes
        width = layout.widths(item, player)
        row = int(layout.nodes.table[layout.nodes.stage_table[stage].first + n].row)
        start = int(layout.item_sides[item, player].first - layout.roots[player]) + row * width
        mine = layout.cells[player]
        if mine is None:
            lanes = layout.grid(np.arange(width), item)[hands, number, prefix]
        else:
            at = layout.level(player, round).first[board] + hands
            if round == len(layout.sides[player]) - 1:
                at = layout.order[player][at]
            lanes = mine.rows[round][at].astype(np.int64) * prefixes + prefix
        sequences: Ints = start + lanes[:, None] + width * np.arange(len(node.children))
        return sequences

    def place(self, stage: int, board: int) -> tuple[int, int]:
        """The item of a board in a stage, and the number of the board within its site."""
        layout = self.layout
        number = layout.stages[stage].round - layout.first
        sites = layout.round_sites[number]
        firsts = layout.sites[sites.start : sites.stop].board
        site = sites.start + int(np.searchsorted(firsts, board, side="right")) - 1
        item = int(layout.sites[site].first_item) + stage - int(layout.nodes.firsts[number])
        return item, board - int(layout.sites[site].board)

    def dealt(self, board: Sequence[str], round: int) -> list[tuple[int, ...]]:
        """Texts of boards as cards by round; rounds without new cards are skipped in texts."""
        deck = self.layout.deck
        wanted = deck.rules.board[: round + 1]
        if len(board) != sum(count > 0 for count in wanted):
            raise BadParameter(f"board {'/'.join(board)!r}: expected {wanted} cards per round")
        texts = iter(board)
        cards_by_round = [deck.read(next(texts)) if count else () for count in wanted]
        for count, cards in zip(wanted, cards_by_round, strict=True):
            if len(cards) != count:
                raise BadParameter(f"board {'/'.join(board)!r}: expected {wanted} cards per round")
        return cards_by_round

    def hands_at(self, board: Sequence[str], history: str) -> list[tuple[int, str, int, Point]]:
        """Player, hand, how many suit variants it represents, and decision point, for all hands."""
        if history not in self.histories:
            raise UnknownName("betting", history, self.histories)
        stage, n, prefix = self.histories[history]
        node, round = self.layout.stages[stage].nodes[n], self.layout.stages[stage].round
        side = self.layout.sides[node.player]
        number, moved = canonical(side, self.dealt(board, round))
        level = side[round]
        back = np.argsort(moved)  # from the representative to the requested board
        hands = []
        for lane in range(int(level.first[number + 1] - level.first[number])):
            hand = tuple(sorted(back[level.hands[level.first[number] + lane]].tolist()))
            point = self._point(stage, n, number, lane, prefix)
            count = int(level.counts[level.first[number] + lane])
            hands.append((node.player, self.layout.deck.text(hand), count, point))
        return hands

    def hand_text(self, player: int, round: int, board: int, hand: int) -> str:
        """Hole cards and board, as in the labels of decision points."""
        level, text = self.layout.level(player, round), self.layout.deck.text
        parts = [text(tuple(level.hands[level.first[board] + hand].tolist()))]
        return "/".join(parts + [text(cards) for cards in self.new_cards(round, board) if cards])

    def new_cards(self, round: int, board: int) -> list[tuple[int, ...]]:
        """The cards of every round up to this one on a board."""
        cards = []
        for number in range(round, -1, -1):
            level = self.layout.sides[0][number]
            cards.append(level.cards[board])
            board = int(level.parents[board])
        return cards[::-1]
