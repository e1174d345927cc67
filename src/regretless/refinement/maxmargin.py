"""Maxmargin subgame solving (Moravčík, Schmid, Ha, Hladík & Gaukrodger 2016).

The smallest margin is maximised: how much less the rival's best response earns than against the
blueprint, over all its entry sequences. No margin is negative, so the result is no worse than
the blueprint, and better if the smallest margin is positive and the rival uses that way.

Differs from the paper: margins are chips given that the rival enters that way, as in Brown &
Sandholm 2017, not weighted by the probability that chance and the player reach it."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.refinement._gadget import Gadget
from regretless.refinement._local import Local, Reach
from regretless.refinement._resolving import Rule, as_blueprint

NEGLIGIBLE = 1e-10  # share of a root: below it, losses there cannot be measured


def gadget(local: Local, limit: Floats, reach: Reach) -> Gadget:
    """One choice: the sequence with which the rival enters, minus the limit there."""
    possible = local.mass > NEGLIGIBLE
    scale = np.where(possible, 1 / np.where(possible, local.mass, 1.0), 0.0)
    enter = 1 + np.arange(len(local.roots))
    names = tuple(f"root {number}" for number in enter)
    # A root that chance and the player hardly ever reach must not be an escape.
    paid = np.where(possible, -limit * scale, -2 * local.subgame.form.largest_payoff)
    return Gadget((names,), enter=enter, weights=scale, ends=(enter, paid))


SAFE = True  # never more exploitable than the blueprint
RULE = Rule(gadget, as_blueprint)
