"""Fictitious play in one state, when it is known what every outcome is worth.

All players answer the averages of the others at the same time, so that what they could gain is
known exactly in every iteration, at no cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.stage import Averages, StageForm, own_sequences
from regretless.kernels.kept_response import kept_response


class Played(NamedTuple):
    """The plan of all players, what it is worth to each, and what each could gain here."""

    plan: Floats
    values: Floats
    gains: Floats
    chances: Floats  # of the outcomes
    iterations: int


def fictitious_play(
    stage: StageForm,
    utility: Floats,
    plan: Floats,
    *,
    regret: float,
    most: int,
    weight: float = 1,
    recency: float = 0,
) -> Played:
    """Play until nobody could gain more than `regret` in this state, or `most` iterations.

    The plan that it begins with counts as `weight` iterations. Response t counts t^recency times
    in the averages: 0 is fictitious play as published; with 4 a regret falls by orders of
    magnitude more quickly where responses settle, as in jam/fold games."""
    averages = stage.averages(plan)
    last = averages.plan.copy()
    for iteration in range(most + 1):
        values, gains, chances = _answers(stage, utility, averages, last)
        if gains.max() <= regret or iteration == most:
            break
        step = (1 + recency) / (iteration + 1 + weight + recency)
        for player in range(stage.players):
            response = last[own_sequences(stage, player)]
            averages.move(player, response, step)
    return Played(averages.plan.copy(), values, gains, chances, iteration)


def _answers(
    stage: StageForm, utility: Floats, averages: Averages, last: Floats
) -> tuple[Floats, Floats, Floats]:
    """Values and gains of all players; `last` becomes their best responses."""
    values, gains = np.empty(stage.players), np.empty(stage.players)
    for player in range(stage.players):
        mine = own_sequences(stage, player)
        chances = averages.chances(player)
        earned = utility[:, player] @ chances
        values[player] = earned @ averages.plan[mine]
        best = kept_response(stage.plex, player, earned, last[mine].copy(), 0.0, last[mine])
        gains[player] = best - values[player]
    return values, gains, chances @ averages.plan[mine]
