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

from regretless.blueprints.betting_tree import BettingTree
from regretless.core.arrays import Ints
from regretless.games._betting import Betting, PokerRules
from regretless.kernels.blueprint_game import Tree
from regretless.kernels.lanes import WIDE, zeros

CHUNK_COLUMNS = 512  # of a player and chunk: so that what a thread works on stays in its cache
CHUNK_LANES = 64  # likewise: rows of hands have only lanes
LAYOUT_VERSION = 2  # of the order of columns in saved states
NOWHERE = -1  # where padding comes from and goes to
FOLD, SHOW, DEAL = "fold", "showdown", "deal"
Shape = tuple["int | Shape", ...] | str


class Prefix(NamedTuple):
    """A line of betting that enters a round."""

    betting: Betting
    exit: int  # its column among the exits of the previous round


class Node(NamedTuple):
    """A decision of one player in all lanes."""

    into: int  # slot
    out: int  # slot of its first action
    bettings: list[Betting]  # [lane]

    @property
    def actions(self) -> int:
        return len(self.bettings[0].choices)


class End(NamedTuple):
    """An end of the betting of a round in all lanes."""

    kind: str
    slots: tuple[int, int]  # of both players
    bettings: list[Betting]


class Layout:
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
        self.following = [Prefix(self.rules.start(), 0)]
        for round in range(self.rules.rounds):
            self._add_round(round)
        self.round_exits.append(len(self.onward))

    def _add_round(self, round: int) -> None:
        arriving, self.following = self.following, []
        before, exits = self.round_exits[-1], len(self.onward)
        groups: dict[Shape, list[int]] = {}
        for number, prefix in enumerate(arriving):
            groups.setdefault(_shape(prefix.betting, round, self.rules), []).append(number)
        if round:
            self.round_exits.append(exits)
        for shape, members in groups.items():
            slots = 1 + max(_slots(shape, player) for player in (0, 1))
            lanes = max(min(self.chunk_columns // slots, self.chunk_lanes) // WIDE, 1) * WIDE
            for begin in range(0, len(members), lanes):
                self._add_chunk(
                    round, [arriving[number] for number in members[begin : begin + lanes]]
                )
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

    def _add_chunk(self, round: int, members: list[Prefix]) -> None:
        blocks = -(-len(members) // WIDE)
        lanes = blocks * WIDE
        padding = [NOWHERE] * (lanes - len(members))
        exit = len(self.onward) - self.round_exits[-1]
        walk = _Walk([prefix.betting for prefix in members], round, self.rules)
        kinds = [[end for end in walk.ends if end.kind == kind] for kind in (FOLD, SHOW, DEAL)]
        folds, shows, deals = map(len, kinds)
        total = folds + shows + deals
        self.chunks.append([round, len(self.arrivals), blocks, exit, folds, shows, total])
        self.arrivals += [*(prefix.exit for prefix in members), *padding]
        ends = [end for kind in kinds for end in kind]
        self.sides.append([self._side(round, player, blocks, walk, ends) for player in (0, 1)])
        # The first round has a single line of betting: its exits are side by side.
        columns = deals * lanes if round else -(-deals // WIDE) * WIDE
        self.onward += [NOWHERE] * columns
        self.following += [
            Prefix(betting, exit + _column(deals, number, lane) if round else number)
            for number, end in enumerate(kinds[-1])
            for lane, betting in enumerate(end.bettings)
        ]

    def _side(
        self, round: int, player: int, blocks: int, walk: _Walk, ends: list[End]
    ) -> list[int]:
        """One player's part of a chunk, in the order of the kernel's names."""
        entry, slots = self.entries[round][player], walk.slots[player]
        node, first, pay = len(self.nodes), len(self.ends), len(self.pays)
        for into, out, bettings in walk.nodes[player]:
            actions = len(bettings[0].choices)
            ending = int(any(bettings[0].children[0].folded))
            self.nodes.append([into, out, actions, ending])
            for lane, betting in enumerate(bettings):
                at = [entry + _column(slots - 1, out - 1 + a, lane) for a in range(actions)]
                self.order[round][player][self.betting.find(betting).columns] = at
        self.ends += [[end.slots[player], end.slots[1 - player]] for end in ends]
        pays = np.zeros(blocks * len(ends) * WIDE)
        for number, end in enumerate(ends):
            for lane, betting in enumerate(end.bettings):
                chips = 1.0 if end.kind == DEAL else _won(betting, player) * self.scale(round)
                pays[_column(len(ends), number, lane)] = chips
        self.pays += pays.tolist()
        self.entries[round][player] += (slots - 1) * blocks * WIDE
        return [slots, entry, node, len(self.nodes), first, pay]

    def scale(self, round: int) -> float:
        """The chance of a pair of hands, over the chance that a board does not meet them."""
        deck = self.rules.ranks * self.rules.suits
        left, found = deck - 4, 1 / (comb(deck, 2) * comb(deck - 2, 2))
        for count in self.rules.board[: round + 1]:
            found *= comb(deck, count) / comb(left, count)
            deck, left = deck - count, left - count
        return found

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
        found, table = np.zeros((self.rules.rounds, 2, 2), np.int64), 0
        for round, count in enumerate(counts):
            for player in (0, 1):
                entries = self.entries[round][player]
                found[round, player] = entries, table
                table += entries * count
        return found


class _Walk:
    """The betting of a round after some prefixes of the same shape."""

    def __init__(self, bettings: list[Betting], round: int, rules: PokerRules) -> None:
        self.round, self.rules = round, rules
        self.slots = [1, 1]
        self.nodes: tuple[list[Node], list[Node]] = ([], [])
        self.ends: list[End] = []
        self._go(bettings, (0, 0))

    def _go(self, bettings: list[Betting], slots: tuple[int, int]) -> None:
        kind = _kind(bettings[0], self.round, self.rules)
        if kind:
            self.ends.append(End(kind, slots, bettings))
            return
        player, actions = bettings[0].actor, len(bettings[0].choices)
        out = self.slots[player]
        self.slots[player] += actions
        self.nodes[player].append(Node(slots[player], out, bettings))
        for action in range(actions):
            after = (out + action, slots[1]) if player == 0 else (slots[0], out + action)
            self._go([betting.children[action] for betting in bettings], after)


def _column(count: int, number: int, lane: int) -> int:
    """Of a slot or end, of which there are so many, in a lane."""
    block, k = divmod(lane, WIDE)
    return (block * count + number) * WIDE + k


def _kind(betting: Betting, round: int, rules: PokerRules) -> str:
    """What ends the betting of the round here; empty if it goes on."""
    if any(betting.folded):
        return FOLD
    if betting.round > round or (betting.over and round < rules.rounds - 1):
        return DEAL
    return SHOW if betting.over else ""


def _shape(betting: Betting, round: int, rules: PokerRules) -> Shape:
    """Equal for bettings that go on in the same way until the end of the round."""
    kind = _kind(betting, round, rules)
    if kind:
        return kind
    return (betting.actor, *(_shape(child, round, rules) for child in betting.children))


def _slots(shape: Shape, player: int) -> int:
    """The slots of a player."""
    if isinstance(shape, str):
        return 0
    actor, *below = shape
    own = len(below) if actor == player else 0
    return own + sum(_slots(part, player) for part in below if not isinstance(part, int))


def _won(betting: Betting, player: int) -> float:
    """Chips that a fold pays, or that a won showdown pays."""
    return -betting.spent[player] if betting.folded[player] else float(min(betting.spent))
