"""Sweeps over the public tree: betting rounds as stages, boards as items, hands as lanes.

An **item** is one stage on one board. Its lanes are [hand][prefix], prefixes contiguous,
so that elementwise loops run over all of them and sums over hands run over vectors of
prefixes. Reach goes down, values come up; what happens at a player's own decisions is
the mode. Only the entries and values of rounds are kept between items: the rest is a
workspace of one item, which stays in the cache."""

from __future__ import annotations

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import kernel
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
from regretless.kernels.terminals import evaluate_terminals


@kernel
def match(
    source: Floats, base: int, actions: int, chosen: Floats, total: Floats, least: float
) -> None:
    """Regret matching for all lanes: chosen[action] from the positive part of the source."""
    L = total.size
    zero, one = total.dtype.type(0), total.dtype.type(1)
    tiny = total.dtype.type(least)
    total[:] = zero
    for a in range(actions):
        R, b = source[base + a * L : base + (a + 1) * L], chosen[a, :L]
        for k in range(L):
            b[k] = R[k] if R[k] > tiny else zero
        for k in range(L):
            total[k] += b[k]
    uniform = one / total.dtype.type(actions)
    for k in range(L):
        total[k] = one / total[k] if total[k] > zero else zero
    for a in range(actions):
        b = chosen[a, :L]
        for k in range(L):
            b[k] = b[k] * total[k] if total[k] > zero else uniform


@kernel
def descend(tree: Public, item: int, shared: Shared, work: Work, how: How) -> None:
    """Reach of every player at every node of the item, from the reach at its entry."""
    stage, hands, entry = tree.items[item, 0], tree.items[item, 1], tree.items[item, 3]
    root, end = tree.stages[stage, 1], tree.stages[stage, 2]
    L = hands * tree.stages[stage, 3]
    for player in range(tree.bases.shape[1]):
        work.reach[tree.slots[player, root], :L] = shared.entries[player, entry : entry + L]
    for n in range(root, end):
        if tree.nodes[n, 0] != DECISION:
            continue
        player, first, actions = tree.nodes[n, 1], tree.nodes[n, 2], tree.nodes[n, 3]
        base, row = tree.bases[item, player] + tree.nodes[n, 4] * L, tree.nodes[n, 5]
        if how.reading == REGRETS:
            match(shared.source, base, actions, work.chosen[row:], work.sums[0, :L], how.tiny)
        mine = work.reach[tree.slots[player, n], :L]
        for a in range(actions):
            given = shared.source[base + a * L : base + (a + 1) * L]
            reach = work.reach[tree.slots[player, tree.children[first + a]], :L]
            chosen = work.chosen[row + a, :L]
            if how.reading == PLAN:
                reach[:] = given
                continue
            if how.reading == BEHAVIOUR:
                chosen[:] = given
            for k in range(L):
                reach[k] = mine[k] * chosen[k]


@kernel
def deal(tree: Public, item: int, shared: Shared, work: Work) -> None:
    """Hand the reach at the end of a round to all boards that continue this one."""
    stage = tree.items[item, 0]
    P = tree.stages[stage, 3]
    for n in range(tree.stages[stage, 1], tree.stages[stage, 2]):
        if tree.nodes[n, 0] != DEAL:
            continue
        following, prefix = tree.nodes[n, 7], tree.nodes[n, 8]
        width = tree.stages[following, 3]
        for board in range(tree.items[item, 4], tree.items[item, 5]):
            below = tree.items[tree.stages[following, 4] + board]
            for hand in range(below[1]):
                h = tree.lanes.above[below[2] + hand]
                to = below[3] + hand * width + prefix
                for player in range(tree.bases.shape[1]):
                    reach = work.reach[tree.slots[player, n], h * P : (h + 1) * P]
                    shared.entries[player, to : to + P] = reach


@kernel
def collect(tree: Public, item: int, shared: Shared, work: Work) -> None:
    """Sum the values of all boards that continue this one."""
    stage, hands = tree.items[item, 0], tree.items[item, 1]
    P = tree.stages[stage, 3]
    for n in range(tree.stages[stage, 1], tree.stages[stage, 2]):
        if tree.nodes[n, 0] != DEAL:
            continue
        work.value[n - tree.stages[stage, 1], : hands * P] = 0
        following, prefix = tree.nodes[n, 7], tree.nodes[n, 8]
        width = tree.stages[following, 3]
        for board in range(tree.items[item, 4], tree.items[item, 5]):
            below = tree.items[tree.stages[following, 4] + board]
            for hand in range(below[1]):
                h = tree.lanes.above[below[2] + hand]
                value = work.value[n - tree.stages[stage, 1], h * P : (h + 1) * P]
                start = below[3] + hand * width + prefix
                paid = shared.values[start : start + P]
                for p in range(P):
                    value[p] += paid[p]


