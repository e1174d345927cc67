"""Values of the terminals of one site, for all hands and lines of betting at once.

Here: games of one hole card, and any number of players; games of two are in hand_rows.py.
What a hand earns at a terminal is MID x (rival hands that fit) + NET x (weaker less stronger
ones) + TIE x (equal ones). Sorted: hands stand from weak to strong, so these are running
sums (Johanson et al. 2011). Matrix: one multiplication by a hand-by-hand matrix. Joint: a
sum over all combinations of hands, for any number of players. Terminals of a kind stand
side by side as columns, so that sums over hands run over vectors of (terminal, width)."""

from __future__ import annotations

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import apart, lean
from regretless.kernels.hand_rows import evaluate_rows
from regretless.kernels.public_arrays import (
    AT_REACH,
    AT_VALUE,
    AT_WIDE,
    BEGIN,
    BOARDS,
    END,
    FIRST,
    FOLD,
    HANDS,
    ITEM,
    JOINT,
    KIND,
    LANE,
    LEAF,
    LIVE,
    MID,
    NET,
    NODE,
    PAY,
    POSITION,
    PREFIXES,
    RAKED,
    ROUND,
    SHOWDOWN,
    SORTED,
    STOP,
    TABLE,
    TIE,
    UNEVEN,
    VALUE,
    WIDTH,
    How,
    Public,
    Work,
)

KINDS = (FOLD, SHOWDOWN)  # of which `chunks` has columns, in this order


@apart
def fill(out: Floats, number: float) -> None:
    """Every entry becomes the number."""
    for k in range(out.size):
        out[k] = number


@apart
def copy(out: Floats, given: Floats) -> None:
    """Every entry becomes the given one. A slice assignment allows for overlap, and is slow."""
    for k in range(out.size):
        out[k] = given[k]


@lean
def evaluate_terminals(tree: Public, site: int, how: How, work: Work, factor: float) -> None:
    """work.value at every terminal of the site: what how.player earns, times a factor."""
    if how.terminal == JOINT:
        _joint(tree, site, how.player, work, factor)
        return
    if tree.inside:
        evaluate_rows(tree, site, how, work, factor)
    else:
        _evaluate_lanes(tree, site, how, work, factor)
    if tree.tables.values.size:
        _leaves(tree, site, how.player, work, factor)


