"""How good correlated play is: what players would gain by deviating.

Joint play is a mixture of profiles, such as the iterations of a run, each with a weight. It is
an epsilon coarse correlated equilibrium if nobody gains more than epsilon by one fixed strategy
against it, chosen before anything is drawn; an epsilon correlated one if nobody gains more by
any rule that replaces its recommendation. Regret minimisation makes the first small with any
number of players, where exploitability of the average need not fall. With two players and zero-
sum payoffs the coarse gains, losses included, add up to the NashConv of the average strategy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, within
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.exploitability import Evaluation
from regretless.forms.choice import any_form
from regretless.forms.form import Form, own, plan_of, size
from regretless.kernels.treeplex import best_response
from regretless.solvers._correlated import Correlated
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy.strategy import Strategy, require_vector


class JointPlay:
    """A mixture of profiles, one `observe` each. Its size does not grow with their number."""

    def __init__(self, form: Form) -> None:
        self.form = form = any_form(form)
        self.earned = np.zeros(size(form))  # sum of weight * gradient, all players
        self.values = np.zeros(form.players)
        self.weight = 0.0

    def observe(self, behaviour: Floats, weight: float = 1.0) -> None:
        """Add a profile in which everybody plays independently."""
        checked = Strategy(self.form, behaviour).behaviour
        self.observe_plan(plan_of(self.form, checked), weight)

    def observe_plan(self, plan: Floats, weight: float = 1.0) -> None:
        """Add a profile given by its realization plan."""
        plan = require_vector(self.form, plan, "plan")
        if not (weight >= 0 and np.isfinite(weight)):
            raise BadParameter(f"weight={weight}: must be finite and 0 or more")
        gradient = np.empty_like(plan)
        for player in range(self.form.players):
            mine = own(self.form, player)
            self.form.gradient(player, plan, gradient)
            self.values[player] += weight * float(plan[mine] @ gradient[mine])
            self.earned[mine] += weight * gradient[mine]
        self.weight += weight

    def evaluation(self) -> Evaluation:
        """Values of the play, and of the best fixed deviations: `epsilon` is the gap per player."""
        if not self.weight > 0:
            raise BadInput("joint play without a profile: observe one first")
        best = [best_fixed(self.form, i, self.earned) for i in range(self.form.players)]
        return Evaluation(
            tuple(map(float, self.values / self.weight)),
            tuple(value / self.weight for value in best),
        )


def best_fixed(form: Form, player: int, earned: Floats) -> float:
    """What the best pure strategy of a player earns, given what its sequences earn."""
    return best_response(form.plex, player, earned.copy(), np.empty_like(earned))


def coarse_correlated_gap(
    solver: Solver,
    iterations: int,
    *,
    weight: Callable[[int], float] = lambda t: 1.0,
    listen: Listener = nobody,
) -> Evaluation:
    """Run a solver for some iterations and measure all its play as coarse correlated play.

    `weight(t)` is the weight of iteration t, counted from the solver's first. `epsilon` of the
    result is the regret per player and unit of weight; its maximum is the gap. Methods that keep
    only an average are measured by their averages."""
    within("iterations", iterations, 1, 2**62)
    play = JointPlay(solver.form)
    for done in range(iterations):
        if solver.finished:
            break
        if Iterate.CURRENT in solver.iterates:
            played = solver.behaviour(Iterate.CURRENT)
            solver.step()
        else:
            solver.step()
            kept = Iterate.LAST if Iterate.LAST in solver.iterates else Iterate.AVERAGE
            played = solver.behaviour(kept)
        play.observe_plan(plan_of(solver.form, played), weight(solver.iteration))
        listen(Progress("playing", solver.iteration, done=(done + 1) / iterations))
    return play.evaluation()


def coarse_evaluation(correlated: Correlated) -> Evaluation:
    """A distribution over profiles as coarse correlated play."""
    play = JointPlay(correlated.form)
    for profile, probability in zip(correlated.profiles, correlated.probabilities, strict=True):
        play.observe_plan(correlated.plan(profile), float(probability))
    return play.evaluation()


def obedience(correlated: Correlated) -> Evaluation:
    """A distribution over profiles as correlated play: players may replace recommendations."""
    form = correlated.form
    values, best = [], []
    for player in range(form.players):
        value = reply = 0.0
        for told in np.unique(correlated.profiles[:, player]):
            play = JointPlay(form)
            for at in np.flatnonzero(correlated.profiles[:, player] == told):
                play.observe_plan(
                    correlated.plan(correlated.profiles[at]), float(correlated.probabilities[at])
                )
            value += float(play.values[player])
            reply += best_fixed(form, player, play.earned)
        values.append(value)
        best.append(reply)
    return Evaluation(tuple(values), tuple(best))
