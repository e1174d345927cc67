"""Sweeps over the public tree: betting rounds as stages, boards as items, hands as lanes.

An **item** is one stage on one board, or on a few boards whose hands compare alike. Its
lanes are [hand][board][prefix], so that elementwise loops run over all of them and sums
over hands run over vectors of boards and prefixes. Reach goes down, values come up; what
happens at a player's own decisions is the mode. Only reach and values between rounds are
kept: the rest is a workspace of one item, which stays in the cache."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import lean
from regretless.kernels.public_arrays import (
    BEHAVIOUR,
    BEST,
    DEAL,
    DECISION,
    GRADIENT,
    PLAN,
    REGRETS,
    UPDATE,
    How,
    Kept,
    Public,
    Shared,
    Work,
)
from regretless.kernels.terminals import copy, evaluate_terminals, fill

# Regrets that are halved again and again end as denormal numbers, which cost a hundred times
# as much as others (docs/measurements/public-sweep.md).
LEAST = 1e-30


@lean
def match(source: Floats, first: int, rows: tuple[int, int], work: Work, how: How, L: int) -> None:
    """Regret matching for all lanes: rows of `chosen` from the positive part of the source."""
    total = work.sums[0, :L]
    zero, one, tiny = total.dtype.type(0), total.dtype.type(1), total.dtype.type(how.tiny)
    fill(total, zero)
    for row in range(rows[0], rows[1]):
        start = first + (row - rows[0]) * L
        R, b = source[start : start + L], work.chosen[row, :L]
        for k in range(L):
            kept = R[k] if R[k] > tiny else zero
            b[k] = kept
            total[k] += kept
    uniform = one / total.dtype.type(rows[1] - rows[0])
    for k in range(L):
        total[k] = one / total[k] if total[k] > zero else zero
    for row in range(rows[0], rows[1]):
        b = work.chosen[row, :L]
        for k in range(L):
            b[k] = b[k] * total[k] if total[k] > zero else uniform


@lean
def descend(tree: Public, item: int, shared: Shared, work: Work, how: How) -> None:
    """Reach of every player at every node of the item, from the reach at its entry."""
    stage = tree.items[item, 0]
    L = tree.items[item, 1] * tree.items[item, 4]
    _enter(tree, item, shared, work)
    for n in range(tree.stages[stage, 1], tree.stages[stage, 2]):
        if tree.nodes[n, 0] != DECISION:
            continue
        player, first, actions = tree.nodes[n, 1], tree.nodes[n, 2], tree.nodes[n, 3]
        base, row = tree.bases[item, player] + tree.nodes[n, 4] * L, tree.nodes[n, 5]
        if how.reading == REGRETS:
            match(shared.source, base, (row, row + actions), work, how, L)
        mine = work.reach[tree.slots[player, n], :L]
        for a in range(actions):
            reach = work.reach[tree.slots[player, tree.children[first + a]], :L]
            b = work.chosen[row + a, :L]
            given = shared.source[base + a * L : base + (a + 1) * L]
            if how.reading == PLAN:
                copy(reach, given)
                continue
            if how.reading == BEHAVIOUR:
                copy(b, given)
            for k in range(L):
                reach[k] = mine[k] * b[k]


@lean
def _enter(tree: Public, item: int, shared: Shared, work: Work) -> None:
    """Reach at the beginning of a round: what left the round before, one on the first."""
    stage, entry = tree.items[item, 0], tree.items[item, 3]
    L = tree.items[item, 1] * tree.items[item, 4]
    sources = tree.lanes.sources[entry : entry + L]
    for player in range(tree.bases.shape[1]):
        reach = work.reach[tree.slots[player, tree.stages[stage, 1]], :L]
        if tree.stages[stage, 0] == 0:
            fill(reach, 1.0)
        else:
            left = shared.exits[player]
            for k in range(L):
                reach[k] = left[sources[k]]


@lean
def leave(tree: Public, item: int, shared: Shared, work: Work) -> None:
    """Keep the reach at the end of a round for the boards that continue this one."""
    stage = tree.items[item, 0]
    L = tree.items[item, 1] * tree.items[item, 4]
    for n in range(tree.stages[stage, 1], tree.stages[stage, 2]):
        if tree.nodes[n, 0] == DEAL:
            start = tree.items[item, 8] + tree.nodes[n, 10] * L
            for player in range(tree.bases.shape[1]):
                reach = work.reach[tree.slots[player, n], :L]
                copy(shared.exits[player, start : start + L], reach)


@lean
def collect(tree: Public, item: int, shared: Shared, work: Work) -> None:
    """Values at the ends of this round, which the boards that continue it have returned."""
    stage = tree.items[item, 0]
    root, L = tree.stages[stage, 1], tree.items[item, 1] * tree.items[item, 4]
    for n in range(root, tree.stages[stage, 2]):
        if tree.nodes[n, 0] == DEAL:
            start = tree.items[item, 8] + tree.nodes[n, 10] * L
            copy(work.value[n - root, :L], shared.returns[start : start + L])


@lean
def give_back(tree: Public, shared: Shared, number: int) -> None:
    """Sum the values of a round's items by the exits of the round before, in order."""
    returns, values, sources = shared.returns, shared.values, tree.lanes.sources
    fill(returns[tree.exits[number - 1] : tree.exits[number]], 0.0)
    first, last = tree.rounds[number], tree.rounds[number + 1] - 1
    end = tree.items[last, 3] + tree.items[last, 1] * tree.items[last, 4]
    for k in range(tree.items[first, 3], end):
        returns[sources[k]] += values[k]


