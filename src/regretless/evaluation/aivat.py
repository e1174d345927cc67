"""AIVAT: variance-reduced payoffs of played hands.

Burch, Schmid, Moravčík, Morrill & Bowling 2018.

Some players' strategies are known; chance always is. What the others saw and did in a
hand is their trail; everything else that known players and chance may have done is
averaged over (imaginary observations). Along a trail, values of the others' decisions
serve as control variates: the change in value due to known parties is subtracted, and its
expectation is zero. The estimate is unbiased for any choice of values.

    R(node)                probability that chance and known players reach a node
    V(trail, decision)     any estimate of the payoff; here the baseline's value, averaged by R
    V(trail, end)          the payoff, averaged by R
    M(trail)               the mean of V over the continuations of the trail, by R
    X(nothing)           = M(nothing)
    X(trail + action)    = X(trail) - V(trail, decision) + M(trail + action)

and a hand counts as X of its trail. Differs from the paper: everything known parties do
between two decisions of the others is one step, which omits corrections that cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, shown, within
from regretless.evaluation.statistics import Estimate, estimate
from regretless.forms.tree import GameTree, game_tree
from regretless.games._state import TERMINAL, Game
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

END = -1  # the trail ends here


class Trails(NamedTuple):
    """What unknown players saw and did: trails, and the steps that continue each of them."""

    node: Ints  # trail of every node
    step: Ints  # of every node where a trail stops, its step; -1 elsewhere
    reach: Floats  # of every node: probability that chance and known players reach it
    trail: Ints  # of every step: the trail it starts from
    above: Ints  # of every trail: the step it continues; -1 for the first
    depth: Ints  # of every trail: how many decisions


@dataclass(frozen=True, eq=False)
class CorrectedPayoffs:
    """Corrected payoffs of every terminal, for given known players and a baseline."""

    tree: GameTree
    corrected: Floats  # [terminal, player]
    possible: np.ndarray  # [terminal] whether known players ever reach it

    def of(self, terminals: Ints) -> tuple[Floats, Floats]:
        """Corrected and plain payoffs of hands, given the terminals they reached."""
        ends = np.asarray(terminals, dtype=np.int64)
        count = len(self.possible)
        if ends.size and (ends.min() < 0 or ends.max() >= count):
            raise BadInput(f"terminals {ends.min()} to {ends.max()}: must be 0 to {count - 1}")
        wrong = np.flatnonzero(~self.possible[ends])
        if wrong.size:
            raise BadInput(
                f"hand {wrong[0]}: a player of known strategy did what that strategy never does"
            )
        return self.corrected[ends], self.tree.form.payoffs[ends]


def corrected_payoffs(
    game: str | Game | GameTree,
    known: Mapping[int, Strategy],
    *,
    baseline: Strategy | None = None,
) -> CorrectedPayoffs:
    """Prepare corrections; `known` maps positions, from 1, to their strategies.

    The baseline is how unknown players are assumed to play: by default as the known
    strategy would in their place. A better baseline reduces the variance further; the mean
    never changes."""
    tree = game if isinstance(game, GameTree) else game_tree(game)
    profile = _profile(tree, known, baseline)
    unknown = [p for p in range(tree.form.players) if p + 1 not in known]
    trails = _trails(tree, unknown, profile)
    values = expected_at_nodes(tree, profile)
    return CorrectedPayoffs(tree, corrections(tree, trails, values), trails.reach[tree.ends] > 0)


def aivat(
    game: str | Game | GameTree,
    terminals: Sequence[int] | Ints,
    known: Mapping[int, Strategy],
    *,
    baseline: Strategy | None = None,
) -> tuple[Estimate, ...]:
    """What every position earns per hand, given the terminals that hands reached."""
    ends = np.asarray(terminals)
    if ends.ndim != 1 or (ends.size and ends.dtype.kind not in "iu"):
        raise BadInput(f"terminals={shown(terminals)}: must be a list of whole numbers")
    corrected, plain = corrected_payoffs(game, known, baseline=baseline).of(ends)
    return tuple(estimate(*columns) for columns in zip(corrected.T, plain.T, strict=True))


def expected_at_nodes(tree: GameTree, behaviour: Floats) -> Floats:
    """What every player earns from every node on, [node, player]."""
    values = np.zeros((len(tree.parents), tree.form.players))
    values[tree.ends] = tree.form.payoffs
    weights = _weights(tree, behaviour)
    for level in reversed(range(1, len(tree.levels) - 1)):
        here = slice(tree.levels[level], tree.levels[level + 1])
        np.add.at(values, tree.parents[here], weights[here, None] * values[here])
    return values


def corrections(tree: GameTree, trails: Trails, values: Floats) -> Floats:
    """Corrected payoffs [terminal, player], for any values of the nodes."""
    stops = np.flatnonzero(trails.step >= 0)
    reach, steps = trails.reach[stops], trails.step[stops]
    weight = np.bincount(steps, reach, minlength=len(trails.trail))
    total = np.bincount(trails.trail, weight, minlength=len(trails.above))
    out = np.empty_like(tree.form.payoffs)
    paid = values.copy()
    paid[tree.ends] = tree.form.payoffs  # ends count as they pay, for any baseline
    for player in range(tree.form.players):
        sums = np.bincount(steps, reach * paid[stops, player], minlength=len(weight))
        step_value = _ratio(sums, weight)  # V
        trail_sums = np.bincount(trails.trail, sums, minlength=len(total))
        trail_value = _ratio(trail_sums, total)  # M
        x = trail_value.copy()
        for depth in range(1, int(trails.depth.max()) + 1):
            here = np.flatnonzero(trails.depth == depth)
            above = trails.above[here]
            x[here] += x[trails.trail[above]] - step_value[above]
        out[:, player] = x[trails.node[tree.ends]]
    return out


def _ratio(sums: np.ndarray, weights: np.ndarray) -> Floats:
    """Means; 0 where known players never get."""
    out = np.zeros(sums.size)
    np.divide(sums, weights, out=out, where=weights > 0)
    return out


def _profile(tree: GameTree, known: Mapping[int, Strategy], baseline: Strategy | None) -> Floats:
    """The behaviour of known players, and the baseline for the others."""
    guess = baseline or next(iter(known.values()), None) or Strategy.uniform(tree.form)
    behaviour = on_form(guess, tree.form).behaviour.astype(np.float64)
    roots = tree.form.plex.roots
    for position, strategy in known.items():
        within("position", position, 1, tree.form.players)
        mine = slice(int(roots[position - 1]), int(roots[position]))
        behaviour[mine] = on_form(strategy, tree.form).behaviour[mine]
    return behaviour


def _weights(tree: GameTree, behaviour: Floats) -> Floats:
    """Probability of the move that leads to every node."""
    return np.where(tree.edges >= 0, behaviour[tree.edges], tree.chance)


def _trails(tree: GameTree, unknown: Sequence[int], behaviour: Floats) -> Trails:
    nodes = len(tree.parents)
    is_unknown = np.isin(tree.players, list(unknown))
    weights = _weights(tree, behaviour)
    reach, trail = np.ones(nodes), np.zeros(nodes, dtype=np.int64)
    numbers: dict[tuple[int, int], int] = {}  # (trail, sequence) -> the trail that continues it
    for level in range(1, len(tree.levels) - 1):
        here = np.arange(tree.levels[level], tree.levels[level + 1])
        above = tree.parents[here]
        theirs = is_unknown[above]
        reach[here] = reach[above] * np.where(theirs, 1.0, weights[here])
        trail[here] = trail[above]
        acted = here[theirs]
        pairs = np.stack([trail[acted], tree.edges[acted]], axis=1)
        fresh, which = np.unique(pairs, axis=0, return_inverse=True)
        trails = [numbers.setdefault((int(a), int(b)), len(numbers) + 1) for a, b in fresh]
        trail[acted] = np.array(trails, dtype=np.int64)[which.ravel()]
    return _stepped(tree, is_unknown, reach, trail, numbers)


def _stepped(
    tree: GameTree,
    is_unknown: np.ndarray,
    reach: Floats,
    trail: Ints,
    numbers: Mapping[tuple[int, int], int],
) -> Trails:
    """Number the steps: where a trail meets a decision of an unknown player, or ends."""
    stops = np.flatnonzero(is_unknown | (tree.players == TERMINAL))
    kinds = np.where(tree.players[stops] == TERMINAL, END, tree.points[stops])
    pairs, steps = np.unique(np.stack([trail[stops], kinds], axis=1), axis=0, return_inverse=True)
    step = np.full(len(trail), -1, dtype=np.int64)
    step[stops] = steps.ravel()
    above = np.full(len(numbers) + 1, -1, dtype=np.int64)
    acted = np.flatnonzero((tree.parents >= 0) & is_unknown[tree.parents])
    above[trail[acted]] = step[tree.parents[acted]]
    depth = np.zeros(len(above), dtype=np.int64)
    for (before, _), number in numbers.items():  # a trail is numbered before its continuations
        depth[number] = depth[before] + 1
    return Trails(trail, step, reach, pairs[:, 0], above, depth)
