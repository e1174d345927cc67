"""Regret matching, with all the weights in which the CFR family differs.

With r = q - value, an iteration does R <- R + r, then R times `positive` where R > 0 and
`negative` where R < 0; the next behaviour is proportional to max(R + prediction * r, 0),
where anything up to `tiny` is rounding and counts as 0: exact ties stay ties."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart, lean
from regretless.kernels.learner import LEAST, Decisions, follow, proportional

TINY = 1e-14  # times the largest payoff: a smaller regret is rounding


class RegretMatching(NamedTuple):
    """Weights of one iteration."""

    positive: float
    negative: float
    prediction: float
    step: float  # of the average
    tiny: float


class Regrets(NamedTuple):
    """The memory of regret matching, one number per sequence."""

    regret: Floats
    predicted: Floats  # regret plus prediction; empty without prediction
    average: Floats  # weighted mean of what was played


@lean
def tuned(learner: RegretMatching, weights: Floats) -> RegretMatching:
    """The weights of one iteration, in the order of the fields."""
    return RegretMatching(weights[0], weights[1], weights[2], weights[3], learner.tiny)


@lean
def play(learner: RegretMatching, memory: Regrets, where: Decisions, out: Floats) -> None:
    """Proportional to positive regrets; uniform if there are none."""
    source = memory.predicted if memory.predicted.size else memory.regret
    proportional(source, where, out, learner.tiny)


@lean
def proceed(
    learner: RegretMatching,
    memory: Regrets,
    where: Decisions,
    out: Floats,
    reach: Floats,
    here: int,
    below: int,
) -> None:
    """Play, and the reach after every action."""
    source = memory.predicted if memory.predicted.size else memory.regret
    follow(source, where, out, learner.tiny, reach, here, below)


@apart
def observe(
    learner: RegretMatching, memory: Regrets, where: Decisions, q: Floats, value: Floats
) -> None:
    """Update regrets, and predicted ones if used."""
    base, actions, L, at = where
    real = memory.regret.dtype.type
    zero, least, prediction = real(0), real(LEAST), real(learner.prediction)
    positive, negative = real(learner.positive), real(learner.negative)
    for a in range(actions):
        start = base + a * L
        R, paid = memory.regret[start : start + L], q[at + a * L : at + (a + 1) * L]
        if memory.predicted.size:
            predicted = memory.predicted[start : start + L]
            for k in range(L):
                summed = R[k] + (paid[k] - value[k])
                kept = summed * (positive if summed > zero else negative)
                predicted[k] = kept + prediction * (paid[k] - value[k])
        for k in range(L):
            summed = R[k] + (paid[k] - value[k])
            kept = summed * (positive if summed > zero else negative)
            R[k] = kept if abs(kept) > least else zero