@lean
def _evaluate_lanes(tree: Public, site: int, how: How, work: Work, factor: float) -> None:
    """One-card games."""
    round, player, rival = tree.sites[site, ROUND], how.player, 1 - how.player
    hands, theirs = tree.site_sides[site, player, HANDS], tree.site_sides[site, rival, HANDS]
    first, boards = tree.site_sides[site, player, LANE], tree.sites[site, BOARDS]
    side, lanes, table = tree.side, slice(first, first + hands * boards), work.table
    below, upto, same = side.below[lanes], side.upto[lanes], side.same[lanes]
    for k in range(2):
        kind = KINDS[k]
        for chunk in range(tree.chunks[round, k], tree.chunks[round, k + 1]):
            columns, column, W, item = 0, 0, 1, 0
            begin, stop = tree.chunk_rows[chunk, BEGIN], tree.chunk_rows[chunk, STOP]
            for t in range(begin, stop):
                columns += tree.items[tree.sites[site, ITEM] + tree.terminals[t, POSITION], WIDTH]
            for t in range(begin, stop):
                item, n = (
                    tree.sites[site, ITEM] + tree.terminals[t, POSITION],
                    tree.terminals[t, NODE],
                )
                W = tree.items[item, WIDTH]
                at = tree.item_sides[item, rival, AT_REACH] + tree.slots[rival, n] * theirs * W
                wide = tree.item_sides[item, rival, AT_WIDE]
                counts = side.wide_counts[wide : wide + theirs * W]
                given = counts if kind != FOLD else counts[:0]
                _take(work.reach[at : at + theirs * W], given, table, W, column, columns)
                column += W
            raked, uneven = tree.chunk_rows[chunk, RAKED] > 0, tree.chunk_rows[chunk, UNEVEN] > 0
            if how.terminal != SORTED:
                for b in range(boards):
                    ways = tree.tables.ways[
                        tree.tables.first[player, tree.sites[site, TABLE] + b] :
                    ]
                    P = W // boards if boards > 1 else columns
                    here = (hands, theirs, columns, P, boards, b)
                    tied = work.tied if uneven else work.tied[:0]
                    tables = (table, work.total, work.won, tied)
                    _by_matrix(ways, (below, upto), here, kind == SHOWDOWN, tables)
            else:
                if kind == FOLD or raked:
                    wide = tree.item_sides[item, rival, AT_WIDE]
                    counts = side.wide_counts[wide : wide + theirs * W]
                    shape = (boards, theirs, W, columns)
                    _total_lanes(same, shape, counts, kind != FOLD, table, work.sums, work.total)
                if kind == SHOWDOWN:
                    sizes = (boards, theirs, columns)
                    _net_lanes((below, upto), sizes, table, work.sums, work.won)
            column, first_pay = 0, MID if kind == FOLD else NET
            for t in range(begin, stop):
                item, n = (
                    tree.sites[site, ITEM] + tree.terminals[t, POSITION],
                    tree.terminals[t, NODE],
                )
                W, row = tree.items[item, WIDTH], tree.nodes[n, PAY] + 3 * player
                at = tree.items[item, AT_VALUE] + tree.nodes[n, VALUE] * hands * W
                wide = tree.item_sides[item, player, AT_WIDE]
                weights = side.wide_scale[wide : wide + hands * W]
                out, where = work.value[at : at + hands * W], (W, column, columns, factor)
                for pay in (first_pay, MID, TIE):
                    more = pay != first_pay
                    unpaid = (pay == MID and not raked) or (pay == TIE and not uneven)
                    if more and (kind == FOLD or unpaid):
                        continue
                    won = work.total if pay == MID else (work.won if pay == NET else work.tied)
                    _pay(out, won, tree.pay[row + pay, :W], weights, where, more)
                column += W


@apart
def _take(reach: Floats, counts: Floats, table: Floats, W: int, column: int, columns: int) -> None:
    """Put the rival's reach at a terminal beside that at others: [hand][column].

    In one-card games, times the actual hands that a lane stands for."""
    hands = reach.size // W
    if counts.size:
        for h in range(hands):
            at = h * columns + column
            row, mine = table[at : at + W], reach[h * W : (h + 1) * W]
            count = counts[h * W : (h + 1) * W]
            for w in range(W):
                row[w] = count[w] * mine[w]
    elif W == 1:
        for h in range(hands):
            table[h * columns + column] = reach[h]
    else:
        for h in range(hands):
            at = h * columns + column
            row, mine = table[at : at + W], reach[h * W : (h + 1) * W]
            for w in range(W):
                row[w] = mine[w]


@apart
def _pay(
    out: Floats,
    won: Floats,
    chips: Floats,
    scale: Floats,
    where: tuple[int, int, int, float],
    more: bool,
) -> None:
    """Values of a terminal: chips times what was won, times the chance of the deal, which is
    given for every lane. `more`: on top of what is there."""
    W, column, columns, factor = where
    real, hands = out.dtype.type, out.size // W
    times = real(factor)
    for h in range(hands):
        at = h * columns + column
        row, mine, lanes = out[h * W : (h + 1) * W], won[at : at + W], scale[h * W : (h + 1) * W]
        if more:
            for w in range(W):
                row[w] += times * lanes[w] * chips[w] * mine[w]
        else:
            for w in range(W):
                row[w] = times * lanes[w] * chips[w] * mine[w]


