"""Matches of a safe algorithm against an opponent, hand by hand, in a small game.

The definition is exploitation/repeated.py with the algorithms of exploitation/safe; this is the
same, compiled. Vectors have an entry for every sequence of both players, as in a behaviour."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import inlined, kernel, lean
from regretless.kernels.loops import copy, fill
from regretless.kernels.tableau import Tableau, solve
from regretless.kernels.treeplex import Plex, behaviour_to_plan, best_response

# What an algorithm does with the bank, and what the bank holds.
(
    RISK_WINNINGS,
    RISK_GIFTS,
    BEST_EQUILIBRIUM,
    EQUILIBRIUM_OR_MODEL,
    AMONG_EQUILIBRIA,
    EQUILIBRIUM_THEN_EXPLOIT,
    EXPLOIT_WHEN_POSSIBLE,
    BEST_RESPONSE,
) = range(8)


class Arena(NamedTuple):
    """A game, seen by the player who exploits."""

    plex: Plex
    mine: Ints  # [terminal] the player's last sequence
    theirs: Ints  # [terminal] the other's
    chance: Floats  # [terminal]
    payoffs: Floats  # [terminal] to the player
    starts: Ints  # [terminal] first entry of what the other may have played, then the total
    possible: Ints  # [entry] the other's last sequence
    likely: Floats  # [entry] its chance
    above: Ints  # [sequence] the sequence before; -1 for the empty ones
    owner: Ints  # [sequence] its decision point
    prior: Floats  # [sequence] hands that the model begins with


class Rules(NamedTuple):
    """An algorithm, and what it knows of the game."""

    algorithm: int
    player: int
    value: float  # of the game
    low: float  # the lowest payoff
    span: float  # from there to the highest
    exploring: float  # share of plans that is not by weights
    equilibria: Floats  # [plan, sequence] those that regret minimisation mixes


class Work(NamedTuple):
    """Scratch space, one number per sequence unless stated."""

    plan: Floats  # of both
    model: Floats  # plan of the other as modelled
    best: Floats  # plan of a best response
    values: Floats
    lost: Floats
    counts: Floats
    totals: Floats  # [decision point]
    weights: Floats  # [terminal]
    shares: Floats  # [choice] of regret minimisation
    scores: Floats  # [choice]


@kernel
def play_matches(
    arena: Arena,
    first: Tableau,
    rules: Rules,
    opponents: Floats,
    switch: int,
    draws: Floats,
    work: Work,
    earned: Floats,
) -> bool:
    """earned[match] = the sum over all hands of what was expected from the plans.

    opponents[match] is the other's plan before hand `switch`; from there on, it plays a best
    response to every plan. draws[match, hand] decide how hands end. Returns whether all programs
    were solved."""
    for match in range(draws.shape[0]):
        tableau = Tableau(
            first.entries.copy(),
            first.sides.copy(),
            first.basic.copy(),
            first.others.copy(),
            first.costs.copy(),
            first.reduced.copy(),
        )
        total = _match(arena, tableau, rules, opponents[match], switch, draws[match], work)
        if total != total:
            return False
        earned[match] = total
    return True


@lean
def _match(
    arena: Arena,
    tableau: Tableau,
    rules: Rules,
    opponent: Floats,
    switch: int,
    draws: Floats,
    work: Work,
) -> float:
    """The total of a match; NaN if a program was not solved."""
    plan, theirs = work.plan, 1 - rules.player
    hands, bank, total = draws.size, 0.0, 0.0
    begin, end = arena.plex.roots[theirs], arena.plex.roots[theirs + 1]
    fill(work.scores, 0.0)
    fill(work.totals, 0.0)
    copy(work.counts, arena.prior)
    for s in range(begin + 1, end):
        work.totals[arena.owner[s]] += arena.prior[s]
    for hand in range(hands):
        _expect(arena, work, begin, end)
        if not _choose(arena, tableau, rules, work, bank, hands - hand):
            return float("nan")
        worst = _answer(arena, rules, plan, work)
        _lose(arena, theirs, work)  # before the values are changed by a nemesis
        if hand >= switch:
            behaviour_to_plan(arena.plex, theirs, work.best, plan)
        else:
            copy(plan[begin:end], opponent[begin:end])
        total += _weigh(arena, plan, work.weights)
        z = _drawn(work.weights, draws[hand])
        if rules.algorithm == RISK_WINNINGS:
            bank += arena.payoffs[z] - rules.value
        else:
            least = work.lost[arena.possible[arena.starts[z]]]
            for k in range(arena.starts[z] + 1, arena.starts[z + 1]):
                least = min(least, work.lost[arena.possible[k]])
            bank += worst - rules.value + least
        if rules.algorithm in (EQUILIBRIUM_OR_MODEL, AMONG_EQUILIBRIA):
            own = arena.mine[z]
            reward = (arena.payoffs[z] - rules.low) / rules.span / plan[own]
            for k in range(work.scores.size):
                work.scores[k] += reward * rules.equilibria[k, own]
        _learn(arena, work, z)
    return total


@inlined
def _expect(arena: Arena, work: Work, begin: int, end: int) -> None:
    """The other's plan as modelled; sequences are numbered parents first."""
    work.model[begin] = 1.0
    for s in range(begin + 1, end):
        share = work.counts[s] / work.totals[arena.owner[s]]
        work.model[s] = work.model[arena.above[s]] * share


