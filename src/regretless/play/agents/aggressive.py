"""Raises as long as that is legal, and calls when it is not.

In no-limit it raises by the pot, or the nearest legal size to it."""

from __future__ import annotations

from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.table import View


class Agent(MixingAgent):
    """Raises."""

    def mixture(self, view: View) -> Mixture:
        betting = view.betting
        sizes = betting.raise_range()
        if sizes is None:
            return Mixture(("c",))
        if self.rules.raises is not None:
            return Mixture(("r",))
        most = max(betting.spent)
        pot_after_call = sum(betting.spent) + most - betting.spent[betting.actor]
        return Mixture((f"r{min(max(most + pot_after_call, sizes[0]), sizes[1])}",))
