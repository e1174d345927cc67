"""Values of the terminals of one site in games of one hole card and two players, by matrices.

A hand's value at a terminal is MID x (compatible rival hands) + NET x (weaker minus stronger
ones) + TIE x (equal ones): one multiplication by a hand-by-hand matrix. Terminals of a kind are
adjacent columns, so that sums over hands run over vectors of (terminal, width)."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, lean
from regretless.kernels.loops import fill
from regretless.kernels.public_arrays import (
    FOLD,
    MID,
    NET,
    SHOWDOWN,
    TIE,
    How,
    Public,
    Records,
    Work,
)

KINDS = (FOLD, SHOWDOWN)  # of which `chunks` has columns, in this order


class Lanes(NamedTuple):
    """Which terminals are evaluated together, and what lanes represent."""

    terminals: Records  # per round and kind
    chunks: Ints  # [round, kind] first chunk, then the end
    chunk_rows: Records
    scale: Floats  # [hand][board][prefix] of every item: chance of the deal
    first: Ints  # [player, board] first entry of `ways`
    ways: Floats  # [own lane, rival lane] pairs of actual hands


@lean
def evaluate(ends: Lanes, tree: Public, site: int, how: How, work: Work, factor: float) -> None:
    """work.value at every terminal of the site: what how.player earns, times a factor."""
    round, player, rival = tree.sites[site].round_number, how.player, 1 - how.player
    hands, theirs = tree.site_sides[site, player].hands, tree.site_sides[site, rival].hands
    first, boards = tree.site_sides[site, player].lane, tree.sites[site].boards
    side, lanes, table = tree.side, slice(first, first + hands * boards), work.table
    below, upto = side.below[lanes], side.upto[lanes]
    for k in range(2):
        kind = KINDS[k]
        for chunk in range(ends.chunks[round, k], ends.chunks[round, k + 1]):
            columns, column, W, item = 0, 0, 1, 0
            begin, stop = ends.chunk_rows[chunk].begin, ends.chunk_rows[chunk].stop
            for t in range(begin, stop):
                columns += tree.items[
                    tree.sites[site].first_item + ends.terminals[t].position
                ].width
            for t in range(begin, stop):
                item, n = (
                    tree.sites[site].first_item + ends.terminals[t].position,
                    ends.terminals[t].node,
                )
                W = tree.items[item].width
                at = tree.item_sides[item, rival].at_reach + tree.slots[rival, n] * theirs * W
                _take(work.reach[at : at + theirs * W], table, W, column, columns)
                column += W
            raked, uneven = ends.chunk_rows[chunk].raked > 0, ends.chunk_rows[chunk].uneven > 0
            for b in range(boards):
                ways = ends.ways[ends.first[player, tree.sites[site].table + b] :]
                P = W // boards if boards > 1 else columns
                here = (hands, theirs, columns, P, boards, b)
                tied = work.tied if uneven else work.tied[:0]
                tables = (table, work.total, work.won, tied)
                _by_matrix(ways, (below, upto), here, kind == SHOWDOWN, tables)
            column, first_pay = 0, MID if kind == FOLD else NET
            for t in range(begin, stop):
                item, n = (
                    tree.sites[site].first_item + ends.terminals[t].position,
                    ends.terminals[t].node,
                )
                W, row = tree.items[item].width, tree.nodes[n].pay + 3 * player
                at = tree.items[item].at_value + tree.nodes[n].value * hands * W
                wide = tree.item_sides[item, player].at_wide
                weights = ends.scale[wide : wide + hands * W]
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
def _take(reach: Floats, table: Floats, W: int, column: int, columns: int) -> None:
    """Copy the rival's reach at a terminal into its column: [hand][column]."""
    for h in range(reach.size // W):
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
    """Values of a terminal: chips times the hands won, times the chance of the deal, which is
    given per lane. `more`: add to the existing values."""
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
def _add_times(total: Floats, part: Floats, count: float) -> None:
    for t in range(total.size):
        total[t] += count * part[t]
