"""Values of the terminals of one site by a sum over all combinations of hands.

For any number of players; for two there are faster ways."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean
from regretless.kernels.loops import fill
from regretless.kernels.public_arrays import FOLD, SHOWDOWN, How, Public, Work


class Joint(NamedTuple):
    """Weights of joint hands."""

    first: Ints  # [player, board] first entry of `ways`
    ways: Floats  # of all combinations of lanes
    share: Floats  # [live set, entry, player] share of the pot


@lean
def evaluate(ends: Joint, tree: Public, site: int, how: How, work: Work, factor: float) -> None:
    """Any number of players: every combination of hands, with its ways and its shares."""
    player = how.player
    round, boards = tree.sites[site].round_number, tree.sites[site].boards
    hands, first = tree.site_sides[site, player].hands, tree.site_sides[site, player].lane
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site].first_item + stage - tree.firsts[round]
        W, P = tree.items[item].width, tree.stages[stage].prefixes
        for n in range(tree.stages[stage].first, tree.stages[stage].end):
            if tree.nodes[n].kind not in (FOLD, SHOWDOWN):
                continue
            at = tree.items[item].at_value + tree.nodes[n].value * hands * W
            value = work.value[at : at + hands * W]
            fill(value, 0.0)
            for board in range(boards):
                _board(ends, tree, site, item, n, player, board, work, value)
            for lane in range(hands * boards):
                scale = tree.side.scale[first + lane] / tree.side.counts[first + lane]
                for k in range(lane * P, (lane + 1) * P):
                    value[k] *= value.dtype.type(factor) * scale


@lean
def _board(
    ends: Joint,
    tree: Public,
    site: int,
    item: int,
    n: int,
    player: int,
    board: int,
    work: Work,
    value: Floats,
) -> None:
    """Here the rows of `pay` are the pot and the chips of every player."""
    hands, W, players = tree.site_sides[site, player].hands, value.size, tree.slots.shape[0]
    W //= hands
    P, row, live = W // tree.sites[site].boards, tree.nodes[n].pay, tree.nodes[n].live
    row += 6 if players == 2 else 0  # the other rows are for sums over pairs of hands
    pot, spent = tree.pay[row, :P], tree.pay[row + 1 + player, :P]
    start = ends.first[0, tree.sites[site].table + board]
    term = work.sums[:P]
    for entry in range(hands**players):
        ways = ends.ways[start + entry]
        if ways == 0:
            continue
        share = ends.share[live, start + entry, player]
        fill(term, ways)
        rest, mine = entry, 0
        for q in range(players - 1, -1, -1):
            h = rest % hands
            rest //= hands
            if q == player:
                mine = h
                continue
            at = tree.item_sides[item, q].at_reach + tree.slots[q, n] * hands * W
            at += h * W + board * P
            reach = work.reach[at : at + P]
            for p in range(P):
                term[p] *= reach[p]
        out = value[mine * W + board * P : mine * W + board * P + P]
        for p in range(P):
            out[p] += term[p] * (share * pot[p] - spent[p])
