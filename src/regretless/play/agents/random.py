"""Takes every kind of legal action with equal probability.

In no-limit the size of a raise is uniform over the legal sizes."""

from __future__ import annotations

from regretless.play.agents import _agent
from regretless.play.agents._draws import Draws
from regretless.play.rules import Playable
from regretless.play.table import View


class Agent(_agent.Agent):
    """Fold, call or raise, whatever the cards."""

    def __init__(self, game: Playable, *, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.sizes = Draws(seed, stream=1)

    def act(self, view: View) -> str:
        place = len(view.betting.history)
        letters = _agent.legal_letters(view.betting)
        letter = letters[int(self.draws.at(view.number, place) * len(letters))]
        if letter != "r" or self.rules.raises is not None:
            return letter
        sizes = view.betting.raise_totals
        return f"r{sizes[int(self.sizes.at(view.number, place) * len(sizes))]}"
