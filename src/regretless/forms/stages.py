"""The betting of a poker game, cut into rounds of equal shape.

A **stage** is one round's betting tree together with all betting histories (prefixes)
that enter the round and continue in the same way. In a limit game all prefixes of a round
have the same shape, so a round is one stage and its prefixes are lanes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from regretless.core.errors import TooLarge
from regretless.games._betting import Betting, PokerRules, Ranking

MOST_HISTORIES = 2_000_000  # betting nodes over all stages
HOLDEM = (13, 4, 2, 5)  # ranks, suits, cards of a hand and of the board


class Kind(IntEnum):
    """What happens at a node."""

    DECISION = 0
    FOLD = 1  # one player is left
    SHOWDOWN = 2
    DEAL = 3  # the next round begins
    RUNOUT = 4  # a showdown before the last board: all boards to come at once
    LEAF = 5  # the values from here on are given


@dataclass(eq=False)
class Node:
    """One node of a stage; `bettings` are its histories, one per prefix."""

    kind: Kind
    player: int  # the player to act, or the one left
    bettings: list[Betting]
    children: list[int] = field(default_factory=list)  # nodes of the same stage
    next_stage: int = -1
    next_prefix: int = 0  # prefix p continues as prefix next_prefix + p of the next stage


@dataclass(eq=False)
class Stage:
    """A round's betting tree; parents come before children."""

    round: int
    nodes: list[Node] = field(default_factory=list)

    @property
    def prefixes(self) -> int:
        return len(self.nodes[0].bettings)


def stages(start: Betting, *, runouts: bool = False, last: int | None = None) -> list[Stage]:
    """All stages from a betting node on, round by round.

    `runouts`: an all-in is one terminal instead of being dealt out round by round. `last` is
    the last round played; leaves follow it."""
    return _Cutter(start, runouts, last).cut()


def tabled(rules: PokerRules, round: int) -> bool:
    """Whether this is a hold'em round without a board: results over all boards come from a
    table, and the boards are not needed."""
    cards = (rules.ranks, rules.suits, rules.hole, sum(rules.board))
    plain = rules.players == 2 and rules.ranking is Ranking.BEST_FIVE
    return plain and cards == HOLDEM and not any(rules.board[: round + 1])


class _Cutter:
    def __init__(self, start: Betting, runouts: bool, last: int | None) -> None:
        self.start, self.rules, self.runouts = start, start.rules, runouts
        self.last = self.rules.rounds - 1 if last is None else last
        self.shapes: dict[tuple[object, ...], int] = {}
        self.known: dict[tuple[int, int], int] = {}
        self.kept: list[Betting] = []  # keeps ids unique while shapes are compared
        self.count = 0

    def cut(self) -> list[Stage]:
        found: list[Stage] = []
        entering = {self.shape(self.start, self.start.round): [self.start]}
        for round in range(self.start.round, self.last + 1):
            here = [Stage(round) for _ in entering]
            following: dict[int, list[Betting]] = {}
            deals: list[tuple[Node, int]] = []
            for stage, prefixes in zip(here, entering.values(), strict=True):
                self._grow(stage, prefixes, following, deals)
            first = len(found) + len(here)
            order = {shape: first + index for index, shape in enumerate(following)}
            for node, shape in deals:
                node.next_stage = order[shape]
            found += here
            entering = following
        return found

    def _grow(
        self,
        stage: Stage,
        bettings: list[Betting],
        following: dict[int, list[Betting]],
        deals: list[tuple[Node, int]],
    ) -> int:
        """Add the node of these histories and all below it; returns its number."""
        kind, player = self.kind(bettings[0], stage.round)
        if kind is Kind.RUNOUT:
            bettings = [_checked_down(betting) for betting in bettings]
        node = Node(kind, player, bettings)
        number = len(stage.nodes)
        stage.nodes.append(node)
        if kind is Kind.DEAL:
            shape = self.shape(bettings[0], stage.round + 1)
            entering = following.setdefault(shape, [])
            node.next_prefix = len(entering)
            entering += bettings
            deals.append((node, shape))
        if kind is Kind.DECISION:
            for action in range(len(bettings[0].choices)):
                below = [betting.children[action] for betting in bettings]
                node.children.append(self._grow(stage, below, following, deals))
        return number

    def kind(self, betting: Betting, round: int) -> tuple[Kind, int]:
        """The kind of a betting as seen from a round: an all-in is dealt out round by round."""
        live = [p for p, gone in enumerate(betting.folded) if not gone]
        if len(live) == 1:
            return Kind.FOLD, live[0]
        if betting.over and self.runouts and round < self.rules.rounds - 1:
            return Kind.RUNOUT, -1
        later = self.runouts and betting.round > round and tabled(self.rules, round)
        if later and _checked_down(betting).over:
            return Kind.RUNOUT, -1
        if betting.round > round or (betting.over and round < self.rules.rounds - 1):
            return (Kind.DEAL if round < self.last else Kind.LEAF), -1
        return (Kind.SHOWDOWN, -1) if betting.over else (Kind.DECISION, betting.actor)

    def shape(self, betting: Betting, round: int) -> int:
        """The number of the shape of everything below, including later rounds."""
        key = (id(betting), round)
        if key in self.known:
            return self.known[key]
        self.count += 1
        if self.count > MOST_HISTORIES:
            raise TooLarge(f"over {MOST_HISTORIES:,} betting histories: too many for a public tree")
        kind, player = self.kind(betting, round)
        live = tuple(betting.folded)
        below: tuple[int, ...] = ()
        if kind is Kind.DEAL:
            below = (self.shape(betting, round + 1),)
        elif kind is Kind.DECISION:
            below = tuple(self.shape(child, round) for child in betting.children)
        shape = self.shapes.setdefault((round, kind, player, live, below), len(self.shapes))
        self.known[key] = shape
        self.kept.append(betting)
        return shape


def _checked_down(betting: Betting) -> Betting:
    """The end of a betting without further choices, or the next node with a choice."""
    while not betting.over and len(betting.choices) == 1:
        betting = betting.children[0]
    return betting
