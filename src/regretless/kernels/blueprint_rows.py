"""Loops of public chance sampling over the rows of a chunk.

Columns are [block][slot][lane] or [block][end][lane]; the lanes of a block are one value
(kernels/lanes.py)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import inlined
from regretless.kernels.lanes import WIDE, gather, load, prefetch, spread, store, where_positive

Slots = npt.NDArray[np.uint64]  # unsigned, so that no index is checked for being negative

# Of a node: slots, actions, and how many of them end the hand, which come first.
INTO, OUT, ACTIONS, ENDING = range(4)
TO, FROM = range(2)  # of an end: slots of the player that learns and of the other one
LANES, ONE = np.uint64(WIDE), np.uint64(1)


class Side(NamedTuple):
    """The lines of a player in a chunk."""

    nodes: Slots
    ends: Slots
    blocks: int  # of lanes
    slots: int
    pays: Floats


class Span(NamedTuple):
    """Some ends of a chunk, from first to last."""

    blocks: int
    first: int
    last: int
    ends: int  # of the chunk


@inlined
def match(side: Side, regret: Floats, out: Floats) -> None:
    """Proportional to positive regrets; uniform if there are none."""
    nodes, _, blocks, slots, _ = side
    real, entries = regret.dtype.type, np.uint64(slots) - ONE
    zero, one = spread(real(0)), spread(real(1))
    for block in range(np.uint64(blocks)):
        for n in range(nodes.shape[0]):
            actions, first = nodes[n, ACTIONS], block * entries + nodes[n, OUT] - ONE
            total = zero
            for a in range(actions):
                mine = load(regret, (first + a) * LANES)
                total = total + where_positive(mine, mine, zero)
            even = where_positive(total, zero, spread(real(1) / real(actions)))
            share = where_positive(total, one / total, zero)
            for a in range(actions):
                mine = load(regret, (first + a) * LANES)
                played = where_positive(mine, mine, zero) * share + even
                store(out, (first + a) * LANES, played)


@inlined
def follow(side: Side, played: Floats, paths: Floats) -> None:
    """Products of probabilities from the beginning of the round on."""
    nodes, _, blocks, slots, _ = side
    wide, one = np.uint64(slots), spread(paths.dtype.type(1))
    for block in range(np.uint64(blocks)):
        begin, entry = block * wide, block * (wide - ONE)
        store(paths, begin * LANES, one)
        for n in range(nodes.shape[0]):
            before = load(paths, (begin + nodes[n, INTO]) * LANES)
            for a in range(nodes[n, ACTIONS]):
                slot = nodes[n, OUT] + a
                after = before * load(played, (entry + slot - ONE) * LANES)
                store(paths, (begin + slot) * LANES, after)


@inlined
def back(
    side: Side, played: Floats, live: Floats, floor: float, regret: Floats, value: Floats
) -> None:
    """Values up to the arriving prefixes, and regrets on the way, where a line is live.

    No regret falls below the floor."""
    nodes, _, blocks, slots, _ = side
    wide, least = np.uint64(slots), spread(floor)
    for block in range(np.uint64(blocks)):
        begin, entry = block * wide, block * (wide - ONE)
        for reverse in range(nodes.shape[0]):
            n = nodes.shape[0] - 1 - reverse
            out, actions = nodes[n, OUT], nodes[n, ACTIONS]
            mean = spread(value.dtype.type(0))
            for a in range(actions):
                of, at = (begin + out + a) * LANES, (entry + out - ONE + a) * LANES
                mean = mean + load(value, of) * load(played, at)
            for a in range(actions):
                of, at = (begin + out + a) * LANES, (entry + out - ONE + a) * LANES
                now = load(regret, at) + load(live, of) * (load(value, of) - mean)
                store(regret, at, where_positive(now - least, now, least))
            start = (begin + nodes[n, INTO]) * LANES
            store(value, start, load(value, start) + mean)


@inlined
def prune(side: Side, threshold: float, arriving: Floats, regret: Floats, live: Floats) -> None:
    """1 for lines that are followed, 0 below actions whose regret is less than the threshold.

    Without a positive regret all actions are played, so none is pruned; nor are actions that end
    the hand."""
    nodes, _, blocks, slots, _ = side
    wide, least, real = np.uint64(slots), spread(threshold), regret.dtype.type
    zero, one = spread(real(0)), spread(real(1))
    for block in range(np.uint64(blocks)):
        begin, entry = block * wide, block * (wide - ONE)
        store(live, begin * LANES, load(arriving, block * LANES))
        for n in range(nodes.shape[0]):
            before, first, total = load(live, (begin + nodes[n, INTO]) * LANES), nodes[n, OUT], zero
            for a in range(nodes[n, ACTIONS]):
                mine = load(regret, (entry + first - ONE + a) * LANES)
                total = total + where_positive(mine, mine, zero)
            for a in range(nodes[n, ACTIONS]):
                mine = load(regret, (entry + first - ONE + a) * LANES)
                kept = where_positive(total, where_positive(least - mine, zero, one), one)
                if a < nodes[n, ENDING]:
                    kept = one
                store(live, (begin + first + a) * LANES, before * kept)


@inlined
def mark(side: Side, first: int, live: Floats, out: Floats) -> None:
    """Mark the deals, which are the ends from `first` on, that a bucket follows."""
    _, ends, blocks, slots, _ = side
    wide, begin = np.uint64(slots), np.uint64(first)
    deals = np.uint64(ends.shape[0]) - begin
    for block in range(np.uint64(blocks)):
        for deal in range(deals):
            mine = load(live, (block * wide + ends[begin + deal, TO]) * LANES)
            to = (block * deals + deal) * LANES
            store(out, to, where_positive(mine, mine, load(out, to)))


@inlined
def mark_first(ends: Slots, first: int, live: Floats, out: Floats) -> None:
    """The same for the first round, whose deals are side by side."""
    for deal in range(np.uint64(first), np.uint64(ends.shape[0])):
        to = deal - np.uint64(first)
        out[to] = max(out[to], live[ends[deal, TO] * LANES])


@inlined
def mask(row: Floats, factor: Floats) -> None:
    """Nothing arrives in lanes that are not followed."""
    for at in range(np.uint64(0), np.uint64(row.size), LANES):
        store(row, at, load(row, at) * load(factor, at))


@inlined
def at_ends(side: Side, ends: Slots, paths: Floats, out: Floats) -> None:
    """Columns of slots as columns of ends."""
    blocks, slots = side.blocks, side.slots
    wide, count = np.uint64(slots), np.uint64(ends.shape[0])
    for block in range(np.uint64(blocks)):
        for e in range(count):
            found = load(paths, (block * wide + ends[e, FROM]) * LANES)
            store(out, (block * count + e) * LANES, found)


@inlined
def stake(side: Side, paths: Floats, out: Floats, sums: Floats) -> None:
    """Columns of slots as columns of ends, times what ends pay; and sums that begin at 0."""
    _, ends, blocks, slots, pays = side
    wide, count, zero = np.uint64(slots), np.uint64(ends.shape[0]), spread(out.dtype.type(0))
    for block in range(np.uint64(blocks)):
        for e in range(count):
            found, to = (
                load(paths, (block * wide + ends[e, TO]) * LANES),
                (block * count + e) * LANES,
            )
            store(out, to, found * load(pays, to))
            store(sums, to, zero)


@inlined
def from_ends(side: Side, gathered: Floats, out: Floats) -> None:
    """Values of ends as values of slots."""
    _, ends, blocks, slots, pays = side
    wide, count = np.uint64(slots), np.uint64(ends.shape[0])
    clear(out)
    for block in range(np.uint64(blocks)):
        for e in range(count):
            start, to = (block * count + e) * LANES, (block * wide + ends[e, TO]) * LANES
            store(out, to, load(out, to) + load(pays, start) * load(gathered, start))


@inlined
def spread_more(side: Side, paths: Floats, arrived: Floats, out: Floats) -> None:
    """Add the reach of a bucket at every action."""
    blocks, slots = side.blocks, side.slots
    wide = np.uint64(slots)
    for block in range(np.uint64(blocks)):
        mine, begin, entry = load(arrived, block * LANES), block * wide, block * (wide - ONE)
        for slot in range(ONE, wide):
            at = (entry + slot - ONE) * LANES
            store(out, at, load(out, at) + load(paths, (begin + slot) * LANES) * mine)


@inlined
def fetch(row: Floats, places: Slots) -> None:
    """Have the numbers at these places brought to the first cache: those of a block are mostly in
    the cache lines of three of them."""
    for at in range(np.uint64(0), np.uint64(places.size), LANES):
        prefetch(row, places[at])
        prefetch(row, places[at + np.uint64(WIDE // 2)])
        prefetch(row, places[at + LANES - ONE])


@inlined
def fetch_all(row: Floats) -> None:
    """Have a row brought to the first cache."""
    for at in range(np.uint64(0), np.uint64(row.size), LANES):
        prefetch(row, at)


@inlined
def arrive(above: Floats, arrivals: Slots, out: Floats) -> None:
    """The reach of a hand in every lane."""
    for at in range(np.uint64(0), np.uint64(arrivals.size), LANES):
        store(out, at, gather(above, arrivals, at))


@inlined
def add_three(row: Floats, all: Floats, one: Floats, other: Floats) -> None:
    """Add a hand to the rows of its group and of its cards."""
    for at in range(np.uint64(0), np.uint64(row.size), LANES):
        mine = load(row, at)
        store(all, at, load(all, at) + mine)
        store(one, at, load(one, at) + mine)
        store(other, at, load(other, at) + mine)


@inlined
def leave(span: Span, arrived: Floats, paths: Floats, out: Floats) -> None:
    """The reach of a hand at the deals, which are the ends from `first` on."""
    blocks, first, _, ends = span
    count, begin = np.uint64(ends), np.uint64(first)
    deals = count - begin
    for block in range(np.uint64(blocks)):
        mine = load(arrived, block * LANES)
        for deal in range(deals):
            path = load(paths, (block * count + begin + deal) * LANES)
            store(out, (block * deals + deal) * LANES, mine * path)


@inlined
def count(span: Span, card: Indices, reach: Floats, paths: Floats, sums: Floats) -> None:
    """Add the rows of a group to the sums of all hands and of cards, at some ends."""
    blocks, first, last, ends = span
    wide = np.uint64(ends)
    for row in range(np.uint64(card.size)):
        for block in range(np.uint64(blocks)):
            mine = load(reach, (row * np.uint64(blocks) + block) * LANES)
            to = (np.uint64(card[row]) * np.uint64(blocks) + block) * wide
            for e in range(np.uint64(first), np.uint64(last)):
                at, path = (to + e) * LANES, load(paths, (block * wide + e) * LANES)
                store(sums, at, load(sums, at) + path * mine)


@inlined
def value(
    span: Span,
    card: Indices,
    weight: Floats,
    sums: Floats,
    stakes: Floats,
    gathered: Floats,
    out: Floats,
) -> None:
    """What a group earns at some ends against the hands of every row; `gathered` is the sum over
    the group's hands."""
    blocks, first, last, ends = span
    wide, zero = np.uint64(ends), spread(out.dtype.type(0))
    for row in range(np.uint64(card.size)):
        hands = spread(weight[row])
        for block in range(np.uint64(blocks)):
            start, earned = (np.uint64(card[row]) * np.uint64(blocks) + block) * wide, zero
            for e in range(np.uint64(first), np.uint64(last)):
                at, found = (block * wide + e) * LANES, load(sums, (start + e) * LANES)
                earned = earned + load(stakes, at) * found
                store(gathered, at, load(gathered, at) + hands * found)
            store(out, (row * np.uint64(blocks) + block) * LANES, earned)


