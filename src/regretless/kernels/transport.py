"""Earth mover's distances between histograms over points of any metric space.

The heuristic of Ganzfried & Sandholm 2014 (Algorithm 2): earth goes to the nearest place that still
needs some, one rank of nearness after another. It never underestimates the distance. A function
that no two points separate by more than their distance bounds the exact one from below
(Kantorovich); distances from a few landmarks are such functions, and spare most comparisons."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import kernel, lean

NOTHING = 1e-12  # earth that is rounding


class Histograms(NamedTuple):
    """Sparse rows that sum to 1."""

    starts: Any  # [row + 1]
    columns: Any  # [entry]
    shares: Floats  # [entry]


class Ground(NamedTuple):
    """The places between which earth is moved."""

    distances: Floats  # [place, place]
    nearest: Indices  # [place, rank] places, nearest first


class Scratch(NamedTuple):
    """Room for one comparison."""

    left: Floats  # [place] what a goal still needs
    need: Floats  # [entry] earth of a row that has not been moved yet
    active: Indices  # entries with such earth


@kernel
def _scratch(places: int) -> Scratch:
    return Scratch(np.empty(places), np.empty(places), np.empty(places, np.int32))


@lean
def work(
    columns: Any, shares: Any, goal: Floats, ground: Ground, limit: float, scratch: Scratch
) -> float:
    """The work of moving a row to a goal; infinity as soon as it is known to exceed a limit."""
    left, need, active = scratch.left, scratch.need, scratch.active
    for place in range(goal.size):
        left[place] = goal[place]
    alive, count, total = 0.0, columns.size, 0.0
    for k in range(count):
        need[k] = shares[k]
        alive += shares[k]
        active[k] = k
    for rank in range(goal.size):
        kept, rest = 0, 0.0
        for a in range(count):
            k = active[a]
            to = ground.nearest[columns[k], rank]
            way = ground.distances[columns[k], to]
            amount = min(need[k], left[to])
            if amount > 0.0:
                total += amount * way
                left[to] -= amount
                need[k] -= amount
                alive -= amount
            if need[k] > 0.0:
                active[kept] = k
                kept += 1
                rest += need[k] * way  # what is left goes at least as far
        count = kept
        if alive <= NOTHING:
            break
        if (total + rest) * (1 - NOTHING) > limit:
            return np.inf
    return total


@kernel
def works_to(rows: Histograms, goal: Floats, ground: Ground, out: Floats) -> None:
    """The work of moving every row to one goal."""
    scratch = _scratch(goal.size)
    for row in range(out.size):
        here = slice(rows.starts[row], rows.starts[row + 1])
        out[row] = work(rows.columns[here], rows.shares[here], goal, ground, np.inf, scratch)


@kernel
def come_nearer(
    rows: Histograms, goal: Floats, ground: Ground, marks: tuple[Floats, Floats], nearest: Floats
) -> None:
    """Works to the nearest goal so far, after adding one; `marks` are the mean distances from the
    landmarks of rows and of the goal."""
    scratch = _scratch(goal.size)
    mine, theirs = marks
    for row in range(nearest.size):
        bound = 0.0
        for mark in range(theirs.size):
            bound = max(bound, abs(mine[row, mark] - theirs[mark]))
        if bound < nearest[row]:
            here = slice(rows.starts[row], rows.starts[row + 1])
            columns, shares = rows.columns[here], rows.shares[here]
            found = work(columns, shares, goal, ground, nearest[row], scratch)
            nearest[row] = min(nearest[row], found)


@kernel
def nearest_goals(
    rows: Histograms,
    span: tuple[int, int],
    goals: Floats,
    ground: Ground,
    marks: tuple[Floats, Floats],
    own: Indices,
    works: Floats,
) -> int:
    """Assign rows of a span to the goals of least work; return how many change.

    `marks` are the mean distances from the landmarks of rows, [row, mark], and of goals,
    [mark, goal]. Of equal works the present goal is taken, then the first one."""
    scratch, bounds = _scratch(goals.shape[1]), np.empty(len(goals))
    mine, theirs = marks
    changed = 0
    for row in range(span[0], span[1]):
        here = slice(rows.starts[row], rows.starts[row + 1])
        columns, shares = rows.columns[here], rows.shares[here]
        _bounds(mine[row], theirs, bounds)
        first = own[row] if own[row] >= 0 else np.argmin(bounds)
        best, least = first, work(columns, shares, goals[first], ground, np.inf, scratch)
        bounds[first] = np.inf
        while True:  # the most promising goal first: then most works are cut short
            goal = np.argmin(bounds)
            if bounds[goal] > least or bounds[goal] == np.inf:
                break
            bounds[goal] = np.inf
            found = work(columns, shares, goals[goal], ground, least, scratch)
            if found < least or (found == least and best != first and goal < best):
                best, least = goal, found
        changed += best != own[row]
        own[row], works[row] = best, least
    return changed


@lean
def _bounds(mine: Floats, theirs: Floats, out: Floats) -> None:
    """[goal] a lower bound on the work."""
    for goal in range(out.size):
        out[goal] = 0.0
    for mark in range(mine.size):
        here, there = mine[mark], theirs[mark]
        for goal in range(out.size):
            out[goal] = max(out[goal], abs(here - there[goal]))
