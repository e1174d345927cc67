"""Biased by position: in the last position it raises too often, in others it folds too often."""

from regretless.play.agents._tilted import TiltedAgent, chances, passive
from regretless.play.agents.aggressive import Agent as Aggressive
from regretless.play.rules import Playable
from regretless.play.table import View


class Agent(TiltedAgent):
    """Each with probability `much`; otherwise it plays like its base."""

    def __init__(self, game: Playable, *, base: str = "", much: float = 0.5, seed: int = 0) -> None:
        """`base`: strategy file or agent (default: an equilibrium); `much`: share of the bias."""
        super().__init__(game, base=base, much=much, seed=seed)
        self._raising = Aggressive(game, seed=seed)

    def fault(self, view: View) -> dict[str, float]:
        if view.position == self.rules.players - 1:
            return chances(self._raising.mixed(view))
        return {passive(view): 1.0}
