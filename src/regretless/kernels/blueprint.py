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

All hands of a bucket play alike. So their rows are the reach at which they arrive, times the same
path: the product of q's probabilities in this round. Likewise p's values at the ends of a round
are summed by bucket, and regrets follow from the sums: work at nodes is done per bucket, and hands
only meet the ends.

Regrets and averages are [bucket][entry] per round and player. A thread works on a chunk, and before
the last round on some buckets of it: it writes only its own rows and columns, and pieces of sums
are always added in the same order. So threads change no bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, lean
from regretless.kernels.team import meet, next_part

Slots = npt.NDArray[np.uint64]  # unsigned, so that no index is checked for being negative

WIDE = 8  # lanes are padded to a multiple of this
PIECES = 4  # of a chunk, by bucket: in early rounds there are few chunks for threads to share
ROUND, PREFIX, LANES = range(3)  # of a chunk
# Of a chunk and player; ends are folds, then showdowns, then deals; the other player's slots are
# counted from COUNTED on.
COLUMN, SLOTS, ENTRY, NODE, NODE_END, FOLD, SHOW, DEAL, END, PAY, GO, COUNTED = range(12)
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
    """What rounds pass on, by board."""

    reach: Floats  # [board, …] of every round [hand][slot of q]
    sums: Floats  # of every chunk [piece][all, or card][slot of q], but not of the last round
    value: Floats  # of every round [hand][prefix of the next round]
    reach_at: Ints  # [round] begin
    sums_at: Ints  # [chunk]
    value_at: Ints  # [round]


class Work(NamedTuple):
    """Scratch of one thread."""

    reach: Floats  # [hand][slot of q in a chunk of the last round]
    played: Floats  # [bucket of the board][entry of a chunk]
    paths: Floats  # [bucket of the board][slot of a chunk]
    gathered: Floats  # [bucket of the board][slot of a chunk] sums over hands
    total: Floats  # [all, or card][slot]
    margin: Floats
    value: Floats  # [slot] of one hand
    node: Floats  # [lane]
    even: Floats
    chosen: Indices  # hands of a piece


class Deck(NamedTuple):
    """The hands of the deck."""

    hands: Indices  # [hand, 2] cards
    cards: int


class Team(NamedTuple):
    """Which thread this is, of how many, and the counters that they share."""

    member: int
    threads: int
    counters: Ints


class Game(NamedTuple):
    """Everything but the place where a thread is working."""

    tree: Tree
    deck: Deck
    memory: Memory
    boards: Boards
    shared: Shared
    work: Work


Place = tuple[int, int, int, int]  # board, chunk, piece, player


@lean
def sweep(game: Game, team: Team) -> None:
    """Both players learn, one after the other, on all boards.

    While p learns on one board after another, q does not change: so every round of betting is
    done for all boards before the next."""
    tree = game.tree
    last, begun, meetings = tree.round_chunks.size - 2, 0, 0
    for p in range(2):
        for phase in range(2 * last + 1):
            round = phase if phase <= last else 2 * last - phase
            pieces = PIECES if round < last else 1
            first = tree.round_chunks[round]
            parts = (tree.round_chunks[round + 1] - first) * pieces
            part = next_part(team.counters) - begun
            while part < parts:
                chunk, piece = first + part // pieces, part % pieces
                for board in range(game.boards.counts.shape[0]):
                    if phase <= last:
                        descend(game, (board, chunk, piece, 1 - p))
                    if phase >= last:
                        ascend(game, (board, chunk, piece, p))
                part = next_part(team.counters) - begun
            begun += parts + team.threads  # each thread also asks once in vain
            meetings += 1
            if team.threads > 1:
                meet(team.counters, team.threads, meetings)


@lean
def _rows(game: Game, board: int, chunk: int, q: int) -> tuple[Floats, int]:
    """Where the reach of q is kept, from the column of the chunk on, and the length of a row."""
    tree, round = game.tree, game.tree.chunks[chunk, ROUND]
    if round == tree.round_chunks.size - 2:
        return game.work.reach, tree.sides[chunk, q, SLOTS]
    at = game.shared.reach_at[round] + tree.sides[chunk, q, COLUMN]
    return game.shared.reach[board, at:], tree.widths[round, q, ROUND_SLOTS]