@inlined
def _choose(
    arena: Arena, tableau: Tableau, rules: Rules, work: Work, bank: float, left: int
) -> bool:
    """Write the player's plan for the next hand; returns whether a program was solved."""
    plan, values, player = work.plan, work.values, rules.player
    begin, end = arena.plex.roots[player], arena.plex.roots[player + 1]
    if rules.algorithm == AMONG_EQUILIBRIA:
        _mix(rules, work, begin, end)
        return True
    fill(values[begin:end], 0.0)
    for z in range(arena.chance.size):
        worth = arena.chance[z] * arena.payoffs[z]
        values[arena.mine[z]] += worth * work.model[arena.theirs[z]]
    if rules.algorithm in (RISK_WINNINGS, RISK_GIFTS, BEST_EQUILIBRIUM):
        risk = 0.0 if rules.algorithm == BEST_EQUILIBRIUM else max(bank, 0.0)
        return solve(tableau, values[begin:end], risk, plan[begin:end]) >= 0
    copy(work.lost[begin:end], values[begin:end])
    best_response(arena.plex, player, values, work.best)
    behaviour_to_plan(arena.plex, player, work.best, plan)
    if rules.algorithm == BEST_RESPONSE:
        return True
    if rules.algorithm == EQUILIBRIUM_OR_MODEL:
        copy(rules.equilibria[1, begin:end], plan[begin:end])
        _mix(rules, work, begin, end)
        return True
    risk = max(rules.value - _answer(arena, rules, plan, work), 0.0)
    needed = left if rules.algorithm == EQUILIBRIUM_THEN_EXPLOIT else 1
    if bank >= needed * risk:
        return True
    return solve(tableau, work.lost[begin:end], 0.0, plan[begin:end]) >= 0


@inlined
def _mix(rules: Rules, work: Work, begin: int, end: int) -> None:
    """Exp3: the mixture of the choices by their scores."""
    count, highest, total = work.scores.size, _largest(work.scores), 0.0
    for k in range(count):
        power = rules.exploring / count * (work.scores[k] - highest)
        work.shares[k] = 2.718281828459045**power
        total += work.shares[k]
    fill(work.plan[begin:end], 0.0)
    for k in range(count):
        share = (1 - rules.exploring) * work.shares[k] / total + rules.exploring / count
        for s in range(begin, end):
            work.plan[s] += share * rules.equilibria[k, s]


@inlined
def _largest(numbers: Floats) -> float:
    largest: float = numbers[0]
    for k in range(1, numbers.size):
        largest = max(largest, numbers[k])
    return largest


@inlined
def _answer(arena: Arena, rules: Rules, plan: Floats, work: Work) -> float:
    """What a plan earns against its nemesis, whose behaviour is written to `best`."""
    theirs = 1 - rules.player
    fill(work.values[arena.plex.roots[theirs] : arena.plex.roots[theirs + 1]], 0.0)
    for z in range(arena.chance.size):
        worth = arena.chance[z] * arena.payoffs[z]
        work.values[arena.theirs[z]] -= worth * plan[arena.mine[z]]
    lost: float = best_response(arena.plex, theirs, work.values, work.best)
    return -lost


@inlined
def _lose(arena: Arena, theirs: int, work: Work) -> None:
    """What the other loses at least, compared with its best response, by every sequence."""
    plex, values, lost = arena.plex, work.values, work.lost
    lost[plex.roots[theirs]] = 0.0
    for block in range(plex.ranges[theirs], plex.ranges[theirs + 1]):
        first, actions, lanes, _ = plex.blocks[block]
        for lane in range(lanes):
            best = values[first + lane]
            for action in range(1, actions):
                best = max(best, values[first + action * lanes + lane])
            for s in range(first + lane, first + actions * lanes, lanes):
                lost[s] = lost[arena.above[s]] + best - values[s]


@inlined
def _weigh(arena: Arena, plan: Floats, weights: Floats) -> float:
    """Write the probability of every terminal; returns the expected payoff."""
    expected = 0.0
    for z in range(weights.size):
        weights[z] = arena.chance[z] * plan[arena.mine[z]] * plan[arena.theirs[z]]
        expected += weights[z] * arena.payoffs[z]
    return expected


@inlined
def _drawn(weights: Floats, draw: float) -> int:
    """The terminal that a draw in [0, 1) ends in; never one that cannot happen."""
    total, chosen = 0.0, 0
    for z in range(weights.size):
        if weights[z] > 0.0:
            total += weights[z]
            chosen = z
            if draw < total:
                break
    return chosen


@inlined
def _learn(arena: Arena, work: Work, z: int) -> None:
    """Count what the other may have played, in proportion to the model so far."""
    begin, end = arena.starts[z], arena.starts[z + 1]
    total = 0.0
    for k in range(begin, end):
        total += arena.likely[k] * work.model[arena.possible[k]]
    for k in range(begin, end):
        s = arena.possible[k]
        share = arena.likely[k] * work.model[s] / total if total > 0 else 1 / (end - begin)
        while arena.above[s] >= 0:
            work.counts[s] += share
            work.totals[arena.owner[s]] += share
            s = arena.above[s]
