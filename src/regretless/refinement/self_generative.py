"""Self-generative refinement, level by level (Carminati, Costa & Chinga 2020).

The opponent chooses among its blueprint and best responses, each to the result against the
earlier ones (Brown, Sandholm & Amos 2018, the self-generative approach). Unsafe."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted, whole
from regretless.forms.reduced import CHOICE, FREE
from regretless.refinement._level_by_level import Level
from regretless.refinement._search import MOST_RESPONSES, Search

SAFE = False


def at_level(
    level: Level,
    tell: Callable[[float], None],
    *,
    responses: int = 3,
    iterations: int = 1000,
    method: str = "cfr+",
) -> Floats:
    """Solve one level after the other, adding this many best responses at each."""
    whole("responses", responses, 1, MOST_RESPONSES)
    known = {"blueprint": level.given}
    search = Search(level.game, level.player, level.kinds(FREE, CHOICE), level.given, known)
    rounds = search.rounds(responses, method, iterations, lambda share, _: tell(share))
    answer = next(rounds).answer
    with suppress(Interrupted):
        for later in rounds:
            answer = later.answer
    return answer
