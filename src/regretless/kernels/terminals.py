"""Values of the terminals of one item, for all hands and prefixes at once.

Sorted: hands stand from weak to strong, so what a hand wins and loses is a running sum.
Matrix: one multiplication by a hand-by-hand matrix. Joint: a sum over all combinations of
hands, for any number of players. Sums over hands run over vectors of (terminal, prefix)."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import lean
from regretless.kernels.public_arrays import FOLD, JOINT, SHOWDOWN, SORTED, How, Public, Work


@lean
def fill(out: Floats, number: float) -> None:
    """Every entry becomes the number."""
    for k in range(out.size):
        out[k] = number


@lean
def copy(out: Floats, given: Floats) -> None:
    """Every entry becomes the given one. A slice assignment allows for overlap, and is slow."""
    for k in range(out.size):
        out[k] = given[k]


@lean
def evaluate_terminals(tree: Public, item: int, how: How, work: Work) -> None:
    """work.value at every fold and showdown: what how.player earns, by hand and prefix."""
    if how.terminal == JOINT:
        _joint(tree, item, how.player, work)
        return
    for kind in (FOLD, SHOWDOWN):
        columns = _gather(tree, item, kind, 1 - how.player, work)
        if not columns:
            continue
        if how.terminal != SORTED:
            _by_matrix(tree, item, kind, columns, work)
        elif tree.pairs.cards.size:
            _sorted_pairs(tree, item, kind, columns, work)
        elif kind == FOLD:
            _total_lanes(tree, item, columns, work)
        else:
            _sorted_lanes(tree, item, columns, work)
        _scatter(tree, item, kind, how.player, work)


@lean
def _gather(tree: Public, item: int, kind: int, rival: int, work: Work) -> int:
    """Put the rival's reach at all terminals of a kind beside each other."""
    stage, hands = tree.items[item, 0], tree.items[item, 1]
    P, columns, table = tree.stages[stage, 3], 0, work.table
    for n in range(tree.stages[stage, 1], tree.stages[stage, 2]):
        if tree.nodes[n, 0] == kind:
            reach = work.reach[tree.slots[rival, n]]
            for h in range(hands):
                row, mine = table[h, columns : columns + P], reach[h * P : (h + 1) * P]
                for p in range(P):
                    row[p] = mine[p]
            columns += P
    return columns


@lean
def _scatter(tree: Public, item: int, kind: int, player: int, work: Work) -> None:
    """What was won, in chips and weighted by the chance of the deal, back to the nodes."""
    stage, hands, lane = tree.items[item, 0], tree.items[item, 1], tree.items[item, 2]
    root, P, column = tree.stages[stage, 1], tree.stages[stage, 3], 0
    scales, all_won = tree.lanes.scale, work.won
    for n in range(root, tree.stages[stage, 2]):
        if tree.nodes[n, 0] != kind:
            continue
        lost = kind == FOLD and tree.nodes[n, 1] != player
        pay, value = tree.pay[tree.nodes[n, 6], :P], work.value[n - root]
        for h in range(hands):
            scale = -scales[lane + h] if lost else scales[lane + h]
            won, out = all_won[h, column : column + P], value[h * P : (h + 1) * P]
            for p in range(P):
                out[p] = scale * pay[p] * won[p]
        column += P


@lean
def _total_lanes(tree: Public, item: int, columns: int, work: Work) -> None:
    """One-card games: all rival cards but one's own."""
    hands, lane = tree.items[item, 1], tree.items[item, 2]
    total = work.sums[0, :columns]
    fill(total, 0.0)
    for h in range(hands):
        count, reach = tree.lanes.counts[lane + h], work.table[h, :columns]
        for t in range(columns):
            total[t] += count * reach[t]
    for h in range(hands):
        reach, won = work.table[h, :columns], work.won[h, :columns]
        for t in range(columns):
            won[t] = total[t] - reach[t]


@lean
def _sorted_lanes(tree: Public, item: int, columns: int, work: Work) -> None:
    """One-card games: weaker minus stronger rival cards. One's own card ties with itself.

    `net` runs from -(all) over the ties to +(all): weaker counted twice, plus ties, minus
    all is weaker minus stronger."""
    hands, lane = tree.items[item, 1], tree.items[item, 2]
    net = work.sums[0, :columns]
    fill(net, 0.0)
    for h in range(hands):
        count, reach = tree.lanes.counts[lane + h], work.table[h, :columns]
        for t in range(columns):
            net[t] -= count * reach[t]
    first = 0
    while first < hands:
        end = tree.lanes.ties[lane + first]
        for h in range(first, end):
            _add(net, work.table[h, :columns], tree.lanes.counts[lane + h])
        for h in range(first, end):
            copy(work.won[h, :columns], net)
        for h in range(first, end):
            _add(net, work.table[h, :columns], tree.lanes.counts[lane + h])
        first = end


