"""The transportation problem: network simplex on a dense matrix of whole costs.

Sources and sinks are the nodes of a spanning tree, whose arcs carry the flow; a pivot brings in an
arc with a negative reduced cost and removes the first one of its cycle that runs empty. Costs and
masses are whole numbers, so there are no tolerances. Masses are perturbed (Orden 1956): no flow in
a tree is ever zero, so the cost falls with every pivot and no tree occurs twice."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.kernels.compiled import kernel, lean

MOST = 1 << 30  # costs times nodes stay below: potentials are 32-bit numbers
PRICED = 768  # arcs looked at per pivot, in whole rows


class Tree(NamedTuple):
    """A spanning tree, scratch of one thread. Nodes are the sources, then the sinks."""

    parent: Indices
    depth: Indices
    first: Indices  # child of a node, -1 if none
    after: Indices  # next child of the same parent
    before: Indices
    potential: Indices  # sink - source = cost of every arc of the tree
    flow: Ints  # on the arc to the parent
    stack: Indices
    left: Ints  # mass that is not shipped yet, while the first tree grows


@kernel
def new_tree(nodes: int) -> Tree:
    """Empty scratch for up to this many nodes."""
    return Tree(
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int64),
    )


@lean
def _hang(tree: Tree, node: int, parent: int) -> None:
    """Make a node the first child of another."""
    tree.parent[node] = parent
    head = tree.first[parent]
    tree.before[node] = -1
    tree.after[node] = head
    if head >= 0:
        tree.before[head] = node
    tree.first[parent] = node


@lean
def _cut(tree: Tree, node: int) -> None:
    """Remove a node from the children of its parent."""
    before, after = tree.before[node], tree.after[node]
    if before >= 0:
        tree.after[before] = after
    else:
        tree.first[tree.parent[node]] = after
    if after >= 0:
        tree.before[after] = before


@lean
def _nearest(costs: Any, tree: Tree, source: int, sources: int, sinks: int) -> int:
    """The sink with mass left to which a source ships most cheaply."""
    best, least = -1, MOST
    for sink in range(sinks):
        # Above the least cost of the sink: nearness to others of its kind does not count twice.
        cost = costs[source, sink] - tree.potential[sources + sink]
        if tree.left[sources + sink] > 0 and cost < least:
            best, least = sink, cost
    return best


@lean
def _plant(costs: Any, sources: int, sinks: int, tree: Tree) -> None:
    """The first tree: each source in turn ships to the nearest sinks that have room.

    Every arc exhausts exactly one of its ends; the other end stays open and becomes its parent."""
    nodes = sources + sinks
    for node in range(nodes):
        tree.first[node] = tree.parent[node] = -1
    potential = tree.potential
    for sink in range(sinks):
        potential[sources + sink] = MOST
    for source in range(sources):
        row = costs[source]
        for sink in range(sinks):
            potential[sources + sink] = min(potential[sources + sink], row[sink])
    for source in range(sources):
        while tree.left[source] > 0:
            sink = _nearest(costs, tree, source, sources, sinks)
            there = sources + sink
            flow = min(tree.left[source], tree.left[there])
            tree.left[source] -= flow
            tree.left[there] -= flow
            if tree.left[there] == 0 and (tree.left[source] > 0 or source == sources - 1):
                _hang(tree, there, source)
                tree.flow[there] = flow
            else:
                _hang(tree, source, there)
                tree.flow[source] = flow


@lean
def _label(costs: Any, sources: int, tree: Tree, root: int) -> None:
    """Depths and potentials below a root whose own are known."""
    tree.stack[0], size = root, 1
    while size:
        size -= 1
        node = tree.stack[size]
        child = tree.first[node]
        while child >= 0:
            tree.depth[child] = tree.depth[node] + 1
            if child < sources:
                cost = -costs[child, node - sources]
            else:
                cost = costs[node, child - sources]
            tree.potential[child] = tree.potential[node] + cost
            tree.stack[size] = child
            size += 1
            child = tree.after[child]


@lean
def _shift(tree: Tree, root: int, by: int) -> None:
    """Add to the potentials of a subtree, and set its depths."""
    tree.depth[root] = tree.depth[tree.parent[root]] + 1
    tree.stack[0], size = root, 1
    while size:
        size -= 1
        node = tree.stack[size]
        tree.potential[node] += by
        child = tree.first[node]
        while child >= 0:
            tree.depth[child] = tree.depth[node] + 1
            tree.stack[size] = child
            size += 1
            child = tree.after[child]


@lean
def _pivot(tree: Tree, sources: int, source: int, sink: int, gain: Any) -> None:
    """Bring in the arc from a source to a sink; `gain` is its reduced cost."""
    # Climb from both ends to where they meet; an arc whose lower end is of the kind of the end
    # below loses flow.
    low, high = source, sources + sink
    least, leaving, from_source = np.int64(1) << 62, -1, True
    while low != high:
        if tree.depth[low] >= tree.depth[high]:
            if low < sources and tree.flow[low] < least:
                least, leaving, from_source = tree.flow[low], low, True
            low = tree.parent[low]
        else:
            if high >= sources and tree.flow[high] < least:
                least, leaving, from_source = tree.flow[high], high, False
            high = tree.parent[high]
    meet = low
    node = source
    while node != meet:
        tree.flow[node] += -least if node < sources else least
        node = tree.parent[node]
    node = sources + sink
    while node != meet:
        tree.flow[node] += -least if node >= sources else least
        node = tree.parent[node]
    # Turn the path from the end of the new arc to the leaving one upside down.
    node, above = (source, sources + sink) if from_source else (sources + sink, source)
    end, carried = node, least
    while True:
        parent, flow = tree.parent[node], tree.flow[node]
        _cut(tree, node)
        _hang(tree, node, above)
        tree.flow[node] = carried
        if node == leaving:
            break
        node, above, carried = parent, node, flow
    _shift(tree, end, -gain if from_source else gain)


@lean
def _improve(costs: Any, sources: int, sinks: int, tree: Tree) -> int:
    """Pivot until no arc has a negative reduced cost; return the number of pivots."""
    rows = max(PRICED // sinks, 1)
    potential = tree.potential
    source, pivots, looked = 0, 0, 0
    while looked < sources:
        best, best_source = np.int32(0), -1
        for _ in range(rows):
            least, row, base = np.int32(0), costs[source], potential[source]
            for sink in range(sinks):
                least = min(least, row[sink] + base - potential[sources + sink])
            if least < best:
                best, best_source = least, source
            looked += 1
            source = source + 1 if source + 1 < sources else 0
            if looked >= sources:
                break
        if best_source >= 0:
            sink = 0
            row, base = costs[best_source], potential[best_source]
            while row[sink] + base - potential[sources + sink] != best:
                sink += 1
            _pivot(tree, sources, best_source, sink, best)
            pivots += 1
            looked = 0
    return pivots


@lean
def transport(costs: Any, supply: Any, demand: Any, tree: Tree) -> int:
    """Ship masses of equal sums at the least cost; the flows stay in the tree.

    `costs`[source, sink] are 32-bit numbers of at most MOST / nodes. Returns the number of pivots.
    """
    sources, sinks = supply.size, demand.size
    unit = 2 * sources + 1
    for source in range(sources):
        tree.left[source] = supply[source] * unit + 1
    for sink in range(sinks):
        tree.left[sources + sink] = demand[sink] * unit
    tree.left[sources + sinks - 1] += sources
    _plant(costs, sources, sinks, tree)
    root = 0
    while tree.parent[root] >= 0:
        root = tree.parent[root]
    tree.depth[root] = tree.potential[root] = 0
    _label(costs, sources, tree, root)
    pivots = _improve(costs, sources, sinks, tree)
    for node in range(sources + sinks):
        tree.flow[node] = (tree.flow[node] + sources) // unit
    return pivots
