"""Distances between boards: earth mover's distances between the sets of their hands.

A hand is a row of cumulative histograms, one per round, in whole numbers; the distance of two hands
is the root of the sum over rounds of squared sums of absolute differences. A board is summarised by
a few weighted types of hands. The distance of two boards is that of their types, solved exactly;
no exact distance is off by more than the mean distances of the hands to their types.

The plan for types, applied to their hands one after another, is an upper bound. Any function of a
hand that changes no faster than the distance gives a lower bound: its values on both boards,
sorted, are an earth mover's distance in one dimension."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel, lean
from regretless.kernels.hand_types import distance
from regretless.kernels.network_simplex import Tree, new_tree, transport

LOWER, BETWEEN, UPPER = range(3)  # of a distance: bounds, and the estimate between them


class Boards(NamedTuple):
    """All boards, their types and their hands; types of a board are padded to the same number."""

    types: Any  # [board, round, bin, type] cumulative histograms; bins in fours
    masses: Ints  # [board, type] hands
    counts: Ints  # [board] types
    errors: Floats  # [board] mean distance of a hand to its type
    hands: Any  # [hand, round, bin] cumulative histograms, by board and type
    weights: Ints  # [hand]
    firsts: Ints  # [board, type] first hand; the last entry ends the board
    sorted: Any  # [board, function, hand] values of one-dimensional functions, ascending


class Pair(NamedTuple):
    """Scratch of one thread."""

    costs: Indices  # [types * types]
    line: Any  # [2 * types]
    tree: Tree
    place: Ints  # [node] the next hand of a type
    taken: Ints  # [node] mass already taken from it


@kernel
def new_pair(types: int) -> Pair:
    """Empty scratch for boards with up to this many types."""
    return Pair(
        np.empty(types * types, np.int32),
        np.empty(2 * types, np.float32),
        new_tree(2 * types),
        np.empty(2 * types, np.int64),
        np.empty(2 * types, np.int64),
    )


@lean
def _costs(one: Any, other: Any, grain: Any, line: Any, costs: Any) -> None:
    """[type, type] distances times `grain`, as whole numbers."""
    rounds, bins, count = one.shape  # types beyond those of a board cost less than odd loops
    for a in range(costs.shape[0]):
        for round in range(rounds):
            for b in range(count):
                line[b] = 0
            for bin in range(0, bins, 4):  # by fours: the sums stay in registers longer
                w, x = one[round, bin, a], one[round, bin + 1, a]
                y, z = one[round, bin + 2, a], one[round, bin + 3, a]
                p, q = other[round, bin], other[round, bin + 1]
                r, s = other[round, bin + 2], other[round, bin + 3]
                for b in range(count):
                    line[b] += (abs(w - p[b]) + abs(x - q[b])) + (abs(y - r[b]) + abs(z - s[b]))
            if rounds == 1:
                break
            for b in range(count):
                before = np.float32(0) if round == 0 else line[count + b]
                line[count + b] = before + line[b] * line[b]
        if rounds > 1:
            for b in range(count):
                line[b] = np.sqrt(line[count + b])
        for b in range(costs.shape[1]):
            costs[a, b] = np.int32(line[b] * grain + np.float32(0.5))


@lean
def _ship(boards: Boards, source: int, sink: int, flow: int, pair: Pair) -> float:
    """Ship mass between two types, hand by hand; return mass times distance."""
    place, taken, total = pair.place, pair.taken, 0.0
    while flow > 0:
        a, b = place[source], place[sink]
        moved = min(flow, boards.weights[a] - taken[source], boards.weights[b] - taken[sink])
        total += moved * distance(boards.hands[a], boards.hands[b])
        flow -= moved
        taken[source] += moved
        taken[sink] += moved
        if taken[source] == boards.weights[a]:
            place[source], taken[source] = a + 1, 0
        if taken[sink] == boards.weights[b]:
            place[sink], taken[sink] = b + 1, 0
    return total


@lean
def _bounds(boards: Boards, one: int, other: int, costs: Any, pair: Pair) -> tuple[float, float]:
    """Cost of the plan for types, and of the same plan for hands."""
    tree, sources, sinks = pair.tree, costs.shape[0], costs.shape[1]
    for node in range(sources + sinks):
        pair.taken[node] = 0
        if node < sources:
            pair.place[node] = boards.firsts[one, node]
        else:
            pair.place[node] = boards.firsts[other, node - sources]
    cost, total = 0.0, 0.0
    for node in range(sources + sinks):
        parent, flow = tree.parent[node], tree.flow[node]
        if parent >= 0 and flow > 0:
            source, sink = (node, parent) if node < sources else (parent, node)
            cost += float(flow) * costs[source, sink - sources]
            total += _ship(boards, source, sink, flow, pair)
    return cost, total


@lean
def _projected(one: Any, other: Any) -> Any:
    """The largest earth mover's distance of one-dimensional functions, times the mass."""
    most = np.int64(0)
    for function in range(one.shape[0]):
        x, y, total = one[function], other[function], np.int64(0)
        for place in range(x.size):
            total += abs(x[place] - y[place])
        most = max(most, total)
    return most


@kernel
def distances_to(boards: Boards, one: int, end: int, grain: float, slack: float, out: Any) -> None:
    """[3, board] bounds and estimates of the distances from one board to the first `end` boards.

    Hands deviate from their types on both boards, in directions of their own: this adds to the
    distance of the types, in quadrature as long as it is small, and the estimate is corrected by
    it (docs/how-to/hold-em-abstraction.md has the errors)."""
    pair = new_pair(boards.masses.shape[1])
    mass = float(boards.masses[one].sum())
    count = boards.counts[one]
    for other in range(end):
        size = boards.counts[other]
        costs = pair.costs[: count * size].reshape(count, size)
        _costs(boards.types[one], boards.types[other], np.float32(grain), pair.line, costs)
        transport(costs, boards.masses[one, :count], boards.masses[other, :size], pair.tree)
        cost, total = _bounds(boards, one, other, costs, pair)
        middle = cost / (mass * grain)
        a, b = boards.errors[one], boards.errors[other]
        projected = _projected(boards.sorted[one], boards.sorted[other]) / mass
        lower = max(middle - a - b, projected) - slack
        upper = min(middle + a + b, total / mass) + slack
        estimate = middle * middle / np.sqrt(max(middle * middle + a * a + b * b, 1e-300))
        out[LOWER, other] = max(lower, 0.0)
        out[BETWEEN, other] = min(max(estimate, lower, 0.0), upper)
        out[UPPER, other] = upper
