"""Calls too often: with probability `much` it calls or checks."""

from regretless.play.agents._tilted import TiltedAgent
from regretless.play.table import View


class Agent(TiltedAgent):
    """Otherwise it plays like its base."""

    def fault(self, view: View) -> dict[str, float]:
        return {"c": 1.0}
