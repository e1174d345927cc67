"""Continuous Bayesian games: private signals, a finite betting tree, payoffs by order of signals.

Every player draws a signal, independently of the others. Then the players act; all see the
actions. Payoffs depend on the actions and on the order of signals, not on the signals: at an end
of the tree a player has one payoff if its signal is the best of all contenders, and another
otherwise. With two players that is any payoff by order; with more it is a pot with one winner.

    game = continuous_game(
        ["uniform", "uniform"],
        {
            "p1:check": Showdown([2, 2], [0, 0]),
            "p1:bet p2:fold": [2, 0],
            "p1:bet p2:call": Showdown([3, 3], [-1, -1]),
        },
    )"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from regretless.continuous.distribution import Distribution, distribution
from regretless.core.errors import BadInput, UnknownName, one_of, shown

WINS = ("higher", "lower")  # which signal wins a showdown
MOST_PLAYERS = 6
MOST_PLANS = 1000
SPACE, JOIN, COLON = " ", "/", ":"


@dataclass(frozen=True)
class Showdown:
    """Payoffs per player: with the best signal of the contenders, and otherwise.

    Contenders are, with two players, both; with more, those with two different payoffs."""

    best: Sequence[float]
    otherwise: Sequence[float]


@dataclass(frozen=True)
class End:
    """An end of the tree; without contenders both payoffs are the same."""

    line: str
    best: tuple[float, ...]
    otherwise: tuple[float, ...]
    contenders: tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """A decision: who acts, and what follows every action."""

    line: str
    player: int
    actions: tuple[str, ...]
    children: tuple[Node | End, ...] = field(repr=False)


Plan: TypeAlias = tuple[str, ...]  # actions at a player's own decisions, in the order of the tree


@dataclass(frozen=True, eq=False)
class ContinuousGame:
    """A tree, the players' distributions of signals, and which signal wins."""

    name: str
    distributions: tuple[Distribution, ...]
    root: Node
    lower_wins: bool = False

    @property
    def players(self) -> int:
        return len(self.distributions)

    def __str__(self) -> str:
        plans = ", ".join(str(len(own)) for own in self.plans)
        return f"{self.name}: {self.players} players, plans per player: {plans}"

    @cached_property
    def plans(self) -> tuple[tuple[Plan, ...], ...]:
        """The pure plans of every player: an action at each decision that they can reach."""
        return tuple(tuple(_plans(self.root, player)) for player in range(self.players))

    def plan(self, player: int, text: str) -> Plan:
        """The plan that a text such as `check/call` names."""
        plan = tuple(text.split(JOIN))
        if plan not in self.plans[player]:
            raise UnknownName(f"plan of p{player + 1}", text, map(JOIN.join, self.plans[player]))
        return plan

    @cached_property
    def moves(self) -> list[list[dict[str, str]]]:
        """[player][plan] the action at each of its decisions, by line."""
        return [[_moves(self.root, i, plan) for plan in own] for i, own in enumerate(self.plans)]

    @cached_property
    def ends(self) -> Mapping[tuple[int, ...], End]:
        """The end that every combination of plans (by number) leads to."""
        found = {}
        for numbers in product(*(range(len(own)) for own in self.plans)):
            node: Node | End = self.root
            while isinstance(node, Node):
                action = self.moves[node.player][numbers[node.player]][node.line]
                node = node.children[node.actions.index(action)]
            found[numbers] = node
        return found

    @property
    def spread(self) -> tuple[float, ...]:
        """The difference between the highest and the lowest payoff of every player."""
        ends = list(leaves(self.root))
        return tuple(
            max(max(e.best[i], e.otherwise[i]) for e in ends)
            - min(min(e.best[i], e.otherwise[i]) for e in ends)
            for i in range(self.players)
        )

    @property
    def low(self) -> float:
        """The smallest signal of any player."""
        return min(own.low for own in self.distributions)

    @property
    def high(self) -> float:
        """The largest signal of any player."""
        return max(own.high for own in self.distributions)


def continuous_game(
    distributions: Sequence[Any],
    ends: Mapping[str, Any],
    *,
    wins: str = "higher",
    name: str = "continuous game",
) -> ContinuousGame:
    """A game from its distributions, one per player, and the payoffs at every end of its tree.

    `distributions`: `uniform`, or points [signal, share of signals up to it]. `ends`: line, such as
    `p1:bet p2:call`, → a Showdown, or payoffs that do not depend on signals."""
    one_of("wins", wins, WINS)
    if not isinstance(distributions, list | tuple) or not 2 <= len(distributions) <= MOST_PLAYERS:
        raise BadInput(f"distributions: must be 2 to {MOST_PLAYERS}, one per player")
    signals = tuple(
        distribution(given, f"signals of p{i + 1}") for i, given in enumerate(distributions)
    )
    root = tree(ends, len(signals))
    made = ContinuousGame(name, signals, root, wins == "lower")
    _ = made.plans  # too many are refused
    return made


