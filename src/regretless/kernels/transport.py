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


@lean
def work(
    columns: Any, shares: Any, goal: Floats, ground: Ground, left: Floats, need: Floats
) -> float:
    """The work of moving a row to a goal; `left` and `need` are scratch."""
    for place in range(goal.size):
        left[place] = goal[place]
    alive = 0.0
    for k in range(columns.size):
        need[k] = shares[k]
        alive += shares[k]
    total = 0.0
    for rank in range(goal.size):
        for k in range(columns.size):
            if need[k] <= 0.0:
                continue
            to = ground.nearest[columns[k], rank]
            amount = min(need[k], left[to])
            if amount > 0.0:
                total += amount * ground.distances[columns[k], to]
                left[to] -= amount
                need[k] -= amount
                alive -= amount
        if alive <= NOTHING:
            break
    return total


@kernel
def works_to(rows: Histograms, goal: Floats, ground: Ground, out: Floats) -> None:
    """The work of moving every row to one goal."""
    left, need = np.empty(goal.size), np.empty(goal.size)
    for row in range(out.size):
        here = slice(rows.starts[row], rows.starts[row + 1])
        out[row] = work(rows.columns[here], rows.shares[here], goal, ground, left, need)


@kernel
def come_nearer(
    rows: Histograms, goal: Floats, ground: Ground, marks: tuple[Floats, Floats], nearest: Floats
) -> None:
    """Squared works to the nearest goal so far, after adding one; `marks` are the mean distances
    from the landmarks of rows and of the goal."""
    left, need = np.empty(goal.size), np.empty(goal.size)
    mine, theirs = marks
    for row in range(nearest.size):
        bound = 0.0
        for mark in range(theirs.size):
            bound = max(bound, abs(mine[row, mark] - theirs[mark]))
        if bound * bound < nearest[row]:
            here = slice(rows.starts[row], rows.starts[row + 1])
            found = work(rows.columns[here], rows.shares[here], goal, ground, left, need)
            nearest[row] = min(nearest[row], found * found)


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

    `marks` are the mean distances from the landmarks of rows and of goals."""
    left, need = np.empty(goals.shape[1]), np.empty(goals.shape[1])
    bounds = np.empty(len(goals))
    mine, theirs = marks
    changed = 0
    for row in range(span[0], span[1]):
        here = slice(rows.starts[row], rows.starts[row + 1])
        columns, shares = rows.columns[here], rows.shares[here]
        for goal in range(bounds.size):
            bounds[goal] = 0.0
            for mark in range(mine.shape[1]):
                bounds[goal] = max(bounds[goal], abs(mine[row, mark] - theirs[goal, mark]))
        best = own[row] if own[row] >= 0 else np.argmin(bounds)
        least = work(columns, shares, goals[best], ground, left, need)
        for goal in range(bounds.size):
            if goal != best and bounds[goal] < least:
                found = work(columns, shares, goals[goal], ground, left, need)
                if found < least:
                    best, least = goal, found
        changed += best != own[row]
        own[row], works[row] = best, least
    return changed
