"""The exact Euclidean projection onto a treeplex: the nearest realization plan to a vector.

Used by Gilpin, Peña & Sandholm 2012. Given the reach t of a decision point, let λ(t) be the
derivative of the least half squared distance below it. It is piecewise linear and increasing,
so it is a list of pieces, each with its start and its slope, and

    below a sequence     λ(x) = x - target + the sum of λ(x) of the decision points there,
    of a decision point  t(λ) = the sum over its sequences of the inverse of that,

where sums merge lists, and inverses swap starts with values. Lists are built up to the root;
then the reach t = 1 is passed down through them. A list is as long as the subtree below it is
large, so time and memory are about sequences × depth."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import kernel
from regretless.kernels.treeplex import Plex


class Pieces(NamedTuple):
    """Lists of pieces, one per sequence and one per decision point."""

    below: Ints  # decision points, by the sequence that they hang below
    firsts: Ints  # of every sequence, its first entry in `below`, then the total
    sequences: Ints  # of every sequence, its first piece, then the total
    points: Ints  # of every decision point, its first piece, then the total
    begin: Floats  # [2, piece] of sequences and of points: where in x or t a piece begins
    slope: Floats  # [2, piece] of λ there
    used: Ints  # [2, list] how many pieces a list has
    start: Floats  # [2, list] λ at 0
    work: Floats  # [2, length of the longest list plus one]


@kernel
def _merge(at: Floats, change: Floats, count: int, begin: Floats, slope: Floats) -> int:
    """Sort changes of slope by position and sum them; equal positions become one piece."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap:  # Shell 1959: lists are short, or made of sorted parts
        for k in range(gap, count):
            x, c, free = at[k], change[k], k
            while free >= gap and at[free - gap] > x:
                at[free], change[free] = at[free - gap], change[free - gap]
                free -= gap
            at[free], change[free] = x, c
        gap //= 3
    used, total = 0, 0.0
    for k in range(count):
        total += change[k]
        if used and begin[used - 1] == at[k]:
            slope[used - 1] = total
        else:
            begin[used], slope[used] = at[k], total
            used += 1
    return used


@kernel
def _sum_below(pieces: Pieces, s: int, target: float, at: Floats, change: Floats) -> None:
    """λ below one sequence."""
    start, count = -target, 1
    if pieces.firsts[s] == pieces.firsts[s + 1]:
        only = pieces.sequences[s]
        pieces.begin[0, only], pieces.slope[0, only] = 0.0, 1.0
        pieces.used[0, s], pieces.start[0, s] = 1, start
        return
    at[0], change[0] = 0.0, 1.0
    for place in range(pieces.firsts[s], pieces.firsts[s + 1]):
        point = pieces.below[place]
        first = pieces.points[point]
        start += pieces.start[1, point]
        before = 0.0
        for k in range(first, first + pieces.used[1, point]):
            at[count], change[count] = pieces.begin[1, k], pieces.slope[1, k] - before
            before = pieces.slope[1, k]
            count += 1
    first = pieces.sequences[s]
    end = pieces.sequences[s + 1]
    pieces.used[0, s] = _merge(
        at, change, count, pieces.begin[0, first:end], pieces.slope[0, first:end]
    )
    pieces.start[0, s] = start


@kernel
def _sum_actions(
    pieces: Pieces, point: int, s: int, lanes: int, actions: int, at: Floats, change: Floats
) -> None:
    """λ of one decision point, whose first sequence is s."""
    count = 0
    for action in range(actions):
        sequence = s + action * lanes
        first = pieces.sequences[sequence]
        value, before = pieces.start[0, sequence], 0.0
        for k in range(first, first + pieces.used[0, sequence]):
            if k > first:
                length = pieces.begin[0, k] - pieces.begin[0, k - 1]
                value += length * pieces.slope[0, k - 1]
            inverse = 1.0 / pieces.slope[0, k]
            at[count], change[count] = value, inverse - before
            before = inverse
            count += 1
    first, end = pieces.points[point], pieces.points[point + 1]
    begin, slope = pieces.begin[1, first:end], pieces.slope[1, first:end]
    used = _merge(at, change, count, begin, slope)
    # Starts are values of λ so far, slopes those of t: swap them.
    pieces.start[1, point] = begin[0]
    reached, before = 0.0, begin[0]
    for k in range(used):
        value = begin[k]
        if k:
            reached += (value - before) / slope[k - 1]  # that one is swapped already
        before = value
        begin[k] = reached
        slope[k] = 1.0 / slope[k]
    pieces.used[1, point] = used


@kernel
def project(plex: Plex, player: int, pieces: Pieces, target: Floats, plan: Floats) -> None:
    """Set `plan` to the player's realization plan nearest to `target`."""
    at, change = pieces.work[0], pieces.work[1]
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        for s in range(first, first + actions * lanes):
            _sum_below(pieces, s, target[s], at, change)
        for lane in range(lanes):
            _sum_actions(pieces, point + lane, first + lane, lanes, actions, at, change)
    plan[plex.roots[player]] = 1.0
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            reach = plan[plex.parents[point + lane]]
            level = _value(pieces, 1, point + lane, pieces.points[point + lane], reach)
            total = 0.0
            for action in range(actions):
                s = first + action * lanes + lane
                plan[s] = _inverse(pieces, s, level)
                total += plan[s]
            # Rounding only: the parts sum to the reach.
            for action in range(actions):
                s = first + action * lanes + lane
                plan[s] = plan[s] * reach / total if total > 0.0 else reach / actions


@kernel
def _value(pieces: Pieces, kind: int, which: int, first: int, t: float) -> float:
    """λ(t) of a list."""
    value = pieces.start[kind, which]
    last = first + pieces.used[kind, which] - 1
    for k in range(first, last + 1):
        begin = pieces.begin[kind, k]
        if t <= begin:
            break
        until = min(t, pieces.begin[kind, k + 1]) if k < last else t
        value += (until - begin) * pieces.slope[kind, k]
    return float(value)


@kernel
def _inverse(pieces: Pieces, s: int, level: float) -> float:
    """The x at which λ of a sequence reaches a level; 0 if it begins above."""
    value = pieces.start[0, s]
    if level <= value:
        return 0.0
    first = pieces.sequences[s]
    last = first + pieces.used[0, s] - 1
    for k in range(first, last):
        rise = (pieces.begin[0, k + 1] - pieces.begin[0, k]) * pieces.slope[0, k]
        if value + rise >= level:
            return float(pieces.begin[0, k] + (level - value) / pieces.slope[0, k])
        value += rise
    return float(pieces.begin[0, last] + (level - value) / pieces.slope[0, last])