@lean
def ascend(tree: Public, item: int, how: How, kept: Kept, work: Work, weights: Floats) -> None:
    """Values from the terminals to the root of the item, and what the mode asks for."""
    stage = tree.items[item, 0]
    root, end = tree.stages[stage, 1], tree.stages[stage, 2]
    L = tree.items[item, 1] * tree.items[item, 4]
    for n in range(end - 1, root - 1, -1):
        if tree.nodes[n, 0] != DECISION:
            continue
        base = tree.bases[item, tree.nodes[n, 1]] + tree.nodes[n, 4] * L
        value = work.value[n - root, :L]
        fill(value, 0.0)
        if tree.nodes[n, 1] != how.player:
            _sum(tree, n, root, work, value)
        elif how.mode == BEST:
            _take_best(tree, n, root, work, kept.regret, base, value)
        elif how.mode == GRADIENT:
            _write(tree, n, root, work, kept.regret, base, L)
        else:
            _mean(tree, n, root, work, value)
            if how.mode == UPDATE:
                _learn(tree, n, root, work, kept, base, value, weights)


@lean
def _sum(tree: Public, n: int, root: int, work: Work, value: Floats) -> None:
    """Another player's decision: its reach is in the values already."""
    for child in tree.children[tree.nodes[n, 2] : tree.nodes[n, 2] + tree.nodes[n, 3]]:
        paid = work.value[child - root, : value.size]
        for k in range(value.size):
            value[k] += paid[k]


@lean
def _mean(tree: Public, n: int, root: int, work: Work, value: Floats) -> None:
    """An own decision, played as chosen."""
    for a in range(tree.nodes[n, 3]):
        paid = work.value[tree.children[tree.nodes[n, 2] + a] - root, : value.size]
        b = work.chosen[tree.nodes[n, 5] + a, : value.size]
        for k in range(value.size):
            value[k] += b[k] * paid[k]


@lean
def _write(tree: Public, n: int, root: int, work: Work, out: Floats, base: int, L: int) -> None:
    """The gradient of own actions; what lies above does not earn it again."""
    for a in range(tree.nodes[n, 3]):
        paid = work.value[tree.children[tree.nodes[n, 2] + a] - root, :L]
        copy(out[base + a * L : base + (a + 1) * L], paid)


