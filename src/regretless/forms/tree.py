"""The full tree of a game, for playing hands and for following them.

Nodes are stored level by level, with the children of a node adjacent. Terminals are numbered in
the order of a depth-first walk, as in an enumerated sequence form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import TooLarge
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.games._catalog import load
from regretless.games._locked import given_play
from regretless.games._state import CHANCE, TERMINAL, Game, State
from regretless.kernels.sampling import Tree
from regretless.kernels.treeplex import Plex

MOST_NODES = 2_000_000  # about ten seconds of walking


@dataclass(frozen=True, eq=False)
class GameTree:
    """Nodes with what led to them, and the sequence form of the game."""

    game: Game
    form: SequenceForm
    tree: Tree
    levels: Ints  # first node of every level, then the number of nodes
    parents: Indices  # of every node; -1 for the first
    edges: Indices  # sequence, counted over all players, that led to a node; -1: chance, first
    chance: Floats  # probability of the chance outcome that led to a node; 1 for decisions
    points: Indices  # decision point of a node, counted over all players; -1: none

    def __repr__(self) -> str:
        return f"GameTree({self.game.spec!r}, {len(self.parents):,} nodes)"

    @property
    def players(self) -> Indices:
        """The player to move at every node."""
        return self.tree.nodes[:, 0]

    @cached_property
    def ends(self) -> Ints:
        """The node of every terminal."""
        nodes = np.flatnonzero(self.players == TERMINAL)
        ends = np.empty(nodes.size, dtype=np.int64)
        ends[self.tree.nodes[nodes, 3]] = nodes
        return ends

    def last_sequences(self) -> Indices:
        """[node, player] the last sequence of every player before a node."""
        roots = self.form.plex.roots
        last = np.tile(roots[:-1].astype(np.int32), (len(self.parents), 1))
        for start, end in pairwise(self.levels[1:]):
            here = slice(start, end)
            last[here] = last[self.parents[here]]
            edges = self.edges[here]
            moved = np.flatnonzero(edges >= 0)
            mover = np.searchsorted(roots, edges[moved], side="right") - 1
            last[start + moved, mover] = edges[moved]
        return last

    def chance_reach(self) -> Floats:
        """The chance reach probability of every node."""
        reach = np.ones(len(self.parents))
        for start, end in pairwise(self.levels[1:]):
            here = slice(start, end)
            reach[here] = reach[self.parents[here]] * self.chance[here]
        return reach

    def plex_points(self) -> Ints:
        """Decision point of every node as the form's plex numbers them; -1: none."""
        owners = point_of_sequences(self.form.plex)
        points = np.full(len(self.parents), -1, np.int64)
        deciding = np.flatnonzero(self.players >= 0)
        points[deciding] = owners[self.edges[self.tree.nodes[deciding, 1]]]
        return points

    def running_sums(self, behaviour: Floats) -> Floats:
        """Running sums of the probabilities of every decision, by slot."""
        firsts = first_slots(self.form)
        out = np.empty(firsts[-1])
        for first, actions, lanes, point in self.form.plex.blocks:
            chosen = behaviour[first : first + actions * lanes].reshape(actions, lanes)
            sums = np.cumsum(chosen, axis=0)
            # Rounding must not let an action of probability 0 be drawn at the upper end.
            last = actions - 1 - np.argmax(chosen[::-1] > 0, axis=0)
            sums[np.arange(actions)[:, None] >= last] = 1.0
            out[firsts[point] : firsts[point + lanes]] = sums.T.ravel()
        return out


def game_tree(game: str | Game, form: Form | None = None) -> GameTree:
    """Walk a game; its sequence form is used if given."""
    game = load(game) if isinstance(game, str) else game
    require_small(game)
    explicit = form if isinstance(form, SequenceForm) else sequence_form(game)
    _check(game, explicit.nodes)
    return _Walk(game, explicit).tree()


def point_of_sequences(plex: Plex) -> Ints:
    """Decision point of every sequence; -1 for the empty ones."""
    owners = np.full(int(plex.roots[-1]), -1, np.int64)
    for first, actions, lanes, point in plex.blocks:
        owners[first : first + actions * lanes] = np.tile(point + np.arange(lanes), actions)
    return owners


