"""Values of the terminals of one site whose lanes are rows of hands: games of two hole cards.

A hand's value at a terminal is MID x (compatible rival hands) + NET x (weaker minus stronger
ones) + TIE x (equal ones). The rival's reach at a terminal depends only on its own last action,
so terminals share **columns**: a fold is paid from the totals of the column whose showdown
would have followed the call. The columns of a site are adjacent, [hand][column], so that sums
over hands run over vectors of columns. Sorted: hands are ordered from weak to strong, and these
are running sums (Johanson et al. 2011). Matrix: one sum over all pairs of hands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, lean
from regretless.kernels.public_arrays import MID, NET, SORTED, How, Public, Records, Work


class Rows(NamedTuple):
    """Which terminals are evaluated together, and the hands."""

    firsts: Ints  # [round, player] first chunk, then the end
    chunks: Records
    columns: Records  # whose reach: item of the site, slot of the rival's reach, prefix
    paid: Records
    run_firsts: Ints  # [round, player] first run-out, then the end
    runs: Records
    runouts: Ints  # [player, board] first entry of `won`; -1: none
    won: Floats  # [rival lane, own lane] wins minus losses over all run-outs, scaled
    tied: Floats  # the same for ties; empty if they pay the mean of win and loss
    cards: Indices  # sorted: [lane, 2] of the representative
    pair_lane: Indices  # sorted: [pair] actual hands: their lane
    pair_cards: Indices  # [pair, 2]
    first: Ints  # matrix: [player, board] first entry of `ways`
    ways: Floats  # [own lane, rival lane] pairs of actual hands


@lean
def evaluate(ends: Rows, tree: Public, site: int, how: How, work: Work, factor: float) -> None:
    """work.value at every terminal of the site: what how.player earns, times a factor."""
    round, player, rival = tree.sites[site].round_number, how.player, 1 - how.player
    hands, theirs = tree.site_sides[site, player].hands, tree.site_sides[site, rival].hands
    first, items = tree.site_sides[site, player].lane, tree.sites[site].first_item
    side, lanes = tree.side, slice(first, first + hands)
    below, upto, same = side.below[lanes], side.upto[lanes], side.same[lanes]
    start, end = tree.site_sides[site, rival].pair, tree.site_sides[site, rival].pair_end
    _run_out(ends, tree, site, how, work, factor)
    for chunk in range(ends.firsts[round, player], ends.firsts[round, player + 1]):
        begin, shown = ends.chunks[chunk].column, ends.chunks[chunk].shown
        columns = ends.chunks[chunk].column_end - begin
        for c in range(columns):
            item = items + ends.columns[begin + c].position
            slot = ends.columns[begin + c].slot * tree.items[item].width
            slot += ends.columns[begin + c].prefix
            work.places[c] = tree.item_sides[item, rival].at_reach + slot * theirs
        _take(work.reach, work.places[:columns], theirs, work.table)
        if how.terminal == SORTED:
            hold = (ends.pair_lane[start:end], ends.pair_cards[start:end], ends.cards[lanes])
            order, sizes = (below, upto, same), (columns, shown)
            sums = work.sums[: (1 + tree.deck) * columns]
            _net(hold, order, sizes, work.table, sums, work.won, work.total)
        else:
            table = tree.sites[site].table
            ways = ends.ways[ends.first[player, table] :]
            sizes = (columns, theirs)
            _by_matrix(ways, (below, upto), sizes, work.table, work.total, work.won, work.tied)
        for row in range(ends.chunks[chunk].paid, ends.chunks[chunk].paid_end):
            item, pay = items + ends.paid[row].position, ends.paid[row].row
            width, prefix = tree.items[item].width, ends.paid[row].prefix
            at = tree.items[item].at_value
            at += (ends.paid[row].value * width + prefix) * hands
            kind, won = pay % 3, work.tied
            if kind == MID:
                won = work.total
            elif kind == NET:
                won = work.won
            times, more = factor * tree.pay[pay, prefix], ends.paid[row].more > 0
            column = (ends.paid[row].column, columns)
            _pay(work.value[at : at + hands], won, column, side.scale[lanes], times, more)


@lean
def _run_out(ends: Rows, tree: Public, site: int, how: How, work: Work, factor: float) -> None:
    """Showdowns before the last board: a matrix of results over all boards to come."""
    round, player, rival = tree.sites[site].round_number, how.player, 1 - how.player
    hands, theirs = tree.site_sides[site, player].hands, tree.site_sides[site, rival].hands
    items = tree.sites[site].first_item
    start = ends.runouts[player, tree.sites[site].table]
    for row in range(ends.run_firsts[round, player], ends.run_firsts[round, player + 1]):
        item, prefix = items + ends.runs[row].position, ends.runs[row].prefix
        width = tree.items[item].width
        at = tree.items[item].at_value + (ends.runs[row].value * width + prefix) * hands
        reach = tree.item_sides[item, rival].at_reach
        reach += (ends.runs[row].slot * width + prefix) * theirs
        given, value = work.reach[reach : reach + theirs], work.value[at : at + hands]
        won = ends.won[start : start + hands * theirs]
        _times_matrix(won, given, factor * tree.pay[ends.runs[row].net, prefix], value, False)
        if ends.runs[row].tie >= 0:
            times = factor * tree.pay[ends.runs[row].tie, prefix]
            tied = ends.tied[start : start + hands * theirs]
            _times_matrix(tied, given, times, value, True)


@apart
def _times_matrix(matrix: Floats, given: Floats, times: float, out: Floats, more: bool) -> None:
    """The matrix is [rival hand][own hand]: rows of own hands are summed."""
    hands = out.size
    if not more:
        for h in range(hands):
            out[h] = 0
    for other in range(given.size):
        x = given.dtype.type(times) * given[other]
        row = matrix[other * hands : (other + 1) * hands]
        for h in range(hands):
            out[h] += x * row[h]


@apart
def _take(reach: Floats, places: Ints, hands: int, table: Floats) -> None:
    """Transpose rows of hands into columns, four hands at a time, so that a position is read
    once for all four."""
    columns, h = places.size, 0
    while h + 4 <= hands:
        at = h * columns
        one, two = table[at : at + columns], table[at + columns : at + 2 * columns]
        at += 2 * columns
        three, four = table[at : at + columns], table[at + columns : at + 2 * columns]
        for c in range(columns):
            place = places[c] + h
            one[c], two[c] = reach[place], reach[place + 1]
            three[c], four[c] = reach[place + 2], reach[place + 3]
        h += 4
    while h < hands:
        row = table[h * columns : (h + 1) * columns]
        for c in range(columns):
            row[c] = reach[places[c] + h]
        h += 1


@apart
def _pay(
    out: Floats, won: Floats, column: tuple[int, int], scale: Floats, times: float, more: bool
) -> None:
    """A column times chips and the chance of the deal, as a row of hands."""
    at, step = np.uint64(column[0]), np.uint64(column[1])  # unsigned: no negative indices
    chips = out.dtype.type(times)
    if more:
        for h in range(out.size):
            out[h] += chips * scale[h] * won[at]
            at += step
    else:
        for h in range(out.size):
            out[h] = chips * scale[h] * won[at]
            at += step


@apart
def _net(
    hold: tuple[Indices, Indices, Indices],
    order: tuple[Indices, Indices, Indices],
    sizes: tuple[int, int],
    table: Floats,
    sums: Floats,
    won: Floats,
    total: Floats,
) -> None:
    """Compatible rival hands, and in showdown columns weaker minus stronger ones.

    Rivals are added once each, from weak to strong, to row 0 of the sums and to the rows of their
    cards. A hand reads the sums three times: after all weaker rivals, after all equal ones, and
    at the end; the first two minus the last are weaker minus stronger rivals. Only the hand
    itself shares both cards, so all - c - d subtracts exactly one hand twice: itself."""
    (lanes, held, cards), (below, upto, same), (columns, shown) = hold, order, sizes
    hands, added, first, second = below.size, 0, 0, 0
    for t in range(sums.size):
        sums[t] = 0
    while shown and second < hands:
        until = upto[second]
        if first < hands:
            until = min(until, below[first])
        if added < until:
            _add(lanes[added:until], held[added:until], columns, table, sums)
            added = until
        while first < hands and below[first] == added:
            _look(cards, first, sizes, sums, won, False)
            first += 1
        while second < first and upto[second] == added:
            _look(cards, second, sizes, sums, won, True)
            second += 1
    _add(lanes[added:], held[added:], columns, table, sums)
    everyone = sums[:columns]
    for h in range(hands):
        c, d = (1 + cards[h, 0]) * columns, (1 + cards[h, 1]) * columns
        with_c, with_d = sums[c : c + columns], sums[d : d + columns]
        all, net = total[h * columns : (h + 1) * columns], won[h * columns : h * columns + shown]
        for t in range(columns):
            all[t] = everyone[t] - with_c[t] - with_d[t]
        for t in range(shown):
            net[t] -= all[t]
        if same[h] >= 0:
            own = table[same[h] * columns : (same[h] + 1) * columns]
            for t in range(columns):
                all[t] += own[t]


@apart
def _add(lanes: Indices, cards: Indices, columns: int, table: Floats, sums: Floats) -> None:
    """Add rival hands to the sums: row 0 is for all hands, row 1 + c for hands with card c."""
    everyone = sums[:columns]
    for pair in range(lanes.size):
        row = lanes[pair] * columns
        c, d = (1 + cards[pair, 0]) * columns, (1 + cards[pair, 1]) * columns
        reach = table[row : row + columns]
        with_c, with_d = sums[c : c + columns], sums[d : d + columns]
        for t in range(columns):
            x = reach[t]
            everyone[t] += x
            with_c[t] += x
            with_d[t] += x


@apart
def _look(
    cards: Indices, h: int, sizes: tuple[int, int], sums: Floats, won: Floats, more: bool
) -> None:
    """The rivals so far that share no card with a hand."""
    columns, shown = sizes
    c, d = (1 + cards[h, 0]) * columns, (1 + cards[h, 1]) * columns
    everyone, with_c, with_d = sums[:shown], sums[c : c + shown], sums[d : d + shown]
    row = won[h * columns : h * columns + shown]
    if more:
        for t in range(shown):
            row[t] += everyone[t] - with_c[t] - with_d[t]
    else:
        for t in range(shown):
            row[t] = everyone[t] - with_c[t] - with_d[t]


@apart
def _by_matrix(
    ways: Floats,
    order: tuple[Indices, Indices],
    sizes: tuple[int, int],
    table: Floats,
    total: Floats,
    won: Floats,
    tied: Floats,
) -> None:
    """Sum over all pairs of hands, each with its number of ways and its sign."""
    columns, theirs = sizes
    below, upto = order
    for h in range(below.size):
        at = h * columns
        all, net = total[at : at + columns], won[at : at + columns]
        even = tied[at : at + columns]  # empty if ties pay nothing of their own
        for t in range(columns):
            all[t] = net[t] = 0
        for t in range(even.size):
            even[t] = 0
        for other in range(theirs):
            times, row = ways[h * theirs + other], table[other * columns : (other + 1) * columns]
            for t in range(columns):
                all[t] += times * row[t]
            if other < below[h]:
                for t in range(columns):
                    net[t] += times * row[t]
            elif other >= upto[h]:
                for t in range(columns):
                    net[t] -= times * row[t]
            else:
                for t in range(even.size):
                    even[t] += times * row[t]
