"""In-game refinement: depth-limited solving (Brown, Sandholm & Amos 2018).

The upper levels of the game are re-solved, for one player after the other. Below the limit
that player follows its blueprint, and the opponent a continuation of its own choice, which
the player is not shown: the opponent's blueprint, biased versions of it, and best responses to
earlier results. The player keeps its new strategy above the limit and its blueprint below.

Differs from the paper: the opponent chooses at its first decision below the limit instead of at
the limit, so it knows more, and the player has to be robust against more. The result is whichever
of the strategies found and the blueprint loses least to a best response in the whole
game: refinement never makes a player more exploitable."""

from __future__ import annotations

import numpy as np

from regretless.core.errors import Interrupted, whole
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.form import own
from regretless.forms.reduced import CHOICE, FREE, GIVEN
from regretless.refinement._continuations import biased
from regretless.refinement._levels import level_limit, levels_of, owners_of, whole_game
from regretless.refinement._search import MOST_RESPONSES, Search
from regretless.refinement._solving import MOST_ITERATIONS
from regretless.strategy.strategy import Strategy

SAFE = True  # never more exploitable than the blueprint
GAIN = 1e-5  # of a best response worth adding, relative to the largest payoff


def refine(
    blueprint: Strategy,
    *,
    levels: int | None = None,
    responses: int = 5,
    iterations: int = 500,
    method: str = "cfr+",
    bias: float = 10.0,
    listen: Listener = nobody,
) -> Strategy:
    """Solve the first `levels` levels again (auto: two thirds), with up to `responses` rounds."""
    whole("responses", responses, 0, MOST_RESPONSES)
    whole("iterations", iterations, 1, MOST_ITERATIONS)
    game = whole_game(blueprint, "in-game")
    form = game.form
    level = levels_of(form)
    upper = level <= level_limit(levels, int(level.max(initial=1)))
    behaviour = blueprint.behaviour.astype(np.float64)
    continuations = biased(form, behaviour, bias)
    refined = behaviour.copy()
    for player in range(2):

        def tell(share: float, news: str, player: int = player) -> None:
            told = f"player {player + 1}, {news}"
            listen(Progress("depth-limited solving", done=(player + share) / 2, news=told))

        mine = owners_of(form) == player
        kinds = np.where(upper, FREE, np.where(mine, GIVEN, CHOICE))
        search = Search(game, player, kinds, behaviour, continuations)
        rounds = search.rounds(responses, method, iterations, tell)
        best, least = behaviour, form.respond(1 - player, behaviour)[1]
        try:
            for answer, lost, expected in rounds:
                if lost < least:
                    best, least = answer, lost
                if lost <= expected + GAIN * form.largest_payoff:
                    break
        except Interrupted:
            if player == 0 and best is behaviour:
                raise
        refined[own(form, player)] = best[own(form, player)]
    return Strategy.trusted(blueprint.form, refined.astype(blueprint.behaviour.dtype))