@apart
def _total_lanes(
    same: Indices,
    sizes: tuple[int, int, int, int],
    counts: Floats,
    counted: bool,
    table: Floats,
    sums: Floats,
    out: Floats,
) -> None:
    """One-card games: all rival cards but one's own.

    `counts` are [rival hand][board][prefix], and in the table already if `counted`; all
    terminals of a chunk are equally wide."""
    boards, theirs, W, columns = sizes
    total = sums[:columns]
    fill(total, 0.0)
    for h in range(theirs):
        if counted:
            _add(total, table[h * columns : (h + 1) * columns])
            continue
        count = counts[h * W : (h + 1) * W]
        for column in range(0, columns, W):
            at = h * columns + column
            part, reach = total[column : column + W], table[at : at + W]
            for w in range(W):
                part[w] += count[w] * reach[w]
    for h in range(same.size // boards):
        mine, won = same[h * boards], out[h * columns : (h + 1) * columns]
        if mine < 0:
            copy(won, total)
            continue
        reach = table[mine * columns : (mine + 1) * columns]
        if not counted:
            for t in range(columns):
                won[t] = total[t] - reach[t]
            continue
        for t in range(columns):
            won[t] = total[t] - reach[t] / counts[mine * W + t % W]


@apart
def _net_lanes(
    order: tuple[Indices, Indices],
    sizes: tuple[int, int, int],
    table: Floats,
    sums: Floats,
    out: Floats,
) -> None:
    """One-card games: weaker minus stronger rival cards. One's own card ties with itself.

    `net` counts rivals below `full` twice and those below `half` once, less all of them."""
    (boards, theirs, columns), net = sizes, sums[: sizes[2]]
    fill(net, 0.0)
    for h in range(theirs):
        reach = table[h * columns : (h + 1) * columns]
        for t in range(columns):
            net[t] -= reach[t]
    full = half = 0
    hands = order[0].size // boards
    for h in range(hands):
        below, upto = order[0][h * boards], order[1][h * boards]
        won = out[h * columns : (h + 1) * columns]
        shared = h + 1 < hands and order[0][(h + 1) * boards] == below
        if full == half == below and upto == below + 1 and not shared:
            reach = table[below * columns : upto * columns]
            for t in range(columns):
                ahead = net[t] + reach[t]
                won[t] = ahead
                net[t] = ahead + reach[t]
            full = half = upto
            continue
        full, half = _move_lanes(net, table, columns, (full, half), (below, upto))
        copy(won, net)


@apart
def _by_matrix(
    ways: Floats,
    order: tuple[Indices, Indices],
    sizes: tuple[int, int, int, int, int, int],
    showdown: bool,
    tables: tuple[Floats, Floats, Floats, Floats],
) -> None:
    """Sum over all pairs of hands on one board, each with its number of ways and its sign."""
    hands, theirs, columns, P, boards, b = sizes
    table, total, won, tied = tables
    for h in range(hands):
        below, upto = order[0][h * boards + b], order[1][h * boards + b]
        for column in range(b * P, columns, boards * P):
            to = h * columns + column
            fill(total[to : to + P], 0.0)
            fill(won[to : to + P], 0.0)
            if tied.size:
                fill(tied[to : to + P], 0.0)
            for other in range(theirs):
                times, at = ways[h * theirs + other], other * columns + column
                reach = table[at : at + P]
                _add_times(total[to : to + P], reach, times)
                if showdown and other < below:
                    _add_times(won[to : to + P], reach, times)
                elif showdown and other >= upto:
                    _add_times(won[to : to + P], reach, -times)
                elif showdown and tied.size:
                    _add_times(tied[to : to + P], reach, times)


@apart
def _move_lanes(
    net: Floats, table: Floats, columns: int, now: tuple[int, int], wanted: tuple[int, int]
) -> tuple[int, int]:
    """Count rivals below wanted[0] twice, and those below wanted[1] once."""
    (full, half), (below, upto) = now, wanted
    while full < below:
        row = table[full * columns : (full + 1) * columns]
        _add(net, row)
        if full >= half:
            _add(net, row)
            half = full + 1
        full += 1
    while half < upto:
        _add(net, table[half * columns : (half + 1) * columns])
        half += 1
    return full, half


@apart
def _add(total: Floats, part: Floats) -> None:
    for t in range(total.size):
        total[t] += part[t]


@apart
def _add_times(total: Floats, part: Floats, count: float) -> None:
    for t in range(total.size):
        total[t] += count * part[t]


@lean
def _leaves(tree: Public, site: int, player: int, work: Work, factor: float) -> None:
    """Ends of rounds whose values are given: one matrix per line of betting and board."""
    rival, hands = 1 - player, tree.site_sides[site, player, HANDS]
    theirs, round = tree.site_sides[site, rival, HANDS], tree.sites[site, ROUND]
    start = tree.tables.leaves[player, site]
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site, ITEM] + stage - tree.firsts[round]
        W = tree.items[item, WIDTH]
        for n in range(tree.stages[stage, FIRST], tree.stages[stage, END]):
            if tree.nodes[n, KIND] != LEAF:
                continue
            at = tree.items[item, AT_VALUE] + tree.nodes[n, VALUE] * hands * W
            reach = tree.item_sides[item, rival, AT_REACH] + tree.slots[rival, n] * theirs * W
            stride, across = (1, theirs) if tree.inside else (W, 1)
            for w in range(W):
                for h in range(hands):
                    total = work.value.dtype.type(0)
                    for other in range(theirs):
                        total += (
                            tree.tables.values[start + h * theirs + other]
                            * work.reach[reach + other * stride + w * across]
                        )
                    to = h + w * hands if tree.inside else h * W + w
                    work.value[at + to] = factor * total
                start += hands * theirs


