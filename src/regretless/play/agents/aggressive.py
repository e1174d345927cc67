"""Raises whenever that is legal, and otherwise calls.

In no-limit it raises by the pot, or the nearest legal size to it."""

from __future__ import annotations

from collections.abc import Sequence

from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.table import View


class Agent(MixingAgent):
    """Raises."""

    def mixture(self, view: View) -> Mixture:
        betting = view.betting
        sizes = betting.raise_totals
        if not sizes:
            return Mixture(("c",))
        if self.rules.raises is not None:
            return Mixture(("r",))
        most = max(betting.spent)
        by_pot = most + betting.pot + most - betting.spent[betting.actor]
        return Mixture((f"r{_nearest(sizes, by_pot)}",))


def _nearest(sizes: Sequence[int], wanted: int) -> int:
    """The nearest of increasing sizes; no-limit has too many to check them all."""
    if isinstance(sizes, range):
        return min(max(wanted, sizes[0]), sizes[-1])
    return min(sizes, key=lambda size: abs(size - wanted))
