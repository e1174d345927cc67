"""CFR refinement, level by level (Carminati, Costa & Chinga 2020).

The opponent decides freely from the level on. Unsafe."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.core.errors import whole
from regretless.core.progress import Listener, nobody
from regretless.forms.reduced import FREE
from regretless.refinement._level_by_level import Level, level_by_level
from regretless.refinement._solving import MOST_ITERATIONS, solved
from regretless.strategy.strategy import Strategy


def refine(
    blueprint: Strategy,
    *,
    iterations: int = 1000,
    method: str = "cfr+",
    listen: Listener = nobody,
) -> Strategy:
    """Solve one level after the other by this many iterations of a method."""
    whole("iterations", iterations, 1, MOST_ITERATIONS)

    def solve(level: Level, tell: Callable[[float], None]) -> Floats:
        small = level.game.reduced(level.kinds(FREE, FREE), level.given, ({}, {}))
        return small.extended(solved(small.form, method, iterations, tell), level.player)

    return level_by_level(blueprint, "cfr", solve, listen)
