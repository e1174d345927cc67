"""Safe re-solving with the CFR-D gadget (Burch, Johanson & Bowling 2014).

Before the subgame the rival may, for each of its entry sequences, either take what its best
response to the blueprint earns, or enter. A strategy that gives it no reason to enter is no worse
than the blueprint against any rival.

Differs from the paper: an information set of the rival at the root is one of its own sequences
before the subgame, and alternative values are those of a best response, computed here, not
those of the rival's strategy."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.refinement._gadget import Gadget
from regretless.refinement._local import Local, Reach
from regretless.refinement._resolving import Rule, as_blueprint


def gadget(local: Local, limit: Floats, reach: Reach) -> Gadget:
    """Every root is a choice: take the limit, or enter."""
    take = 1 + 2 * np.arange(len(local.roots))
    return Gadget((("take", "enter"),) * len(local.roots), enter=take + 1, ends=(take, limit))


SAFE = True  # never more exploitable than the blueprint
RULE = Rule(gadget, as_blueprint)
