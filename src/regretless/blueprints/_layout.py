"""The betting tree as the kernel reads it: chunks, lanes and slots.

A prefix is a line of betting that enters a round. Prefixes after which the betting of the round
has the same shape are lanes of a chunk, which is the unit of work of a thread; lanes come in
blocks of WIDE. A slot is what one player has done in the round: slot 0 is nothing, the others are
its actions, node by node. Columns are [block][slot][lane], or [block][end][lane]; the exits of a
round are the columns of its deals, chunk by chunk, and those of the first round simply its deals.
After an action of a player the other one can fold and call only once: so in a lane a slot has at
most one fold, one showdown and one deal."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Ints
from regretless.games._betting import Betting
from regretless.games._betting_tree import BettingTree, Kind, StageNode
from regretless.kernels.blueprint_game import Tree
from regretless.kernels.lanes import WIDE, zeros

CHUNK_COLUMNS = 512  # of a player and chunk: so that what a thread works on stays in its cache
CHUNK_LANES = 64  # likewise: rows of hands have only lanes
LAYOUT_VERSION = 2  # of the order of columns in saved states
NOWHERE = -1  # where padding comes from and goes to
ENDS = (Kind.FOLD, Kind.SHOWDOWN, Kind.DEAL)  # in the order of the kernel


class Prefix(NamedTuple):
    """A line of betting that enters a round."""

    betting: Betting
    exit: int  # its column among the exits of the previous round


class Node(NamedTuple):
    """A decision of one player, or an end of the betting of a round, in all lanes."""

    kind: Kind
    slots: list[int]  # of both players
    out: int  # slot of the first action
    bettings: list[Betting]  # [lane]


class BettingLayout:
    """The arrays, and `order`: [round][player] the kernel's entry of every column of a table."""

    def __init__(
        self,
        betting: BettingTree,
        *,
        chunk_columns: int = CHUNK_COLUMNS,
        chunk_lanes: int = CHUNK_LANES,
    ) -> None:
        self.betting, self.rules = betting, betting.rules
        self.chunk_columns, self.chunk_lanes = chunk_columns, chunk_lanes
        self.order = [[np.full(w, -1, np.int64) for w in two] for two in betting.widths]
        self.entries = [[0, 0] for _ in betting.widths]  # [round][player] with padding
        self.chunks: list[list[int]] = []
        self.sides: list[list[list[int]]] = []
        self.nodes: list[list[int]] = []
        self.ends: list[list[int]] = []
        self.pays: list[float] = []
        self.onward: list[int] = []
        self.arrivals: list[int] = []
        self.round_chunks, self.round_prefixes, self.round_exits = [0], [0], [0]
        self.following = [Prefix(betting.start, 0)]
        for round in range(self.rules.rounds):
            self._add_round(round)
        self.round_exits.append(len(self.onward))

    def _add_round(self, round: int) -> None:
        arriving, self.following = self.following, []
        before, exits = self.round_exits[-1], len(self.onward)
        groups: dict[int, list[Prefix]] = {}
        for prefix in arriving:
            shape = self.betting.shape(prefix.betting, round, whole=False)
            groups.setdefault(shape, []).append(prefix)
        if round:
            self.round_exits.append(exits)
        for members in groups.values():
            slots, nodes = _slots(self.betting.together([one.betting for one in members], round))
            lanes = max(min(self.chunk_columns // max(slots), self.chunk_lanes) // WIDE, 1) * WIDE
            for begin in range(0, len(members), lanes):
                here = slice(begin, begin + lanes)
                chunk = [node._replace(bettings=node.bettings[here]) for node in nodes]
                self._add_chunk(round, members[here], slots, chunk)
        # Padding comes from and goes to the column behind the last one, which is always 0.
        begin, end = self.round_prefixes[-1], len(self.arrivals)
        empty = exits - before if round else 1
        for place in range(begin, end):
            if self.arrivals[place] == NOWHERE:
                self.arrivals[place] = empty
            elif round:
                self.onward[before + self.arrivals[place]] = place - begin
        for exit in range(before, exits):
            if self.onward[exit] == NOWHERE:
                self.onward[exit] = end - begin
        self.round_prefixes.append(end)
        self.round_chunks.append(len(self.chunks))

    def _add_chunk(
        self, round: int, members: list[Prefix], slots: list[int], nodes: list[Node]
    ) -> None:
        blocks = -(-len(members) // WIDE)
        lanes = blocks * WIDE
        padding = [NOWHERE] * (lanes - len(members))
        exit = len(self.onward) - self.round_exits[-1]
        kinds = [[node for node in nodes if node.kind is kind] for kind in ENDS]
        folds, shows, deals = map(len, kinds)
        total = folds + shows + deals
        self.chunks.append([round, len(self.arrivals), blocks, exit, folds, shows, total])
        self.arrivals += [*(prefix.exit for prefix in members), *padding]
        ends = [end for kind in kinds for end in kind]
        decisions = [node for node in nodes if node.kind is Kind.DECISION]
        self.sides.append(
            [self._side(round, player, slots[player], decisions, ends) for player in (0, 1)]
        )
        # The first round has a single line of betting: its exits are side by side.
        columns = deals * lanes if round else -(-deals // WIDE) * WIDE
        self.onward += [NOWHERE] * columns
        self.following += [
            Prefix(betting, exit + _column(deals, number, lane) if round else number)
            for number, end in enumerate(kinds[-1])
            for lane, betting in enumerate(end.bettings)
        ]

    def _side(
        self, round: int, player: int, slots: int, decisions: list[Node], ends: list[Node]
    ) -> list[int]:
        """One player's part of a chunk, in the order of the kernel's names."""
        entry = self.entries[round][player]
        node, first, pay = len(self.nodes), len(self.ends), len(self.pays)
        blocks = -(-len(ends[0].bettings) // WIDE)
        for _, into, out, bettings in decisions:
            if bettings[0].actor != player:
                continue
            actions = len(bettings[0].choices)
            ending = int(any(bettings[0].children[0].folded))
            self.nodes.append([into[player], out, actions, ending])
            for lane, betting in enumerate(bettings):
                at = [entry + _column(slots - 1, out - 1 + a, lane) for a in range(actions)]
                self.order[round][player][self.betting.find(betting).columns] = at
        self.ends += [[end.slots[player], end.slots[1 - player]] for end in ends]
        pays = np.zeros(blocks * len(ends) * WIDE)
        for number, end in enumerate(ends):
            for lane, betting in enumerate(end.bettings):
                chips = 1.0 if end.kind is Kind.DEAL else _won(betting, player) * self.scale(round)
                pays[_column(len(ends), number, lane)] = chips
        self.pays += pays.tolist()
        self.entries[round][player] += (slots - 1) * blocks * WIDE
        return [slots, entry, node, len(self.nodes), first, pay]

    def scale(self, round: int) -> float:
        """The chance of a pair of hands, over the chance that a board does not meet them."""
        deck = self.rules.ranks * self.rules.suits
        left, factor = deck - 4, 1 / (comb(deck, 2) * comb(deck - 2, 2))
        for count in self.rules.board[: round + 1]:
            factor *= comb(deck, count) / comb(left, count)
            deck, left = deck - count, left - count
        return factor

    def tree(self, counts: Sequence[int]) -> Tree:
        """As arrays; `counts` has the number of buckets per round."""
        pays = zeros(len(self.pays))
        pays[:] = self.pays
        return Tree(
            chunks=np.array(self.chunks, np.int64),
            sides=np.array(self.sides, np.int64),
            nodes=np.array(self.nodes, np.uint64),
            ends=np.array(self.ends, np.uint64),
            pays=pays,
            onward=np.array(self.onward, np.uint64),
            arrivals=np.array(self.arrivals, np.uint64),
            round_chunks=np.array(self.round_chunks, np.int64),
            round_prefixes=np.array(self.round_prefixes, np.int64),
            round_exits=np.array(self.round_exits, np.int64),
            widths=self._widths(counts),
        )

    def _widths(self, counts: Sequence[int]) -> Ints:
        widths, table = np.zeros((self.rules.rounds, 2, 2), np.int64), 0
        for round, count in enumerate(counts):
            for player in (0, 1):
                entries = self.entries[round][player]
                widths[round, player] = entries, table
                table += entries * count
        return widths


def _slots(nodes: list[StageNode]) -> tuple[list[int], list[Node]]:
    """How many slots both players have in a round, and its nodes with theirs."""
    counts, made = [1, 1], []
    at = [[0, 0] for _ in nodes]
    for node, slots in zip(nodes, at, strict=True):
        player, out = node.player, counts[node.player]
        made.append(Node(node.kind, slots, out, node.bettings))
        for action, child in enumerate(node.children):
            at[child] = [*slots]
            at[child][player] = out + action
        counts[player] += len(node.children)
    return counts, made


def _column(count: int, number: int, lane: int) -> int:
    """Of a slot or end, of which there are so many, in a lane."""
    block, k = divmod(lane, WIDE)
    return (block * count + number) * WIDE + k


def _won(betting: Betting, player: int) -> float:
    """Chips that a fold pays, or that a won showdown pays."""
    return -betting.spent[player] if betting.folded[player] else float(min(betting.spent))