@lean
def _take_best(
    tree: Public, n: int, root: int, work: Work, answer: Floats, base: int, value: Floats
) -> None:
    """The maximum over actions; where an answer is wanted, the first best action."""
    first, actions, L = tree.nodes[n, 2], tree.nodes[n, 3], value.size
    for k in range(L):
        best, chosen = work.value[tree.children[first] - root, k], 0
        for a in range(1, actions):
            paid = work.value[tree.children[first + a] - root, k]
            if paid > best:
                best, chosen = paid, a
        value[k] = best
        if answer.size:
            for a in range(actions):
                answer[base + a * L + k] = 1 if a == chosen else 0


@lean
def _learn(
    tree: Public,
    n: int,
    root: int,
    work: Work,
    kept: Kept,
    base: int,
    value: Floats,
    weights: Floats,
) -> None:
    """Regret, prediction and average of own actions: see `treeplex.match_regrets`."""
    real, player, L = work.sums.dtype.type, tree.nodes[n, 1], value.size
    zero, step, least = real(0), real(weights[3]), real(LEAST)
    positive, negative, prediction = real(weights[0]), real(weights[1]), real(weights[2])
    for a in range(tree.nodes[n, 3]):
        child, start = tree.children[tree.nodes[n, 2] + a], base + a * L
        R, average = kept.regret[start : start + L], kept.average[start : start + L]
        paid, played = work.value[child - root, :L], work.reach[tree.slots[player, child], :L]
        if kept.predicted.size:
            predicted = kept.predicted[start : start + L]
            for k in range(L):
                summed = R[k] + (paid[k] - value[k])
                told = positive * max(summed, zero) + negative * min(summed, zero)
                predicted[k] = told + prediction * (paid[k] - value[k])
        for k in range(L):
            summed = R[k] + (paid[k] - value[k])
            told = positive * max(summed, zero) + negative * min(summed, zero)
            R[k] = told if told > least or told < -least else zero
        for k in range(L):
            average[k] += step * (played[k] - average[k])


@lean
def sweep_down(tree: Public, shared: Shared, work: Work, how: How, span: tuple[int, int]) -> None:
    """Reach of all rounds but the last."""
    for item in range(span[0], span[1]):
        descend(tree, item, shared, work, how)
        leave(tree, item, shared, work)


@lean
def sweep_up(
    tree: Public,
    shared: Shared,
    kept: Kept,
    work: Work,
    how: How,
    weights: Floats,
    span: tuple[int, int],
) -> None:
    """Values of these items, whose boards below are done."""
    for item in range(span[0], span[1]):
        entry, L = tree.items[item, 3], tree.items[item, 1] * tree.items[item, 4]
        descend(tree, item, shared, work, how)
        evaluate_terminals(tree, item, how, work)
        collect(tree, item, shared, work)
        ascend(tree, item, how, kept, work, weights)
        copy(shared.values[entry : entry + L], work.value[0, :L])


@lean
def sweep(tree: Public, shared: Shared, kept: Kept, work: Work, how: How, weights: Floats) -> None:
    """The whole tree for one player, on one thread."""
    last = tree.rounds.size - 2
    sweep_down(tree, shared, work, how, (0, tree.rounds[last]))
    for number in range(last, -1, -1):
        span = (tree.rounds[number], tree.rounds[number + 1])
        sweep_up(tree, shared, kept, work, how, weights, span)
        if number:
            give_back(tree, shared, number)


@lean
def iterate(
    tree: Public,
    shared: Shared,
    kept: Kept,
    work: Work,
    how: How,
    weights: Floats,
    live: Floats,
) -> None:
    """On one thread: one regret-matching iteration a row of weights, or one other sweep.

    `live` is empty, or the vector to copy the source from before every iteration, so that
    all players see the same strategies (simultaneous updates)."""
    if how.mode != UPDATE:
        sweep(tree, shared, kept, work, how, weights[0])
        return
    for row in range(weights.shape[0]):
        if live.size:
            copy(shared.source, live)
        for player in range(tree.bases.shape[1]):
            mine = How(player, how.mode, how.reading, how.terminal, how.tiny)
            sweep(tree, shared, kept, work, mine, weights[row])
