"""A subgame with a gadget in front of it: a small sequence form for any solver.

The player who re-solves starts in the subgame; its reach is chance. What the rival does before,
and what it may take instead, is the gadget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsolved
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.sequence import SequenceForm, Terminals, assembled
from regretless.forms.treeplex import PointList
from regretless.programs.highs import optimum
from regretless.programs.saddle import saddle_program
from regretless.refinement import _solving
from regretless.refinement._local import Local

DENSE_ENTRIES = 1_000_000


@dataclass(frozen=True)
class Gadget:
    """The rival's decisions before the subgame, all of them at the start."""

    actions: tuple[tuple[str, ...], ...] = ()  # of every decision
    enter: Ints | int = 0  # [root] the sequence that leads into the subgame; 0: chance does
    weights: Floats | float = 1.0  # [root] factor of all payoffs below it
    ends: tuple[Ints, Floats] | None = None  # sequences that (also) pay the rival something

    @property
    def size(self) -> int:
        return 1 + sum(map(len, self.actions))


@dataclass(frozen=True, eq=False)
class GadgetGame:
    """A gadget and its subgame, and the way the result is written back."""

    local: Local
    gadget: Gadget

    @cached_property
    def _layouts(self) -> tuple[PointList, PointList]:
        local, gadget = self.local, self.gadget
        points = local.subgame.points
        mine = PointList(
            local.my_parents,
            [point.actions for point in points[local.player]],
            [point.label for point in points[local.player]],
        )
        roots, inside = len(local.roots), local.their_parents
        enter = np.broadcast_to(np.asarray(gadget.enter), roots)
        shift = gadget.size - roots
        parents = [int(enter[p]) if p < roots else p + shift for p in inside]
        names = [f"before the subgame {number}" for number in range(1, len(gadget.actions) + 1)]
        theirs = PointList(
            [0] * len(gadget.actions) + parents,
            [*gadget.actions, *(point.actions for point in points[local.rival])],
            names + [point.label for point in points[local.rival]],
        )
        return mine, theirs

    @cached_property
    def _built(self) -> tuple[SequenceForm, Ints]:
        local, gadget = self.local, self.gadget
        roots = len(local.roots)
        enter = np.broadcast_to(np.asarray(gadget.enter), roots)
        outside = local.theirs < roots
        at_root = np.where(outside, local.theirs, 0)
        theirs = np.where(outside, enter[at_root], local.theirs + gadget.size - roots)
        weight = local.weight * np.broadcast_to(np.asarray(gadget.weights), roots)[self._root]
        mine, paid = local.mine, local.paid
        if gadget.ends is not None:
            extra, values = gadget.ends
            mine = np.concatenate([mine, np.zeros(len(extra), np.int64)])
            theirs = np.concatenate([theirs, extra])
            weight = np.concatenate([weight, np.ones(len(extra))])
            paid = np.concatenate([paid, values])
        order = slice(None) if local.player == 0 else slice(None, None, -1)
        terminals = Terminals(
            np.stack([mine, theirs], axis=1)[:, order], weight, np.stack([-paid, paid], 1)[:, order]
        )
        spec = f"{local.subgame.form.spec} from {local.subgame.name}"
        form, numbers = assembled(spec, list(self._layouts)[order], terminals, nodes=len(weight))
        return form, numbers[local.player] - form.plex.roots[local.player]

    @property
    def form(self) -> SequenceForm:
        """The gadget game."""
        return self._built[0]

    @cached_property
    def _root(self) -> Ints:
        """[terminal] its root."""
        subgame, local = self.local.subgame, self.local
        roots: Ints = np.searchsorted(local.roots, subgame.entries(local.rival))
        return roots

    def written(self, solution: Floats, behaviour: Floats) -> None:
        """Write what the player does in the subgame into a behaviour of the whole form.

        Decisions that it never reaches, by its own choice, are unchanged."""
        local = self.local
        form, renumbered = self._built
        part = own(form, local.player)
        played, plan = solution[part], plan_of(form, solution)[part]
        whole = behaviour[own(local.subgame.form, local.player)]
        at = 1
        for point, parent in zip(local.subgame.points[local.player], local.my_parents, strict=True):
            here = renumbered[at : at + len(point.actions)]
            if plan[renumbered[parent]] > 0:
                whole[point.sequences] = played[here]
            at += len(point.actions)


def solved(form: SequenceForm, player: int, method: str, iterations: int) -> Floats:
    """The player's strategy in an equilibrium of a gadget game, or near one when time runs out."""
    first, second = (plex.size for plex in form.treeplexes)
    if method == "lp" and first * second <= DENSE_ENTRIES:
        return _optimal(form, player)
    return _solving.solved(form, method, iterations)


def _optimal(form: SequenceForm, player: int) -> Floats:
    """By one dense linear program (von Stengel 1996): building a sparse one takes longer."""
    mine, theirs = form.treeplexes[player], form.treeplexes[1 - player]
    own_last, last = (form.sequences - form.plex.roots[:-1]).T[[player, 1 - player]]
    A = np.zeros((mine.size, theirs.size))
    np.add.at(A, (own_last, last), form.chance * form.payoffs[:, player])
    E, F = mine.dense_constraints(), theirs.dense_constraints()
    solution = optimum(saddle_program(A, E, F).model)
    if solution is None:
        raise Unsolved(f"HiGHS could not solve the gadget game of {form.spec}")
    plan = np.zeros(size(form))
    plan[own(form, player)] = np.maximum(solution[: mine.size], 0.0)
    return behaviour_of(form, plan)
