"""FP-MDP: fictitious play whose best responses are best policies (Ganzfried & Sandholm 2009).

The others' averages leave a player a decision process, which `by` solves: policy iteration, or
value iteration from the values of the player's own average, which are too low."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.core.errors import one_of
from regretless.core.progress import Listener, nobody
from regretless.stochastic.algorithms._outer import OuterPlay
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.induced import InducedProcess
from regretless.stochastic.values import Profile

WAYS = ("policy-iteration", "value-iteration")
PRECISION = 1e-9  # of value iteration


class Method(OuterPlay):
    """Decision processes inside, fictitious play outside."""

    name = "fp-mdp"

    def __init__(
        self,
        game: StochasticGame,
        *,
        by: str = "policy-iteration",
        values: Floats | None = None,
        profile: Profile | None = None,
        threads: int = 1,
        listen: Listener = nobody,
    ) -> None:
        one_of("by", by, WAYS)
        super().__init__(game, values=values, profile=profile, threads=threads, listen=listen)
        self.by = by

    def best(self) -> Profile:
        process = InducedProcess.against(self.game, self.profile)
        own = process.own(self.profile)
        if self.by == "policy-iteration":
            policy, _ = process.policy_iteration(own)
        else:
            policy, _ = process.value_iteration(process.evaluated(own), PRECISION)
        return process.profile(policy)
