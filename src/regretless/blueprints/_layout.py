"""The betting tree as the kernel reads it: chunks, lanes and slots.

A prefix is a line of betting that enters a round. Prefixes after which the betting of the round
has the same shape are lanes of a chunk, which is the unit of work of a thread. A slot is what
one player has done in the round: slot 0 is nothing, the others are its actions, node by node. A
column is [slot][lane]. After an action of a player the other one can fold and call only once: so
in a lane a slot has at most one fold, one showdown and one deal."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from regretless.blueprints.betting_tree import BettingTree
from regretless.core.arrays import Ints
from regretless.games._betting import Betting, PokerRules
from regretless.kernels.blueprint import WIDE, Tree

CHUNK_COLUMNS = 512  # of a player and chunk: so that what a thread works on stays in its cache
NOWHERE = 2**32  # where padding comes from and goes to
FOLD, SHOW, DEAL = "fold", "showdown", "deal"
Shape = tuple["int | Shape", ...] | str


class Prefix(NamedTuple):
    """A line of betting that enters a round."""

    betting: Betting
    arrivals: tuple[int, int]  # column of each player's last action in the previous round


class Node(NamedTuple):
    """A decision of one player in all lanes."""

    into: int  # slot
    out: int  # slot of its first action
    bettings: list[Betting]  # [lane]

    @property
    def actions(self) -> int:
        return len(self.bettings[0].moves)


class End(NamedTuple):
    """An end of the betting of a round in all lanes."""

    kind: str
    slots: tuple[int, int]  # of both players
    bettings: list[Betting]


class Layout:
    """The arrays, and `order`: [round][player] the kernel's entry of every column of a table."""

    def __init__(self, betting: BettingTree, *, chunk_columns: int = CHUNK_COLUMNS) -> None:
        self.betting, self.rules, self.chunk_columns = betting, betting.rules, chunk_columns
        self.order = [[np.full(w, -1, np.int64) for w in two] for two in betting.widths]
        self.entries = [[0, 0] for _ in betting.widths]  # [round][player] with padding
        self.columns = [[0, 0] for _ in betting.widths]
        self.chunks: list[list[int]] = []
        self.sides: list[list[list[int]]] = []
        self.nodes: list[list[int]] = []
        self.ends: list[list[int]] = []
        self.pays: list[float] = []
        self.onward: list[int] = []
        self.arrivals: list[tuple[int, int]] = []
        self.round_chunks, self.round_prefixes = [0], [0]
        self.dealt_before = 0  # deals of all rounds before the previous one
        self.following = [Prefix(self.rules.start(), (0, 0))]
        for round in range(self.rules.rounds):
            self._add_round(round)

    def _add_round(self, round: int) -> None:
        arriving, self.following = self.following, []
        groups: dict[Shape, list[int]] = {}
        for number, prefix in enumerate(arriving):
            groups.setdefault(_shape(prefix.betting, round, self.rules), []).append(number)
        dealt, places = len(self.onward), {NOWHERE: NOWHERE}
        for shape, members in groups.items():
            slots = 1 + max(_slots(shape, player) for player in (0, 1))
            lanes = max(self.chunk_columns // slots // WIDE, 1) * WIDE
            for begin in range(0, len(members), lanes):
                part = members[begin : begin + lanes]
                first = len(self.arrivals) - self.round_prefixes[-1]
                places |= {number: first + lane for lane, number in enumerate(part)}
                self._add_chunk(round, [arriving[number] for number in part])
        # Where the previous round goes on is known only now.
        begin = self.dealt_before
        self.onward[begin:dealt] = [places[number] for number in self.onward[begin:dealt]]
        self.dealt_before = dealt
        self.round_prefixes.append(len(self.arrivals))
        self.round_chunks.append(len(self.chunks))

    def _add_chunk(self, round: int, members: list[Prefix]) -> None:
        lanes = -(-len(members) // WIDE) * WIDE if len(members) > 1 else 1
        self.chunks.append([round, len(self.arrivals), lanes])
        padding = [NOWHERE] * (lanes - len(members))
        self.arrivals += [prefix.arrivals for prefix in members]
        self.arrivals += [(NOWHERE, NOWHERE)] * len(padding)
        walk = _Walk([prefix.betting for prefix in members], round, self.rules)
        ends = [end for kind in (FOLD, SHOW, DEAL) for end in walk.ends if end.kind == kind]
        go = len(self.onward)
        sides = [self._side(round, player, lanes, walk, ends, go) for player in (0, 1)]
        for end in ends:
            if end.kind == DEAL:
                first = len(self.following)
                self.onward += [*range(first, first + len(members)), *padding]
                columns = [
                    side[0] + slot * lanes for side, slot in zip(sides, end.slots, strict=True)
                ]
                self.following += [
                    Prefix(betting, (columns[0] + lane, columns[1] + lane))
                    for lane, betting in enumerate(end.bettings)
                ]
        self.sides.append(sides)

    def _side(
        self, round: int, player: int, lanes: int, walk: _Walk, ends: list[End], go: int
    ) -> list[int]:
        """One player's part of a chunk, in the order of the kernel's names."""
        column, entry = self.columns[round][player], self.entries[round][player]
        node, pay = len(self.nodes), len(self.pays)
        for into, out, bettings in walk.nodes[player]:
            actions = len(bettings[0].moves)
            self.nodes.append([into, out, actions])
            steps = entry + (out - 1 + np.arange(actions)) * lanes
            for lane, betting in enumerate(bettings):
                self.order[round][player][self.betting.find(betting).columns] = steps + lane
        bounds = [len(self.ends)]
        for kind in (FOLD, SHOW, DEAL):
            mine = [end for end in ends if end.kind == kind]
            self.ends += [[end.slots[player], end.slots[1 - player]] for end in mine]
            bounds.append(len(self.ends))
            for end in mine if kind != DEAL else ():
                chips = [_won(betting, player) * self.scale(round) for betting in end.bettings]
                self.pays += chips + [0.0] * (lanes - len(chips))
        columns = walk.slots[player] * lanes
        self.columns[round][player] += columns
        self.entries[round][player] += columns - lanes
        used = any(end.slots[1 - player] == 0 for end in ends if end.kind != DEAL)
        counted = 0 if used else lanes  # usually nothing ends before the other one has acted
        return [column, columns, entry, node, len(self.nodes), *bounds, pay, go, counted]

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
        return Tree(
            chunks=np.array(self.chunks, np.int64),
            sides=np.array(self.sides, np.int64),
            nodes=np.array(self.nodes, np.uint64),
            ends=np.array(self.ends, np.uint64),
            pays=np.array(self.pays, np.float32),
            onward=np.array(self.onward, np.uint64),
            arrivals=np.ascontiguousarray(np.array(self.arrivals, np.uint64).T),
            round_chunks=np.array(self.round_chunks, np.int64),
            round_prefixes=np.array(self.round_prefixes, np.int64),
            widths=self._widths(counts),
        )

    def _widths(self, counts: Sequence[int]) -> Ints:
        found, table = np.zeros((self.rules.rounds, 2, 3), np.int64), 0
        for round, count in enumerate(counts):
            for player in (0, 1):
                entries = self.entries[round][player]
                found[round, player] = entries, self.columns[round][player], table
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
        player, actions = bettings[0].actor, len(bettings[0].moves)
        out = self.slots[player]
        self.slots[player] += actions
        self.nodes[player].append(Node(slots[player], out, bettings))
        for action in range(actions):
            after = (out + action, slots[1]) if player == 0 else (slots[0], out + action)
            self._go([betting.children[action] for betting in bettings], after)


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
