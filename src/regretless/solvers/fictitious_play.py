"""Fictitious play (Brown 1951; Robinson 1951) on realization plans (Heinrich et al. 2015).

Every player plays a best response to the average of what the others have played. Plans are
averaged, which is the same as averaging the mixed strategies."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.solvers._follower import Follower


class Method(Follower):
    """Best responses to averages."""

    name = "fictitious-play"

    def answer(self, player: int, gradient: Floats, behaviour: Floats) -> None:
        self.dilated.best(player, gradient, behaviour)
