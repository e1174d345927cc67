"""Self-generative refinement, level by level (Carminati, Costa & Chinga 2020).

The opponent chooses among its blueprint and best responses, each to the result against the
earlier ones (Brown, Sandholm & Amos 2018, the self-generative approach). Unsafe."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.core.errors import whole
from regretless.core.progress import Listener, nobody
from regretless.forms.reduced import CHOICE, FREE
from regretless.refinement._level_by_level import Level, level_by_level
from regretless.refinement._search import MOST_RESPONSES, Search
from regretless.refinement._solving import MOST_ITERATIONS
from regretless.strategy.strategy import Strategy


def refine(
    blueprint: Strategy,
    *,
    responses: int = 3,
    iterations: int = 1000,
    method: str = "cfr+",
    listen: Listener = nobody,
) -> Strategy:
    """Solve one level after the other, adding this many best responses at each."""
    whole("responses", responses, 1, MOST_RESPONSES)
    whole("iterations", iterations, 1, MOST_ITERATIONS)

    def solve(level: Level, tell: Callable[[float], None]) -> Floats:
        known = {"blueprint": level.given}
        search = Search(level.game, level.player, level.kinds(FREE, CHOICE), level.given, known)
        rounds = search.rounds(responses, method, iterations, lambda share, _: tell(share))
        *_, last = rounds
        return last.answer

    return level_by_level(blueprint, "self-generative", solve, listen)
