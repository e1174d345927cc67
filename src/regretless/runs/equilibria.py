"""Equilibria beyond a single strategy: all that a method finds, and correlated ones."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from regretless.core.errors import BadParameter
from regretless.core.loop import Loop
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.correlation import coarse_evaluation, obedience
from regretless.evaluation.exploitability import Evaluation
from regretless.forms.choice import form_of
from regretless.forms.form import behaviour_of
from regretless.forms.sequence import SequenceForm
from regretless.games._state import Game
from regretless.solvers import _catalog
from regretless.solvers._bimatrix import BimatrixSolver
from regretless.solvers._correlated import Correlated, solve_correlated
from regretless.strategy.strategy import Strategy

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class CorrelatedEquilibrium:
    """A distribution over profiles, and what players would gain by deviating."""

    play: Correlated
    evaluation: Evaluation  # epsilon: recomputed from the distribution alone
    coarse: bool

    @property
    def values(self) -> tuple[float, ...]:
        return self.evaluation.values

    @property
    def epsilon(self) -> tuple[float, ...]:
        return self.evaluation.epsilon

    @property
    def distribution(self) -> dict[tuple[str, ...], float]:
        """The probability of every profile in the support, by the players' actions."""
        pairs = zip(self.play.profiles, self.play.probabilities, strict=True)
        return {self.play.actions(profile): float(share) for profile, share in pairs}

    def __repr__(self) -> str:
        kind = "coarse correlated" if self.coarse else "correlated"
        gap = max(self.epsilon)
        return f"{kind} equilibrium of {self.play.form.spec!r}: values {self.values}, gap {gap:.1e}"


def correlated_equilibrium(
    game: str | Game | SequenceForm, *, objective: str = "welfare", listen: Listener = nobody
) -> CorrelatedEquilibrium:
    """The best correlated equilibrium by an objective: welfare, fair, player1, …, or any."""
    play = _finished(solve_correlated(_explicit(game), coarse=False, objective=objective), listen)
    return CorrelatedEquilibrium(play, obedience(play), coarse=False)


def coarse_correlated_equilibrium(
    game: str | Game | SequenceForm, *, objective: str = "welfare", listen: Listener = nobody
) -> CorrelatedEquilibrium:
    """The best coarse correlated equilibrium by an objective: welfare, fair, player1, …, or any."""
    play = _finished(solve_correlated(_explicit(game), coarse=True, objective=objective), listen)
    return CorrelatedEquilibrium(play, coarse_evaluation(play), coarse=True)


def equilibria(
    game: str | Game | SequenceForm,
    *,
    method: str = "support-enumeration:every=true",
    listen: Listener = nobody,
) -> tuple[Strategy, ...]:
    """All equilibria that a method for two-player normal forms finds, each once."""
    form = _explicit(game)
    solver = _catalog.solver(method, form)
    if not isinstance(solver, BimatrixSolver):
        raise BadParameter(
            f"method={method}: must be lemke-howson, support-enumeration or mip-nash"
        )
    Loop(work=solver, listen=listen).advance()
    plans = (solver.plans(pair) for pair in solver.distinct())
    return tuple(Strategy(form, behaviour_of(form, plan)) for plan in plans)


def _finished(work: Generator[str, None, Found], listen: Listener) -> Found:
    while True:
        try:
            listen(Progress("solving", news=next(work)))
        except StopIteration as end:
            result: Found = end.value
            return result


def _explicit(game: str | Game | SequenceForm) -> SequenceForm:
    form = game if isinstance(game, SequenceForm) else form_of(game, kind="sequence")
    assert isinstance(form, SequenceForm)
    return form
