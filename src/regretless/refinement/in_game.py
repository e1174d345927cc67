"""In-game refinement: depth-limited solving (Brown, Sandholm & Amos 2018).

The upper levels of the game are solved again, for one player after the other. Below the limit
that player goes on by its blueprint, and the opponent by a continuation of its own choice, which
the player is not shown: the opponent's blueprint, biased versions of it, and best responses to
what was found so far. The player keeps what it found above the limit and its blueprint below.

Differs from the paper: the opponent chooses at its first decision below the limit instead of at
the limit, so it knows more, and the player has to be robust against more. Of the strategies found
on the way and the blueprint the one is kept that loses least to a best response in the whole
game: refinement never makes a player more exploitable."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Interrupted, whole
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.form import own
from regretless.forms.reduced import CHOICE, FREE, GIVEN, Whole
from regretless.refinement._continuations import biased
from regretless.refinement._levels import explicit, level_limit, levels_of, owners_of
from regretless.refinement._solving import MOST_ITERATIONS, solved
from regretless.strategy.strategy import Strategy

SAFE = True  # never more exploitable than the blueprint
MOST_RESPONSES = 100
GAIN = 1e-9  # of a best response that is worth adding, in largest payoffs


def refine(
    blueprint: Strategy,
    *,
    levels: int | None = None,
    responses: int = 5,
    iterations: int = 1000,
    method: str = "cfr+",
    bias: float = 10.0,
    listen: Listener = nobody,
) -> Strategy:
    """Solve the first `levels` levels again (auto: two thirds), adding up to so many responses."""
    whole("responses", responses, 0, MOST_RESPONSES)
    whole("iterations", iterations, 1, MOST_ITERATIONS)
    form = explicit(blueprint, "in-game")
    level = levels_of(form)
    upper = level <= level_limit(levels, int(level.max(initial=1)))
    behaviour = blueprint.behaviour.astype(np.float64)
    continuations = biased(form, behaviour, bias)
    game, found = Whole(form), behaviour.copy()
    for player in range(2):

        def tell(share: float, news: str, player: int = player) -> None:
            told = f"player {player + 1}, {news}"
            listen(Progress("depth-limited solving", done=(player + share) / 2, news=told))

        mine = owners_of(form) == player
        kinds = np.where(upper, FREE, np.where(mine, GIVEN, CHOICE))
        search = _Search(game, player, kinds, behaviour, dict(continuations))
        try:
            found[own(form, player)] = search.run(responses, method, iterations, tell)
        except Interrupted:
            if player == 0:
                raise
            break
    return Strategy.trusted(blueprint.form, found.astype(blueprint.behaviour.dtype))


class _Search:
    """The depth-limited game of one player, against more and more continuations."""

    def __init__(
        self,
        game: Whole,
        player: int,
        kinds: Ints,
        behaviour: Floats,
        continuations: dict[str, Floats],
    ) -> None:
        self.game, self.player, self.kinds = game, player, kinds
        self.behaviour, self.continuations = behaviour, continuations

    def run(
        self, responses: int, method: str, iterations: int, tell: Callable[[float, str], None]
    ) -> Floats:
        """The player's own part of the best strategy found."""
        form, rival, known = self.game.form, 1 - self.player, self.continuations
        best, least = self.behaviour, form.respond(rival, self.behaviour)[1]
        slack = GAIN * form.largest_payoff
        for added in range(responses + 1):
            choices: list[dict[str, Floats]] = [{}, {}]
            choices[rival] = known
            small = self.game.reduced(self.kinds, self.behaviour, choices)

            def hear(share: float, added: int = added) -> None:
                tell((added + share) / (responses + 1), f"{len(known)} continuations")

            played = solved(small.form, method, iterations, hear)
            answer = small.extended(played, self.player)
            response = answer.copy()
            lost = form.respond(rival, answer, response)[1]
            if lost < least:
                best, least = answer, lost
            if interrupted() or lost <= small.form.respond(rival, played)[1] + slack:
                break
            known[f"response {added + 1}"] = response
        return best[own(form, self.player)]
