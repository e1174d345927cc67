"""Hedge: probabilities proportional to exp(rate * gains) (Freund & Schapire 1997).

Gains are advantages, q minus the value of what was played: a constant added to all actions
changes no probability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.kernels.compiled import lean
from regretless.kernels.learner import Decisions


class Hedge(NamedTuple):
    """Weights of one iteration."""

    rate: float  # of the next play
    step: float  # of the average


class Gains(NamedTuple):
    """The memory of Hedge, one number per sequence."""

    gain: Floats  # times the rate of the last iteration
    average: Floats


@lean
def tuned(learner: Hedge, weights: Floats) -> Hedge:
    """Rate and step of one iteration."""
    return Hedge(weights[0], weights[1])


@lean
def play(learner: Hedge, memory: Gains, where: Decisions, out: Floats) -> None:
    """The softmax of gains times the rate."""
    base, actions, L, at = where
    real = out.dtype.type
    for k in range(L):
        most = memory.gain[base + k]
        for a in range(1, actions):
            most = max(most, memory.gain[base + a * L + k])
        total = real(0)
        for a in range(actions):
            share = np.exp(memory.gain[base + a * L + k] - most)
            out[at + a * L + k] = share
            total += share
        for a in range(actions):
            out[at + a * L + k] /= total


@lean
def observe(learner: Hedge, memory: Gains, where: Decisions, q: Floats, value: Floats) -> None:
    """Add the advantages, times the rate."""
    base, actions, L, at = where
    rate = memory.gain.dtype.type(learner.rate)
    for a in range(actions):
        start = base + a * L
        G, paid = memory.gain[start : start + L], q[at + a * L : at + (a + 1) * L]
        for k in range(L):
            G[k] += rate * (paid[k] - value[k])