@inlined
def value_and_count(
    span: Span,
    card: Indices,
    weight: Floats,
    reach: Floats,
    paths: Floats,
    sums: Floats,
    stakes: Floats,
    gathered: Floats,
    out: Floats,
) -> None:
    """For a group alone: count it, value it, and count it again."""
    blocks, first, last, ends = span
    wide, zero = np.uint64(ends), spread(out.dtype.type(0))
    for row in range(np.uint64(card.size)):
        hands = spread(weight[row])
        for block in range(np.uint64(blocks)):
            mine = load(reach, (row * np.uint64(blocks) + block) * LANES)
            start, earned = (np.uint64(card[row]) * np.uint64(blocks) + block) * wide, zero
            for e in range(np.uint64(first), np.uint64(last)):
                at, of = (block * wide + e) * LANES, (start + e) * LANES
                more = load(paths, at) * mine
                found = load(sums, of) + more
                earned = earned + load(stakes, at) * found
                store(gathered, at, load(gathered, at) + hands * found)
                store(sums, of, found + more)
            store(out, (row * np.uint64(blocks) + block) * LANES, earned)


@inlined
def own(
    span: Span, stakes: Floats, paths: Floats, arrived: Floats, gathered: Floats, out: Floats
) -> None:
    """What a hand would earn by folds against itself, per reach: it was subtracted twice."""
    blocks, _, folds, ends = span
    wide = np.uint64(ends)
    for block in range(np.uint64(blocks)):
        mine, earned = load(arrived, block * LANES), spread(out.dtype.type(0))
        for e in range(np.uint64(folds)):
            at = (block * wide + e) * LANES
            path = load(paths, at)
            earned = earned + load(stakes, at) * path
            store(gathered, at, load(gathered, at) + mine * path)
        store(out, block * LANES, earned)