def tree(ends: Mapping[str, Any], players: int) -> Node:
    """The betting tree with these ends."""
    if not isinstance(ends, Mapping) or not ends:
        raise BadInput("ends: must be a table, line → payoffs, with at least one line")
    lines = {tuple(line.split()): (line, payoffs) for line, payoffs in ends.items()}
    root = _node(lines, (), players)
    if isinstance(root, End):
        raise BadInput("ends: at least one player must act")
    return root


def leaves(node: Node | End) -> Iterator[End]:
    """All ends below a node, in the order of the tree."""
    if isinstance(node, End):
        yield node
        return
    for child in node.children:
        yield from leaves(child)


def _node(lines: Mapping[Plan, tuple[str, Any]], above: Plan, players: int) -> Node | End:
    if above in lines:
        if len(lines) > 1:
            longer = next(line for line in lines if line != above)
            raise BadInput(f"ends: {' '.join(above)!r} is an end, but {' '.join(longer)!r} goes on")
        return _end(*lines[above], players)
    steps: dict[tuple[int, str], dict[Plan, tuple[str, Any]]] = {}
    for line, given in lines.items():
        steps.setdefault(_step(line, len(above), players), {})[line] = given
    (first, *others) = {player for player, _ in steps}
    if others:
        where = f"after {' '.join(above)!r}" if above else "first"
        names = " and ".join(f"p{player + 1}" for player in sorted([first, *others]))
        raise BadInput(f"ends: {names} cannot both act {where}")
    below = tuple(
        _node(group, (*above, f"p{first + 1}:{action}"), players)
        for (_, action), group in steps.items()
    )
    return Node(" ".join(above), first, tuple(action for _, action in steps), below)


def _step(line: Plan, at: int, players: int) -> tuple[int, str]:
    who, colon, action = line[at].partition(COLON)
    known = [f"p{player + 1}" for player in range(players)]
    if not colon or not action or who not in known:
        allowed = f"{known[0]}:ACTION to {known[-1]}:ACTION"
        raise BadInput(f"ends, line {' '.join(line)!r}: {line[at]!r} must be {allowed}")
    if any(mark in action for mark in "/|<:"):
        raise BadInput(f"ends, line {' '.join(line)!r}: {action!r} must not contain / | < or :")
    return known.index(who), action


def _end(line: str, given: Any, players: int) -> End:
    where = f"end {line!r}"
    if isinstance(given, Showdown):
        best = _payoffs(given.best, f"{where}, best", players)
        otherwise = _payoffs(given.otherwise, f"{where}, otherwise", players)
        contenders = tuple(i for i in range(players) if players == 2 or best[i] != otherwise[i])
        if best != otherwise and len(contenders) < 2:
            raise BadInput(f"{where}: p{contenders[0] + 1} has nobody to compare signals with")
        return End(line, best, otherwise, contenders)
    payoffs = _payoffs(given, where, players)
    return End(line, payoffs, payoffs, ())


def _payoffs(given: Any, where: str, players: int) -> tuple[float, ...]:
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != (players,) or not np.isfinite(values).all():
        raise BadInput(f"{where}: must be {players} numbers, one per player, not {shown(given)}")
    return tuple(values.tolist())


def _plans(node: Node | End, player: int) -> Iterator[Plan]:
    if isinstance(node, End):
        yield ()
    elif node.player == player:
        for action, child in zip(node.actions, node.children, strict=True):
            yield from ((action, *rest) for rest in _plans(child, player))
    else:
        for number, parts in enumerate(
            product(*(_plans(child, player) for child in node.children))
        ):
            if number == MOST_PLANS:
                raise BadInput(f"p{player + 1} has more than {MOST_PLANS:,} plans: must be fewer")
            yield tuple(action for part in parts for action in part)


def _moves(node: Node | End, player: int, plan: Plan) -> dict[str, str]:
    """The action of a plan at each of its decisions, by line."""
    return {} if isinstance(node, End) else _walked(node, player, plan, 0)[0]


def _walked(node: Node | End, player: int, plan: Plan, at: int) -> tuple[dict[str, str], int]:
    if isinstance(node, End):
        return {}, at
    if node.player == player:
        below = node.children[node.actions.index(plan[at])]
        moves, after = _walked(below, player, plan, at + 1)
        return {node.line: plan[at], **moves}, after
    found: dict[str, str] = {}
    for child in node.children:
        moves, at = _walked(child, player, plan, at)
        found |= moves
    return found, at
