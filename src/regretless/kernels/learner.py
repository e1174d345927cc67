"""The learner at a decision point: one contract, compiled into the sweeps of both forms.

A learner is one file: a NamedTuple of parameters, a NamedTuple of vectors that the solver
owns (its memory, which has an `average`), and three functions named `tuned`, `play` and
`observe`. One that does not store its average as plain numbers also has `remember` and
`recall`. Sweeps are compiled once per type of learner, so the choice costs nothing at run
time.

`play` depends on the memory, not on the weights of the iteration: where lanes share rows, it is
called once after they have learned, and used until they learn again.

Lanes are adjacent decision points with the same number of actions: action a of lane k is at
`base + a * L + k` in the memory, and at `at + a * L + k` in other vectors."""

from __future__ import annotations

import sys
from typing import Any

from numba.extending import overload

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart

# Averages that shrink again and again, and regrets that are halved again and again, end as denormal
# numbers: they cost a hundred times as much as others (docs/measurements/public-sweep.md), and
# their inverses are infinite.
LEAST = 1e-30


def tuned(learner: Any, weights: Floats) -> Any:
    """The learner with the weights of one iteration."""
    return _own(learner).tuned(learner, weights)


def play(learner: Any, memory: Any, base: int, actions: int, L: int, out: Floats, at: int) -> None:
    """Write the probability of every action of every lane to `out`."""
    _own(learner).play(learner, memory, base, actions, L, out, at)


def observe(
    learner: Any, memory: Any, base: int, actions: int, L: int, q: Floats, at: int, value: Floats
) -> None:
    """Learn from the value of every action, `q`, and of what was played, `value`[k]."""
    _own(learner).observe(learner, memory, base, actions, L, q, at, value)


def remember(
    learner: Any, memory: Any, base: int, actions: int, L: int, played: Floats, at: int
) -> None:
    """Add what was played to the average. `played` may be overwritten."""
    own = getattr(_own(learner), "remember", None)
    if own is not None:
        own(learner, memory, base, actions, L, played, at)
    else:
        blend(memory.average, base, played, at, actions * L, learner.step)


def recall(
    learner: Any, memory: Any, base: int, actions: int, L: int, out: Floats, at: int
) -> None:
    """Write the average probability of every action of every lane to `out`."""
    own = getattr(_own(learner), "recall", None)
    if own is not None:
        own(learner, memory, base, actions, L, out, at)
    else:
        proportional(memory.average, base, actions, L, out, at, 0.0)


@apart
def blend(average: Floats, base: int, played: Floats, at: int, count: int, step: float) -> None:
    """Move an average towards what was played; with a negative step, add it to a sum."""
    real = average.dtype.type
    step, zero, least = real(step), real(0), real(LEAST)
    mean, now = average[base : base + count], played[at : at + count]
    if step < 0:
        for k in range(count):
            mean[k] -= step * now[k]
        return
    for k in range(count):
        moved = mean[k] + step * (now[k] - mean[k])
        mean[k] = moved if moved > least else zero


@apart
def proportional(
    weights: Any, base: int, actions: int, L: int, out: Floats, at: int, tiny: float
) -> None:
    """Probabilities in proportion to the weights above `tiny`; uniform if there are none."""
    real = out.dtype.type
    zero, one, least = real(0), real(1), real(max(tiny, LEAST))
    # There are no branches in these loops, so they are vectorised.
    uniform = one / real(actions)
    first, W = out[at : at + L], weights[base : base + L]
    if actions == 2:
        V, other = weights[base + L : base + 2 * L], out[at + L : at + 2 * L]
        for k in range(L):
            w, v = real(W[k]), real(V[k])
            w, v = w if w > least else zero, v if v > least else zero
            none = zero if w + v > zero else one
            times = (one - none) / (w + v + none)
            rest = zero if times > zero else uniform
            first[k] = w * times + rest
            other[k] = v * times + rest
        return
    # The first row holds the sums, then their inverses, until the others are done.
    for k in range(L):
        w = real(W[k])
        first[k] = w if w > least else zero
    for a in range(1, actions):
        W = weights[base + a * L : base + (a + 1) * L]
        for k in range(L):
            w = real(W[k])
            first[k] += w if w > least else zero
    for k in range(L):
        none = zero if first[k] > zero else one
        first[k] = (one - none) / (first[k] + none)
    for a in range(1, actions):
        W, b = weights[base + a * L : base + (a + 1) * L], out[at + a * L : at + (a + 1) * L]
        for k in range(L):
            w = real(W[k])
            none = zero if first[k] > zero else uniform
            b[k] = (w if w > least else zero) * first[k] + none
    W = weights[base : base + L]
    for k in range(L):
        w = real(W[k])
        none = zero if first[k] > zero else uniform
        first[k] = (w if w > least else zero) * first[k] + none


def _own(learner: Any) -> Any:
    """The module of a learner."""
    return sys.modules[type(learner).__module__]


def _has(learner: Any, name: str) -> bool:
    return hasattr(sys.modules[learner.instance_class.__module__], name)


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


@overload(remember, strict=False)
def _remember(
    learner: Any, memory: Any, base: Any, actions: Any, L: Any, played: Any, at: Any
) -> Any:
    if not _has(learner, "remember"):
        return lambda learner, memory, base, actions, L, played, at: blend(
            memory.average, base, played, at, actions * L, learner.step
        )
    function = _compiled(learner, "remember")
    return lambda learner, memory, base, actions, L, played, at: function(
        learner, memory, base, actions, L, played, at
    )


@overload(recall, strict=False)
def _recall(learner: Any, memory: Any, base: Any, actions: Any, L: Any, out: Any, at: Any) -> Any:
    if not _has(learner, "recall"):
        return lambda learner, memory, base, actions, L, out, at: proportional(
            memory.average, base, actions, L, out, at, 0.0
        )
    function = _compiled(learner, "recall")
    return lambda learner, memory, base, actions, L, out, at: function(
        learner, memory, base, actions, L, out, at
    )
