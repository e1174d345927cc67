"""A subgame as one player re-solves it: its own decisions, and the rival's entry sequences.

The player enters with the reach of its blueprint, which is fixed. A **root** is a sequence
with which the rival enters: its augmented information set. All values are conditional on the
subgame, without the rival's own reach, so they are counterfactual values of the rival."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.forms.form import Form, own, plan_of, uniform
from regretless.forms.subgame import Subgame

TREMBLE = 1e-3  # probability of a uniform action where the blueprint never gets


class Reach:
    """Both players' own reach of every sequence under a blueprint."""

    def __init__(self, form: Form, behaviour: Floats) -> None:
        self.form, self.behaviour = form, behaviour.astype(np.float64)

    @cached_property
    def plan(self) -> Floats:
        return plan_of(self.form, self.behaviour)

    @cached_property
    def trembling(self) -> Floats:
        """The reach if every action is taken occasionally: beliefs off the path of play."""
        mixed = (1 - TREMBLE) * self.behaviour + TREMBLE * uniform(self.form)
        return plan_of(self.form, mixed)

    def entering(self, subgame: Subgame, player: int, entries: Indices) -> Floats:
        """[terminal] reach of the sequence with which the player enters the subgame.

        If the blueprint never reaches it, it is that of a trembling hand."""
        mine = own(self.form, player)
        weights: Floats = self.plan[mine][entries]
        return weights if weights.any() else self.trembling[mine][entries]


@dataclass(frozen=True, eq=False)
class Local:
    """Numbers of one subgame for one player; sequences are counted within the subgame."""

    subgame: Subgame
    player: int
    roots: Indices  # the rival's sequences before the subgame, counted within the rival
    mine: Ints  # [terminal] own sequence: 0 is the entry
    theirs: Ints  # [terminal] the rival's: first the roots, then those of the subgame
    weight: Floats  # [terminal] chance × own reach, sums to one over the roots
    paid: Floats  # [terminal] the rival's payoff
    mass: Floats  # [root] probability that chance and the player reach it
    total: (
        float  # probability of the subgame, without the rival's reach, on which all is conditional
    )

    @property
    def rival(self) -> int:
        return 1 - self.player

    @cached_property
    def my_parents(self) -> list[int]:
        return _parents(self.subgame, self.player, {}, 1)

    @cached_property
    def their_parents(self) -> list[int]:
        number = {root: k for k, root in enumerate(self.roots.tolist())}
        return _parents(self.subgame, self.rival, number, len(self.roots))

    def values(self, behaviour: Floats) -> Floats:
        """[root] what the rival's best response to this behaviour earns in the subgame."""
        form = self.subgame.form
        played = behaviour[own(form, self.player)]
        plan = np.ones(1 + _count(self.subgame, self.player))
        at = 1
        for point, parent in zip(self.subgame.points[self.player], self.my_parents, strict=True):
            width = len(point.actions)
            plan[at : at + width] = plan[parent] * played[point.sequences]
            at += width
        size = len(self.roots) + _count(self.subgame, self.rival)
        paid = self.weight * plan[self.mine] * self.paid
        earned = np.bincount(self.theirs, paid, size).astype(np.float64)
        at = size
        pairs = zip(self.subgame.points[self.rival], self.their_parents, strict=True)
        for point, parent in reversed(list(pairs)):
            at -= len(point.actions)
            earned[parent] += earned[at : at + len(point.actions)].max()
        return earned[: len(self.roots)]


def localised(subgame: Subgame, player: int, reach: Reach) -> Local:
    """The subgame as this player, counted from 0, re-solves it."""
    rival = 1 - player
    entries = [subgame.entries(i) for i in range(2)]
    roots, root = np.unique(entries[rival], return_inverse=True)
    mine = _numbered(subgame, player, np.zeros(len(root), np.int64), 1)
    theirs = _numbered(subgame, rival, root, len(roots))
    weight = subgame.chance * reach.entering(subgame, player, entries[player])
    mass = _mass(subgame, reach, weight, root, len(roots))
    total = float(mass.sum())
    scale = 1 / total if total > 0 else 0.0
    paid = subgame.payoffs[:, rival]
    return Local(subgame, player, roots, mine, theirs, weight * scale, paid, mass * scale, total)


def _mass(subgame: Subgame, reach: Reach, weight: Floats, root: Ints, roots: int) -> Floats:
    """[root] total probability of what follows, which does not depend on the play there."""
    played = weight.copy()
    for player in range(2):
        behaviour = reach.behaviour[own(subgame.form, player)]
        inside: dict[int, float] = {}
        for _, _, sequences, parent in subgame.points[player]:
            above = inside.get(parent, 1.0)
            chosen = behaviour[sequences] * above
            inside.update(zip(sequences.tolist(), chosen.tolist(), strict=True))
        unique, back = np.unique(subgame.own[:, player], return_inverse=True)
        played *= np.array([inside.get(s, 1.0) for s in unique.tolist()])[back]
    return np.bincount(root, played, roots).astype(np.float64)


def _numbered(subgame: Subgame, player: int, outside: Ints, first: int) -> Ints:
    """[terminal] the player's last sequence: `outside`, or one of the subgame from `first` on."""
    number: dict[int, int] = {}
    for _, _, sequences, _ in subgame.points[player]:
        for sequence in sequences.tolist():
            number[sequence] = first + len(number)
    unique, back = np.unique(subgame.own[:, player], return_inverse=True)
    numbers = np.array([number.get(s, -1) for s in unique.tolist()])[back]
    return np.where(numbers >= 0, numbers, outside)


def _parents(subgame: Subgame, player: int, roots: dict[int, int], first: int) -> list[int]:
    """[point] the sequence above it, counted within the subgame; outside: a root, or 0."""
    number: dict[int, int] = {}
    parents = []
    for _, _, sequences, parent in subgame.points[player]:
        parents.append(number[parent] if parent in number else roots.get(parent, 0))
        for sequence in sequences.tolist():
            number[sequence] = first + len(number)
    return parents


def _count(subgame: Subgame, player: int) -> int:
    return sum(len(point.actions) for point in subgame.points[player])
