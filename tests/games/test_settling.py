"""Payoffs with dead chips, rake and prizes; without them they are those of the ACPC dealer."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadParameter
from regretless.games._betting import PokerRules
from regretless.games._icm import IndependentChipModel
from regretless.games._settling import Rake, settled

SPENT = st.integers(0, 50)


def test_dead_chips_are_charged_in_equal_parts() -> None:
    assert settled((0, 0), (False, False), (1, 2), dead=101) == (-50.5, 50.5)
    assert settled((0, 0), (False, False), (1, 1), dead=100) == (0, 0)
    assert settled((40, 100), (True, False), (), dead=100) == (-90, 90)


def test_rake_is_taken_of_what_was_called() -> None:
    rake = Rake(0.05, 4)
    # 60 of 100 chips are returned; 5 % of 80 + 100 would be 9, so the cap holds.
    assert settled((40, 100), (True, False), (), dead=100, rake=rake) == (-90, 86)
    assert settled((40, 100), (True, False), (), rake=rake) == (-40, 36)
    assert settled((20, 20), (False, False), (1, 1), rake=rake) == (-1, -1)
    assert settled((0, 30), (True, False), (), rake=rake) == (0, 0)


def test_short_stacks_get_the_rest_back() -> None:
    assert settled((30, 90), (False, False), (2, 1), dead=10, rake=Rake(0.1)) == (
        pytest.approx(35 - 7),
        pytest.approx(-35),
    )


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(SPENT, st.booleans(), st.integers(0, 3)), min_size=2, max_size=5),
    st.integers(0, 60),
    st.floats(0, 0.2),
    st.floats(0, 20),
)
def test_payoffs_sum_to_minus_the_rake(seats, dead, rate, cap) -> None:
    spent, folded, strengths = (list(column) for column in zip(*seats, strict=True))
    folded[spent.index(max(spent))] = False  # nobody folds to a smaller bet
    payoffs = settled(spent, folded, strengths, dead=dead, rake=Rake(rate, cap))
    called = dead + sum(min(chips, sorted(spent)[-2]) for chips in spent)
    assert sum(payoffs) == pytest.approx(-min(rate * called, cap), abs=1e-9)
    assert sum(settled(spent, folded, strengths, dead=dead)) == pytest.approx(0, abs=1e-9)


def test_rakes_out_of_range() -> None:
    with pytest.raises(BadParameter, match="rake rate"):
        Rake(1.5)
    with pytest.raises(BadParameter, match="rake cap"):
        Rake(0.1, -1)


def by_orders(stacks: tuple[float, ...], prizes: tuple[float, ...]) -> list[float]:
    """Every order of finishing with its probability."""
    worth = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance *= stacks[player] / left
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            worth[player] += chance * prize
    return worth


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 1000), min_size=2, max_size=5))
def test_prizes_by_all_orders_of_finishing(stacks: list[int]) -> None:
    prizes = (50.0, 30.0, 20.0)[: len(stacks)]
    model = IndependentChipModel(prizes, tuple(map(float, stacks[2:])))
    found = model.worth((float(stacks[0]), float(stacks[1])))
    assert found == pytest.approx(by_orders(tuple(map(float, stacks)), prizes)[:2])


def test_a_stack_of_nothing_comes_last() -> None:
    assert IndependentChipModel((70.0, 30.0)).worth((10.0, 0.0)) == (70.0, 30.0)
    assert IndependentChipModel((70.0, 30.0), (5.0,)).worth((0.0, 0.0)) == (15.0, 15.0)


def test_rules_settle_in_prizes() -> None:
    rules = PokerRules(
        players=2,
        ranks=13,
        suits=4,
        hole=2,
        board=(5,),
        blinds=(0, 0),
        first=(0,),
        caps=(1,),
        stacks=(50, 50),
        dead=20,
        utility=IndependentChipModel((100.0, 60.0, 0.0), (40.0,)),
    )
    end = rules.start().act("r50").act("c")
    before = rules.utility.worth((60.0, 60.0))
    after = rules.utility.worth((120.0, 0.0))
    assert end.settle((2, 1)) == tuple(a - b for a, b in zip(after, before, strict=True))
    assert end.settle((2, 1))[0] + end.settle((2, 1))[1] < 0  # the third player gains


@pytest.mark.parametrize("prizes", [(), (1.0, 2.0), (-1.0,)])
def test_impossible_prizes(prizes: tuple[float, ...]) -> None:
    with pytest.raises(BadParameter, match="prizes"):
        IndependentChipModel(prizes)


def test_prizes_beyond_the_players_are_paid_to_nobody() -> None:
    assert IndependentChipModel((50, 30, 20)).worth((10, 0)) == (50, 30)
    assert IndependentChipModel((50, 30, 20, 10)).worth((10, 0, 0)) == (50, 25, 25)


def test_others_must_have_chips() -> None:
    assert IndependentChipModel((50, 30), (1,)).others == (1,)
    with pytest.raises(BadParameter, match="must be positive"):
        IndependentChipModel((50, 30), (0,))
