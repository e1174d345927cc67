"""From a game and its models to an equilibrium, or to the proof that none fits."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import nan

import numpy as np

from regretless.continuous.game import JOIN, ContinuousGame
from regretless.continuous.model import ParametricModel, parametric_model
from regretless.continuous.program import ModelProgram
from regretless.continuous.refinement import refinement
from regretless.continuous.response import Profile, Regions, responses
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, shown, whole
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Column, Shown, Table, facts_table, prose
from regretless.programs.products import linearised, maximised, sharpened

BREAKPOINTS = 5  # as in the paper
MOST_BREAKPOINTS = 65
EMPTY = 1e-9  # width of a region, relative to all signals, that is rounding


@dataclass(frozen=True)
class Measured:
    """A profile, what it earns, and what exact best responses gain."""

    profile: Profile
    values: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def epsilon(self) -> float:
        return max(*self.gains, 0.0)  # a gain below 0 is rounding


@dataclass(frozen=True, eq=False)
class ModelSolution(Shown):
    """The answer for one or several models; without `found`, no equilibrium fits any of them.

    `linear` is the point of the linearised program, which differs with three or more players;
    `bound` is how much any plan may gain there at a signal that the program looks at."""

    game: ContinuousGame
    models: tuple[ParametricModel, ...]
    model: int | None  # the one that fits
    found: Measured | None
    linear: Measured | None
    bound: float
    seconds: float
    size: tuple[int, int, int] = field(default=(0, 0, 0))  # variables, binaries, rows

    @property
    def profile(self) -> Profile:
        """Thresholds and plans of every player."""
        if self.found is None:
            raise BadInput("no equilibrium fits these models: there is no profile")
        return self.found.profile

    def after(self, seconds: float) -> ModelSolution:
        """The same answer, with the time that finding it took."""
        return replace(self, seconds=seconds)

    @property
    def epsilon(self) -> float:
        """The largest gain of any player by an exact best response; nan if nothing was found."""
        return nan if self.found is None else self.found.epsilon

    @property
    def values(self) -> tuple[float, ...]:
        """What every player earns; empty if nothing was found."""
        return () if self.found is None else self.found.values

    def tables(self) -> list[Table]:
        facts = [("game", self.game.name), ("result", self._result())]
        if self.found is None or self.model is None:
            return [facts_table([*facts, ("time", f"{self.seconds:.2f} s")])]
        facts.append(("model", str(self.models[self.model])))
        facts.append(("epsilon", f"{self.epsilon:.2g}, by exact best responses"))
        if self.linear is not None and self.bound > 0:
            text = f"{self.linear.epsilon:.2g}, bound {self.bound:.2g}"
            facts.append(("before Newton's method", text))
        facts.append(("time", f"{self.seconds:.2f} s"))
        return [facts_table(facts), _players(self.found), _regions(self.found.profile, self.game)]

    def _result(self) -> str:
        several = len(self.models) > 1
        if self.model is None:
            return f"no equilibrium fits {'any of the models' if several else 'the model'}"
        return f"equilibrium of model {self.model + 1}" if several else "equilibrium"


def solve_continuous(
    game: ContinuousGame,
    models: str | ParametricModel | Sequence[str | ParametricModel],
    *,
    breakpoints: int = BREAKPOINTS,
    listen: Listener = nobody,
) -> ModelSolution:
    """An equilibrium that fits one of the models, or the proof that there is none.

    `models`: some may be wrong. `breakpoints` of every factor of a product, with three or more
    players."""
    whole("breakpoints", breakpoints, 2, MOST_BREAKPOINTS)
    started = time.perf_counter()
    if not isinstance(game, ContinuousGame):
        raise BadInput(f"game={shown(game)}: must be a continuous game")
    read = _models(game, models)
    task = ModelProgram(game, refinement(read))
    linear = linearised(task.program, breakpoints)
    point = maximised(
        linear.program,
        "the program of the model",
        lambda news: listen(Progress("solving", news=news)),
    )
    rough = exact = None
    if point is not None:
        rough = exact = _measured(game, task, point)
        if linear.products:
            sharp = _measured(game, task, sharpened(task.program, point))
            exact = min(sharp, rough, key=lambda one: one.epsilon)
    binaries = sum(linear.program.binary)
    return ModelSolution(
        game,
        read,
        None if point is None else task.model_chosen(point),
        exact,
        rough,
        task.bound(linear),
        time.perf_counter() - started,
        (len(linear.program.names), binaries, len(linear.program.rows)),
    )


def _models(game: ContinuousGame, given: object) -> tuple[ParametricModel, ...]:
    listed = [given] if isinstance(given, str | ParametricModel) else given
    if not isinstance(listed, list | tuple) or not listed:
        raise BadInput(f"models={shown(given)}: must be a model or a list of models")
    for one in listed:
        if not isinstance(one, str | ParametricModel):
            raise BadInput(f"model {shown(one)}: must be a text such as 'p1: … | p2: …'")
    # A model may come from another game: its text is read again.
    return tuple(parametric_model(str(one), game) for one in listed)


def _measured(game: ContinuousGame, task: ModelProgram, point: Floats) -> Measured:
    places = task.thresholds(point)
    profile = tuple(
        _without_empty(game, Regions(own, plans))
        for own, plans in zip(places, task.models.plans, strict=True)
    )
    found = responses(game, profile)
    return Measured(profile, tuple(r.value for r in found), tuple(r.gain for r in found))


def _without_empty(game: ContinuousGame, own: Regions) -> Regions:
    """Regions of other models are empty, and left out; neighbours with one plan are one region."""
    edges = np.concatenate([[game.low], own.thresholds, [game.high]])
    least = EMPTY * (game.high - game.low)
    kept = [k for k in range(len(own.plans)) if edges[k + 1] - edges[k] > least]
    kept = [k for at, k in enumerate(kept) if not at or own.plans[k] != own.plans[kept[at - 1]]]
    return Regions(edges[kept][1:], tuple(own.plans[k] for k in kept))


def _players(found: Measured) -> Table:
    rows = [
        (f"p{i + 1}", value, gain)
        for i, (value, gain) in enumerate(zip(found.values, found.gains, strict=True))
    ]
    return Table(
        "", (prose("player"), Column("value", ".6f"), Column("best response gains", ".2e")), rows
    )


def _regions(profile: Profile, game: ContinuousGame) -> Table:
    rows = []
    for i, own in enumerate(profile):
        edges = [game.low, *own.thresholds.tolist(), game.high]
        for k, plan in enumerate(own.plans):
            share = game.distributions[i].share
            mass = float(share(edges[k + 1]) - share(edges[k]))
            rows.append((f"p{i + 1}", edges[k], edges[k + 1], JOIN.join(plan), mass))
    columns = (
        prose("player"),
        Column("from", ".6f"),
        Column("to", ".6f"),
        Column("plan", align="left"),
        Column("probability", ".4f"),
    )
    return Table("", columns, rows)
