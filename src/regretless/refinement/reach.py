"""Reach-maxmargin subgame solving (Brown & Sandholm 2017, section 4.1).

Maxmargin, but what the rival gave away on its way to the subgame may be returned to it there:
those margins may be smaller, so that others become larger.

Differs from the paper: gifts are exact, not lower bounds, because all subgames solved
together share them (`_gifts`), and the rest of the game is unchanged."""

from __future__ import annotations

from regretless.core.progress import Listener, nobody
from regretless.refinement import _resolving
from regretless.refinement._gifts import with_gifts
from regretless.refinement._resolving import Effort, Rule
from regretless.refinement.maxmargin import front
from regretless.strategy.strategy import Strategy

SAFE = True  # never more exploitable than the blueprint
RULE = Rule(front, with_gifts)


def refine(
    blueprint: Strategy,
    *,
    at: str | None = None,
    depth: int | None = None,
    player: int = 0,
    method: str = "lp",
    iterations: int = 1000,
    tolerance: float = 1e-9,
    listen: Listener = nobody,
) -> Strategy:
    """Solve subgames again, maximising the smallest margin, gifts included.

    Parameters are those of `resolving`."""
    effort = Effort(method, iterations, tolerance)
    return _resolving.refined(
        blueprint, RULE, effort, at=at, depth=depth, player=player, listen=listen
    )
