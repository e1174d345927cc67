"""Unsafe subgame solving (Gilpin & Sandholm 2006; Ganzfried & Sandholm 2015).

Both players are assumed to reach the subgame with the blueprint's ranges, by Bayes' rule, and it is
solved as if that could not change. It often helps, but nothing is guaranteed: a rival who enters
with a different range may win more than before."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.forms.form import own
from regretless.refinement._gadget import Gadget
from regretless.refinement._local import Local, Reach
from regretless.refinement._resolving import Rule, as_blueprint


def gadget(local: Local, limit: Floats, reach: Reach) -> Gadget:
    """No choice: the rival enters with the weights of the blueprint."""
    mine = own(local.subgame.form, local.rival)
    weights = reach.plan[mine][local.roots]
    if not (weights * local.mass).any():
        weights = reach.trembling[mine][local.roots]
    return Gadget(weights=weights / float(weights @ local.mass))


SAFE = False
RULE = Rule(gadget, as_blueprint, safe=SAFE)
