"""Always checks or calls."""

from __future__ import annotations

from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.table import View


class Agent(MixingAgent):
    """Calls."""

    def mixture(self, view: View) -> Mixture:
        return Mixture(("c",))
