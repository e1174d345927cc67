"""Changes in the middle of a match: another agent takes over after a number of hands."""

from regretless.core.errors import within
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.agents._tilted import started
from regretless.play.rules import Playable
from regretless.play.table import View


class Agent(MixingAgent):
    """Which of the two plays depends only on the number of the hand."""

    learns = True  # its play of a decision changes, even if not by learning

    def __init__(
        self,
        game: Playable,
        *,
        first: str = "always-fold",
        then: str = "",
        hands: int = 1000,
        seed: int = 0,
    ) -> None:
        """`first`, `then`: strategy files or agents (default: an equilibrium)."""
        super().__init__(game, seed=seed)
        within("hands", hands, 1, 10**12)
        self.first, self.then = started(game, first, seed), started(game, then, seed)
        self.hands = hands

    def mixture(self, view: View) -> Mixture:
        return (self.first if view.number < self.hands else self.then).mixed(view)
