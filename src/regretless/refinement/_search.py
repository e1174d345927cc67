"""One player's decisions re-solved against an opponent who chooses among continuations.

The opponent's best responses to each result are added to its continuations, one per round:
the next result has to be robust against them too (Brown, Sandholm & Amos 2018, the
self-generative approach)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.core.interrupts import interrupted
from regretless.forms.reduced import Whole
from regretless.refinement._solving import solved

MOST_RESPONSES = 100


class Round(NamedTuple):
    """The result against the continuations so far."""

    answer: Floats  # a behaviour of the whole game
    lost: float  # what a best response in the whole game earns against it
    expected: float  # what a best response in the reduced game earns


class Search:
    """The reduced game of one player, against more and more continuations."""

    def __init__(
        self, game: Whole, player: int, kinds: Ints, given: Floats, known: dict[str, Floats]
    ) -> None:
        self.game, self.player, self.kinds = game, player, kinds
        self.given, self.known = given, dict(known)

    def rounds(
        self, responses: int, method: str, iterations: int, tell: Callable[[float, str], None]
    ) -> Iterator[Round]:
        """A first round, and one after each added response, until interrupted."""
        form, rival = self.game.form, 1 - self.player
        for added in range(responses + 1):
            choices: list[dict[str, Floats]] = [{}, {}]
            choices[rival] = self.known
            small = self.game.reduced(self.kinds, self.given, choices)

            def hear(share: float, added: int = added) -> None:
                tell((added + share) / (responses + 1), f"{len(self.known)} continuations")

            played = solved(small.form, method, iterations, hear)
            answer = small.extended(played, self.player)
            response = answer.copy()
            lost = form.respond(rival, answer, response)[1]
            yield Round(answer, lost, small.form.respond(rival, played)[1])
            if interrupted():
                return
            self.known[f"response {added + 1}"] = response
