"""Exact best responses on the continuum, against sums over a fine grid of signals."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.continuous.examples import EXAMPLES, example
from regretless.continuous.game import End, Showdown, continuous_game
from regretless.continuous.response import Regions, epsilon, plan_values, responses
from regretless.core.errors import BadInput


def by_grid(game, profile, i, cells):
    """Value and best response of player i when every signal is the middle of a cell of shares."""
    shares = (np.arange(cells) + 0.5) / cells
    held = [own.place(shares) for own in game.distributions]
    played = [
        [own.plans[int(np.searchsorted(own.thresholds, signal))] for signal in held[j]]
        for j, own in enumerate(profile)
    ]
    value = best = 0.0
    for z in range(cells):
        worth = dict.fromkeys(game.plans[i], 0.0)
        for others in product(range(cells), repeat=game.players - 1):
            deal = [*others[:i], z, *others[i:]]
            signals = [held[j][k] for j, k in enumerate(deal)]
            for plan in worth:
                plans = [played[j][k] for j, k in enumerate(deal)]
                plans[i] = plan
                worth[plan] += payoff(game, plans, signals, i) / cells ** (game.players - 1)
        value += worth[played[i][z]] / cells
        best += max(worth.values()) / cells
    return value, best


def payoff(game, plans, signals, i):
    node = game.root
    while not isinstance(node, End):
        # A plan lists the decisions that its own actions reach, in the order of the tree.
        action = chosen(game, plans[node.player], node.player, node.line)
        node = node.children[node.actions.index(action)]
    if i not in node.contenders:
        return node.otherwise[i]
    key = -1 if game.lower_wins else 1
    rivals = [key * signals[j] for j in node.contenders if j != i]
    return node.best[i] if key * signals[i] > max(rivals) else node.otherwise[i]


def chosen(game, plan, player, line):
    """The action of a plan at a decision, by walking the tree in order."""
    rest = list(plan)

    def walk(node):
        if isinstance(node, End):
            return None
        if node.player == player:
            action = rest.pop(0)
            if node.line == line:
                return action
            return walk(node.children[node.actions.index(action)])
        found = [walk(child) for child in node.children]
        return next((one for one in found if one), None)

    return walk(game.root)


def random_profile(game, rng, most=4):
    profile = []
    for plans in game.plans:
        count = int(rng.integers(1, most))
        places = np.sort(rng.uniform(game.low, game.high, count - 1))
        own = tuple(plans[int(k)] for k in rng.integers(0, len(plans), count))
        profile.append(Regions(places, own))
    return tuple(profile)


@pytest.mark.parametrize("name", ["bet-or-check", "strong-caller", "kuhn"])
def test_two_players_agree_with_a_grid(name):
    game = example(name).game
    rng = np.random.default_rng(3)
    for _ in range(3):
        profile = random_profile(game, rng)
        for i, found in enumerate(responses(game, profile)):
            value, best = by_grid(game, profile, i, 120)
            assert found.value == pytest.approx(value, abs=0.03)
            assert found.best == pytest.approx(best, abs=0.03)


def test_three_players_agree_with_a_grid():
    game = example("three-players").game
    profile = random_profile(game, np.random.default_rng(5))
    for i, found in enumerate(responses(game, profile)):
        value, best = by_grid(game, profile, i, 24)
        assert found.value == pytest.approx(value, abs=0.1)
        assert found.best == pytest.approx(best, abs=0.1)


def test_the_best_response_earns_what_it_promises():
    rng = np.random.default_rng(7)
    for name in EXAMPLES:
        game = example(name).game
        profile = random_profile(game, rng)
        for i, found in enumerate(responses(game, profile)):
            assert found.gain >= -1e-12
            changed = tuple(found.regions if j == i else own for j, own in enumerate(profile))
            again = responses(game, changed)[i]
            assert again.value == pytest.approx(found.best, abs=1e-10)
            assert again.gain == pytest.approx(0, abs=1e-10)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_zero_sum_values_sum_to_zero(seed):
    rng = np.random.default_rng(seed)
    game = example("strong-caller" if seed % 2 else "three-players").game
    assert sum(r.value for r in responses(game, random_profile(game, rng))) == pytest.approx(0)


def test_values_of_plans_at_one_signal():
    game = example("von-neumann:bet=2").game
    profile = (
        Regions(np.array([1 / 9, 7 / 9]), (("bet",), ("check",), ("bet",))),
        Regions(np.array([5 / 9]), (("fold",), ("call",))),
    )
    assert epsilon(game, profile) == pytest.approx(0, abs=1e-15)
    for place in (1 / 9, 7 / 9):
        check, bet = plan_values(game, profile, 0, place)
        assert check == pytest.approx(bet)
    assert plan_values(game, profile, 0, 0.5)[0] == pytest.approx(0.0)  # checks half of the time


def test_profiles_that_do_not_fit():
    game = example("von-neumann").game
    one = Regions(np.array([]), (("bet",),))
    with pytest.raises(BadInput, match="profile of 1 players: must be 2"):
        responses(game, (one,))
    with pytest.raises(BadInput, match="p2: must have one more plan"):
        responses(game, (one, one.__class__(np.array([0.5]), (("call",),))))


def test_gaps_in_a_distribution_are_never_reached():
    """Player 2 never holds a signal between .2 and .8, so thresholds there earn the same."""
    gap = [[0, 0], [0.2, 0.5], [0.8, 0.5], [1, 1]]
    ends = {
        "p1:check": Showdown([1, 1], [-1, -1]),
        "p1:bet p2:fold": [1, -1],
        "p1:bet p2:call": Showdown([2, 2], [-2, -2]),
    }
    game = continuous_game(["uniform", gap], ends)
    values = {
        responses(
            game,
            (
                Regions(np.array([0.7]), (("check",), ("bet",))),
                Regions(np.array([at]), (("fold",), ("call",))),
            ),
        )[1].value
        for at in (0.3, 0.5, 0.79)
    }
    assert max(values) - min(values) < 1e-12
