"""Oracles: best responses in the whole game to the strategies of a restricted one.

All find the same best value. They differ in what they traverse: the table of terminals,
the public tree, or the game tree, node by node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Flags, Floats
from regretless.forms.dominated import payoff_range
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import GameTree
from regretless.kernels import restriction as kernels
from regretless.kernels.search import Path, Search, search


class Response(NamedTuple):
    """The value of a best response, and the sequences that it plays."""

    value: float
    sequences: Flags


class Oracle(ABC):
    """Finds best responses to plans of the whole game."""

    @abstractmethod
    def respond(self, player: int, plan: Floats, included: Flags, slack: float) -> Response:
        """Best response of the player; included actions win ties up to `slack`."""


class PublicOracle(Oracle):
    """One gradient over the public tree, then the best action everywhere, leaves first.

    The accelerated best response of Münch 2015: it responds at every public state, including
    those that the other player never reaches."""

    def __init__(self, form: Form) -> None:
        self.form = form

    def respond(self, player: int, plan: Floats, included: Flags, slack: float) -> Response:
        gradient = np.empty_like(plan)
        self.form.gradient(player, plan, gradient)
        plex = self.form.plex
        choice = np.empty(plex.parents.size, np.int32)
        value = kernels.answer(plex, player, gradient, included, slack, choice)
        played = np.zeros(plan.size, np.uint8)
        kernels.walked(plex, player, choice, self.matters(player, plan), played)
        return Response(float(value), played)

    def matters(self, player: int, plan: Floats) -> Flags:
        """Decision points where a response is needed."""
        return np.ones(self.form.plex.parents.size, np.uint8)


class SequenceOracle(PublicOracle):
    """The same over the table of terminals; it responds only where the other player reaches."""

    form: SequenceForm

    def matters(self, player: int, plan: Floats) -> Flags:
        plex = self.form.plex
        reach = np.empty_like(plan)
        # Terminals that pay nothing are also reached: a temporary leaf there may be worth less.
        kernels.reach_of(self.form.sequences, self.form.chance, player, plan, reach)
        reached = np.zeros(plex.parents.size, np.uint8)
        kernels.reached(plex, player, reach, reached)
        return reached


class GenericOracle(Oracle):
    """Best-response sequence search over the game tree (Münch 2015, Algorithms 1 and 2)."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.searches = [_search(tree, player) for player in range(2)]
        self.visited = np.zeros(2, np.int64)  # nodes, and pruned actions

    def respond(self, player: int, plan: Floats, included: Flags, slack: float) -> Response:
        plex, searched = self.tree.form.plex, self.searches[player]
        choice = np.full(plex.parents.size, -1, np.int32)
        path = Path(choice, np.zeros(len(searched.nodes)), self.visited)
        value = search(searched, player, plan, included, slack, path, 0)
        played = np.zeros(plan.size, np.uint8)
        kernels.walked(plex, player, choice, (choice >= 0).astype(np.uint8), played)
        return Response(float(value), played)


def _search(tree: GameTree, player: int) -> Search:
    nodes = tree.tree.nodes
    points = tree.plex_points()
    mine = np.flatnonzero(tree.players == player)
    order = mine[np.argsort(points[mine], kind="stable")]
    counts = np.bincount(points[mine], minlength=tree.form.plex.parents.size)
    return Search(
        nodes=nodes,
        chance=tree.chance_reach(),
        rival=np.ascontiguousarray(tree.last_sequences()[:, 1 - player]),
        edges=tree.edges,
        points=points.astype(np.int32),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        members=order.astype(np.int32),
        bounds=np.stack(payoff_range(tree, player), axis=1),
        payoffs=np.ascontiguousarray(tree.tree.payoffs[:, player]),
    )
