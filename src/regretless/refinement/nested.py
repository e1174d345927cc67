"""Nested subgame solving (Brown & Sandholm 2017, section 5): re-solved after every action.

First the subgames are solved by reach-maxmargin, then those that follow their first decision, and
so on down to the last decisions; the strategy so far is the blueprint of the next step. Every step
is safe, so all of them together are.

Differs from the paper: all subgames are solved, not only those that a hand reaches (the agent
`phases` does that), and in the full game no action is off the tree: where the blueprint never
gets, alternative values are those of its play there."""

from __future__ import annotations

from regretless.core.errors import Interrupted, whole
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, nobody
from regretless.forms.subgames import finder
from regretless.refinement import _resolving
from regretless.refinement._resolving import Effort
from regretless.refinement.reach import RULE
from regretless.strategy.strategy import Strategy

SAFE = True  # never more exploitable than the blueprint


def refine(
    blueprint: Strategy,
    *,
    at: str | None = None,
    depth: int | None = None,
    player: int = 0,
    steps: int = 100,
    method: str = "lp",
    iterations: int = 1000,
    tolerance: float = 1e-9,
    listen: Listener = nobody,
) -> Strategy:
    """Solve subgames again, then those within them, at most `steps` decisions deep.

    The other parameters are those of `resolving`."""
    whole("steps", steps, 1, 10_000)
    effort = Effort(method, iterations, tolerance)
    chosen = _resolving.named(blueprint, at, depth, listen)
    known, strategy = finder(blueprint.form), blueprint
    for step in range(steps):
        try:
            strategy = _resolving.pass_over(
                strategy, chosen, RULE, effort, player=player, listen=listen
            )
        except Interrupted:
            if not step:
                raise
        chosen = [child for subgame in chosen for child in known.children(subgame)]
        if not chosen or interrupted():
            break
    return strategy
