"""Regret matching with 16 bits per number, for games that would not fit otherwise.

All numbers of a run of lanes, which is a decision on one board, share one scale. Play does not
need it: probabilities are proportions. The scale is stored at `base >> shift`; every run has at
least 2 ** shift numbers, so no two runs share a slot."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic, overload

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart, lean
from regretless.kernels.learner import Decisions, proportional

MOST_REGRET, MOST_AVERAGE = 32_767, 65_535


class CompactMatching(NamedTuple):
    """Weights of one iteration."""

    positive: float
    negative: float
    step: float  # of the average
    shift: int


class CompactRegrets(NamedTuple):
    """The memory: whole numbers per sequence, and the value of one unit per run."""

    regret: Any  # int16
    regret_scale: Floats
    average: Any  # uint16
    average_scale: Floats


@lean
def tuned(learner: CompactMatching, weights: Floats) -> CompactMatching:
    """The weights of one iteration, as in regret matching; there is no prediction."""
    return CompactMatching(weights[0], weights[1], weights[3], learner.shift)


@lean
def play(learner: CompactMatching, memory: CompactRegrets, where: Decisions, out: Floats) -> None:
    """Proportional to positive regrets; uniform if there are none."""
    proportional(memory.regret, where, out, 0.0)


@apart
def observe(
    learner: CompactMatching, memory: CompactRegrets, where: Decisions, q: Floats, value: Floats
) -> None:
    """Update regrets. `q` is overwritten with them before rounding."""
    base, actions, L, at = where
    scale = memory.regret_scale[base >> learner.shift]
    zero, most = np.float32(0), np.int32(0)
    positive, negative = np.float32(learner.positive), np.float32(learner.negative)
    for a in range(actions):
        start = base + a * L
        R, new = memory.regret[start : start + L], q[at + a * L : at + (a + 1) * L]
        for k in range(L):
            summed = np.float32(R[k]) * scale + (new[k] - value[k])
            kept = summed * (positive if summed > zero else negative)
            new[k] = kept
            most = max(most, np.int32(bits(abs(kept))))
    largest = number(most)
    memory.regret_scale[base >> learner.shift] = largest / np.float32(MOST_REGRET)
    times = np.float32(MOST_REGRET) / largest if largest > zero else zero
    half = np.float32(0.5)
    R, new = memory.regret[base : base + actions * L], q[at : at + actions * L]
    for k in range(actions * L):
        x = new[k] * times
        R[k] = np.int16(np.int32(x + (half if x > zero else -half)))


@apart
def remember(
    learner: CompactMatching, memory: CompactRegrets, where: Decisions, played: Floats
) -> None:
    """Move the average towards what was played. `played` is overwritten with it."""
    base, actions, L, at = where
    scale, step = memory.average_scale[base >> learner.shift], np.float32(learner.step)
    most, count = np.int32(0), actions * L
    A, new = memory.average[base : base + count], played[at : at + count]
    for k in range(count):
        mean = np.float32(A[k]) * scale
        mean += step * (new[k] - mean)
        new[k] = mean
        most = max(most, np.int32(bits(abs(mean))))
    largest = number(most)
    memory.average_scale[base >> learner.shift] = largest / np.float32(MOST_AVERAGE)
    times = np.float32(MOST_AVERAGE) / largest if largest > 0 else np.float32(0)
    for k in range(count):
        A[k] = np.uint16(np.int32(new[k] * times + np.float32(0.5)))


def bits(x: Any) -> Any:
    """A single-precision number as a whole number; the order of positive ones is kept."""
    return np.float32(x).view(np.int32)


def number(x: Any) -> Any:
    """The inverse."""
    return np.int32(x).view(np.float32)


@intrinsic
def _bits(context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], ir.IntType(32))

    return types.int32(types.float32), generate


@intrinsic
def _number(context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], ir.FloatType())

    return types.float32(types.int32), generate


@overload(bits, strict=False)
def _overloaded_bits(x: Any) -> Any:
    return lambda x: _bits(x)  # type: ignore[call-arg]


@overload(number, strict=False)
def _overloaded_number(x: Any) -> Any:
    return lambda x: _number(x)  # type: ignore[call-arg]
