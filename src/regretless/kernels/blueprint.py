"""Public chance sampling over a betting tree whose hands share buckets (Johanson et al. 2012).

One board at a time, all hands of both players at once. For the player that learns, called p, the
reach of the other, q, goes down round by round, and values come up. Numbers of a hand are a
row, whose columns are slots of the betting (blueprints/_layout.py): loops run over lanes, which
are lines of betting that continue in the same way. There are always a multiple of WIDE lanes,
which are a few whole vector instructions.

At the end of a round q's rows are summed, in all and by card: hands that share no card with h
are all - with c - with d + h itself, which is subtracted twice. On the last board the margin,
weaker minus stronger hands, is the same sum over signed rows: every hand starts with sign -1, and a
tie group is added once before its hands are looked at and once after: then +1 is weaker,
0 equal and -1 stronger. A hand's own row has sign 0 when it is looked at.

Regrets and averages are [bucket][entry] per round and player. A chunk reads and writes only its own
columns, so that threads change no bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, lean

Slots = npt.NDArray[np.uint64]  # unsigned, so that no index is checked for being negative

WIDE = 8  # lanes are padded to a multiple of this
ROUND, PREFIX, LANES = range(3)  # of a chunk
# Of a chunk and player; ends are folds, then showdowns, then deals.
COLUMN, SLOTS, ENTRY, NODE, NODE_END, FOLD, SHOW, DEAL, END, PAY, GO = range(11)
INTO, OUT, ACTIONS = range(3)  # of a node: numbers of slots, to be multiplied by the lanes
TO, FROM = range(2)  # of an end, likewise
ENTRIES, ROUND_SLOTS, TABLE = range(3)  # of a round and player


class Tree(NamedTuple):
    """The betting tree."""

    chunks: Ints  # [chunk, ...]
    sides: Ints  # [chunk, player, ...]
    nodes: Slots  # [node, ...]
    ends: Slots  # [end, ...]
    pays: Floats  # [fold or showdown][lane] chips won, times chance
    onward: Slots  # [deal][lane] prefix of the next round
    arrivals: Slots  # [player, prefix over all rounds] column of the previous round
    round_chunks: Ints  # [round] first chunk, and the end
    round_prefixes: Ints  # [round] first prefix, and the end
    widths: Ints  # [round, player, ...]


class Memory(NamedTuple):
    """What is learned; the table of a round and player begins at TABLE."""

    regret: Floats
    average: Floats  # sums of reach


class Boards(NamedTuple):
    """Sampled boards and their hands."""

    local: Indices  # [board, round, hand] number of its bucket on this board; -1: no such hand
    bucket: Indices  # [board, round, number] bucket
    counts: Ints  # [board, round] buckets on this board
    order: Indices  # [board, place] hands of the last round from weak to strong
    ties: Indices  # [board, place] end of its tie group
    places: Ints  # [board] hands of the last round


class Shared(NamedTuple):
    """What rounds pass on, one flat vector each."""

    reach: Floats  # [round][hand][slot of q]
    value: Floats  # [round][hand][prefix of the next round]
    reach_at: Ints  # [round] begin
    value_at: Ints


class Work(NamedTuple):
    """Scratch of one thread."""

    reach: Floats  # [hand][slot of q in a chunk of the last round]
    played: Floats  # [bucket of the board][entry of a chunk]
    total: Floats  # [all, or card][slot]
    margin: Floats
    value: Floats  # [slot] of one hand
    node: Floats  # [lane]


class Deck(NamedTuple):
    """The hands of the deck."""

    hands: Indices  # [hand, 2] cards
    cards: int


Which = tuple[int, int, int]  # board, chunk, player


@lean
def sweep(
    tree: Tree, deck: Deck, memory: Memory, boards: Boards, shared: Shared, work: Work
) -> None:
    """Both players learn, one after the other, on one board after another."""
    last = tree.round_chunks.size - 2
    for board in range(boards.counts.shape[0]):
        for p in range(2):
            for round in range(last):
                for chunk in range(tree.round_chunks[round], tree.round_chunks[round + 1]):
                    descend(tree, deck, memory, boards, shared, work, (board, chunk, 1 - p))
            for chunk in range(tree.round_chunks[last], tree.round_chunks[last + 1]):
                descend(tree, deck, memory, boards, shared, work, (board, chunk, 1 - p))
                ascend(tree, deck, memory, boards, shared, work, (board, chunk, p))
            for up in range(last):
                round = last - 1 - up
                for chunk in range(tree.round_chunks[round], tree.round_chunks[round + 1]):
                    ascend(tree, deck, memory, boards, shared, work, (board, chunk, p))


@lean
def _rows(tree: Tree, shared: Shared, work: Work, chunk: int, q: int) -> tuple[Floats, int]:
    """Where the reach of q is kept, from the column of the chunk on, and the length of a row."""
    round = tree.chunks[chunk, ROUND]
    if round == tree.round_chunks.size - 2:
        return work.reach, tree.sides[chunk, q, SLOTS]
    at = shared.reach_at[round] + tree.sides[chunk, q, COLUMN]
    return shared.reach[at:], tree.widths[round, q, ROUND_SLOTS]


@lean
def descend(
    tree: Tree,
    deck: Deck,
    memory: Memory,
    boards: Boards,
    shared: Shared,
    work: Work,
    which: Which,
) -> None:
    """The reach of q in a chunk, which is added to its average."""
    board, chunk, q = which
    side, round, lanes = tree.sides[chunk, q], tree.chunks[chunk, ROUND], tree.chunks[chunk, LANES]
    slots = side[SLOTS]
    entries = slots - lanes
    _play(tree, memory, boards, work, which)
    rows, width = _rows(tree, shared, work, chunk, q)
    above, above_width = shared.reach, 0
    if round:
        above = shared.reach[shared.reach_at[round - 1] :]
        above_width = tree.widths[round - 1, q, ROUND_SLOTS]
    prefix = tree.chunks[chunk, PREFIX]
    arrivals, nodes = (
        tree.arrivals[q, prefix : prefix + lanes],
        tree.nodes[side[NODE] : side[NODE_END]],
    )
    table, table_width = tree.widths[round, q, TABLE] + side[ENTRY], tree.widths[round, q, ENTRIES]
    locals, buckets = boards.local[board, round], boards.bucket[board, round]
    for hand in range(deck.hands.shape[0]):
        local = locals[hand]
        if local < 0:
            continue
        row = rows[hand * width : hand * width + slots]
        if round:
            _arrive(above[hand * above_width : (hand + 1) * above_width], arrivals, row)
        else:
            _begin(row[:lanes])
        if entries:
            played = work.played[local * entries : (local + 1) * entries]
            _follow(nodes, lanes, played, row)
            at = table + buckets[local] * table_width
            _add(memory.average[at : at + entries], row[lanes:])


@lean
def ascend(
    tree: Tree,
    deck: Deck,
    memory: Memory,
    boards: Boards,
    shared: Shared,
    work: Work,
    which: Which,
) -> None:
    """The values of p in a chunk, given the reach of q, and its regrets."""
    board, chunk, p = which
    side, round, lanes = tree.sides[chunk, p], tree.chunks[chunk, ROUND], tree.chunks[chunk, LANES]
    theirs, slots, last = tree.sides[chunk, 1 - p, SLOTS], side[SLOTS], tree.round_chunks.size - 2
    rows, width = _rows(tree, shared, work, chunk, 1 - p)
    hands, entries, locals = deck.hands, slots - lanes, boards.local[board, round]
    total, margin = (
        work.total[: (1 + deck.cards) * theirs],
        work.margin[: (1 + deck.cards) * theirs],
    )
    folds, shows = tree.ends[side[FOLD] : side[SHOW]], tree.ends[side[SHOW] : side[DEAL]]
    deals, value = tree.ends[side[DEAL] : side[END]], work.value[:slots]
    pays = tree.pays[side[PAY] :]
    show_pays = pays[folds.shape[0] * lanes :]
    nodes, onward = tree.nodes[side[NODE] : side[NODE_END]], tree.onward[side[GO] :]
    if folds.size or shows.size:
        _fill(total)
        for hand in range(hands.shape[0]):
            if locals[hand] >= 0:
                _count(rows[hand * width : hand * width + theirs], hands[hand], total)
    _play(tree, memory, boards, work, which)
    table, table_width = tree.widths[round, p, TABLE] + side[ENTRY], tree.widths[round, p, ENTRIES]
    nexts = 0
    later, before = shared.value, shared.value
    if round < last:
        nexts = tree.round_prefixes[round + 2] - tree.round_prefixes[round + 1]
        later = shared.value[shared.value_at[round] :]
    mine = 0
    if round:
        mine = tree.round_prefixes[round + 1] - tree.round_prefixes[round]
        at = tree.chunks[chunk, PREFIX] - tree.round_prefixes[round]
        before = shared.value[shared.value_at[round - 1] + at :]
        for hand in range(hands.shape[0]):
            if locals[hand] < 0:  # it meets the new cards
                _fill(before[hand * mine : hand * mine + lanes])
    shown, count = round == last, hands.shape[0]
    if shown:
        _negate(total, margin)
        count = boards.places[board]
    end = 0
    for place in range(count):
        hand = place
        if shown:
            if place == end:
                end = boards.ties[board, place]
                for tied in range(place, end):
                    other = boards.order[board, tied]
                    _count(rows[other * width : other * width + theirs], hands[other], margin)
            hand = boards.order[board, place]
        local = locals[hand]
        if local < 0:
            continue
        row = rows[hand * width : hand * width + theirs]
        _fill(value)
        _fold(folds, pays, lanes, hands[hand], total, row, value)
        if shown:
            _show(shows, show_pays, lanes, hands[hand], margin, theirs, value)
        else:
            _go_on(deals, onward, lanes, later[hand * nexts : (hand + 1) * nexts], value)
        if entries:
            at = table + boards.bucket[board, round, local] * table_width
            played = work.played[local * entries : (local + 1) * entries]
            _return(nodes, lanes, played, memory.regret[at : at + entries], value, work.node)
        if round:
            _copy(before[hand * mine : hand * mine + lanes], value)
        if shown and place == end - 1:
            for tied in range(place + 1):
                if boards.ties[board, place - tied] != end:
                    break
                other = boards.order[board, place - tied]
                _count(rows[other * width : other * width + theirs], hands[other], margin)


@lean
def _play(tree: Tree, memory: Memory, boards: Boards, work: Work, which: Which) -> None:
    """The strategy of every bucket of the board, from its regrets."""
    board, chunk, player = which
    round, lanes, side = (
        tree.chunks[chunk, ROUND],
        tree.chunks[chunk, LANES],
        tree.sides[chunk, player],
    )
    entries, nodes = side[SLOTS] - lanes, tree.nodes[side[NODE] : side[NODE_END]]
    if not entries:
        return
    table, width = (
        tree.widths[round, player, TABLE] + side[ENTRY],
        tree.widths[round, player, ENTRIES],
    )
    for local in range(boards.counts[board, round]):
        at = table + boards.bucket[board, round, local] * width
        played = work.played[local * entries : (local + 1) * entries]
        _match(nodes, lanes, memory.regret[at : at + entries], played, work.node)


@apart
def _match(nodes: Slots, lanes: int, regret: Floats, out: Floats, node: Floats) -> None:
    """Proportional to positive regrets; uniform if there are none."""
    real = regret.dtype.type
    zero, one, wide = real(0), real(1), np.uint64(lanes)
    for n in range(nodes.shape[0]):
        actions, first = nodes[n, ACTIONS], (nodes[n, OUT] - np.uint64(1)) * wide
        same = one / real(actions)
        for k in range(wide):
            node[k] = zero
        for a in range(actions):
            at = first + a * wide
            for k in range(wide):
                node[k] += max(regret[at + k], zero)
        for a in range(actions):
            at = first + a * wide
            for k in range(wide):
                share = max(regret[at + k], zero) / node[k]
                out[at + k] = share if node[k] > zero else same


@apart
def _begin(row: Floats) -> None:
    """The only prefix of the first round; the other lanes are padding."""
    for k in range(row.size):
        row[k] = 0
    row[0] = 1


@apart
def _arrive(above: Floats, arrivals: Slots, row: Floats) -> None:
    """Padding arrives from a column behind the row: it has no reach."""
    end = np.uint64(above.size)
    for k in range(arrivals.size):
        row[k] = above[arrivals[k]] if arrivals[k] < end else 0


@apart
def _follow(nodes: Slots, lanes: int, played: Floats, row: Floats) -> None:
    """Reach from the arriving prefixes on."""
    wide = np.uint64(lanes)
    for n in range(nodes.shape[0]):
        start, first = nodes[n, INTO] * wide, nodes[n, OUT] * wide
        for a in range(nodes[n, ACTIONS]):
            at = first + a * wide
            for k in range(wide):
                row[at + k] = row[start + k] * played[at - wide + k]


@apart
def _return(
    nodes: Slots, lanes: int, played: Floats, regret: Floats, value: Floats, node: Floats
) -> None:
    """Values up to the arriving prefixes, and regrets on the way."""
    zero, wide = value.dtype.type(0), np.uint64(lanes)
    for back in range(nodes.shape[0]):
        n = nodes.shape[0] - 1 - back
        start, first, actions = nodes[n, INTO] * wide, nodes[n, OUT] * wide, nodes[n, ACTIONS]
        for k in range(wide):
            node[k] = zero
        for a in range(actions):
            at = first + a * wide
            for k in range(wide):
                node[k] += value[at + k] * played[at - wide + k]
        for a in range(actions):
            at = first + a * wide
            for k in range(wide):
                regret[at - wide + k] += value[at + k] - node[k]
        for k in range(wide):
            value[start + k] += node[k]


@apart
def _fold(
    folds: Slots, pays: Floats, lanes: int, cards: Indices, sums: Floats, row: Floats, value: Floats
) -> None:
    """What folds pay: against all hands that share no card with this one."""
    wide, theirs = np.uint64(lanes), np.uint64(row.size)
    c, d = np.uint64(1 + cards[0]) * theirs, np.uint64(1 + cards[1]) * theirs
    for n in range(folds.shape[0]):
        to, start, pay = folds[n, TO] * wide, folds[n, FROM] * wide, np.uint64(n) * wide
        with_c, with_d = c + start, d + start
        for k in range(wide):
            won = sums[start + k] - sums[with_c + k] - sums[with_d + k] + row[start + k]
            value[to + k] += pays[pay + k] * won


@apart
def _show(
    shows: Slots, pays: Floats, lanes: int, cards: Indices, sums: Floats, slots: int, value: Floats
) -> None:
    """What showdowns pay: against weaker minus stronger hands."""
    wide, theirs = np.uint64(lanes), np.uint64(slots)
    c, d = np.uint64(1 + cards[0]) * theirs, np.uint64(1 + cards[1]) * theirs
    for n in range(shows.shape[0]):
        to, start, pay = shows[n, TO] * wide, shows[n, FROM] * wide, np.uint64(n) * wide
        with_c, with_d = c + start, d + start
        for k in range(wide):
            won = sums[start + k] - sums[with_c + k] - sums[with_d + k]
            value[to + k] += pays[pay + k] * won


@apart
def _go_on(deals: Slots, onward: Slots, lanes: int, later: Floats, value: Floats) -> None:
    """Values of the next round; padding goes behind the row."""
    wide, end = np.uint64(lanes), np.uint64(later.size)
    for n in range(deals.shape[0]):
        to, at = deals[n, TO] * wide, np.uint64(n) * wide
        for j in range(wide):
            if onward[at + j] < end:
                value[to + j] += later[onward[at + j]]


@apart
def _count(row: Floats, cards: Indices, sums: Floats) -> None:
    """Add a hand to the sums of all hands and of its two cards."""
    slots, c, d = row.size, (1 + cards[0]) * row.size, (1 + cards[1]) * row.size
    everyone, with_c, with_d = sums[:slots], sums[c : c + slots], sums[d : d + slots]
    for k in range(slots):
        everyone[k] += row[k]
        with_c[k] += row[k]
        with_d[k] += row[k]


@apart
def _add(out: Floats, row: Floats) -> None:
    for k in range(out.size):
        out[k] += row[k]


@apart
def _copy(out: Floats, row: Floats) -> None:
    for k in range(out.size):
        out[k] = row[k]


@apart
def _fill(out: Floats) -> None:
    for k in range(out.size):
        out[k] = 0


@apart
def _negate(given: Floats, out: Floats) -> None:
    for k in range(out.size):
        out[k] = -given[k]


@lean
def number_buckets(buckets: Indices, known: Indices, local: Indices, bucket: Indices) -> int:
    """Number the buckets of a board by first occurrence; returns how many there are.

    `known` has one entry per bucket, all -1 before and after."""
    count = 0
    for hand in range(buckets.size):
        mine = buckets[hand]
        local[hand] = -1
        if mine >= 0:
            if known[mine] < 0:
                known[mine] = count
                bucket[count] = mine
                count += 1
            local[hand] = known[mine]
    for number in range(count):
        known[bucket[number]] = -1
    return count
