"""Sweeps over the public tree: boards as sites, betting rounds as stages, hands as lanes.

A **site** is a board, or a few boards whose hands compare alike; an **item** is one stage
on a site. Its lanes are [hand][board][prefix], or [prefix][hand] if there are many hands, so
that elementwise loops run over all of them. Reach goes down, values come up; the mode says
what happens at a player's own decisions. A sweep is a list of steps: what to do at which
site. Only what sites pass to each other outlives a site: the rest is scratch that stays in
the cache.

To the compiler a tree is hundreds of arguments, and it optimises a chain of calls again at
every link: only a few functions here take it, and `sweep` is the only entry point."""

from __future__ import annotations

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.baselines import compare
from regretless.kernels.compiled import apart, lean
from regretless.kernels.ends import evaluate, evaluate_leaves
from regretless.kernels.learner import (
    Decisions,
    multiply,
    observe,
    play,
    proceed,
    recall,
    remember,
    tuned,
)
from regretless.kernels.loops import copy, fill, scale_to
from regretless.kernels.passing import (
    deal_place,
    pull,
    pull_rows,
    push,
    push_rows,
    read_rows,
    segment_place,
    write_rows,
)
from regretless.kernels.public_arrays import (
    ADD,
    ASCEND,
    AVERAGE,
    CLEAR,
    DEAL,
    DECISION,
    DESCEND,
    EARLY_VALUES,
    GRADIENT,
    KEEP,
    LEARNER,
    LOOK,
    PLAN,
    UPDATE,
    VALUES,
    How,
    Locks,
    Public,
    Shared,
    Steps,
    Task,
    Work,
)
from regretless.kernels.shared_rows import (
    SharedLanes,
    gather,
    gather_observed,
    mean,
    multiply_rows,
    spread,
    tend,
)
from regretless.kernels.team import Team, meet, next_part


