"""Abstracting a stochastic game level by level from the end, within a bound on regret."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, number, one_of
from regretless.core.progress import Listener, Progress, nobody
from regretless.stochastic.abstraction import (
    LevelMap,
    StochasticAbstraction,
    distances,
    half_range,
    level_errors,
    merged_chances,
)
from regretless.stochastic.level_game import LevelGame, StageGame

ROUNDING = 1e-12
METHODS = ("greedy", "integer-program")


@dataclass(frozen=True, eq=False)
class LevelProblem:
    """One level: what may map to what within the allowed error."""

    level: tuple[StageGame, ...]
    chances: list[Floats]  # [state][row, column, representative below]
    half: Floats  # [player] half the range of values below
    allowed: Floats  # [player] error

    @cached_property
    def fits(self) -> dict[tuple[int, int], np.ndarray]:
        """[state, representative] → [row, column, row there, column there], whether it fits."""
        count = range(len(self.level))
        return {(s, r): self._fits(s, r) for s in count for r in count}

    def _fits(self, s: int, r: int) -> np.ndarray:
        paid, moved = distances(self.level, self.chances, s, r)
        errors = paid + self.half[:, None, None, None, None] * moved
        limit = self.allowed[:, None, None, None, None] + ROUNDING
        return np.asarray(np.all(errors <= limit, axis=0))


class Maker(Protocol):
    """Finds a map of a level within the allowed errors."""

    def __call__(self, task: LevelProblem, listen: Listener) -> LevelMap: ...


def abstract_stochastic(
    game: LevelGame,
    bound: float,
    *,
    by: str = "integer-program",
    first: str = "actions",
    listen: Listener = nobody,
) -> StochasticAbstraction:
    """An abstraction whose equilibria have at most this regret in the game, for each player.

    `by` is greedy, which is polynomial and merges actions or states `first`; or integer-program,
    which minimises the states and actions of every level. What a level leaves of its share of
    the bound goes to the levels above it."""
    one_of("by", by, METHODS)
    one_of("first", first, ("actions", "states"))
    if not number("bound", bound) >= 0 or not np.isfinite(bound):
        raise BadParameter(f"bound={bound}: must be a number, 0 or more")
    make = _maker(by, first)
    total = len(game.levels)
    left, half = np.full(2, float(bound)), np.zeros(2)
    below: LevelMap = ()
    maps: list[LevelMap] = []
    for number_, level in reversed(list(enumerate(game.levels))):
        listen(Progress(f"abstracting level {number_ + 1}", done=1 - (number_ + 1) / total))
        counts = 2 * (number_ + 1)  # how often an error here counts in the bound
        task = LevelProblem(
            level, merged_chances(level, below), half, left / (number_ + 1) / counts
        )
        below = make(task, listen)
        parts = level_errors(level, task.chances, below)
        worst = [max((p[i] + half[i] * m).max() for p, m in parts) for i in (0, 1)]
        left = np.maximum(left - counts * np.array(worst), 0)
        half = half_range(level, below, half)
        maps.append(below)
    return StochasticAbstraction(game, tuple(maps[::-1]))


def _maker(by: str, first: str) -> Maker:
    if by == "greedy":
        from regretless.stochastic.greedy import Greedy

        return Greedy(first)
    from regretless.stochastic.integer_program import smallest

    return smallest
