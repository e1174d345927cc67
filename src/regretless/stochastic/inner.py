"""Fictitious play in one state, when it is known what every outcome is worth.

All players answer the averages of the others at the same time, so that what they could gain is
known exactly in every iteration, at no cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.forms.stage import StageForm, own_sequences
from regretless.kernels.kept_response import kept_response

Singles = npt.NDArray[np.float32]
Seen: TypeAlias = Sequence[Floats | Singles]  # [player] chances of outcomes by own sequences


Watch: TypeAlias = Callable[[int, float], bool]


def nobody_watches(iteration: int, gain: float) -> bool:
    """Let it run."""
    return False


class Played(NamedTuple):
    """The plan of all players, what it is worth to each, and what each could gain here."""

    plan: Floats
    values: Floats
    gains: Floats
    chances: Floats  # of the outcomes
    iterations: int
    seen: Seen  # by the players, against this plan


def fictitious_play(
    stage: StageForm,
    utility: Floats,
    plan: Floats,
    *,
    regret: float,
    most: int,
    weight: float = 1,
    recency: float = 0,
    seen: Seen | None = None,
    watch: Watch = nobody_watches,
) -> Played:
    """Play until nobody could gain more than `regret` in this state, or `most` iterations.

    The plan that it begins with counts as `weight` iterations. Response t counts t^recency times
    in the averages: 0 is fictitious play as published; with 4 a regret falls by orders of
    magnitude more quickly where responses settle, as in jam/fold games. With what was `seen`
    against this plan before, a plan that is still good enough costs next to nothing. `watch` is
    told the iteration and the largest gain, and may end it."""
    last = plan.copy()
    if seen is not None:
        values, gains = _answers(stage, utility, seen, plan, last)
        if gains.max() <= regret:
            own = plan[own_sequences(stage, 0)]
            return Played(plan, values, gains, seen[0] @ own, 0, seen)
    averages = stage.averages(plan)
    for iteration in range(most + 1):
        now = [averages.chances(player) for player in range(stage.players)]
        values, gains = _answers(stage, utility, now, averages.plan, last)
        if gains.max() <= regret or iteration == most or watch(iteration, float(gains.max())):
            break
        step = (1 + recency) / (iteration + 1 + weight + recency)
        for player in range(stage.players):
            response = last[own_sequences(stage, player)]
            averages.move(player, response, step)
    reached = now[0] @ averages.plan[own_sequences(stage, 0)]
    kept = [np.asarray(own, dtype=np.float32) for own in now]
    return Played(averages.plan.copy(), values, gains, reached, iteration, kept)


def _answers(
    stage: StageForm, utility: Floats, seen: Seen, plan: Floats, last: Floats
) -> tuple[Floats, Floats]:
    """Values and gains of all players; `last` becomes their best responses."""
    values, gains = np.empty(stage.players), np.empty(stage.players)
    for player in range(stage.players):
        mine = own_sequences(stage, player)
        earned = utility[:, player] @ seen[player]
        values[player] = earned @ plan[mine]
        best = kept_response(stage.plex, player, earned, last[mine].copy(), 0.0, last[mine])
        gains[player] = best - values[player]
    return values, gains
