"""Folds too often: with probability `much` it folds, or checks where it cannot."""

from regretless.play.agents._tilted import TiltedAgent, passive
from regretless.play.table import View


class Agent(TiltedAgent):
    """Otherwise it plays like its base."""

    def fault(self, view: View) -> dict[str, float]:
        return {passive(view): 1.0}
