"""What forms share that are known by their gradient: best responses, iterations, finding points."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import (
    Form,
    own,
    plan_of,
    require_kernel_arguments,
    require_memory,
    require_written,
)
from regretless.forms.treeplex import Point
from regretless.kernels.learner import blend, tuned
from regretless.kernels.treeplex import Playing, Plex, advance, best_response, learn

NOTHING = np.empty(0)


class GradientForm:
    """A gradient in double precision, treeplexes with all labels."""

    @property
    def blocks(self: Form) -> Plex:
        return self.plex

    @property
    def real(self) -> type[np.floating[Any]]:
        return np.float64

    @property
    def number_bytes(self) -> int:
        return 8

    def respond(
        self: Form, player: int, behaviour: Floats, answer: Floats = NOTHING
    ) -> tuple[float, float]:
        require_kernel_arguments(self.plex.roots, player, *([answer] if np.size(answer) else ()))
        plan = plan_of(self, behaviour)
        gradient = np.empty_like(plan)
        self.gradient(player, plan, gradient)
        mine = own(self, player)
        value = float(plan[mine] @ gradient[mine])
        require_written(answer)
        choice = answer if answer.size else np.empty_like(plan)
        return value, float(best_response(self.plex, player, gradient, choice))

    def sweep(self: Any, learner: Any, memory: Any, weights: Floats, simultaneous: bool) -> None:
        require_memory(self.plex.roots, learner, memory)
        plex, now = self.plex, self._scratch.playing
        for player in range(self.players):
            root = int(plex.roots[player])
            now.plan[root] = now.behaviour[root] = 1.0
            advance(plex, player, learner, memory, now)
        for row in np.ascontiguousarray(weights):
            mine = tuned(learner, row)
            if simultaneous:
                for player in range(self.players):
                    self.gradient(player, now.plan, now.gradient)
            for player in range(self.players):
                if not simultaneous:
                    self.gradient(player, now.plan, now.gradient)
                root, end = int(plex.roots[player]), int(plex.roots[player + 1])
                blend(memory.average, root, now.plan, root, end - root, mine.step)
                learn(plex, player, mine, memory, now)
                advance(plex, player, mine, memory, now)

    @cached_property
    def _scratch(self: Any) -> Scratch:
        return Scratch(self.plex)

    def points(self: Form, player: int) -> Iterable[Point]:
        plex = self.treeplexes[player]
        rows = zip(plex.labels, plex.actions, plex.sequences, plex.parents, strict=True)
        return (Point(label, names, found, int(parent)) for label, names, found, parent in rows)

    def find(self: Form, player: int, label: str) -> Point | None:
        plex = self.treeplexes[player]
        at = plex.points.get(label)
        if at is None:
            return None
        return Point(label, plex.actions[at], plex.sequences[at], int(plex.parents[at]))


class Scratch(threading.local):
    """Vectors of a sweep over these decisions, others in every thread: kernels run in parallel."""

    def __init__(self, plex: Plex) -> None:
        size, lanes = int(plex.roots[-1]), int(plex.blocks[:, 2].max(initial=1))
        self.playing = Playing(np.empty(size), np.empty(size), np.empty(size), np.empty(lanes))
