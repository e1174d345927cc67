"""Rows that several lanes share: what a row plays, for its lanes; what lanes observe, for its row.

A shared row has one number for every prefix: [cell][prefix], whatever the order of lanes. Sums over
lanes have further rows besides: sites are in groups, and lanes of a cell whose sites are in
different groups add to different rows (cells.py of forms). So groups can be swept by
different threads, and the order of all sums is that of the groups."""

from __future__ import annotations

from typing import Any, NamedTuple

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import apart, lean
from regretless.kernels.learner import Decisions, observe, play, recall, remember
from regretless.kernels.loops import fill
from regretless.kernels.public_arrays import LEARNER, How, SharedRows


class SharedLanes(NamedTuple):
    """The lanes of a decision, and where the rows are that they share."""

    base: int
    span: int
    cells: Indices  # of hands
    prefixes: int
    inside: bool  # lanes are [prefix][hand]


@lean
def tend(
    rows: SharedRows,
    how: How,
    learner: Any,
    playing: Any,
    memory: Any,
    none: Floats,
    once: tuple[bool, bool],
    mates: tuple[int, int],
) -> None:
    """Between sweeps: a player learns from its sums, which are reset (once[0]), and what its rows
    play is written down (once[1]); without learning, that of all players. Every decision is the
    work of one thread: mates are its number and that of all."""
    table, mine = rows.decisions, 0
    if once[0]:
        fill(none, 0.0)
    for k in range(table.shape[0]):
        if once[0] and table[k].player != how.player:
            continue
        mine += 1
        if mine % mates[1] != mates[0]:
            continue
        base, span, actions = table[k].first, table[k].span, table[k].actions
        if once[0]:
            at, P = table[k].sums, table[k].prefixes
            first, count = table[k].owners, table[k].rows
            owners = rows.owners[first : first + count]
            for a in range(actions):
                more = table[k].more + a * count * P
                fold(rows.advantage, at + a * span, more, owners, P)
                fold(rows.played, at + a * span, more, owners, P)
            where = Decisions(base, actions, span, at)
            observe(learner, memory, where, rows.advantage, none[:span])
            remember(learner, memory, where, rows.played)
            fill(rows.advantage[at : at + actions * span], 0.0)
            fill(rows.played[at : at + actions * span], 0.0)
        if once[1] and how.reading == LEARNER:
            play(learner, playing, Decisions(base, actions, span, base), rows.play)
        elif once[1]:
            recall(learner, playing, Decisions(base, actions, span, base), rows.play)


@apart
def spread(rows: Floats, where: SharedLanes, chosen: Floats) -> None:
    """The play of shared rows, for every lane."""
    base, span, cells, P, inside = where
    L = cells.size * P
    if L == 0:
        return
    for a in range(chosen.size // L):
        start = base + a * span
        if inside:
            for p in range(P):
                out = chosen[a * L + p * cells.size : a * L + (p + 1) * cells.size]
                for lane in range(cells.size):
                    out[lane] = rows[start + cells[lane] * P + p]
            continue
        for lane in range(cells.size):
            at, to = start + cells[lane] * P, a * L + lane * P
            out, given = chosen[to : to + P], rows[at : at + P]
            for p in range(P):
                out[p] = given[p]


@apart
def multiply_rows(rows: Floats, where: SharedLanes, mine: Floats, below: Floats) -> None:
    """The reach after every action. Short rows are not copied first: a call for each copy would
    take longer than the product."""
    base, span, cells, P, inside = where
    L = mine.size
    for a in range(below.size // max(L, 1)):
        start = base + a * span
        if inside:
            for p in range(P):
                at, to = p * cells.size, a * L + p * cells.size
                out, now = below[to : to + cells.size], mine[at : at + cells.size]
                for lane in range(cells.size):
                    out[lane] = now[lane] * rows[start + cells[lane] * P + p]
            continue
        for lane in range(cells.size):
            at, to = start + cells[lane] * P, a * L + lane * P
            out, now, chosen = (
                below[to : to + P],
                mine[lane * P : (lane + 1) * P],
                rows[at : at + P],
            )
            for p in range(P):
                out[p] = now[p] * chosen[p]


@apart
def mean(rows: Floats, where: SharedLanes, q: Floats, value: Floats) -> None:
    """The value of what shared rows play."""
    base, span, cells, P, inside = where
    L = value.size
    fill(value, 0.0)
    for a in range(q.size // max(L, 1)):
        start = base + a * span
        if inside:
            for p in range(P):
                at, to = a * L + p * cells.size, p * cells.size
                out, paid = value[to : to + cells.size], q[at : at + cells.size]
                for lane in range(cells.size):
                    out[lane] += paid[lane] * rows[start + cells[lane] * P + p]
            continue
        for lane in range(cells.size):
            at, to = start + cells[lane] * P, a * L + lane * P
            out, paid, chosen = value[lane * P : (lane + 1) * P], q[to : to + P], rows[at : at + P]
            for p in range(P):
                out[p] += paid[p] * chosen[p]


@apart
def gather(rows: Floats, where: SharedLanes, given: Floats) -> None:
    """Add the numbers of all lanes to the rows they share, in order."""
    base, span, cells, P, inside = where
    L = cells.size * P
    if L == 0:
        return
    step, jump = (1, cells.size) if inside else (P, 1)
    for a in range(given.size // L):
        for lane in range(cells.size):
            to, at = base + a * span + cells[lane] * P, a * L + lane * step
            for p in range(P):
                rows[to + p] += given[at + p * jump]


@apart
def gather_observed(
    sums: tuple[Floats, Floats],
    first: tuple[int, int, int],
    second: tuple[int, int],
    rows: tuple[Indices, Floats],
    sizes: tuple[int, bool],
    q: Floats,
    value: Floats,
    played: Floats,
) -> None:
    """Add advantages, and what was played times the chance of the lane, to rows of sums.

    `first` has the place, the width and the number of the rows of cells, `second` place and width
    of the further ones."""
    base, span, count = first
    more, width = second
    lanes, scale = rows
    P, inside = sizes
    L = value.size
    step, jump = (1, lanes.size) if inside else (P, 1)
    for a in range(q.size // max(L, 1)):
        for lane in range(lanes.size):
            row, s = lanes[lane], scale[lane]
            to = base + a * span + row * P if row < count else more + a * width + (row - count) * P
            advantage, mass = sums[0][to : to + P], sums[1][to : to + P]
            if inside:
                at = a * L + lane
                for p in range(P):
                    advantage[p] += q[at + p * jump] - value[lane + p * jump]
                    mass[p] += s * played[at + p * jump]
                continue
            at = lane * step
            gain, mean = q[a * L + at : a * L + at + P], value[at : at + P]
            now = played[a * L + at : a * L + at + P]
            for p in range(P):
                advantage[p] += gain[p] - mean[p]
                mass[p] += s * now[p]


@apart
def fold(sums: Floats, base: int, more: int, owners: Indices, P: int) -> None:
    """Add further rows of sums to those of their cells, in order, and reset them."""
    for k in range(owners.size):
        to, at = base + owners[k] * P, more + k * P
        for p in range(P):
            sums[to + p] += sums[at + p]
    fill(sums[more : more + owners.size * P], 0.0)
