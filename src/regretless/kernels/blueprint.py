"""Public chance sampling over a betting tree whose hands share buckets (Johanson et al. 2012).

One board at a time, all hands of both players at once. For the player that learns, called p, the
reach of the other, q, goes down round by round, and values come up. Lanes are lines of
betting that continue in the same way (blueprints/_layout.py).

All hands of a bucket play alike. So their reach at an end of the round is the reach at which they
arrive, times the same path: the product of q's probabilities in this round. What they earn is a
sum over q's hands, times a path of p. So everything that happens within a round is done for groups
of hands, and single hands only arrive, leave, and get their value.

At the ends of a round q's reach is summed, in all and by card: hands that share no card with h
are all - with c - with d + h itself. A group is added once per card that its hands hold
(kernels/board_groups.py), and likewise its value is computed once per card. On the last board the
margin, weaker minus stronger hands, is the same sum with signs: every hand starts with sign -1,
and a tie group is added once before its hands are looked at and once after: then +1 is weaker,
0 equal and -1 stronger. A hand's own sign is 0 when it is looked at.

Regrets and averages are [bucket][entry] per round and player. A thread works on a chunk of lanes,
and before the last round on some buckets of it: it writes only its own rows and columns, and
pieces of sums are always added in the same order. So threads change no bit.

With pruning, a chunk is skipped if p has pruned all its lanes: each with every bucket of the board
in some earlier round. What was pruned learns nothing in this iteration."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.kernels.blueprint_game import (
    ENTRIES,
    ENTRY,
    EXIT,
    PIECES,
    PREFIX,
    SLOTS,
    TABLE,
    Game,
    Part,
    Shape,
    Work,
    shape_of,
    side_of,
)
from regretless.kernels.blueprint_rows import (
    add,
    add_three,
    add_up,
    arrive,
    at_ends,
    back,
    clear,
    count,
    fetch,
    fetch_all,
    follow,
    from_ends,
    go_on,
    go_on_first,
    leave,
    leave_first,
    mark,
    mark_first,
    mask,
    match,
    negative,
    own,
    prune,
    spread_more,
    stake,
    value,
    value_and_count,
    weigh,
    weigh_more,
)
from regretless.kernels.board_groups import Groups, grouping
from regretless.kernels.compiled import inlined, lean
from regretless.kernels.lanes import WIDE
from regretless.kernels.team import Team, meet, next_part

AHEAD = 4  # hands
SOON = 4  # groups


@lean
def sweep(game: Game, team: Team) -> None:
    """Iterations: both players learn, one after the other, on some boards.

    While p learns on one board after another, q does not change: so every round of betting is
    done for all boards of an iteration before the next. A fixed player does not learn, but in its
    turn the reach of the other one is added to the other one's average."""
    tree, boards = game.tree, game.boards
    last, begun, meetings = tree.round_chunks.size - 2, 0, 0
    for step in range(2 * (game.groups.counts.shape[0] // boards)):
        p, first_board, prunes = step % 2, step // 2 * boards, game.pruning.when[step // 2] > 0
        learns = p != game.fixed
        for phase in range(2 * last + 1 if learns else last + 1):
            round = phase if phase <= last else 2 * last - phase
            pieces = PIECES if round < last else 1
            first = tree.round_chunks[round]
            parts = (tree.round_chunks[round + 1] - first) * pieces
            part = next_part(team.counters) - begun
            while part < parts:
                chunk, piece = first + part // pieces, part % pieces
                for slot in range(boards):
                    if phase <= last:
                        descend(game, Part(first_board + slot, chunk, piece, 1 - p, slot, prunes))
                    if phase >= last and learns:
                        ascend(game, Part(first_board + slot, chunk, piece, p, slot, prunes))
                part = next_part(team.counters) - begun
            begun += parts + team.threads  # each thread also asks once in vain
            meetings += 1
            if team.threads > 1:
                meet(team.counters, team.threads, meetings)


@inlined
def _is_of(shape: Shape, part: Part, bucket: int) -> bool:
    """Whether a bucket belongs to a piece, which is the same one on all boards."""
    return shape.last or bucket % PIECES == part.piece


@lean
def descend(game: Game, part: Part) -> None:
    """The reach of q in a chunk, which is added to its average and to sums over its hands."""
    tree, work, shape = game.tree, game.work, shape_of(game.tree, part.chunk)
    side, lanes = side_of(tree, part.chunk, part.player), shape.lanes
    groups = grouping(game.groups, part.board, shape.round)
    ends = side_of(tree, part.chunk, 1 - part.player).ends  # listed for the one who learns
    if part.prunes and not _follow(game, part, shape):
        return
    sums, _ = _sums(game, part, shape)
    clear(sums)
    for group in range(groups.counts[0]):
        first, bucket = groups.row[group], groups.label[group]
        _fetch(game, part, shape, groups, group + SOON, game.memory.regret)
        _fetch(game, part, shape, groups, group + SOON, game.memory.average)
        if not _is_of(shape, part, bucket):
            continue
        cards = groups.card[first : groups.row[group + 1]]
        theirs, _ = _theirs(game, part, shape, group)
        _arrive(game, part, shape, groups, group)
        _add_hands(work, lanes, groups, group, first)
        _play(game, part, shape, bucket, work.played)
        at_ends(side, ends, work.paths, theirs)
        at, entries = _entries(game, part, shape, bucket)
        average = game.memory.average[at : at + entries]
        spread_more(side, work.paths, work.reach, average)
        count(shape.closed, cards, work.reach, theirs, sums)
        if not shape.last:
            _leave(game, part, shape, groups, group, theirs)
            if part.prunes:
                _mark(game, part, shape, bucket)


@lean
def ascend(game: Game, part: Part) -> None:
    """The values of p in a chunk, given the reach of q, and its regrets."""
    shape = shape_of(game.tree, part.chunk)
    groups = grouping(game.groups, part.board, shape.round)
    if part.prunes and not _is_followed(game, part, shape):
        return
    if shape.round and part.piece == 0:
        _clear_blocked(game, part, shape)
    if not shape.last:
        _add_up(game, part, shape)
    for group in range(groups.counts[0]):
        _fetch(game, part, shape, groups, group + SOON, game.memory.regret)
        if not _is_of(shape, part, groups.label[group]):
            continue
        _stake(game, part, shape, groups, group)
        _fold(game, part, shape, groups, group)
        if not shape.last:
            _go_on(game, part, shape, groups, group)
            _learn(game, part, shape, groups, group)
    if shape.last:
        _show(game, part, shape)
        for group in range(groups.counts[0]):
            _learn(game, part, shape, groups, group)


@inlined
def _is_followed(game: Game, part: Part, shape: Shape) -> bool:
    """Whether p has not pruned some lane of a chunk in earlier rounds; notes which."""
    tree, found = game.tree, game.work.followed
    prefix, exits = tree.chunks[part.chunk, PREFIX], tree.round_exits
    if not shape.round:
        arrive(game.shared.start, tree.arrivals[prefix : prefix + WIDE], found)
        return True
    marks = game.shared.followed[part.slot, game.shared.followed_at[shape.round - 1] :]
    step, some = exits[shape.round] - exits[shape.round - 1] + WIDE, False
    for lane in range(shape.lanes):
        found[lane] = 0
        for piece in range(PIECES):
            at = piece * step + np.int64(tree.arrivals[prefix + lane])
            found[lane] = max(found[lane], marks[at])
        some = some or found[lane] > 0
    return some


@inlined
def _marks(game: Game, part: Part, shape: Shape) -> tuple[Floats, int]:
    """Where the exits of a chunk are marked by a piece, and how many there are."""
    exits, chunk = game.tree.round_exits, game.tree.chunks[part.chunk]
    step = exits[shape.round + 1] - exits[shape.round] + WIDE
    at = game.shared.followed_at[shape.round] + part.piece * step + chunk[EXIT]
    size = shape.deals.last - shape.deals.first
    size = size * shape.lanes if shape.round else step - WIDE
    return game.shared.followed[part.slot, at : at + size], size


@inlined
def _follow(game: Game, part: Part, shape: Shape) -> bool:
    """Whether some lane of a chunk is to be followed; no exit is marked yet."""
    if not shape.last:
        marks, _ = _marks(game, part, shape)
        clear(marks)
    return _is_followed(game, part, shape)


@inlined
def _mark(game: Game, part: Part, shape: Shape, bucket: int) -> None:
    """Mark the exits that p follows with a bucket."""
    tree, work, p = game.tree, game.work, 1 - part.player
    side, marks = side_of(tree, part.chunk, p), _marks(game, part, shape)[0]
    mine = Part(part.board, part.chunk, part.piece, p, part.slot, part.prunes)
    at, entries = _entries(game, mine, shape, bucket)
    regret = game.memory.regret[at : at + entries]
    prune(side, game.pruning.threshold, work.followed, regret, work.live)
    if shape.round:
        mark(side, shape.deals.first, work.live, marks)
    else:
        mark_first(side.ends, shape.deals.first, work.live, marks)


@inlined
def _arrive(game: Game, part: Part, shape: Shape, groups: Groups, group: int) -> None:
    """The reach of q's hands of a group in every lane."""
    tree, work, lanes = game.tree, game.work, shape.lanes
    prefix, exits = tree.chunks[part.chunk, PREFIX], tree.round_exits
    arrivals = tree.arrivals[prefix : prefix + lanes]
    above, step = game.shared.start, 0
    if shape.round:
        above = game.shared.reach[part.slot, game.shared.reach_at[shape.round - 1] :]
        step = exits[shape.round] - exits[shape.round - 1] + WIDE
    for place in range(groups.begin[group], groups.begin[group + 1]):
        hand, soon = groups.hand[place], _hand_soon(groups, place)
        row = work.arrived[hand * lanes : (hand + 1) * lanes]
        fetch(above[soon * step :], arrivals)
        arrive(above[hand * step :], arrivals, row)
        if part.prunes:
            mask(row, work.followed)


@inlined
def _hand_soon(groups: Groups, place: int) -> int:
    """A hand whose rows should be on their way: those of all hands are too long for a core's cache,
    and hands come in the order of buckets."""
    return int(groups.hand[min(place + AHEAD, groups.hand.size - 1)])


@inlined
def _add_hands(work: Work, lanes: int, groups: Groups, group: int, first: int) -> None:
    """The reach of a group's rows, from its hands; scratch begins with the row `first`."""
    all = (groups.row[group] - first) * lanes
    clear(work.reach[all : (groups.row[group + 1] - first) * lanes])
    for place in range(groups.begin[group], groups.begin[group + 1]):
        at = groups.hand[place] * lanes
        one, other = groups.cards[place, 0] - first, groups.cards[place, 1] - first
        add_three(
            work.arrived[at : at + lanes],
            work.reach[all : all + lanes],
            work.reach[one * lanes : (one + 1) * lanes],
            work.reach[other * lanes : (other + 1) * lanes],
        )


@inlined
def _play(game: Game, part: Part, shape: Shape, bucket: int, played: Floats) -> None:
    """The strategy of a bucket, from its regrets, and its paths."""
    side = side_of(game.tree, part.chunk, part.player)
    at, entries = _entries(game, part, shape, bucket)
    match(side, game.memory.regret[at : at + entries], played)
    follow(side, played, game.work.paths)


@inlined
def _entries(game: Game, part: Part, shape: Shape, bucket: int) -> tuple[int, int]:
    """Where the entries of a bucket in a chunk begin, and how many there are."""
    side, of = game.tree.sides[part.chunk, part.player], game.tree.widths[shape.round, part.player]
    return of[TABLE] + side[ENTRY] + bucket * of[ENTRIES], (side[SLOTS] - 1) * shape.lanes


@inlined
def _fetch(game: Game, part: Part, shape: Shape, groups: Groups, group: int, table: Floats) -> None:
    """Have the entries of a group that comes soon brought to the caches: tables are far larger."""
    if group < groups.counts[0] and _is_of(shape, part, groups.label[group]):
        at, entries = _entries(game, part, shape, groups.label[group])
        fetch_all(table[at : at + entries])


@inlined
def _theirs(game: Game, part: Part, shape: Shape, group: int) -> tuple[Floats, int]:
    """The paths of q at the ends, of one bucket, and their number."""
    at, size = group * shape.columns, shape.columns
    if shape.last:
        return game.work.theirs[at : at + size], size
    at += game.shared.theirs_at[part.chunk]
    return game.shared.theirs[part.slot, at : at + size], size


@inlined
def _sums(game: Game, part: Part, shape: Shape) -> tuple[Floats, int]:
    """The sums of q's reach at the ends, over the hands of a piece, and their number."""
    size = (1 + game.cards) * shape.columns
    if shape.last:
        return game.work.total[:size], size
    at = game.shared.sums_at[part.chunk] + part.piece * size
    return game.shared.sums[part.slot, at : at + size], size


@inlined
def _add_up(game: Game, part: Part, shape: Shape) -> None:
    """The sums of all pieces, always in the same order."""
    size = (1 + game.cards) * shape.columns
    at = game.shared.sums_at[part.chunk]
    add_up(game.shared.sums[part.slot, at : at + PIECES * size], game.work.total[:size])


@inlined
def _leave(
    game: Game, part: Part, shape: Shape, groups: Groups, group: int, theirs: Floats
) -> None:
    """The reach of q's hands of a group at the deals."""
    exits, lanes = game.tree.round_exits, shape.lanes
    rows = game.shared.reach[part.slot, game.shared.reach_at[shape.round] :]
    step = exits[shape.round + 1] - exits[shape.round] + WIDE
    exit = game.tree.chunks[part.chunk, EXIT]
    for place in range(groups.begin[group], groups.begin[group + 1]):
        hand = groups.hand[place]
        out = rows[hand * step + exit :]
        if shape.round:
            arrived = game.work.arrived[hand * lanes : (hand + 1) * lanes]
            leave(shape.deals, arrived, theirs, out)
        else:
            leave_first(shape.deals, theirs, out)


@inlined
def _values(game: Game, part: Part, shape: Shape) -> tuple[Floats, int]:
    """Where values are passed to the previous round, from the lanes of a chunk on, and the
    length of a row."""
    if not shape.round:
        return game.work.first, 0
    begins, prefix = game.tree.round_prefixes, game.tree.chunks[part.chunk, PREFIX]
    begin = begins[shape.round]
    at = game.shared.value_at[shape.round - 1] + prefix - begin
    return game.shared.value[part.slot, at:], begins[shape.round + 1] - begin + WIDE


@inlined
def _clear_blocked(game: Game, part: Part, shape: Shape) -> None:
    """Hands that meet the new cards are worth nothing to the round before."""
    values, step = _values(game, part, shape)
    groups = grouping(game.groups, part.board, shape.round)
    for place in range(groups.begin[groups.counts[0]], groups.hand.size):
        hand = groups.hand[place]
        clear(values[hand * step : hand * step + shape.lanes])


@inlined
def _kept(shape: Shape, group: int, size: int) -> slice:
    """Scratch of a bucket: on the last round for all buckets, before for one at a time."""
    at = group * size if shape.last else 0
    return slice(at, at + size)


@inlined
def _stake(game: Game, part: Part, shape: Shape, groups: Groups, group: int) -> None:
    """What p has at stake at the ends: its paths, times what they pay."""
    work, side = game.work, side_of(game.tree, part.chunk, part.player)
    stakes = work.stakes[_kept(shape, group, shape.columns)]
    played = work.played[_kept(shape, group, (side.slots - 1) * shape.lanes)]
    _play(game, part, shape, groups.label[group], played)
    gathered = work.gathered[_kept(shape, group, shape.columns)]
    stake(side, work.paths, stakes, gathered)


@inlined
def _fold(game: Game, part: Part, shape: Shape, groups: Groups, group: int) -> None:
    """The values of p's hands of a group at folds."""
    work, lanes, first = game.work, shape.lanes, groups.row[group]
    values, step = _values(game, part, shape)
    stakes = work.stakes[_kept(shape, group, shape.columns)]
    gathered = work.gathered[_kept(shape, group, shape.columns)]
    card, weight = groups.card[first : groups.row[group + 1]], groups.weight[first:]
    if shape.folds.last:
        if not shape.last:  # where they are still known
            _arrive(game, part, shape, groups, group)
        _add_all(work, lanes, groups, group)
        value(shape.folds, card, weight, work.total, stakes, gathered, work.earned)
        theirs, _ = _theirs(game, part, shape, group)
        own(shape.folds, stakes, theirs, work.reach, gathered, work.own)
    if not shape.round and not shape.last:
        return
    for place in range(groups.begin[group], groups.begin[group + 1]):
        hand = groups.hand[place]
        out = values[hand * step : hand * step + lanes]
        if shape.folds.last:
            one, other = groups.cards[place, 0] - first, groups.cards[place, 1] - first
            weigh(
                work.earned,
                work.earned[one * lanes :],
                work.earned[other * lanes :],
                work.own,
                work.arrived[hand * lanes :],
                out,
            )
        else:
            clear(out)


@inlined
def _add_all(work: Work, lanes: int, groups: Groups, group: int) -> None:
    """The reach of all hands of a group."""
    clear(work.reach[:lanes])
    for place in range(groups.begin[group], groups.begin[group + 1]):
        at = groups.hand[place] * lanes
        add(work.arrived[at : at + lanes], work.reach[:lanes])


@inlined
def _go_on(game: Game, part: Part, shape: Shape, groups: Groups, group: int) -> None:
    """The values of p's hands of a group in the next round."""
    tree, work, round = game.tree, game.work, shape.round
    values, step = _values(game, part, shape)
    begins, exit = tree.round_prefixes, tree.round_exits[round] + tree.chunks[part.chunk, EXIT]
    later = game.shared.value[part.slot, game.shared.value_at[round] :]
    later_step = begins[round + 2] - begins[round + 1] + WIDE
    deals = shape.deals.last - shape.deals.first
    for place in range(groups.begin[group], groups.begin[group + 1]):
        hand = groups.hand[place]
        mine, out = later[hand * later_step :], values[hand * step : hand * step + shape.lanes]
        if round:
            soon = later[_hand_soon(groups, place) * later_step :]
            fetch(soon, tree.onward[exit : exit + deals * shape.lanes])
            go_on(shape.deals, tree.onward[exit:], mine, work.stakes, work.gathered, out)
        else:
            go_on_first(shape.deals, tree.onward, mine, work.gathered)


@inlined
def _show(game: Game, part: Part, shape: Shape) -> None:
    """The values of p's hands at showdowns, from weak to strong."""
    work, lanes = game.work, shape.lanes
    groups = grouping(game.groups, part.board, shape.round + 1)
    margin = work.margin[: (1 + game.cards) * shape.columns]
    negative(work.total, margin)
    begin = 0
    while begin < groups.counts[0]:
        end, first, alone = groups.ties[begin], groups.row[begin], groups.ties[begin] == begin + 1
        for group in range(begin, end):
            _add_hands(work, lanes, groups, group, first)
            if not alone:
                _count(game, part, shape, groups, group, first)
        for group in range(begin, end):
            row, number = groups.row[group], groups.label[group]
            stakes = work.stakes[_kept(shape, number, shape.columns)]
            gathered = work.gathered[_kept(shape, number, shape.columns)]
            card, weight = groups.card[row : groups.row[group + 1]], groups.weight[row:]
            if alone:
                theirs, _ = _theirs(game, part, shape, number)
                given = card, weight, work.reach, theirs
                value_and_count(shape.shows, *given, margin, stakes, gathered, work.earned)
            else:
                value(shape.shows, card, weight, margin, stakes, gathered, work.earned)
            _weigh(game, part, shape, groups, group)
        if not alone:
            for group in range(begin, end):
                _count(game, part, shape, groups, group, first)
        begin = end


@inlined
def _count(game: Game, part: Part, shape: Shape, groups: Groups, group: int, first: int) -> None:
    """Add a group of equally strong hands to the margin."""
    row = groups.row[group]
    card, reach = (
        groups.card[row : groups.row[group + 1]],
        game.work.reach[(row - first) * shape.lanes :],
    )
    theirs, _ = _theirs(game, part, shape, groups.label[group])
    count(shape.shows, card, reach, theirs, game.work.margin)


@inlined
def _weigh(game: Game, part: Part, shape: Shape, groups: Groups, group: int) -> None:
    """Add what p's hands of a group earn at showdowns to their values."""
    work, lanes, first = game.work, shape.lanes, groups.row[group]
    values, step = _values(game, part, shape)
    for place in range(groups.begin[group], groups.begin[group + 1]):
        hand = groups.hand[place]
        one, other = groups.cards[place, 0] - first, groups.cards[place, 1] - first
        weigh_more(
            work.earned,
            work.earned[one * lanes :],
            work.earned[other * lanes :],
            values[hand * step : hand * step + lanes],
        )


@inlined
def _learn(game: Game, part: Part, shape: Shape, groups: Groups, group: int) -> None:
    """The regrets of a bucket, from the sums of its hands' values at the ends."""
    work, side = game.work, side_of(game.tree, part.chunk, part.player)
    at, entries = _entries(game, part, shape, groups.label[group])
    if not entries:
        return
    played = work.played[_kept(shape, group, entries)]
    gathered = work.gathered[_kept(shape, group, shape.columns)]
    earned = work.value[: side.slots * shape.lanes]
    from_ends(side, gathered, earned)
    regret, live = game.memory.regret[at : at + entries], work.ones
    if part.prunes and not shape.last:
        live = work.live
        prune(side, game.pruning.threshold, work.followed, regret, live)
    back(side, played, live, game.pruning.floor, regret, earned)
