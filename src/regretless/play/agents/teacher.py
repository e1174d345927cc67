"""Teaches and then exploits: shows a fault for some hands, then answers who has learned it.

The "get taught and exploited" of Sandholm (AIJ 2007). After `hands` hands it plays a best response
to the best response to its fault: whoever exploits the fault without limit is now exploited."""

import numpy as np

from regretless.core.errors import within
from regretless.exploitation.model import Model
from regretless.forms.choice import form_of
from regretless.forms.form import own, size
from regretless.play.agents import _saved
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.agents._tilted import whole_game
from regretless.play.rules import Playable
from regretless.play.table import View
from regretless.runs.opening import on_its_form
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy


class Agent(MixingAgent):
    """Which of the two it does depends only on the number of the hand."""

    learns = True  # its play of a decision changes, even if not by learning

    def __init__(
        self, game: Playable, *, fault: str = "always-call", hands: int = 1000, seed: int = 0
    ) -> None:
        """`fault`: a strategy file, or random, always-call, always-fold, aggressive."""
        super().__init__(game, seed=seed)
        within("hands", hands, 1, 10**12)
        self.hands = hands
        form = form_of(whole_game(game, "teacher needs a smaller one"), kind="sequence")
        shown = Model.of(on_form(on_its_form(fault, game=form), form))
        learned = answered(shown)
        turned = answered(Model.of(learned))
        self.fault = _saved.Agent(game, strategy=shown.strategy, seed=seed)
        self.answer = _saved.Agent(game, strategy=turned, seed=seed)

    def mixture(self, view: View) -> Mixture:
        return (self.fault if view.number < self.hands else self.answer).mixed(view)


def answered(model: Model) -> Strategy:
    """A best response in every position."""
    from regretless.exploitation.responses.best_response import respond

    form = model.form
    together = np.ones(size(form))
    for player in range(form.players):
        mine = own(form, player)
        together[mine] = respond(model, player)[mine]
    return Strategy(form, together)
