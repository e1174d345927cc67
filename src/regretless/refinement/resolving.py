"""Safe re-solving with the CFR-D gadget (Burch, Johanson & Bowling 2014).

Before the subgame the rival may, for each of its ways in, either take what its best response to
the blueprint earns, or enter. A strategy that gives it no reason to enter is no worse than the
blueprint against any rival.

Differs from the paper: an information set of the rival at the root is one of its own sequences
before the subgame, and alternative values are those of a best response, computed here, not
those of the rival's strategy."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.progress import Listener, nobody
from regretless.refinement import _resolving
from regretless.refinement._gadget import Front
from regretless.refinement._local import Local, Reach
from regretless.refinement._resolving import Effort, Rule
from regretless.strategy.strategy import Strategy


def front(local: Local, limit: Floats, reach: Reach) -> Front:
    """Every root is a choice: take the limit, or enter."""
    take = 1 + 2 * np.arange(len(local.roots))
    return Front((("take", "enter"),) * len(local.roots), enter=take + 1, ends=(take, limit))


SAFE = True  # never more exploitable than the blueprint
RULE = Rule(front, _resolving.as_blueprint)


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
    """Solve subgames again so that no way in earns the rival more than before.

    `tolerance`: a result that may add more chips than this to exploitability, because `method`
    has not converged, is discarded. The other parameters are those of `unsafe`."""
    effort = Effort(method, iterations, tolerance)
    return _resolving.refined(
        blueprint, RULE, effort, at=at, depth=depth, player=player, listen=listen
    )