@kernel
def ascend(tree: Public, item: int, how: How, kept: Kept, work: Work, weights: Floats) -> None:
    """Values from the terminals to the root of the item, and what the mode asks for."""
    stage, hands = tree.items[item, 0], tree.items[item, 1]
    root, end = tree.stages[stage, 1], tree.stages[stage, 2]
    L = hands * tree.stages[stage, 3]
    for n in range(end - 1, root - 1, -1):
        if tree.nodes[n, 0] != DECISION:
            continue
        player, first, actions = tree.nodes[n, 1], tree.nodes[n, 2], tree.nodes[n, 3]
        base, row = tree.bases[item, player] + tree.nodes[n, 4] * L, tree.nodes[n, 5]
        value = work.value[n - root, :L]
        value[:] = 0
        below = tree.children[first : first + actions]
        if player != how.player:
            for a in range(actions):
                paid = work.value[below[a] - root, :L]
                for k in range(L):
                    value[k] += paid[k]
        elif how.mode == BEST:
            _take_best(below - root, base, kept.regret, work, value)
        elif how.mode == GRADIENT:
            for a in range(actions):
                kept.regret[base + a * L : base + (a + 1) * L] = work.value[below[a] - root, :L]
        else:
            for a in range(actions):
                paid, chosen = work.value[below[a] - root, :L], work.chosen[row + a, :L]
                for k in range(L):
                    value[k] += chosen[k] * paid[k]
            if how.mode == UPDATE:
                for a in range(actions):
                    start = base + a * L
                    paid = work.value[below[a] - root, :L]
                    reach = work.reach[tree.slots[player, below[a]], :L]
                    _learn(kept, start, paid, value, reach, weights)


@kernel
def _take_best(below: Ints, base: int, answer: Floats, work: Work, value: Floats) -> None:
    """The maximum over actions; where an answer is wanted, the first best action."""
    L = value.size
    value[:] = work.value[below[0], :L]
    for a in range(1, below.size):
        paid = work.value[below[a], :L]
        for k in range(L):
            value[k] = max(value[k], paid[k])
    if not answer.size:
        return
    for k in range(L):
        found = False
        for a in range(below.size):
            best = not found and work.value[below[a], k] == value[k]
            answer[base + a * L + k] = 1 if best else 0
            found = found or best


@kernel
def _learn(
    kept: Kept, start: int, paid: Floats, value: Floats, reach: Floats, weights: Floats
) -> None:
    """Regret, prediction and average of one action: see `treeplex.match_regrets`."""
    real = value.dtype.type
    zero, step = real(0), real(weights[3])
    positive, negative, prediction = real(weights[0]), real(weights[1]), real(weights[2])
    L = value.size
    R, average = kept.regret[start : start + L], kept.average[start : start + L]
    if kept.predicted.size:
        predicted = kept.predicted[start : start + L]
        for k in range(L):
            summed = R[k] + (paid[k] - value[k])
            told = positive * max(summed, zero) + negative * min(summed, zero)
            predicted[k] = told + prediction * (paid[k] - value[k])
    for k in range(L):
        summed = R[k] + (paid[k] - value[k])
        R[k] = positive * max(summed, zero) + negative * min(summed, zero)
    for k in range(L):
        average[k] += step * (reach[k] - average[k])


@kernel
def sweep_down(tree: Public, shared: Shared, work: Work, how: How, span: tuple[int, int]) -> None:
    """Reach of all rounds but the last."""
    for item in range(span[0], span[1]):
        descend(tree, item, shared, work, how)
        deal(tree, item, shared, work)


@kernel
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
        stage, hands, entry = tree.items[item, 0], tree.items[item, 1], tree.items[item, 3]
        descend(tree, item, shared, work, how)
        evaluate_terminals(tree, item, how, work)
        collect(tree, item, shared, work)
        ascend(tree, item, how, kept, work, weights)
        L = hands * tree.stages[stage, 3]
        shared.values[entry : entry + L] = work.value[0, :L]


@kernel
def sweep(tree: Public, shared: Shared, kept: Kept, work: Work, how: How, weights: Floats) -> None:
    """The whole tree for one player, on one thread."""
    last = tree.rounds.size - 2
    sweep_down(tree, shared, work, how, (0, tree.rounds[last]))
    for number in range(last, -1, -1):
        span = (tree.rounds[number], tree.rounds[number + 1])
        sweep_up(tree, shared, kept, work, how, weights, span)


@kernel
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
            shared.source[:] = live
        for player in range(tree.bases.shape[1]):
            mine = How(player, how.mode, how.reading, how.terminal, how.tiny)
            sweep(tree, shared, kept, work, mine, weights[row])