@lean
def descend(game: Game, place: Place) -> None:
    """The reach of q in a chunk, which is added to its average and to the sums of its rows."""
    tree, boards, shared, work = game.tree, game.boards, game.shared, game.work
    board, chunk, piece, q = place
    side, round, lanes = tree.sides[chunk, q], tree.chunks[chunk, ROUND], tree.chunks[chunk, LANES]
    slots, prefix, other = side[SLOTS], tree.chunks[chunk, PREFIX], tree.sides[chunk, 1 - q]
    entries, pieces = slots - lanes, 1 if round == tree.round_chunks.size - 2 else PIECES
    counts, first = other[DEAL] > other[FOLD], other[COUNTED]
    arrivals = tree.arrivals[q, prefix : prefix + lanes]
    rows, width = _rows(game, board, chunk, q)
    above, above_width = shared.reach[board], 0
    if round:
        above = shared.reach[board, shared.reach_at[round - 1] :]
        above_width = tree.widths[round - 1, q, ROUND_SLOTS]
    table, table_width = tree.widths[round, q, TABLE] + side[ENTRY], tree.widths[round, q, ENTRIES]
    locals, buckets = boards.local[board, round], boards.bucket[board, round]
    size = (1 + game.deck.cards) * slots
    sums = work.total[:size]
    if pieces > 1:
        at = shared.sums_at[chunk] + piece * size
        sums = shared.sums[board, at : at + size]
    _play(game, place)
    _fill(sums)
    _fill(work.gathered[: boards.counts[board, round] * lanes])
    for hand in range(game.deck.hands.shape[0]):
        local = locals[hand]
        if local < 0 or buckets[local] % pieces != piece:
            continue
        row = rows[hand * width : hand * width + slots]
        if round:
            _arrive(above[hand * above_width : (hand + 1) * above_width], arrivals, row)
        else:
            _begin(row[:lanes])
        _add(work.gathered[local * lanes : (local + 1) * lanes], row)
        if entries:
            paths = work.paths[local * slots + lanes : (local + 1) * slots]
            _spread(paths, row[:lanes], row[lanes:])
        if counts:
            _count(row, game.deck.hands[hand], first, sums)
    if entries:
        for local in range(boards.counts[board, round]):
            if buckets[local] % pieces == piece:
                at = table + buckets[local] * table_width
                paths = work.paths[local * slots + lanes : (local + 1) * slots]
                arrived = work.gathered[local * lanes : (local + 1) * lanes]
                _spread_more(paths, arrived, game.memory.average[at : at + entries])


@lean
def ascend(game: Game, place: Place) -> None:
    """The values of p in a chunk, given the reach of q, and its regrets."""
    tree, boards, work, hands = game.tree, game.boards, game.work, game.deck.hands
    board, chunk, piece, p = place
    round, first = tree.chunks[chunk, ROUND], tree.sides[chunk, p, COUNTED]
    theirs, locals = tree.sides[chunk, 1 - p, SLOTS], boards.local[board, round]
    _play(game, place)
    _fill(work.gathered[: boards.counts[board, round] * tree.sides[chunk, p, SLOTS]])
    if round and piece == 0:
        _clear(game, place)
    if round < tree.round_chunks.size - 2:
        _add_up(game, board, chunk, 1 - p)
        found = 0
        for hand in range(hands.shape[0]):
            local = locals[hand]
            if local >= 0 and boards.bucket[board, round, local] % PIECES == piece:
                work.chosen[found] = hand
                found += 1
        _meet(game, place, work.chosen[:found])
        _learn(game, place)
        return
    rows, width = _rows(game, board, chunk, 1 - p)
    margin = work.margin[: (1 + game.deck.cards) * theirs]
    _negate(work.total, margin)
    begin = 0
    while begin < boards.places[board]:
        end = boards.ties[board, begin]
        tied = boards.order[board, begin:end]
        for hand in tied:
            _count(rows[hand * width : hand * width + theirs], hands[hand], first, margin)
        _meet(game, place, tied)
        for hand in tied:
            _count(rows[hand * width : hand * width + theirs], hands[hand], first, margin)
        begin = end
    _learn(game, place)


