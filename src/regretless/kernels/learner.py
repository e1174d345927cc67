"""What learns at a decision point: one contract, compiled into the sweeps of both forms.

A learner is one file: a NamedTuple of parameters, a NamedTuple of vectors that the solver
owns (its memory, which has an `average`), and three functions of the names below. Sweeps
are compiled once for every type of learner, so that the choice costs nothing at run time.

Lanes are decision points with equally many actions side by side: number a of lane k
stands at `base + a * L + k` in the memory, and at `at + a * L + k` in other vectors."""

from __future__ import annotations

import sys
from typing import Any

from numba.extending import overload

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart


def tuned(learner: Any, weights: Floats) -> Any:
    """The learner with the weights of one iteration."""
    return _own(learner).tuned(learner, weights)


def play(learner: Any, memory: Any, base: int, actions: int, L: int, out: Floats, at: int) -> None:
    """Write the probability of every action of every lane to `out`."""
    _own(learner).play(learner, memory, base, actions, L, out, at)


def observe(
    learner: Any, memory: Any, base: int, actions: int, L: int, q: Floats, at: int, value: Floats
) -> None:
    """Learn what every action earned, `q`, and what was earned as played, `value`[k]."""
    _own(learner).observe(learner, memory, base, actions, L, q, at, value)


@apart
def blend(average: Floats, base: int, played: Floats, at: int, count: int, step: float) -> None:
    """Move an average towards what was played; with a negative step, add it to a sum."""
    step = average.dtype.type(step)
    mean, now = average[base : base + count], played[at : at + count]
    if step < 0:
        for k in range(count):
            mean[k] -= step * now[k]
        return
    for k in range(count):
        mean[k] += step * (now[k] - mean[k])


def _own(learner: Any) -> Any:
    """The module that a learner is written in."""
    return sys.modules[type(learner).__module__]


def _compiled(learner: Any, name: str) -> Any:
    return getattr(sys.modules[learner.instance_class.__module__], name)


@overload(tuned, strict=False)
def _tuned(learner: Any, weights: Any) -> Any:
    function = _compiled(learner, "tuned")
    return lambda learner, weights: function(learner, weights)


@overload(play, strict=False)
def _play(learner: Any, memory: Any, base: Any, actions: Any, L: Any, out: Any, at: Any) -> Any:
    function = _compiled(learner, "play")
    return lambda learner, memory, base, actions, L, out, at: function(
        learner, memory, base, actions, L, out, at
    )


@overload(observe, strict=False)
def _observe(
    learner: Any, memory: Any, base: Any, actions: Any, L: Any, q: Any, at: Any, value: Any
) -> Any:
    function = _compiled(learner, "observe")
    return lambda learner, memory, base, actions, L, q, at, value: function(
        learner, memory, base, actions, L, q, at, value
    )
