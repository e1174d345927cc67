"""The best response over buckets to a blueprint, learned on sampled boards.

In each position one player learns by public chance sampling while the other one plays its tables.
Regrets against a strategy that does not change are differences of values, so the average tends to
the best play that the betting tree and the buckets allow. It only bounds exploitability from below:
finer buckets may win more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from regretless.blueprints.blueprint import Blueprint, packed
from regretless.blueprints.training import Trainer
from regretless.core.loop import Stepper


class Response(Stepper):
    """Two trainers, one per position of the responder, on the same boards."""

    def __init__(self, against: Blueprint, *, seed: int = 0, threads: int = 1, **method: Any):
        """`method`: parameters of public chance sampling."""
        self.against, self.iteration = against, 0
        self.trainers = [
            Trainer(against.tree, against.map, seed=seed, threads=threads, **method) for _ in "12"
        ]
        for player, trainer in enumerate(self.trainers):
            trainer.hold(1 - player, against.tables)

    @property
    def memory_bytes(self) -> int:
        """Memory for tables and scratch of both."""
        return sum(trainer.memory_bytes for trainer in self.trainers)

    def step(self, count: int = 1) -> None:
        """Run this many iterations in both positions; 0 only compiles."""
        for trainer in self.trainers:
            trainer.step(count)
        self.iteration += count

    def blueprint(self, about: Mapping[str, Any] | None = None) -> Blueprint:
        """The average response so far."""
        tree, tables = self.against.tree, []
        for round in range(tree.rules.rounds):
            first, second = (
                packed(tree, round, player, trainer.sums(round, player))
                for player, trainer in enumerate(self.trainers)
            )
            tables.append((first, second))
        return Blueprint(tree, self.against.map, tuple(tables), dict(about or {}))