@lean
def _joint(tree: Public, site: int, player: int, work: Work, factor: float) -> None:
    """Any number of players: every combination of hands, with its ways and its shares."""
    round, boards = tree.sites[site, ROUND], tree.sites[site, BOARDS]
    hands, first = tree.site_sides[site, player, HANDS], tree.site_sides[site, player, LANE]
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site, ITEM] + stage - tree.firsts[round]
        W, P = tree.items[item, WIDTH], tree.stages[stage, PREFIXES]
        for n in range(tree.stages[stage, FIRST], tree.stages[stage, END]):
            if tree.nodes[n, KIND] not in (FOLD, SHOWDOWN):
                continue
            at = tree.items[item, AT_VALUE] + tree.nodes[n, VALUE] * hands * W
            value = work.value[at : at + hands * W]
            fill(value, 0.0)
            for board in range(boards):
                _joint_board(tree, site, item, n, player, board, work, value)
            for lane in range(hands * boards):
                scale = tree.side.scale[first + lane] / tree.side.counts[first + lane]
                for k in range(lane * P, (lane + 1) * P):
                    value[k] *= value.dtype.type(factor) * scale


@lean
def _joint_board(
    tree: Public,
    site: int,
    item: int,
    n: int,
    player: int,
    board: int,
    work: Work,
    value: Floats,
) -> None:
    """Rows of `pay` are here the pot and the chips of every player."""
    hands, W, players = tree.site_sides[site, player, HANDS], value.size, tree.slots.shape[0]
    W //= hands
    P, row, live = W // tree.sites[site, BOARDS], tree.nodes[n, PAY], tree.nodes[n, LIVE]
    row += 6 if players == 2 else 0  # the others are for sums over pairs of hands
    pot, spent = tree.pay[row, :P], tree.pay[row + 1 + player, :P]
    start = tree.tables.first[0, tree.sites[site, TABLE] + board]
    term = work.sums[:P]
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
            at = tree.item_sides[item, q, AT_REACH] + tree.slots[q, n] * hands * W
            at += h * W + board * P
            reach = work.reach[at : at + P]
            for p in range(P):
                term[p] *= reach[p]
        out = value[mine * W + board * P : mine * W + board * P + P]
        for p in range(P):
            out[p] += term[p] * (share * pot[p] - spent[p])
