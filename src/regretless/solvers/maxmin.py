"""MaxMin by regret minimisation, against opponents who share payoffs but not cards.

Münch 2017, section 4.2. For the strategy of one position, all others earn what it loses and each
learns on its own. `player=1` is one such run; by default there is one run per position, and every
position's own strategy goes into the result. A single run keeps the opponents' strategies too.

With more than two players there is no guarantee of convergence. `maxmin-exact` computes the two
extremes between which this lies; its `share=plans` is the most that can be guaranteed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Unsuitable, within
from regretless.forms.form import Form, behaviour_of, own, plan_of
from regretless.forms.sequence import SequenceForm
from regretless.forms.teams import sharing_payoffs
from regretless.solvers._solver import Iterate, Solver


class Method(Solver):
    """One regret minimiser per position."""

    def __init__(
        self, form: Form, *, player: int = 0, learner: str = "cfr+", simultaneous: bool = False
    ) -> None:
        """`player=0`: every position; `learner`: the regret minimiser, without parameters."""
        from regretless.solvers._catalog import solver

        within("player", player, 0, form.players)
        if not isinstance(form, SequenceForm):
            raise Unsuitable("method maxmin needs the sequence form")
        super().__init__(form)
        self.player = player
        self.positions = [player - 1] if player else list(range(form.players))
        text = f"{learner}:simultaneous=true" if simultaneous else learner
        self.runs = [solver(text, sharing_payoffs(form, each)) for each in self.positions]
        if any(run.is_exact for run in self.runs):
            raise Unsuitable(f"learner={learner}: must be a regret minimiser such as cfr or cfr+")

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "sequence"

    def step(self, count: int = 1) -> None:
        if count and self.iteration == 0:
            for run, rng in zip(self.runs, self.rng.spawn(len(self.runs)), strict=True):
                run.rng = rng  # the run's seed, different for every position
        for run in self.runs:
            run.step(count)
        self.iteration += count

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        if self.player:
            return self.runs[0].behaviour(which)
        return merged(self.form, [run.behaviour(which) for run in self.runs])

    def details(self) -> dict[str, Any]:
        """A single run: the player's value, and the most it could earn against this team.

        No strategy guarantees more than the latter, because the team can play this way."""
        if not self.player:
            return {}
        mine = self.positions[0]
        behaviour = self.behaviour()
        order = [mine, *(each for each in range(self.form.players) if each != mine)]
        values = [self.form.respond(each, behaviour)[0] for each in order]
        bound = self.form.respond(mine, behaviour)[1]
        return {
            "players": [each + 1 for each in order],
            "values": values,
            "bound": bound,
            "gap": max(bound - values[0], 0.0),
        }

    def remarks(self) -> list[tuple[str, str]]:
        told = self.details()
        if not told:
            return []
        earned = f"player {self.player} earns {told['values'][0]:.9f}"
        return [("against the team", earned), ("guarantees at most", f"{told['bound']:.9f}")]

    def state(self) -> dict[str, np.ndarray]:
        return {
            f"position{position + 1}.{name}": vector
            for position, run in zip(self.positions, self.runs, strict=True)
            for name, vector in run.state().items()
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        for position, run in zip(self.positions, self.runs, strict=True):
            start = f"position{position + 1}."
            part = {k.removeprefix(start): v for k, v in state.items() if k.startswith(start)}
            if not part:
                raise BadInput(f"saved state lacks position {position + 1}")
            run.restore(part)
        self.iteration = self.runs[0].iteration


def merged(form: Form, behaviours: list[Floats]) -> Floats:
    """Every player's own part from that player's run."""
    plan = np.concatenate(
        [plan_of(form, each)[own(form, player)] for player, each in enumerate(behaviours)]
    )
    return behaviour_of(form, plan)
