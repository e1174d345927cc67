"""Values of stacks against all orders of finishing, written out."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadParameter
from regretless.games._icm import expected_prizes, icm_utility
from regretless.stochastic.stack_values import icm

STACKS = st.lists(st.integers(1, 1000), min_size=2, max_size=6)
PRIZES = (50.0, 30.0, 15.0, 5.0)


def harville(stacks, prizes):
    """All orders from the first place down."""
    found = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance *= stacks[player] / left
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            found[player] += chance * prize
    return found


def weitzman(stacks, prizes):
    """All orders from the last place up: who goes out leaves equal shares to the others."""
    found = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        chance, held, seated = 1.0, dict(enumerate(map(float, stacks))), list(order)
        while len(held) > 1:
            out = seated.pop(0)
            chance *= (1 / held[out]) / sum(1 / stack for stack in held.values())
            chips = held.pop(out)
            held = {player: stack + chips / len(held) for player, stack in held.items()}
        for place, player in enumerate(reversed(order)):
            if place < len(prizes):
                found[player] += chance * prizes[place]
    return found


@settings(max_examples=30, deadline=None)
@given(STACKS, st.integers(1, 4))
def test_models_by_all_orders(stacks, places):
    prizes = PRIZES[: min(places, len(stacks))]
    found = icm(stacks, prizes)
    assert found.values == pytest.approx(harville(stacks, prizes))
    assert found.malmuth_weitzman == pytest.approx(weitzman(stacks, prizes))
    for model in (found.values, found.malmuth_weitzman, found.chips, found.chop):
        assert sum(model) == pytest.approx(sum(prizes))


@settings(max_examples=20, deadline=None)
@given(STACKS)
def test_more_chips_are_worth_more(stacks):
    found = icm(stacks, PRIZES[: len(stacks)])
    order = np.argsort(stacks, kind="stable")
    for model in (found.values, found.malmuth_weitzman, found.chop):
        assert (np.diff(np.array(model)[order]) >= -1e-9).all()


def test_known_values():
    """Two players: the first prize in proportion to the chips, above the second."""
    found = icm([5000, 3100], [50, 30])
    assert found.values == pytest.approx((30 + 20 * 50 / 81, 30 + 20 * 31 / 81))
    assert found.chop == pytest.approx(found.values)
    assert found.chips == pytest.approx((80 * 50 / 81, 80 * 31 / 81))
    assert found.malmuth_weitzman == pytest.approx(found.values)


def test_twenty_players_sum_to_the_prizes_and_equal_stacks_share():
    found = icm([7.0] * 20, [50, 30, 20])
    assert found.values == pytest.approx([5.0] * 20)
    assert found.malmuth_weitzman == pytest.approx([5.0] * 20)


def test_more_players_are_sampled_within_the_interval():
    stacks = [*range(10, 31)]
    found = icm(stacks, [100, 60])
    total = sum(stacks)
    exact = [
        100 * s / total
        + 60 * sum(t / total * s / (total - t) for k, t in enumerate(stacks) if k != p)
        for p, s in enumerate(stacks)
    ]
    assert found.malmuth_weitzman == ()
    off = np.abs(np.array(found.values) - exact) / np.array(found.half_widths)
    assert (off < 2.5).all()
    assert (off < 1).mean() > 0.7
    assert icm(stacks, [100, 60]) == found
    assert icm(stacks, [100, 60], seed=1) != found


def test_bubble_factors():
    """Heads-up every chip counts the same; on a bubble losing costs more than winning gains."""
    assert icm([30, 10], [50, 30]).bubble_factors[0][1] == pytest.approx(1)
    stacks, prizes = [30, 20, 10], [50, 30]
    found = icm(stacks, prizes).bubble_factors
    now, lost = (harville(s, prizes)[0] for s in (stacks, [10, 40, 10]))
    won = harville([50, 10], prizes)[0]
    assert found[0][1] == pytest.approx((now - lost) / (won - now))
    assert found[0][0] is None
    assert min(f for row in found for f in row if f is not None) > 1


def test_players_without_chips_are_placed_by_what_they_had():
    rows = np.array([[10.0, 0, 0, 0], [5, 0, 5, 0]])
    assert expected_prizes(rows, [50, 30, 15, 5], [3, 2, 1, 2]) == pytest.approx(
        np.array([[50, 22.5, 5, 22.5], [40, 10, 40, 10]])
    )
    assert expected_prizes(rows, [50, 30]) == pytest.approx(
        np.array([[50, 10, 10, 10], [40, 0, 40, 0]])
    )


def test_utility_of_final_stacks():
    worth = icm_utility([4, 2], [50, 30, 20], [3])
    final = np.array([[6.0, 0.0], [4, 2], [6 - 1e-15, 1e-15]])
    won = [harville([6, 3], [50, 30])[0], 20]
    kept = harville([4, 2, 3], [50, 30, 20])[:2]
    assert worth(final) == pytest.approx(np.array([won, kept, won]))


@pytest.mark.parametrize(
    ("stacks", "payouts", "message"),
    [
        ([5, 0], [50], "stacks 5,0: must be positive"),
        ([5, float("inf")], [50], "must be positive"),
        ([], [50], "must be positive"),
        ([5, 4], [30, 50], "descending"),
        ([5, 4], [50, 30, 20], "payouts 50,30,20: must be 1 to 2"),
        ([5, 4], [], "must be 1 to 2"),
        ([5, 4], [-1], "0 or more"),
    ],
)
def test_bad_input(stacks, payouts, message):
    with pytest.raises(BadParameter, match=message):
        icm(stacks, payouts)
