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
        lanes = how.terminal == SORTED and not tree.pairs.cards.size
        columns = _gather(tree, item, kind, 1 - how.player, work, lanes and kind == SHOWDOWN)
        if not columns:
            continue
        if how.terminal != SORTED:
            _by_matrix(tree, item, kind, columns, work)
        elif not lanes:
            _sorted_pairs(tree, item, kind, columns, work)
        elif kind == FOLD:
            _total_lanes(tree, item, columns, work)
        else:
            _sorted_lanes(tree, item, columns, work)
        _scatter(tree, item, kind, how.player, work)


@lean
def _gather(tree: Public, item: int, kind: int, rival: int, work: Work, counted: bool) -> int:
    """Put the rival's reach at all terminals of a kind beside each other.

    Counted: times the actual hands that a lane stands for."""
    stage, hands, W = tree.items[item, 0], tree.items[item, 1], tree.items[item, 4]
    columns, table, entry = 0, work.table, tree.items[item, 3]
    counts = tree.lanes.counts[entry : entry + hands * W]
    for n in range(tree.stages[stage, 1], tree.stages[stage, 2]):
        if tree.nodes[n, 0] != kind:
            continue
        reach = work.reach[tree.slots[rival, n]]
        for h in range(hands):
            row, mine = table[h, columns : columns + W], reach[h * W : (h + 1) * W]
            if counted:
                count = counts[h * W : (h + 1) * W]
                for w in range(W):
                    row[w] = count[w] * mine[w]
            else:
                copy(row, mine)
        columns += W
    return columns


@lean
def _scatter(tree: Public, item: int, kind: int, player: int, work: Work) -> None:
    """What was won, in chips and weighted by the chance of the deal, back to the nodes."""
    stage, hands, W = tree.items[item, 0], tree.items[item, 1], tree.items[item, 4]
    root, entry, column = tree.stages[stage, 1], tree.items[item, 3], 0
    scales, all_won = tree.lanes.scale[entry : entry + hands * W], work.won
    for n in range(root, tree.stages[stage, 2]):
        if tree.nodes[n, 0] != kind:
            continue
        lost = kind == FOLD and tree.nodes[n, 1] != player
        pay, value = tree.pay[tree.nodes[n, 6], :W], work.value[n - root]
        for h in range(hands):
            won, scale = all_won[h, column : column + W], scales[h * W : (h + 1) * W]
            out = value[h * W : (h + 1) * W]
            if lost:
                for w in range(W):
                    out[w] = -(scale[w] * pay[w] * won[w])
            else:
                for w in range(W):
                    out[w] = scale[w] * pay[w] * won[w]
        column += W


@lean
def _total_lanes(tree: Public, item: int, columns: int, work: Work) -> None:
    """One-card games: all rival cards but one's own."""
    hands, entry, W = tree.items[item, 1], tree.items[item, 3], tree.items[item, 4]
    counts = tree.lanes.counts[entry : entry + hands * W]
    total = work.sums[0, :columns]
    fill(total, 0.0)
    for h in range(hands):
        count = counts[h * W : (h + 1) * W]
        for column in range(0, columns, W):
            part, reach = total[column : column + W], work.table[h, column : column + W]
            for w in range(W):
                part[w] += count[w] * reach[w]
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
        reach = work.table[h, :columns]
        for t in range(columns):
            net[t] -= reach[t]
    first = 0
    while first < hands:
        end = tree.lanes.ties[lane + first]
        if end == first + 1:
            reach, won = work.table[first, :columns], work.won[first, :columns]
            for t in range(columns):
                half = net[t] + reach[t]
                won[t] = half
                net[t] = half + reach[t]
        else:
            for h in range(first, end):
                _add(net, work.table[h, :columns])
            for h in range(first, end):
                copy(work.won[h, :columns], net)
            for h in range(first, end):
                _add(net, work.table[h, :columns])
        first = end


@lean
def _add(total: Floats, part: Floats) -> None:
    for t in range(total.size):
        total[t] += part[t]


@lean
def _add_times(total: Floats, part: Floats, count: float) -> None:
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
    _add_times(work.sums[0, :columns], reach, sign)
    _add_times(work.sums[1 + tree.pairs.cards[k, 0], :columns], reach, sign)
    _add_times(work.sums[1 + tree.pairs.cards[k, 1], :columns], reach, sign)


@lean
def _by_matrix(tree: Public, item: int, kind: int, columns: int, work: Work) -> None:
    """Sum over all pairs of hands, each with its number of ways and its sign."""
    hands, W, lane = tree.items[item, 1], tree.items[item, 4], tree.items[item, 2]
    P = tree.stages[tree.items[item, 0], 3]
    ties = tree.lanes.ties[lane : lane + hands]
    for board in range(tree.items[item, 5]):
        ways = tree.tables.ways[tree.tables.first[tree.items[item, 6] + board] :]
        for h in range(hands):
            for column in range(board * P, columns, W):
                fill(work.won[h, column : column + P], 0.0)
            for other in range(hands):
                factor = ways[h * hands + other]
                if kind == SHOWDOWN:
                    if other >= ties[h]:
                        factor = -factor
                    elif ties[other] > h:
                        continue
                for column in range(board * P, columns, W):
                    won = work.won[h, column : column + P]
                    _add_times(won, work.table[other, column : column + P], factor)


@lean
def _joint(tree: Public, item: int, player: int, work: Work) -> None:
    """Any number of players: every combination of hands, with its ways and its shares."""
    stage, hands, W = tree.items[item, 0], tree.items[item, 1], tree.items[item, 4]
    root, entry = tree.stages[stage, 1], tree.items[item, 3]
    for n in range(root, tree.stages[stage, 2]):
        kind = tree.nodes[n, 0]
        if kind not in (FOLD, SHOWDOWN):
            continue
        value = work.value[n - root, : hands * W]
        fill(value, 0.0)
        for board in range(tree.items[item, 5]):
            _joint_board(tree, item, n, player, board, work, value)
        scale = tree.lanes.scale[entry : entry + hands * W]
        counts = tree.lanes.counts[entry : entry + hands * W]
        for k in range(hands * W):
            value[k] *= scale[k] / counts[k]


@lean
def _joint_board(
    tree: Public, item: int, n: int, player: int, board: int, work: Work, value: Floats
) -> None:
    hands, W, players = tree.items[item, 1], tree.items[item, 4], tree.bases.shape[1]
    P, row, live = tree.stages[tree.items[item, 0], 3], tree.nodes[n, 6], tree.nodes[n, 9]
    pot, spent = tree.pay[row + 1, :P], tree.pay[row + 2 + player, :P]
    start = tree.tables.first[tree.items[item, 6] + board]
    term = work.sums[0, :P]
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
            at = h * W + board * P
            reach = work.reach[tree.slots[q, n], at : at + P]
            for p in range(P):
                term[p] *= reach[p]
        out = value[mine * W + board * P : mine * W + board * P + P]
        for p in range(P):
            out[p] += term[p] * (share * pot[p] - spent[p])