@inlined
def weigh(
    all: Floats, one: Floats, other: Floats, own: Floats, arrived: Floats, out: Floats
) -> None:
    """The value of a hand, from the rows of its group and cards, and its own."""
    for at in range(np.uint64(0), np.uint64(out.size), LANES):
        others = load(all, at) - load(one, at) - load(other, at)
        store(out, at, others + load(own, at) * load(arrived, at))


@inlined
def weigh_more(all: Floats, one: Floats, other: Floats, out: Floats) -> None:
    """The same without its own, added."""
    for at in range(np.uint64(0), np.uint64(out.size), LANES):
        others = load(all, at) - load(one, at) - load(other, at)
        store(out, at, load(out, at) + others)


@inlined
def go_on(
    span: Span, onward: Slots, later: Floats, paths: Floats, gathered: Floats, out: Floats
) -> None:
    """Add the values of a hand in the next round."""
    blocks, first, _, ends = span
    count, begin = np.uint64(ends), np.uint64(first)
    deals = count - begin
    for block in range(np.uint64(blocks)):
        earned = load(out, block * LANES)
        for deal in range(deals):
            at = (block * count + begin + deal) * LANES
            found = gather(later, onward, (block * deals + deal) * LANES)
            store(gathered, at, load(gathered, at) + found)
            earned = earned + load(paths, at) * found
        store(out, block * LANES, earned)


