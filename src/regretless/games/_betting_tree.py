"""The betting of a game as one tree: its decisions, deals and terminals.

A node is a betting as seen from a round: an all-in is dealt out round by round. Forms, blueprints
and counts are queries of this tree. Bettings compute their children once and keep them, so that
several trees from the same start share them.

A **stage** is the tree of one round after all bettings (prefixes) that enter the round and continue
in the same way, in this round and all later ones. In a limit game all prefixes of a round have the
same shape, so a round is one stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from regretless.core.errors import BadParameter, TooLarge
from regretless.games._betting import Betting, Move, PokerRules, Ranking

MOST_NODES = 2_000_000  # that are listed or compared
FEWER_SIZES = "list fewer bet sizes, such as sizes=nyx"
HOLDEM = (13, 4, 2, 5)  # ranks, suits, cards of a hand and of the board


class Kind(IntEnum):
    """What happens at a node."""

    DECISION = 0
    FOLD = 1  # one player is left
    SHOWDOWN = 2
    DEAL = 3  # the next round begins
    RUNOUT = 4  # a showdown before the last board: all boards to come at once
    LEAF = 5  # the values from here on are given


class Node(NamedTuple):
    """A betting as seen from a round."""

    kind: Kind
    player: int  # the player to act, or the one left; otherwise -1
    round: int
    betting: Betting


class Decision(NamedTuple):
    """A point of the betting at which a player acts."""

    round: int
    player: int
    first: int  # column of its first action in the table of its round and player
    betting: Betting

    @property
    def moves(self) -> tuple[Move, ...]:
        """Its actions, in the order of the columns."""
        return self.betting.choices

    @property
    def columns(self) -> slice:
        return slice(self.first, self.first + len(self.betting.choices))


@dataclass(eq=False)
class StageNode:
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
    nodes: list[StageNode]

    @property
    def prefixes(self) -> int:
        return len(self.nodes[0].bettings)


class BettingTree:
    """The tree from the start of a hand, or from a later betting, on.

    Tables over its decisions have one column per action, for each round and player: a decision has
    adjacent columns, from `first` on. `runouts`: an all-in is one terminal instead of being dealt
    out round by round. `last` is the last round played; leaves follow it."""

    def __init__(
        self,
        start: PokerRules | Betting,
        *,
        round: int | None = None,
        runouts: bool = False,
        last: int | None = None,
    ) -> None:
        self.start = start.start() if isinstance(start, PokerRules) else start
        self.rules = self.start.rules
        self.first = self.start.round if round is None else round
        self.last = self.rules.rounds - 1 if last is None else last
        self._runouts = runouts
        self._shapes: dict[tuple[object, ...], int] = {}
        self._shape_of: dict[tuple[int, int, bool], int] = {}

    def kind(self, betting: Betting, round: int) -> tuple[Kind, int]:
        """What happens at a betting as seen from a round, and the player to act or the one left."""
        if not betting.over and betting.round == round:
            return Kind.DECISION, betting.actor
        if betting.folded.count(False) == 1:
            return Kind.FOLD, betting.folded.index(False)
        if round == self.rules.rounds - 1:
            return Kind.SHOWDOWN, -1
        if self._runouts and (
            betting.over or (tabled(self.rules, round) and checked_down(betting).over)
        ):
            return Kind.RUNOUT, -1
        return (Kind.DEAL if round < self.last else Kind.LEAF), -1

    def walk(self, most: float = MOST_NODES, hint: str = FEWER_SIZES) -> Iterator[Node]:
        """All nodes, parents before children; more than `most` are refused."""
        walked, pending = 0, [(self.start, self.first)]
        while pending:
            betting, round = pending.pop()
            walked += 1
            if walked + len(pending) > most:
                raise TooLarge(f"over {most:,} betting nodes: {hint}")
            kind, player = self.kind(betting, round)
            yield Node(kind, player, round, betting)
            if kind is Kind.DECISION:
                pending += [(child, round) for child in reversed(betting.children)]
            elif kind is Kind.DEAL:
                pending.append((betting, round + 1))

    @cached_property
    def decisions(self) -> list[Decision]:
        """All decisions, parents before children."""
        widths = [[0] * self.rules.players for _ in range(self.rules.rounds)]
        listed: list[Decision] = []
        for kind, player, round, betting in self.walk():
            if kind is Kind.DECISION:
                listed.append(Decision(round, player, widths[round][player], betting))
                widths[round][player] += len(betting.choices)
        return listed

    @cached_property
    def widths(self) -> list[list[int]]:
        """[round][player] columns of the tables."""
        widths = [[0] * self.rules.players for _ in range(self.rules.rounds)]
        for one in self.decisions:
            widths[one.round][one.player] = one.columns.stop
        return widths

    @property
    def sequences(self) -> int:
        """The number of betting sequences, finished or not: one per action of every decision."""
        return sum(map(sum, self.widths))

    def sizes(self, hands: Sequence[int]) -> tuple[list[int], list[int]]:
        """[player] decision points and sequences of a game with so many hands, or buckets, per
        round."""
        points, sequences = [0] * self.rules.players, [1] * self.rules.players
        for one in self.decisions:
            points[one.player] += hands[one.round]
            sequences[one.player] += hands[one.round] * len(one.moves)
        return points, sequences

    @cached_property
    def _by_history(self) -> dict[str, Decision]:
        return {one.betting.history: one for one in self.decisions}

    def find(self, betting: str | Betting) -> Decision:
        """The decision after a betting, also as ACPC text such as `r300c/`."""
        history = betting if isinstance(betting, str) else betting.history
        decision = self._by_history.get(history)
        if decision is None:
            self.rules.replay(history)  # if illegal, it says where and what would be legal
            raise BadParameter(f"betting {history!r}: the hand is over, nobody acts")
        return decision

    def shape(self, betting: Betting, round: int, *, whole: bool = True) -> int:
        """Equal for bettings that go on in the same way until the end of a round, or until the end
        of the hand."""
        key = (id(betting), round, whole)
        known = self._shape_of.get(key)
        if known is not None:
            return known
        if len(self._shape_of) == MOST_NODES:
            raise TooLarge(f"over {MOST_NODES:,} betting nodes: {FEWER_SIZES}")
        kind, player = self.kind(betting, round)
        below: list[int] = []
        if kind is Kind.DECISION:
            below = [self.shape(child, round, whole=whole) for child in betting.children]
        elif kind is Kind.DEAL and whole:
            below = [self.shape(betting, round + 1)]
        shape = (round, kind, player, betting.folded, *below)
        self._shape_of[key] = number = self._shapes.setdefault(shape, len(self._shapes))
        return number

    def together(self, bettings: list[Betting], round: int) -> list[StageNode]:
        """The nodes of a round after several bettings of the same shape; parents come first."""
        nodes: list[StageNode] = []

        def grow(bettings: list[Betting]) -> int:
            kind, player = self.kind(bettings[0], round)
            if kind is Kind.RUNOUT:
                bettings = [checked_down(betting) for betting in bettings]
            node, number = StageNode(kind, player, bettings), len(nodes)
            nodes.append(node)
            if kind is Kind.DECISION:
                below = zip(*(betting.children for betting in bettings), strict=True)
                node.children += [grow(list(after)) for after in below]
            return number

        grow(bettings)
        return nodes

    def stages(self) -> list[Stage]:
        """All stages, round by round."""
        cut: list[Stage] = []
        entering = {self.shape(self.start, self.first): [self.start]}
        for round in range(self.first, self.last + 1):
            following: dict[int, list[Betting]] = {}
            numbers: dict[int, int] = {}
            first = len(cut) + len(entering)
            for prefixes in entering.values():
                stage = Stage(round, self.together(prefixes, round))
                cut.append(stage)
                for node in stage.nodes:
                    if node.kind is Kind.DEAL:
                        shape = self.shape(node.bettings[0], round + 1)
                        node.next_stage = numbers.setdefault(shape, first + len(numbers))
                        into = following.setdefault(shape, [])
                        node.next_prefix = len(into)
                        into += node.bettings
            entering = following
        return cut


def tabled(rules: PokerRules, round: int) -> bool:
    """Whether this is a hold'em round without a board: results over all boards come from a
    table, and the boards are not needed."""
    cards = (rules.ranks, rules.suits, rules.hole, sum(rules.board))
    plain = rules.players == 2 and rules.ranking is Ranking.BEST_FIVE
    return plain and cards == HOLDEM and not any(rules.board[: round + 1])


def checked_down(betting: Betting) -> Betting:
    """The end of a betting without further choices, or the next node with a choice."""
    while not betting.over and len(betting.choices) == 1:
        betting = betting.children[0]
    return betting