@lean
def _add_up(game: Game, board: int, chunk: int, q: int) -> None:
    """The sums of all pieces, always in the same order."""
    size = (1 + game.deck.cards) * game.tree.sides[chunk, q, SLOTS]
    total = game.work.total[:size]
    _fill(total)
    for piece in range(PIECES):
        at = game.shared.sums_at[chunk] + piece * size
        _add(total, game.shared.sums[board, at : at + size])


@lean
def _meet(game: Game, place: Place, chosen: Indices) -> None:
    """The values of some hands of p at the ends of the round; they are passed up and summed."""
    tree, work, shared, (board, chunk, _, p) = game.tree, game.work, game.shared, place
    side, round, lanes = tree.sides[chunk, p], tree.chunks[chunk, ROUND], tree.chunks[chunk, LANES]
    theirs, slots, last = tree.sides[chunk, 1 - p, SLOTS], side[SLOTS], tree.round_chunks.size - 2
    rows, width = _rows(game, board, chunk, 1 - p)
    folds, shows = tree.ends[side[FOLD] : side[SHOW]], tree.ends[side[SHOW] : side[DEAL]]
    deals, onward = tree.ends[side[DEAL] : side[END]], tree.onward[side[GO] :]
    pays, value, nexts = tree.pays[side[PAY] :], work.value[:slots], 0
    show_pays, locals = pays[folds.shape[0] * lanes :], game.boards.local[board, round]
    later = shared.value[board]
    if round < last:
        nexts = tree.round_prefixes[round + 2] - tree.round_prefixes[round + 1]
        later = shared.value[board, shared.value_at[round] :]
    before, step = _values(game, board, chunk)
    for hand in chosen:
        row, cards = rows[hand * width : hand * width + theirs], game.deck.hands[hand]
        begin, end = locals[hand] * slots, (locals[hand] + 1) * slots
        _fill(value)
        _fold(folds, pays, lanes, cards, work.total, row, value)
        if round == last:
            _show(shows, show_pays, lanes, cards, work.margin, theirs, value)
        else:
            _go_on(deals, onward, lanes, later[hand * nexts : (hand + 1) * nexts], value)
        _add(work.gathered[begin:end], value)
        if round:
            _weigh(work.paths[begin:end], value, before[hand * step : hand * step + lanes])


@lean
def _learn(game: Game, place: Place) -> None:
    """The regrets of all buckets of the board, from the sums of their hands' values."""
    tree, work, (board, chunk, piece, p) = game.tree, game.work, place
    side, round, lanes = tree.sides[chunk, p], tree.chunks[chunk, ROUND], tree.chunks[chunk, LANES]
    slots, nodes = side[SLOTS], tree.nodes[side[NODE] : side[NODE_END]]
    entries, pieces = slots - lanes, PIECES if round < tree.round_chunks.size - 2 else 1
    if not entries:
        return
    table, width = tree.widths[round, p, TABLE] + side[ENTRY], tree.widths[round, p, ENTRIES]
    for local in range(game.boards.counts[board, round]):
        bucket = game.boards.bucket[board, round, local]
        if bucket % pieces == piece:
            at = table + bucket * width
            played = work.played[local * entries : (local + 1) * entries]
            value = work.gathered[local * slots : (local + 1) * slots]
            _return(nodes, lanes, played, game.memory.regret[at : at + entries], value, work.node)


@lean
def _values(game: Game, board: int, chunk: int) -> tuple[Floats, int]:
    """Where values are passed to the round before, from the lanes of the chunk on, and the
    length of a row."""
    tree, round = game.tree, game.tree.chunks[chunk, ROUND]
    if not round:
        return game.shared.value[board], 0
    begin = tree.round_prefixes[round]
    at = game.shared.value_at[round - 1] + tree.chunks[chunk, PREFIX] - begin
    return game.shared.value[board, at:], tree.round_prefixes[round + 1] - begin


