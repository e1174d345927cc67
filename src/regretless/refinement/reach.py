"""Reach-maxmargin subgame solving (Brown & Sandholm 2017, section 4.1).

Maxmargin, but what the rival gave away on its way to the subgame may be returned to it there:
those margins may be smaller, so that others become larger.

Differs from the paper: gifts are exact, not lower bounds, because all subgames solved
together share them (`_gifts`), and the rest of the game is unchanged."""

from __future__ import annotations

from regretless.refinement._gifts import with_gifts
from regretless.refinement._resolving import Rule
from regretless.refinement.maxmargin import gadget

SAFE = True  # never more exploitable than the blueprint
RULE = Rule(gadget, with_gifts)
