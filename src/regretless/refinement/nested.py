"""Nested subgame solving (Brown & Sandholm 2017, section 5): re-solved after every action.

First the subgames are solved by reach-maxmargin, then those that follow their first decision, and
so on down to the last decisions; the strategy so far is the blueprint of the next step. Every step
is safe, so all of them together are.

Differs from the paper: all subgames are solved, not only those that a hand reaches (the agent
`phases` does that), and in the full game no action is off the tree: where the blueprint never
gets, alternative values are those of its play there."""

from __future__ import annotations

from regretless.refinement._gifts import with_gifts
from regretless.refinement._resolving import Rule
from regretless.refinement.maxmargin import gadget

SAFE = True  # never more exploitable than the blueprint
RULE = Rule(gadget, with_gifts, steps=100)
