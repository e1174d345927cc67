"""Folds when facing a bet, and otherwise checks."""

from __future__ import annotations

from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.table import View


class Agent(MixingAgent):
    """Folds."""

    def mixture(self, view: View) -> Mixture:
        can_fold = view.betting.spent[view.betting.actor] < max(view.betting.spent)
        return Mixture(("f" if can_fold else "c",))