@lean
def _clear(game: Game, place: Place) -> None:
    """Hands that meet the new cards are worth nothing to the round before."""
    tree, (board, chunk, _, _) = game.tree, place
    before, step = _values(game, board, chunk)
    locals, lanes = game.boards.local[board, tree.chunks[chunk, ROUND]], tree.chunks[chunk, LANES]
    for hand in range(locals.size):
        if locals[hand] < 0:
            _fill(before[hand * step : hand * step + lanes])


@lean
def _play(game: Game, place: Place) -> None:
    """The strategy of every bucket of the board, from its regrets, and the paths."""
    tree, work, (board, chunk, piece, player) = game.tree, game.work, place
    round, lanes = tree.chunks[chunk, ROUND], tree.chunks[chunk, LANES]
    side, pieces = tree.sides[chunk, player], PIECES if round < tree.round_chunks.size - 2 else 1
    slots, nodes = side[SLOTS], tree.nodes[side[NODE] : side[NODE_END]]
    entries = slots - lanes
    table, width = tree.widths[round, player, TABLE], tree.widths[round, player, ENTRIES]
    for local in range(game.boards.counts[board, round]):
        bucket = game.boards.bucket[board, round, local]
        if bucket % pieces != piece:
            continue
        at = table + side[ENTRY] + bucket * width
        played = work.played[local * entries : (local + 1) * entries]
        regret = game.memory.regret[at : at + entries]
        _match(nodes, lanes, regret, played, work.node, work.even)
        _follow(nodes, lanes, played, work.paths[local * slots : (local + 1) * slots])


@apart
def _match(
    nodes: Slots, lanes: int, regret: Floats, out: Floats, node: Floats, even: Floats
) -> None:
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
        for k in range(wide):
            even[k] = zero if node[k] > zero else same
            node[k] = one / node[k] if node[k] > zero else zero
        for a in range(actions):
            at = first + a * wide
            for k in range(wide):
                out[at + k] = max(regret[at + k], zero) * node[k] + even[k]


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
def _follow(nodes: Slots, lanes: int, played: Floats, paths: Floats) -> None:
    """Products of probabilities from the beginning of the round on."""
    wide = np.uint64(lanes)
    for k in range(wide):
        paths[k] = 1
    for n in range(nodes.shape[0]):
        start, first = nodes[n, INTO] * wide, nodes[n, OUT] * wide
        for a in range(nodes[n, ACTIONS]):
            at = first + a * wide
            for k in range(wide):
                paths[at + k] = paths[start + k] * played[at - wide + k]


@apart
def _spread(paths: Floats, arrived: Floats, out: Floats) -> None:
    """Reach at every slot."""
    wide, size = np.uint64(arrived.size), np.uint64(paths.size)
    for at in range(np.uint64(0), size, wide):
        for k in range(wide):
            out[at + k] = arrived[k] * paths[at + k]


@apart
def _spread_more(paths: Floats, arrived: Floats, out: Floats) -> None:
    """The same, added."""
    wide, size = np.uint64(arrived.size), np.uint64(paths.size)
    for at in range(np.uint64(0), size, wide):
        for k in range(wide):
            out[at + k] += arrived[k] * paths[at + k]


@apart
def _weigh(paths: Floats, value: Floats, out: Floats) -> None:
    """The value at the beginning of the round."""
    wide, size = np.uint64(out.size), np.uint64(paths.size)
    for k in range(wide):
        out[k] = 0
    for at in range(np.uint64(0), size, wide):
        for k in range(wide):
            out[k] += paths[at + k] * value[at + k]


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
def _count(row: Floats, cards: Indices, first: int, sums: Floats) -> None:
    """Add a hand to the sums of all hands and of its two cards, from a column on."""
    slots = np.uint64(row.size)
    c, d = np.uint64(1 + cards[0]) * slots, np.uint64(1 + cards[1]) * slots
    for k in range(np.uint64(first), slots):
        sums[k] += row[k]
        sums[c + k] += row[k]
        sums[d + k] += row[k]


@apart
def _add(out: Floats, row: Floats) -> None:
    for k in range(out.size):
        out[k] += row[k]


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
