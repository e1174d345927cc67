"""The learner at a decision point: one contract, compiled into the sweeps of both forms.

A learner is one file: a NamedTuple of parameters, a NamedTuple of vectors that the solver
owns (its memory, which has an `average`), and three functions named `tuned`, `play` and
`observe`. One that does not store its average as plain numbers also has `remember` and
`recall`; one that can multiply the reach while it plays has `proceed`. Sweeps are compiled
once per type of learner, so the choice costs nothing at run time.

`play` depends on the memory, not on the weights of the iteration: where lanes share rows, it is
called once after they have learned, and used until they learn again.

Lanes are adjacent decision points with the same number of actions: action a of lane k is at
`base + a * L + k` in the memory, and at `at + a * L + k` in other vectors."""

from __future__ import annotations

import sys
from typing import Any

from numba.extending import overload

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart, inlined

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


def proceed(
    learner: Any,
    memory: Any,
    base: int,
    actions: int,
    L: int,
    out: Floats,
    at: int,
    reach: Floats,
    here: int,
    below: int,
) -> None:
    """Play, and write the reach after every action: that of the decision, at `here`, times the
    probability, to `below`."""
    own = getattr(_own(learner), "proceed", None)
    if own is not None:
        own(learner, memory, base, actions, L, out, at, reach, here, below)
    else:
        play(learner, memory, base, actions, L, out, at)
        multiply(reach, here, below, actions, L, out, at)


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
def multiply(
    reach: Floats, here: int, below: int, actions: int, L: int, chosen: Floats, at: int
) -> None:
    """The reach after every action."""
    mine = reach[here : here + L]
    for a in range(actions):
        after = reach[below + a * L : below + (a + 1) * L]
        b = chosen[at + a * L : at + (a + 1) * L]
        for k in range(L):
            after[k] = mine[k] * b[k]


# There are no branches in these three, so loops around them are vectorised.
@inlined
def _weight(w: float, least: float, zero: float) -> float:
    return w if w > least else zero


@inlined
def _of_two(w: float, v: float, zero: float, one: float) -> tuple[float, float]:
    none = zero if w + v > zero else one
    times = (one - none) / (w + v + none)
    rest = zero if times > zero else one / (one + one)
    return w * times + rest, v * times + rest


@inlined
def _of_three(w: float, v: float, u: float, zero: float, one: float) -> tuple[float, float, float]:
    none = zero if w + v + u > zero else one
    times = (one - none) / (w + v + u + none)
    rest = zero if times > zero else one / (one + one + one)
    return w * times + rest, v * times + rest, u * times + rest


@apart
def follow(
    weights: Any,
    base: int,
    actions: int,
    L: int,
    out: Floats,
    at: int,
    tiny: float,
    reach: Floats,
    here: int,
    below: int,
) -> None:
    """`proportional`, then `multiply`, in one pass."""
    real = out.dtype.type
    zero, one, least = real(0), real(1), real(max(tiny, LEAST))
    mine, W = reach[here : here + L], weights[base : base + L]
    V, U = weights[base + L : base + 2 * L], weights[base + 2 * L : base + 3 * L]
    first, second, third = out[at : at + L], out[at + L : at + 2 * L], out[at + 2 * L : at + 3 * L]
    after, beside = reach[below : below + L], reach[below + L : below + 2 * L]
    last = reach[below + 2 * L : below + 3 * L]
    if actions == 2:
        for k in range(L):
            w, v = _weight(W[k], least, zero), _weight(V[k], least, zero)
            p, q = _of_two(w, v, zero, one)
            first[k], second[k] = p, q
            after[k], beside[k] = p * mine[k], q * mine[k]
    elif actions == 3:
        for k in range(L):
            w, v = _weight(W[k], least, zero), _weight(V[k], least, zero)
            u = _weight(U[k], least, zero)
            p, q, r = _of_three(w, v, u, zero, one)
            first[k], second[k], third[k] = p, q, r
            after[k], beside[k], last[k] = p * mine[k], q * mine[k], r * mine[k]
    else:
        proportional(weights, base, actions, L, out, at, tiny)
        multiply(reach, here, below, actions, L, out, at)


@apart
def proportional(
    weights: Any,
    base: int,
    actions: int,
    L: int,
    out: Floats,
    at: int,
    tiny: float,
) -> None:
    """Probabilities in proportion to the weights above `tiny`; uniform if there are none."""
    real = out.dtype.type
    zero, one, least = real(0), real(1), real(max(tiny, LEAST))
    uniform = one / real(actions)
    first, W = out[at : at + L], weights[base : base + L]
    if actions == 2:
        V, other = weights[base + L : base + 2 * L], out[at + L : at + 2 * L]
        for k in range(L):
            w, v = _weight(real(W[k]), least, zero), _weight(real(V[k]), least, zero)
            first[k], other[k] = _of_two(w, v, zero, one)
        return
    if actions == 3:
        V, other = weights[base + L : base + 2 * L], out[at + L : at + 2 * L]
        U, last = weights[base + 2 * L : base + 3 * L], out[at + 2 * L : at + 3 * L]
        for k in range(L):
            w, v = _weight(real(W[k]), least, zero), _weight(real(V[k]), least, zero)
            u = _weight(real(U[k]), least, zero)
            first[k], other[k], last[k] = _of_three(w, v, u, zero, one)
        return
    # The first row holds the sums, then their inverses, until the others are done.
    for k in range(L):
        first[k] = _weight(real(W[k]), least, zero)
    for a in range(1, actions):
        W = weights[base + a * L : base + (a + 1) * L]
        for k in range(L):
            first[k] += _weight(real(W[k]), least, zero)
    for k in range(L):
        none = zero if first[k] > zero else one
        first[k] = (one - none) / (first[k] + none)
    for a in range(1, actions):
        W, b = weights[base + a * L : base + (a + 1) * L], out[at + a * L : at + (a + 1) * L]
        for k in range(L):
            none = zero if first[k] > zero else uniform
            b[k] = _weight(real(W[k]), least, zero) * first[k] + none
    W = weights[base : base + L]
    for k in range(L):
        none = zero if first[k] > zero else uniform
        first[k] = _weight(real(W[k]), least, zero) * first[k] + none


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


@overload(proceed, strict=False)
def _proceed(
    learner: Any,
    memory: Any,
    base: Any,
    actions: Any,
    L: Any,
    out: Any,
    at: Any,
    reach: Any,
    here: Any,
    below: Any,
) -> Any:
    if not _has(learner, "proceed"):

        def apart_from_play(
            learner: Any,
            memory: Any,
            base: Any,
            actions: Any,
            L: Any,
            out: Any,
            at: Any,
            reach: Any,
            here: Any,
            below: Any,
        ) -> None:
            play(learner, memory, base, actions, L, out, at)
            multiply(reach, here, below, actions, L, out, at)

        return apart_from_play
    function = _compiled(learner, "proceed")
    return lambda learner, memory, base, actions, L, out, at, reach, here, below: function(
        learner, memory, base, actions, L, out, at, reach, here, below
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
