"""The learner at a decision point: one contract, compiled into the sweeps of both forms.

A learner is one file: a NamedTuple of parameters, a NamedTuple of vectors that the solver
owns (its memory, which has an `average`), and three functions named `tuned`, `play` and
`observe`. One that does not store its average as plain numbers also has `remember` and
`recall`; one that can multiply the reach while it plays has `proceed`. Sweeps are compiled
once per type of learner, so the choice costs nothing at run time.

`play` depends on the memory, not on the weights of the iteration: where lanes share rows, it is
called once after they have learned, and used until they learn again."""

from __future__ import annotations

from typing import Any, NamedTuple

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart, inlined
from regretless.kernels.contracts import by_type

# Averages that shrink again and again, and regrets that are halved again and again, end as denormal
# numbers: they cost a hundred times as much as others (docs/measurements/public-sweep.md), and
# their inverses are infinite.
LEAST = 1e-30


class Decisions(NamedTuple):
    """Adjacent decision points with the same number of actions: action a of lane k is at
    `base + a * lanes + k` in the memory, and at `at + a * lanes + k` in other vectors."""

    base: int
    actions: int
    lanes: int
    at: int


@by_type
def tuned(learner: Any, weights: Floats) -> Any:
    """The learner with the weights of one iteration."""


@by_type
def play(learner: Any, memory: Any, where: Decisions, out: Floats) -> None:
    """Write the probability of every action of every lane to `out`."""


@by_type
def proceed(
    learner: Any, memory: Any, where: Decisions, out: Floats, reach: Floats, here: int, below: int
) -> None:
    """Play, and write the reach after every action: that of the decision, at `here`, times the
    probability, to `below`."""
    play(learner, memory, where, out)
    multiply(where, out, reach, here, below)


@by_type
def observe(learner: Any, memory: Any, where: Decisions, q: Floats, value: Floats) -> None:
    """Learn from the value of every action, `q`, and of what was played, `value`[k]."""


@by_type
def remember(learner: Any, memory: Any, where: Decisions, played: Floats) -> None:
    """Add what was played to the average. `played` may be overwritten."""
    base, actions, L, at = where
    blend(memory.average, base, played, at, actions * L, learner.step)


@by_type
def recall(learner: Any, memory: Any, where: Decisions, out: Floats) -> None:
    """Write the average probability of every action of every lane to `out`."""
    proportional(memory.average, where, out, 0.0)


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
def multiply(where: Decisions, chosen: Floats, reach: Floats, here: int, below: int) -> None:
    """The reach after every action."""
    _, actions, L, at = where
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
    weights: Any, where: Decisions, out: Floats, tiny: float, reach: Floats, here: int, below: int
) -> None:
    """`proportional`, then `multiply`, in one pass."""
    base, actions, L, at = where
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
        proportional(weights, where, out, tiny)
        multiply(where, out, reach, here, below)


@apart
def proportional(weights: Any, where: Decisions, out: Floats, tiny: float) -> None:
    """Probabilities in proportion to the weights above `tiny`; uniform if there are none."""
    base, actions, L, at = where
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
