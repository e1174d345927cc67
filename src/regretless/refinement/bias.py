"""Bias refinement, level by level (Carminati, Costa & Chinga 2020).

The opponent chooses among its blueprint and versions of it that fold, call or raise ten
times as often (Brown, Sandholm & Amos 2018, the bias approach). Unsafe."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.forms.reduced import CHOICE, FREE
from regretless.refinement._continuations import biased
from regretless.refinement._level_by_level import Level
from regretless.refinement._search import Search

SAFE = False


def at_level(
    level: Level,
    tell: Callable[[float], None],
    *,
    iterations: int = 1000,
    method: str = "cfr+",
    bias: float = 10.0,
) -> Floats:
    """Solve one level after the other by this many iterations of a method."""
    known = biased(level.game.form, level.given, bias)
    search = Search(level.game, level.player, level.kinds(FREE, CHOICE), level.given, known)
    (only,) = search.rounds(0, method, iterations, lambda share, _: tell(share))
    return only.answer
