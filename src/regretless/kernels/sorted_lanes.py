"""Values of the terminals of one site in games of one hole card, by running sums.

A hand's value at a terminal is MID x (compatible rival hands) + NET x (weaker minus stronger
ones). Hands are ordered from weak to strong, so both are running sums (Johanson et al. 2011). They
run over the rival's reach as it is, and values are written where they are needed: terminals after
the player's own fold and call have the same reach, and share their sum.

All of this happens in the cache, while memory is idle: so numbers that are needed next (`ahead`)
are fetched meanwhile, a few lines with every hand. All at once would be no faster than waiting."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, inlined, lean
from regretless.kernels.lanes import LINE, prefetch
from regretless.kernels.loops import fill, scale_to
from regretless.kernels.public_arrays import FOLD, MID, NET, SHOWDOWN, How, Public, Work

ROWS = 5  # of scratch: total, running sum, group of equal hands, chips, zeros


class SortedLanes(NamedTuple):
    """What lanes represent, [hand][board][prefix] of every item."""

    raked: Ints  # [node] whether a showdown pays MID
    scale: Floats  # chance of the deal
    counts: Floats  # actual hands


@lean
def evaluate(
    ends: SortedLanes, tree: Public, site: int, how: How, work: Work, factor: float, ahead: Floats
) -> None:
    """work.value at every terminal of the site: what how.player earns, times a factor."""
    round, player, rival = tree.sites[site].round_number, how.player, 1 - how.player
    fetched = 0
    hands, theirs = tree.site_sides[site, player].hands, tree.site_sides[site, rival].hands
    first, boards = tree.site_sides[site, player].lane, tree.sites[site].boards
    lanes = slice(first, first + hands * boards)
    below, upto, same = tree.side.below[lanes], tree.side.upto[lanes], tree.side.same[lanes]
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site].first_item + stage - tree.firsts[round]
        W, summed = tree.items[item].width, -1
        wide, mine = tree.item_sides[item, rival].at_wide, tree.item_sides[item, player].at_wide
        counts, scale = ends.counts[wide : wide + theirs * W], ends.scale[mine : mine + hands * W]
        total, net, group = work.sums[:W], work.sums[W : 2 * W], work.sums[2 * W : 3 * W]
        chips, none = work.sums[3 * W : 4 * W], work.sums[4 * W : ROWS * W]
        fill(none, 0.0)
        for n in range(tree.stages[stage].first, tree.stages[stage].end):
            kind, pay = tree.nodes[n].kind, tree.nodes[n].pay + 3 * player
            if kind != FOLD and kind != SHOWDOWN:
                continue
            at = tree.item_sides[item, rival].at_reach + tree.slots[rival, n] * theirs * W
            reach = work.reach[at : at + theirs * W]
            if tree.slots[rival, n] != summed:
                fetched = _add_up(reach, counts, total, ahead, fetched)
                summed = tree.slots[rival, n]
            here = tree.items[item].at_value + tree.nodes[n].value * hands * W
            out = work.value[here : here + hands * W]
            if kind == SHOWDOWN:
                scale_to(chips, tree.pay[pay + NET, :W], factor)
                scale_to(net, total, -1.0)
                rivals, order, sums = (reach, counts), (below, upto), (net, group)
                fetched = _show(out, rivals, order, sums, (scale, chips), ahead, fetched)
            if kind == FOLD or ends.raked[n]:
                scale_to(chips, tree.pay[pay + MID, :W], factor)
                sums, more = (total, none), kind == SHOWDOWN
                fetched = _pay(out, reach, same, sums, (scale, chips), more, ahead, fetched)


@inlined
def _fetch(ahead: Floats, fetched: int, lines: int) -> int:
    """Fetch the next few cache lines, if any are left; returns how far this is."""
    step = LINE // ahead.itemsize
    if fetched < ahead.size:
        for line in range(lines):
            prefetch(ahead, fetched + line * step)
    return fetched + lines * step


@apart
def _add_up(reach: Floats, counts: Floats, total: Floats, ahead: Floats, fetched: int) -> int:
    """The reach of all rival hands. Returns how much is fetched."""
    W = total.size
    hands, begin = reach.size // W, 0
    fill(total, 0.0)
    # Four hands at a time: the sums are read and written once for them.
    for h in range(0, hands - 3, 4):
        a, m = reach[h * W : (h + 1) * W], counts[h * W : (h + 1) * W]
        b, n = reach[(h + 1) * W : (h + 2) * W], counts[(h + 1) * W : (h + 2) * W]
        c, o = reach[(h + 2) * W : (h + 3) * W], counts[(h + 2) * W : (h + 3) * W]
        d, p = reach[(h + 3) * W : (h + 4) * W], counts[(h + 3) * W : (h + 4) * W]
        for w in range(W):
            total[w] += (m[w] * a[w] + n[w] * b[w]) + (o[w] * c[w] + p[w] * d[w])
        begin, fetched = h + 4, _fetch(ahead, fetched, 4)
    for h in range(begin, hands):
        row, count = reach[h * W : (h + 1) * W], counts[h * W : (h + 1) * W]
        for w in range(W):
            total[w] += count[w] * row[w]
    return fetched


@apart
def _pay(
    out: Floats,
    reach: Floats,
    same: Indices,
    sums: tuple[Floats, Floats],
    pay: tuple[Floats, Floats],
    more: bool,
    ahead: Floats,
    fetched: int,
) -> int:
    """Chips times all rival cards but the own one. `more`: add to the existing values."""
    (total, none), (scale, chips) = sums, pay
    W = total.size
    hands = out.size // W
    for h in range(hands):
        mine = same[h * (same.size // hands)]
        row, lanes = out[h * W : (h + 1) * W], scale[h * W : (h + 1) * W]
        own = reach[mine * W : (mine + 1) * W] if mine >= 0 else none
        if more:
            for w in range(W):
                row[w] += lanes[w] * chips[w] * (total[w] - own[w])
        else:
            for w in range(W):
                row[w] = lanes[w] * chips[w] * (total[w] - own[w])
        fetched = _fetch(ahead, fetched, 2)
    return fetched


@apart
def _show(
    out: Floats,
    rivals: tuple[Floats, Floats],
    order: tuple[Indices, Indices],
    sums: tuple[Floats, Floats],
    pay: tuple[Floats, Floats],
    ahead: Floats,
    fetched: int,
) -> int:
    """Chips times weaker minus stronger rival cards. The own card ties with itself.

    `net` begins with minus all of them; a weaker one is added twice, an equal one once."""
    (reach, counts), (net, group), (scale, chips) = rivals, sums, pay
    W = net.size
    hands = out.size // W
    boards, done, h = order[0].size // hands, 0, 0
    while h < hands:
        below, upto, end = order[0][h * boards], order[1][h * boards], h + 1
        while end < hands and order[0][end * boards] == below and order[1][end * boards] == upto:
            end += 1
        if done < below:  # weaker ones that no hand of the player equals
            weaker, each = reach[done * W : below * W], counts[done * W : below * W]
            fetched = _add_up(weaker, each, group, ahead, fetched)
            _add_twice(net, group)
        if upto == below + 1 and end == h + 1:
            row, lanes = out[h * W : end * W], scale[h * W : end * W]
            mine, count = reach[below * W : upto * W], counts[below * W : upto * W]
            for w in range(W):
                equal = count[w] * mine[w]
                lead = net[w] + equal
                row[w] = lanes[w] * chips[w] * lead
                net[w] = lead + equal
        else:
            equals, each = reach[below * W : upto * W], counts[below * W : upto * W]
            fetched = _add_up(equals, each, group, ahead, fetched)
            for k in range(h, end):
                row, lanes = out[k * W : (k + 1) * W], scale[k * W : (k + 1) * W]
                for w in range(W):
                    row[w] = lanes[w] * chips[w] * (net[w] + group[w])
            _add_twice(net, group)
        done, h, fetched = upto, end, _fetch(ahead, fetched, 2)
    return fetched


@apart
def _add_twice(net: Floats, group: Floats) -> None:
    for w in range(net.size):
        net[w] += group[w] + group[w]