def first_slots(form: SequenceForm) -> Ints:
    """Slots list the actions of one decision after another: the first of each, then the total."""
    counts = [len(names) for plex in form.treeplexes for names in plex.actions]
    return np.cumsum([0, *counts])


def require_small(game: Game) -> None:
    """Refuse a game whose known size is too large, before anything is built."""
    if game.count is not None:
        _check(game, game.count().nodes)


def _check(game: Game, nodes: int) -> None:
    if nodes > MOST_NODES:
        raise TooLarge(
            f"game {game.spec} has {nodes:,} nodes: hands can be played and followed in games of "
            f"up to {MOST_NODES:,}"
        )


class _Walk:
    """Nodes in the order in which a depth-first walk finds them."""

    def __init__(self, game: Game, form: SequenceForm) -> None:
        self.game, self.form = game, form
        self.slots = first_slots(form)
        counts = [len(plex.labels) for plex in form.treeplexes]
        self.first_points = np.cumsum([0, *counts])
        self.rows: list[tuple[int, int, int, int, int]] = []  # player, slot, depth, parent, edge
        self.counts: list[int] = []
        self.points: list[int] = []
        self.chance: list[float] = []
        self.chances: list[float] = []
        self.payoffs: list[Sequence[float]] = []

    def tree(self) -> GameTree:
        stack: list[tuple[State, int, int, int, float]] = [(self.game.root, 0, -1, -1, 1.0)]
        while stack:
            state, depth, parent, edge, chance = stack.pop()
            here = len(self.rows)
            player, slot, point, below = self._node(state)
            self.rows.append((player, slot, depth, parent, edge))
            self.points.append(point)
            self.counts.append(len(below))
            self.chance.append(chance)
            for index, edge, chance in reversed(below):
                stack.append((state.child(index), depth + 1, here, edge, chance))
        return self._arrays()

    def _node(self, state: State) -> tuple[int, int, int, list[tuple[int, int, float]]]:
        """Who moves, slot, decision point, and for every child its index, sequence and
        probability. A locked decision is a move of chance."""
        player = state.player
        if player == TERMINAL:
            self.payoffs.append(state.payoff)
            return player, len(self.payoffs) - 1, -1, []
        chances = state.chances if player == CHANCE else given_play(self.game, state, player)
        if chances is not None:
            slot = len(self.chances)
            outcomes = [(i, -1, float(p)) for i, p in enumerate(chances) if p > 0]
            sums = np.cumsum([p for _, _, p in outcomes])
            self.chances += [*map(float, sums[:-1]), 1.0]
            return CHANCE, slot, -1, outcomes
        plex = self.form.treeplexes[player]
        local = plex.point(state.view(player))
        point = int(self.first_points[player]) + local
        edges = plex.sequences[local] + self.form.plex.roots[player]
        below = [(index, int(edge), 1.0) for index, edge in enumerate(edges)]
        return player, int(self.slots[point]), point, below

    def _arrays(self) -> GameTree:
        player, slot, depth, parent, edge = np.array(self.rows, dtype=np.int64).T
        counts = np.array(self.counts, dtype=np.int64)
        # Between two children of a node a depth-first walk finds deeper nodes only.
        order = np.argsort(depth, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        first = 1 + np.concatenate([[0], np.cumsum(counts[order])[:-1]])
        nodes = np.stack([player[order], first, counts[order], slot[order]], axis=1)
        above = parent[order]
        return GameTree(
            game=self.game,
            form=self.form,
            tree=Tree(
                nodes.astype(np.int32), np.array(self.chances), np.array(self.payoffs, float)
            ),
            levels=np.concatenate([[0], np.cumsum(np.bincount(depth))]),
            parents=np.where(above < 0, -1, place[above]).astype(np.int32),
            edges=edge[order].astype(np.int32),
            chance=np.array(self.chance)[order],
            points=np.array(self.points, dtype=np.int32)[order],
        )
