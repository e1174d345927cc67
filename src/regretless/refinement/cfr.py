"""CFR refinement, level by level (Carminati, Costa & Chinga 2020).

The opponent decides freely from the level on. Unsafe."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.forms.reduced import FREE
from regretless.refinement._level_by_level import Level
from regretless.refinement._solving import solved

SAFE = False


def at_level(
    level: Level,
    tell: Callable[[float], None],
    *,
    iterations: int = 1000,
    method: str = "cfr+",
) -> Floats:
    """Solve one level after the other by this many iterations of a method."""
    small = level.game.reduced(level.kinds(FREE, FREE), level.given, ({}, {}))
    return small.extended(solved(small.form, method, iterations, tell), level.player)