@lean
def _add(total: Floats, part: Floats, count: float) -> None:
    for t in range(total.size):
        total[t] += count * part[t]


@lean
def _sorted_pairs(tree: Public, item: int, kind: int, columns: int, work: Work) -> None:
    """Two-card games: the same sums once for all rival hands and once for every card.

    Row 0 of the sums is for all hands, row 1 + c for the hands that hold card c. Only the
    hand itself shares both cards, so all - c - d leaves out one hand twice: itself."""
    pairs, spot = tree.pairs, tree.items[item, 6]
    first, last = pairs.first[spot], pairs.first[spot + 1]
    for row in range(work.sums.shape[0]):
        fill(work.sums[row, :columns], 0.0)
    one = work.sums.dtype.type(1)
    for k in range(first, last):
        _add_hand(tree, k, columns, -one if kind == SHOWDOWN else one, work)
    start = first
    while start < last:
        end = first + pairs.ties[start] if kind == SHOWDOWN else last
        if kind == SHOWDOWN:
            for k in range(start, end):
                _add_hand(tree, k, columns, one, work)
        for k in range(start, end):
            if pairs.shown[k]:
                everyone = work.sums[0, :columns]
                c = work.sums[1 + pairs.cards[k, 0], :columns]
                d = work.sums[1 + pairs.cards[k, 1], :columns]
                own, won = work.table[pairs.lane[k], :columns], work.won[pairs.lane[k], :columns]
                twice = one if kind == FOLD else one - one
                for t in range(columns):
                    won[t] = everyone[t] - c[t] - d[t] + twice * own[t]
        if kind == SHOWDOWN:
            for k in range(start, end):
                _add_hand(tree, k, columns, one, work)
        start = end


@lean
def _add_hand(tree: Public, k: int, columns: int, sign: float, work: Work) -> None:
    reach = work.table[tree.pairs.lane[k], :columns]
    _add(work.sums[0, :columns], reach, sign)
    _add(work.sums[1 + tree.pairs.cards[k, 0], :columns], reach, sign)
    _add(work.sums[1 + tree.pairs.cards[k, 1], :columns], reach, sign)


@lean
def _by_matrix(tree: Public, item: int, kind: int, columns: int, work: Work) -> None:
    """Sum over all pairs of hands, each with its number of ways and its sign."""
    hands, lane, spot = tree.items[item, 1], tree.items[item, 2], tree.items[item, 6]
    ways = tree.tables.ways[tree.tables.first[spot] :]
    ties = tree.lanes.ties[lane : lane + hands]
    for h in range(hands):
        won = work.won[h, :columns]
        fill(won, 0.0)
        for other in range(hands):
            factor = ways[h * hands + other]
            if kind == SHOWDOWN:
                if other >= ties[h]:
                    factor = -factor
                elif ties[other] > h:
                    continue
            _add(won, work.table[other, :columns], factor)


@lean
def _joint(tree: Public, item: int, player: int, work: Work) -> None:
    """Any number of players: every combination of hands, with its ways and its shares."""
    stage, hands, lane = tree.items[item, 0], tree.items[item, 1], tree.items[item, 2]
    players, root, P = tree.bases.shape[1], tree.stages[stage, 1], tree.stages[stage, 3]
    start = tree.tables.first[tree.items[item, 6]]
    term = work.sums[0, :P]
    for n in range(root, tree.stages[stage, 2]):
        kind = tree.nodes[n, 0]
        if kind not in (FOLD, SHOWDOWN):
            continue
        row, live = tree.nodes[n, 6], tree.nodes[n, 9]
        pot, spent = tree.pay[row + 1, :P], tree.pay[row + 2 + player, :P]
        value = work.value[n - root, : hands * P]
        fill(value, 0.0)
        for entry in range(hands**players):
            ways = tree.tables.ways[start + entry]
            if ways == 0:
                continue
            share = tree.tables.share[live, start + entry, player]
            fill(term, ways)
            rest, mine = entry, 0
            for q in range(players - 1, -1, -1):
                h = rest % hands
                rest //= hands
                if q == player:
                    mine = h
                    continue
                reach = work.reach[tree.slots[q, n], h * P : (h + 1) * P]
                for p in range(P):
                    term[p] *= reach[p]
            scale = tree.lanes.scale[lane + mine] / tree.lanes.counts[lane + mine]
            out = value[mine * P : (mine + 1) * P]
            for p in range(P):
                out[p] += scale * term[p] * (share * pot[p] - spent[p])