@inlined
def leave_first(span: Span, paths: Floats, out: Floats) -> None:
    """The reach of a hand at the deals of the first round, side by side."""
    for deal in range(np.uint64(span.last - span.first)):
        out[deal] = paths[(np.uint64(span.first) + deal) * LANES]


@inlined
def go_on_first(span: Span, onward: Slots, later: Floats, gathered: Floats) -> None:
    """Add the values of a hand after the first round."""
    for deal in range(np.uint64(span.last - span.first)):
        gathered[(np.uint64(span.first) + deal) * LANES] += later[onward[deal]]


@inlined
def add(given: Floats, out: Floats) -> None:
    for at in range(np.uint64(0), np.uint64(out.size), LANES):
        store(out, at, load(out, at) + load(given, at))


@inlined
def add_up(pieces: Floats, out: Floats) -> None:
    """The sum of several rows, one behind the other."""
    for at in range(np.uint64(0), np.uint64(out.size), LANES):
        total = load(pieces, at)
        for piece in range(at + np.uint64(out.size), np.uint64(pieces.size), np.uint64(out.size)):
            total = total + load(pieces, piece)
        store(out, at, total)


@inlined
def clear(out: Floats) -> None:
    zero = spread(out.dtype.type(0))
    for at in range(np.uint64(0), np.uint64(out.size), LANES):
        store(out, at, zero)


@inlined
def negative(given: Floats, out: Floats) -> None:
    zero = spread(out.dtype.type(0))
    for at in range(np.uint64(0), np.uint64(out.size), LANES):
        store(out, at, zero - load(given, at))
