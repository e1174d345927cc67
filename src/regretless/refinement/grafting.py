"""Strategy grafting (Waugh, Bard & Bowling 2009): subgames are re-solved against a free opponent.

In every subgame the player decides again; elsewhere it plays its blueprint, and the opponent is
free in the whole game. Subgames of another strategy are grafted by `rl.research.graft`.

Differs from the paper: grafts are solved one after the other, each with those before it in place,
and a graft that does not lower what a best response earns is left out. So it is safe, unlike
grafts that are solved independently."""

from __future__ import annotations

import numpy as np

from regretless.core.errors import Interrupted, whole
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.form import own
from regretless.forms.reduced import FREE, GIVEN, Whole
from regretless.forms.sequence import SequenceForm
from regretless.forms.subgame import Subgame
from regretless.refinement import _resolving
from regretless.refinement._gadget import solved
from regretless.refinement._levels import whole_game
from regretless.refinement._resolving import Effort
from regretless.strategy.strategy import Strategy

SAFE = True  # never more exploitable than the blueprint


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
    """Graft solved subgames onto the blueprint. Parameters are those of `unsafe`."""
    effort = Effort(method, iterations)
    whole("player", player, 0, 2)
    chosen = _resolving.named(blueprint, at, depth, listen)
    game = whole_game(blueprint, "grafting", listed=True)
    behaviour = blueprint.behaviour.astype(np.float64)
    players = (0, 1) if player == 0 else (player - 1,)
    work = [(p, subgame) for p in players for subgame in chosen if subgame.points[p]]
    for number, (p, subgame) in enumerate(work):
        if interrupted():
            if not number:
                raise Interrupted(f"no subgame was solved, the first is {subgame.name!r}")
            break
        graft = _grafted(game, behaviour, subgame, p, effort)
        before, after = (game.form.respond(1 - p, one)[1] for one in (behaviour, graft))
        behaviour = graft if after < before else behaviour
        news = f"{subgame.name} of player {p + 1}: {min(after - before, 0.0):+.6f}"
        done = (number + 1) / len(work)
        listen(Progress("grafting", number + 1, done=done, news=news))
    return Strategy(blueprint.form, behaviour.astype(blueprint.behaviour.dtype))


def _grafted(
    game: Whole, behaviour: np.ndarray, subgame: Subgame, player: int, effort: Effort
) -> np.ndarray:
    """The behaviour with the player's best strategy in a subgame."""
    start = own(game.form, player).start
    inside = [start + point.sequences for point in subgame.points[player]]
    kinds = np.full(len(game.form.plex.parents), FREE)
    first = sum(game.form.sizes.decision_points[:player])
    kinds[first : first + game.form.sizes.decision_points[player]] = GIVEN
    kinds[game.owners[np.concatenate(inside)]] = FREE
    reduced = game.reduced(kinds, behaviour, ({}, {}))
    assert isinstance(reduced.form, SequenceForm)
    solution = solved(reduced.form, player, effort.method, effort.iterations)
    return reduced.extended(solution, player)
