"""Obvious versions of what leagues and corrections compute, on states and dictionaries."""

from itertools import product

import numpy as np
from slow_twins import as_table, expected_values

from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.strategy.strategy import Strategy

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


def random_strategy(form, seed, *, pure=0.0):
    """Any behaviour; a share of the actions is never taken."""
    rng = np.random.default_rng(seed)
    weights = rng.random(size(form)) + 1e-3
    weights[rng.random(weights.size) < pure] = 0.0
    return Strategy(form, behaviour_of(form, weights))


def joined(form, strategies):
    """The strategy of every player out of another one."""
    behaviour = np.empty(size(form))
    for player, strategy in enumerate(strategies):
        behaviour[own(form, player)] = strategy.behaviour[own(form, player)]
    return Strategy(form, behaviour)


def seating_values(game, form, strategies):
    """Seating -> payoffs of all positions, by recursion over states."""
    found = {}
    for places in product(range(len(strategies)), repeat=game.players):
        table = as_table(joined(form, [strategies[i] for i in places]))
        found[places] = expected_values(game.root, table, game.players)
    return found


def end_probabilities(form, strategy):
    """Probability of every terminal."""
    plan = plan_of(form, strategy.behaviour)
    return form.chance * np.prod(plan[form.sequences], axis=1)


def mixed(x):
    x &= MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def slow_hand(game, tables, deal, acts):
    """Payoffs of one hand played on states, with the numbers of the kernel."""
    state = game.root
    while state.player != -2:
        if state.player == -1:
            deal = (deal + STEP) & MASK
            u, weights = (mixed(deal) >> 11) * 2.0**-53, list(state.chances)
        else:
            acts = (acts + STEP) & MASK
            u = (mixed(acts) >> 11) * 2.0**-53
            weights = tables[state.player][state.player, state.view(state.player)]
        sums = np.cumsum(weights)
        last = max(i for i, weight in enumerate(weights) if weight > 0)
        state = state.child(next(i for i in range(len(sums)) if u < sums[i] or i == last))
    return np.array(state.payoff)


def slow_hands(game, strategies, seatings, seed, hands):
    """Payoffs [hand, seating, player]."""
    tables = [as_table(strategy) for strategy in strategies]
    found = np.empty((hands, len(seatings), game.players))
    for hand in range(hands):
        deal = mixed(mixed(seed + STEP) ^ mixed(hand + STEP))
        acts = mixed(deal)
        for number, places in enumerate(seatings):
            acts = mixed(acts + STEP)
            found[hand, number] = slow_hand(game, [tables[i] for i in places], deal, acts)
    return found