@lean
def sweep(
    tree: Public,
    steps: Steps,
    bounds: Ints,
    task: Task,
    shared: Shared,
    work: Work,
    weights: Floats,
    team: Team,
) -> None:
    """One iteration of the learner for every row of weights; without any, the steps once. `bounds`
    are the first steps of the head, of every part and of the tail, then the end.

    Every member of a team calls this: the first does the head and the tail of the steps, and all
    share the parts."""
    iterations, players = weights.shape[0], tree.item_sides.shape[1]
    how, learner, parts, meetings = task.how, task.learner, bounds.size - 3, 0
    shares, mates = task.rows.play.size > 0 and how.reading <= AVERAGE, (team.member, team.threads)
    if shares:
        tend(task.rows, how, learner, task.playing, task.memory, work.sums, (False, True), mates)
        meetings = _met(team, meetings)
    for turn in range(max(iterations * players, 1)):
        if iterations:
            how = How(turn % players, UPDATE, LEARNER, how.terminal)
            learner = tuned(learner, weights[turn // players])
        mine = Task(
            how,
            task.given,
            task.out,
            learner,
            task.playing,
            task.memory,
            task.rows,
            task.baselines,
        )
        begun = turn * (parts + team.threads)  # each thread also asks once in vain
        for phase in range(3):
            part, end = (0, 1) if phase == 0 else (parts + 1, parts + 2)
            if phase == 1:
                part, end = 1 + next_part(team.counters) - begun if parts else 1, parts + 1
            elif team.member > 0:
                end = 0
            while part < end:
                for step in range(bounds[part], bounds[part + 1]):
                    site, what = steps.rows[step, 0], steps.rows[step, 1]
                    if what & DESCEND:
                        _descend(tree, site, mine, shared, work)
                    if what & ASCEND:
                        begin, stop = _averages(tree, site, how, shares)
                        ahead = task.memory.average[begin:stop]
                        evaluate(tree.ends, tree, site, how, work, steps.factors[step], ahead)
                        evaluate_leaves(
                            tree.leaves, tree, site, how.player, work, steps.factors[step]
                        )
                        _ascend(tree, site, mine, shared, work)
                    _hand_on(tree, site, what, mine, steps.factors[step], shared, work)
                part = 1 + next_part(team.counters) - begun if phase == 1 else end
            if phase < 2:
                meetings = _met(team, meetings)
        if iterations and shares:
            meetings = _met(team, meetings)
            once = (True, turn + 1 < iterations * players)
            tend(task.rows, how, learner, task.playing, task.memory, work.sums, once, mates)
            meetings = _met(team, meetings)


@lean
def _averages(tree: Public, site: int, how: How, shares: bool) -> tuple[int, int]:
    """Where the averages of a site are, which are needed after its terminals; nowhere if hands
    share theirs."""
    if how.mode != UPDATE or shares or site + 1 == tree.sites.shape[0]:
        return 0, 0
    player, begin, end = how.player, tree.sites[site].first_item, tree.sites[site + 1].first_item
    return tree.item_sides[begin, player].first, tree.item_sides[end, player].first


@lean
def _met(team: Team, meetings: int) -> int:
    """Wait for all threads; the number of meetings so far."""
    if team.threads > 1:
        meetings += 1
        meet(team.counters, team.threads, meetings)
    return meetings


@lean
def _descend(tree: Public, site: int, task: Task, shared: Shared, work: Work) -> None:
    """Reach of every player at every node of a site's items; at their ends it is passed on."""
    round, players, how = tree.sites[site].round_number, tree.item_sides.shape[1], task.how
    first_stage = tree.firsts[round]
    for stage in range(first_stage, tree.firsts[round + 1]):
        item = tree.sites[site].first_item + stage - first_stage
        for player in range(players):
            _enter(tree, site, item, player, player != how.player, shared, work)
        for n in range(tree.stages[stage].first, tree.stages[stage].end):
            node = tree.nodes[n]
            if node.kind == DECISION:
                player, actions = node.player, node.actions
                L, span = tree.item_sides[item, player].lanes, tree.item_sides[item, player].span
                at = tree.items[item].at_chosen + node.chosen * tree.items[item].most
                base = tree.item_sides[item, player].first + node.row * span
                where = Decisions(base, actions, L, at)
                first, P = tree.site_sides[site, player].lane, tree.stages[stage].prefixes
                lanes = slice(first, first + L // P)
                strides = (1, L // P) if tree.inside else (P, 1)
                chosen = work.chosen[at : at + actions * L]
                start = tree.item_sides[item, player].at_reach
                mine = start + tree.slots[player, n] * L
                below = start + node.mine * L
                shares = tree.cells[round, player].cells > 0
                rows = task.rows.play if how.reading <= AVERAGE else task.given
                direct = shares and node.lock < 0 and how.reading != PLAN
                if not shares and how.mode == UPDATE and node.lock < 0:
                    memory, out, reach = task.playing, work.chosen, work.reach
                    proceed(task.learner, memory, where, out, reach, mine, below)
                    continue
                if shares and not direct:
                    spread(
                        rows,
                        SharedLanes(base, span, tree.side.cells[lanes], P, tree.inside),
                        chosen,
                    )
                elif direct:
                    pass  # rows are read where their play is needed
                elif how.reading == LEARNER:
                    play(task.learner, task.playing, where, work.chosen)
                elif how.reading == AVERAGE:
                    recall(task.learner, task.playing, where, work.chosen)
                else:
                    copy(chosen, task.given[base : base + actions * L])
                if node.lock >= 0 and how.reading != PLAN:
                    rules = (node.lock, site, actions)
                    _lock(tree.locks, rules, tree.side.hand[lanes], strides, chosen)
                if player == how.player and how.mode != UPDATE:
                    continue  # a player's values do not depend on its own reach
                if direct:
                    shared_by = SharedLanes(base, span, tree.side.cells[lanes], P, tree.inside)
                    after = work.reach[below : below + actions * L]
                    multiply_rows(rows, shared_by, work.reach[mine : mine + L], after)
                elif how.reading != PLAN:
                    multiply(where, work.chosen, work.reach, mine, below)
                else:
                    copy(work.reach[below : below + actions * L], chosen)
                    if tree.side.weight.size:
                        weights = tree.side.weight[lanes]
                        reach = work.reach[below : below + actions * L]
                        _weigh(reach, weights, actions, strides)
            elif node.kind == DEAL:
                for player in range(players):
                    L = tree.item_sides[item, player].lanes
                    at = tree.item_sides[item, player].at_reach + tree.slots[player, n] * L
                    exits = shared.exits if round < tree.split else work.exits
                    first, length, stride = deal_place(tree, item, player, n)
                    rows = exits[player, tree.item_sides[item, player].exit :]
                    write_rows(rows[first:], stride, length, work.reach[at : at + L])


@lean
def _enter(
    tree: Public, site: int, item: int, player: int, weighed: bool, shared: Shared, work: Work
) -> None:
    """Reach at the start of an item: from the site above, or the range at the root."""
    stage, parent = tree.items[item].stage, tree.sites[site].parent
    P, start = tree.stages[stage].prefixes, tree.item_sides[item, player].at_reach
    first = tree.site_sides[site, player].lane
    lanes = slice(first, first + tree.site_sides[site, player].hands * tree.sites[site].boards)
    if parent < 0:
        L = tree.item_sides[item, player].lanes
        fill(work.reach[start : start + L], 1.0)
        if weighed and tree.side.weight.size:
            strides = (1, L // P) if tree.inside else (P, 1)
            _weigh(work.reach[start : start + L], tree.side.weight[lanes], 1, strides)
        return
    above = tree.sites[parent].round_number
    exits = shared.exits if above < tree.split else work.exits
    for segment in range(tree.stages[stage].segment, tree.stages[stage].segment_end):
        item_above = (
            tree.sites[parent].first_item + tree.segments[segment].source - tree.firsts[above]
        )
        first, stride = segment_place(tree, item_above, player, segment)
        given = exits[player, tree.item_sides[item_above, player].exit + first :]
        count, to = tree.segments[segment].count, start + tree.segments[segment].start
        hands, boards = tree.side.above[lanes], tree.side.parent[lanes]
        if tree.inside:
            to = start + tree.segments[segment].start * hands.size
            pull_rows(given, stride, count, hands, work.reach, to)
        else:
            sizes = (tree.sites[parent].boards, stride, count, P)
            pull(given, sizes, hands, boards, work.reach[to:])


@apart
def _lock(
    locks: Locks,
    rules: tuple[int, int, int],
    hands: Indices,
    strides: tuple[int, int],
    chosen: Floats,
) -> None:
    """Overwrite the play of locked hands."""
    if hands.size == 0:
        return
    row, site, actions = rules
    rows, every = locks
    end, deck = rows[row].end, rows[row].deck
    L = chosen.size // actions
    P = L // hands.size
    while row < end:
        if rows[row].site < 0 or rows[row].site == site:
            at = rows[row].first
            for lane in range(hands.size):
                for p in range(P):
                    if every[at + p * actions * deck + hands[lane]] < 0:
                        continue
                    for a in range(actions):
                        given = every[at + (p * actions + a) * deck + hands[lane]]
                        chosen[a * L + lane * strides[0] + p * strides[1]] = given
        row += 1


@apart
def _weigh(rows: Floats, weights: Floats, actions: int, strides: tuple[int, int]) -> None:
    """Multiply by the weights of the range."""
    if weights.size == 0:
        return
    L = rows.size // actions
    P = L // weights.size
    for a in range(actions):
        for lane in range(weights.size):
            for p in range(P):
                rows[a * L + lane * strides[0] + p * strides[1]] *= weights[lane]


@lean
def _ascend(tree: Public, site: int, task: Task, shared: Shared, work: Work) -> None:
    """Values from the terminals to the start of a site, and what the mode requires."""
    round, player, mode = tree.sites[site].round_number, task.how.player, task.how.mode
    returns = shared.returns if round < tree.split else work.returns
    first = tree.site_sides[site, player].lane
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site].first_item + stage - tree.firsts[round]
        L, start = tree.item_sides[item, player].lanes, tree.items[item].at_value
        P, span = tree.stages[stage].prefixes, tree.item_sides[item, player].span
        lanes = slice(first, first + L // P)
        strides = (1, L // P) if tree.inside else (P, 1)
        for n in range(tree.stages[stage].end - 1, tree.stages[stage].first - 1, -1):
            node = tree.nodes[n]
            here, below = start + node.value * L, start + node.below * L
            value, actions = work.value[here : here + L], node.actions
            if node.kind == DEAL:
                exit, length, stride = deal_place(tree, item, player, n)
                back = tree.item_sides[item, player].exit + exit
                read_rows(value, returns[0, back:], stride, length)
                if mode == LOOK:
                    read_rows(work.best[here : here + L], returns[1, back:], stride, length)
                continue
            if node.kind != DECISION:
                if mode == LOOK:
                    copy(work.best[here : here + L], value)
                continue
            if node.player != player:
                # Another player's decision: its reach is already in the values.
                _sum(work.value, below, actions, value)
                if mode == LOOK:
                    _sum(work.best, below, actions, work.best[here : here + L])
                continue
            base = tree.item_sides[item, player].first + node.row * span
            shares = tree.cells[round, player].cells > 0
            if mode == GRADIENT:
                fill(value, 0.0)  # so that it is not counted again above
                paid = work.value[below : below + actions * L]
                if shares:
                    shared_by = SharedLanes(base, span, tree.side.cells[lanes], P, tree.inside)
                    gather(task.out, shared_by, paid)
                else:
                    copy(task.out[base : base + actions * L], paid)
                continue
            at = tree.items[item].at_chosen + node.chosen * tree.items[item].most
            if shares and node.lock < 0:
                rows = task.rows.play if task.how.reading <= AVERAGE else task.given
                shared_by = SharedLanes(base, span, tree.side.cells[lanes], P, tree.inside)
                mean(rows, shared_by, work.value[below : below + actions * L], value)
            else:
                _mean(work.value, below, actions, work.chosen, at, value)
            played = tree.item_sides[item, player].at_reach + node.mine * L
            if mode >= VALUES:
                if mode == EARLY_VALUES and round + 2 == tree.firsts.size:
                    continue
                copy(task.out[base : base + actions * L], work.value[below : below + actions * L])
            elif mode == LOOK:
                locked = work.sums[:0]
                if node.lock >= 0:
                    locked = work.sums[: actions * L]
                    fill(locked, -1.0)
                    rules = (node.lock, site, actions)
                    _lock(tree.locks, rules, tree.side.hand[lanes], strides, locked)
                _take_best(work.best, here, below, actions, L, locked, task.out[base:])
            elif shares:
                q, mass = work.value[below : below + actions * L], work.reach[played:]
                if node.lock >= 0:
                    locked = work.chosen[at : at + actions * L]  # no longer needed
                    fill(locked, -1.0)
                    rules = (node.lock, site, actions)
                    _lock(tree.locks, rules, tree.side.hand[lanes], strides, locked)
                    _leave_out(locked, q, value, mass)
                row, more = node.row, tree.cells[round, player].more * P
                first_sum = tree.item_sides[item, player].at_sums + row * span
                further = tree.item_sides[item, player].at_more + row * more
                gather_observed(
                    (task.rows.advantage, task.rows.played),
                    (first_sum, span, tree.cells[round, player].cells),
                    (further, more),
                    (tree.side.rows[lanes], tree.side.scale[lanes]),
                    (P, tree.inside),
                    q,
                    value,
                    mass,
                )
            else:
                earned = Decisions(base, actions, L, below)
                observe(task.learner, task.memory, earned, work.value, value)
                reached = Decisions(base, actions, L, played)
                remember(task.learner, task.memory, reached, work.reach)


@apart
def _sum(values: Floats, below: int, actions: int, out: Floats) -> None:
    """Another player's decision. Two or three actions are added in one pass."""
    L = out.size
    first, second = values[below : below + L], values[below + L : below + 2 * L]
    if actions == 3:
        third = values[below + 2 * L : below + 3 * L]
        for k in range(L):
            out[k] = first[k] + second[k] + third[k]
        return
    if actions == 1:
        copy(out, first)
        return
    for k in range(L):
        out[k] = first[k] + second[k]
    for a in range(2, actions):
        paid = values[below + a * L : below + (a + 1) * L]
        for k in range(L):
            out[k] += paid[k]


@apart
def _mean(values: Floats, below: int, actions: int, chosen: Floats, at: int, out: Floats) -> None:
    """An own decision, played as chosen. In this order a product and a sum become one operation as
    they do for shared rows: the same steps, to the last bit."""
    L = out.size
    first, second = values[below : below + L], values[below + L : below + 2 * L]
    b, c = chosen[at : at + L], chosen[at + L : at + 2 * L]
    if actions == 3:
        third, d = values[below + 2 * L : below + 3 * L], chosen[at + 2 * L : at + 3 * L]
        for k in range(L):
            out[k] = d[k] * third[k] + (c[k] * second[k] + b[k] * first[k])
        return
    if actions == 1:
        for k in range(L):
            out[k] = b[k] * first[k]
        return
    for k in range(L):
        out[k] = c[k] * second[k] + b[k] * first[k]
    for a in range(2, actions):
        paid, b = values[below + a * L : below + (a + 1) * L], chosen[at + a * L : at + (a + 1) * L]
        for k in range(L):
            out[k] += b[k] * paid[k]


@lean
def _take_best(
    values: Floats, here: int, below: int, actions: int, L: int, locked: Floats, out: Floats
) -> None:
    """The maximum over actions; if an answer is required, the first best action.

    Locked hands have no choice."""
    if locked.size == 0 and out.size == 0:
        most = values[here : here + L]
        copy(most, values[below : below + L])
        for a in range(1, actions):
            other = values[below + a * L : below + (a + 1) * L]
            for k in range(L):
                most[k] = other[k] if other[k] > most[k] else most[k]
        return
    for k in range(L):
        best, chosen = values[below + k], 0
        for a in range(1, actions):
            if values[below + a * L + k] > best:
                best, chosen = values[below + a * L + k], a
        held = locked.size > 0 and locked[k] >= 0
        if held:
            best = locked[k] * values[below + k]
            for a in range(1, actions):
                best += locked[a * L + k] * values[below + a * L + k]
        values[here + k] = best
        if out.size:
            for a in range(actions):
                free = 1.0 if a == chosen else 0.0
                out[a * L + k] = locked[a * L + k] if held else free


@apart
def _leave_out(locked: Floats, q: Floats, value: Floats, played: Floats) -> None:
    """Locked hands contribute nothing to the rows they share."""
    L = value.size
    for k in range(q.size):
        if locked[k] >= 0:
            q[k], played[k] = value[k % L], 0.0


@lean
def _hand_on(
    tree: Public, site: int, what: int, task: Task, factor: float, shared: Shared, work: Work
) -> None:
    """What a step does besides going down and up: clear the values that came back (CLEAR),
    keep the values at the start of a site (KEEP) or pass them to the site above, or pass on
    the ones that were kept (ADD). With baselines, what comes back starts from the sum of all
    guesses, and a site passes on its values less its own guess."""
    how, guessing = task.how, task.baselines.guesses.size > 0
    player, round, parent = how.player, tree.sites[site].round_number, tree.sites[site].parent
    first = tree.site_sides[site, player].lane
    lanes = slice(first, first + tree.site_sides[site, player].hands * tree.sites[site].boards)
    kinds = 2 if how.mode == LOOK else 1
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site].first_item + stage - tree.firsts[round]
        L, at = tree.item_sides[item, player].lanes, tree.items[item].at_value
        kept = tree.item_sides[item, player].kept
        if what & CLEAR:
            returns = shared.returns if round < tree.split else work.returns
            back, exits = tree.item_sides[item, player].exit, tree.stages[stage].deals * L
            for kind in range(kinds):
                fill(returns[kind, back : back + exits], 0.0)
            if guessing:
                summed = tree.item_sides[item, player].summed
                sums = task.baselines.sums[summed : summed + exits]
                scale_to(returns[0, back : back + exits], sums, factor)
        if what & KEEP:
            copy(shared.kept[0, kept : kept + L], work.value[at : at + L])
            if kinds == 2:
                copy(shared.kept[1, kept : kept + L], work.best[at : at + L])
        elif what & (ASCEND | ADD):
            above = tree.sites[parent].round_number
            returns = shared.returns if above < tree.split else work.returns
            start = kept if what & ADD else at
            if guessing:
                values = shared.kept[0] if what & ADD else work.value
                guessed = tree.item_sides[item, player].guessed
                guesses = task.baselines.guesses[guessed : guessed + L]
                found, moved = values[start : start + L], work.sums[:L]
                compare(found, guesses, moved, factor, task.baselines.rate)
            for segment in range(tree.stages[stage].segment, tree.stages[stage].segment_end):
                source, count = tree.segments[segment].source, tree.segments[segment].count
                item_above = tree.sites[parent].first_item + source - tree.firsts[above]
                exit, stride = segment_place(tree, item_above, player, segment)
                leaving = tree.item_sides[item_above, player].exit + exit
                summed = tree.item_sides[item_above, player].summed + exit
                sizes = (tree.sites[parent].boards, stride, count, tree.stages[stage].prefixes)
                hands, boards = tree.side.above[lanes], tree.side.parent[lanes]
                begin = tree.segments[segment].start
                if tree.inside:
                    begin *= hands.size
                for kind in range(kinds):
                    values = work.value if kind == 0 else work.best
                    if what & ADD:
                        values = shared.kept[kind]
                    back = returns[kind, leaving:]
                    if tree.inside:
                        push_rows(back, stride, count, hands, values, start + begin)
                    else:
                        push(back, sizes, hands, boards, values[start + begin :])
                if guessing:
                    sums, moved = task.baselines.sums[summed:], work.sums
                    if tree.inside:
                        push_rows(sums, stride, count, hands, moved, begin)
                    else:
                        push(sums, sizes, hands, boards, moved[begin:])
