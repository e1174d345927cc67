"""Unsafe subgame solving (Gilpin & Sandholm 2006; Ganzfried & Sandholm 2015).

Both players are assumed to reach the subgame with the blueprint's ranges, by Bayes' rule, and it is
solved as if that could not change. It often helps, but nothing is guaranteed: a rival who enters
with a different range may win more than before."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.core.progress import Listener, nobody
from regretless.forms.form import own
from regretless.refinement import _resolving
from regretless.refinement._gadget import Front
from regretless.refinement._local import Local, Reach
from regretless.refinement._resolving import Effort, Rule
from regretless.strategy.strategy import Strategy


def front(local: Local, limit: Floats, reach: Reach) -> Front:
    """No choice: the rival enters with the weights of the blueprint."""
    mine = own(local.subgame.form, local.rival)
    weights = reach.plan[mine][local.roots]
    if not (weights * local.mass).any():
        weights = reach.trembling[mine][local.roots]
    return Front(weights=weights / float(weights @ local.mass))


RULE = Rule(front, _resolving.as_blueprint, safe=False)


def refine(
    blueprint: Strategy,
    *,
    at: str | None = None,
    depth: int | None = None,
    player: int = 0,
    method: str = "lp",
    iterations: int = 1000,
    listen: Listener = nobody,
) -> Strategy:
    """Solve subgames again with the beliefs of the blueprint.

    `at`: the subgame of this decision point or public state, as in `K/Q:cr/` or `/Q:cr/`;
    otherwise all subgames with `depth` rounds (poker) or own decisions (other games) before them.
    `player`: 1, 2, or 0 for both. `method` and `iterations`: how subgames are solved."""
    effort = Effort(method, iterations)
    return _resolving.refined(
        blueprint, RULE, effort, at=at, depth=depth, player=player, listen=listen
    )
