"""Translation of bets that are not in a betting tree, and back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadInput, BadParameter, Unsuitable, WrongGame
from regretless.games._betting import Move, PokerRules
from regretless.games._catalog import load
from regretless.games._sizing import same_sizes
from regretless.strategy.translation import MAPPINGS, Translation, geometric, pseudo_harmonic
from regretless.strategy.tree_walk import TreeWalk, fraction, tokens

SIZES = st.lists(st.floats(0.01, 20, allow_nan=False), min_size=1, max_size=6, unique=True).map(
    sorted
)
BETS = st.floats(0.005, 40, allow_nan=False)
ALL = [Translation(by, randomised) for by in MAPPINGS for randomised in (True, False)]


def table(stack: int = 2500) -> PokerRules:
    rules = load(f"holdem_nolimit:stack={stack}").rules
    assert rules is not None
    return rules


def tree(bets: str = "50%,100%,a", raises: str = "100%,a", stack: int = 2500) -> PokerRules:
    sizing = same_sizes(bets, rounds=4, raises=raises)
    return replace(table(stack), sizing=sizing)


@pytest.mark.parametrize("by", MAPPINGS)
@given(low=st.floats(0.01, 5), high=st.floats(0.01, 5))
def test_mappings_are_one_at_the_lower_size_and_zero_at_the_upper(
    by: str, low: float, high: float
) -> None:
    assume(low * 1.001 < high)
    assert MAPPINGS[by](low, high, low) == pytest.approx(1)
    assert MAPPINGS[by](low, high, high) == pytest.approx(0, abs=1e-12)


def test_published_values() -> None:
    # Between a check and a pot-sized bet, half the pot is a check with 1/3 (pseudo-harmonic).
    assert pseudo_harmonic(0, 1, 0.5) == pytest.approx(1 / 3)
    # Deterministic borders: (A + B + 2AB) / (A + B + 2), and the geometric mean.
    assert pseudo_harmonic(0.5, 2, (0.5 + 2 + 2) / (0.5 + 2 + 2)) == pytest.approx(0.5)
    assert geometric(0.5, 2, sqrt(0.5 * 2)) == pytest.approx(0.5)
    assert geometric(0, 1, 0.3) == 0
    # Geometric similarities of 3/4 pot to 1/2 and 1 pot: 1/6 to 1/4, over 1 - A/B.
    a, b = Fraction(2, 3) - Fraction(1, 2), Fraction(3, 4) - Fraction(1, 2)
    assert geometric(0.5, 1, 0.75) == pytest.approx(float(a / (a + b)))


@given(low=st.floats(0.01, 5), high=st.floats(0.01, 5), part=st.floats(0, 1), k=st.floats(0.1, 9))
def test_geometric_is_the_same_in_any_unit(low: float, high: float, part: float, k: float) -> None:
    assume(low * 1.01 < high)
    bet = low + part * (high - low)
    assert geometric(k * low, k * high, k * bet) == pytest.approx(
        geometric(low, high, bet), abs=1e-9
    )


@pytest.mark.parametrize("how", ALL)
@given(sizes=SIZES, bet=BETS)
def test_shares_are_probabilities_of_the_two_neighbours(
    how: Translation, sizes: list[float], bet: float
) -> None:
    shares = how.shares(sizes, bet)
    assert sum(shares) == pytest.approx(1)
    assert all(0 <= share <= 1 for share in shares)
    for i, share in enumerate(shares):
        if share > 0:
            below = i == 0 or sizes[i - 1] <= bet
            above = i == len(sizes) - 1 or bet <= sizes[i + 1]
            assert below
            assert above
    if not how.randomised:
        assert set(shares) <= {0.0, 1.0}


@pytest.mark.parametrize("how", ALL)
@given(sizes=SIZES, bets=st.lists(BETS, min_size=2, max_size=2))
def test_larger_bets_are_never_understood_as_smaller_ones(
    how: Translation, sizes: list[float], bets: list[float]
) -> None:
    small, large = (how.shares(sizes, bet) for bet in sorted(bets))
    for cut in range(len(sizes)):
        assert sum(small[:cut]) >= sum(large[:cut]) - 1e-9


@pytest.mark.parametrize("how", ALL)
@given(sizes=SIZES)
def test_sizes_of_the_tree_are_themselves(how: Translation, sizes: list[float]) -> None:
    for i, size in enumerate(sizes):
        assert how.shares(sizes, size)[i] == 1


def test_ties_take_the_smaller_size() -> None:
    assert Translation("pseudo-harmonic", randomised=False).shares([0.0, 2.0], 0.5) == (1.0, 0.0)
    assert pseudo_harmonic(0, 2, 0.5) == 0.5


def test_bad_input() -> None:
    with pytest.raises(BadParameter, match="translation=linear: must be pseudo-harmonic or"):
        Translation("linear")
    with pytest.raises(BadInput, match="rising"):
        Translation().shares([1.0, 0.5], 0.7)
    with pytest.raises(WrongGame, match="other rules"):
        TreeWalk(table(2500), tree(stack=2400))
    with pytest.raises(Unsuitable, match="two players"):
        TreeWalk(load("holdem_nolimit:players=3").rules, tree())  # type: ignore[arg-type]


# Hands


def test_a_hand_inside_the_tree_is_followed_exactly() -> None:
    walk = TreeWalk(table(), tree())
    history = "r300c/cr600r2500"
    step = walk.follow(history)
    assert step.node is not None
    assert step.node.history == step.real.history == history


def test_a_bet_between_two_sizes_by_hand() -> None:
    """Before the flop the sizes are raises to 200, 300 and 2,500: 240 is between the first two."""
    walk = TreeWalk(table(), tree("50%,100%,a"))
    step = walk.start()
    assert [move.total for move in step.node.moves if move.letter == "r"] == [200, 300, 2500]  # type: ignore[union-attr]
    found = walk.choices(step, Move("r", 240, ""))
    low, high, bet = 0.5, 1.0, 0.7  # of the pot of 200 after a call
    expected = (high - bet) * (1 + low) / ((high - low) * (1 + bet))
    assert [index for index, _ in found] == [2, 3]
    assert found[0].chance == pytest.approx(expected)
    assert found[1].chance == pytest.approx(1 - expected)
    assert walk.after(step, Move("r", 240, ""), expected - 0.01).node.history == "r200"  # type: ignore[union-attr]
    assert walk.after(step, Move("r", 240, ""), expected + 0.01).node.history == "r300"  # type: ignore[union-attr]


def test_small_bets_may_become_checks_but_never_end_a_round() -> None:
    walk = TreeWalk(table(), tree("100%,a"))
    first = walk.follow("r300c/")
    assert first.node is not None
    found = walk.choices(first, Move("r", 400, ""))  # a sixth of the pot, by the first to act
    names = [first.node.moves[index].name for index, _ in found]
    assert names == ["check", "bet 900"]
    assert found[0].chance == pytest.approx((5 / 6) / (7 / 6))
    second = walk.follow("r300c/c")
    assert second.node is not None
    (only,) = walk.choices(second, Move("r", 400, ""))
    assert second.node.moves[only.move].name == "bet 900"
    called = walk.follow("r300c/r400c/", lambda place: 0.0)
    assert called.node is not None
    assert called.node.history == "r300c/cc/"


def test_a_call_of_what_was_understood_as_all_in_leaves_the_tree() -> None:
    walk = TreeWalk(table(), tree("50%,a", "a"), Translation(randomised=False))
    step = walk.follow("r2200")
    assert step.node is not None
    assert step.node.history == "r2500"
    step = walk.follow("r2200c/")
    assert step.node is not None
    assert step.node.over
    assert walk.follow("r2200c/c").node is None
    assert walk.follow("r2200c/cr2300").node is None


def test_a_tree_without_raises_is_left_by_a_raise_that_would_end_the_round() -> None:
    walk = TreeWalk(table(), tree("100%", ""))
    assert walk.follow("r300").node is not None
    assert walk.follow("r300r900").node is None


def test_reverse_translation_by_hand() -> None:
    """The pot is 2 × 240 at the table and 2 × 200 in the tree: half of it is 240 and 200."""
    walk = TreeWalk(table(), tree())
    step = walk.follow("r240c/", lambda place: 0.0)
    assert step.node is not None
    assert [move.name for move in step.node.moves] == ["check", "bet 400", "bet 600", "bet 2500"]
    assert [walk.reverse(step, i) for i in range(4)] == ["c", "r480", "r720", "r2500"]


def test_reverse_translation_respects_the_smallest_raise() -> None:
    walk = TreeWalk(table(), tree("20%,a", "10%,a"))
    step = walk.follow("cc/")
    assert walk.reverse(step, 1) == "r200"  # 20 % of 200 is less than a big blind
    step = walk.follow("cc/r600")
    assert [walk.reverse(step, i) for i in range(2)] == ["f", "c"]
    assert walk.reverse(step, 2) == "r1100"  # 10 % of 1,200 is less than the bet of 500


def test_fold_becomes_a_check_where_nothing_is_owed() -> None:
    """The tree may face a bet where the table does not only after a capped table raise."""
    walk = TreeWalk(table(), tree())
    step = walk.follow("cc/")
    facing = walk.follow("cc/r300").node
    assert facing is not None
    assert facing.moves[0].letter == "f"
    assert walk.reverse(step._replace(node=facing), 0) == "c"


@settings(max_examples=60, deadline=None)
@given(data=st.data(), by=st.sampled_from(sorted(MAPPINGS)), randomised=st.booleans())
def test_random_hands_stay_in_step(data: st.DataObject, by: str, randomised: bool) -> None:
    """Same round, same actor, as long as the hand is in the tree; reverse actions are legal, and
    are understood as the action they came from."""
    walk = TreeWalk(table(), tree("33%,75%,a", "80%,a"), Translation(by, randomised))
    step = walk.start()
    while not step.real.over:
        if step.node is not None and not step.node.over:
            assert step.node.round == step.real.round
            assert step.node.actor == step.real.actor
            for index, move in enumerate(step.node.moves):
                text = walk.reverse(step, index)
                after = step.real.act(text)
                if move.letter == "r" and text != "c":
                    real = Move("r", max(after.spent), "")
                    (only,) = walk.choices(step, real)
                    again = walk.reverse(step, only.move)
                    assert again == text
        limits = step.real.raise_range()
        letters = ["c", "r"] if limits else ["c"]
        letter = data.draw(st.sampled_from(letters))
        total = data.draw(st.integers(*limits)) if limits and letter == "r" else 0
        step = walk.after(step, Move(letter, total, ""), data.draw(st.floats(0, 0.999)))


@settings(max_examples=40, deadline=None)
@given(k=st.integers(2, 7), bet=st.integers(100, 1200), draw=st.floats(0, 0.99))
def test_chips_may_be_counted_in_any_unit(k: int, bet: int, draw: float) -> None:
    def scaled(by: int) -> TreeWalk:
        rules = replace(table(2500 * by), blinds=(100 * by, 50 * by))
        sized = replace(tree(stack=2500 * by), blinds=rules.blinds)
        return TreeWalk(rules, sized)

    one = scaled(1).follow(f"cc/r{100 + bet}", lambda place: draw).node
    many = scaled(k).follow(f"cc/r{(100 + bet) * k}", lambda place: draw).node
    assert one is not None
    assert many is not None
    assert [k * chips for chips in one.spent] == list(many.spent)


def test_larger_real_bets_are_understood_as_larger() -> None:
    walk = TreeWalk(table(), tree("33%,75%,a", "80%,a"), Translation(randomised=False))
    step = walk.follow("r240c/r480")
    assert step.node is not None
    limits = step.real.raise_range()
    assert limits is not None
    sizes = []
    for total in range(limits[0], limits[1] + 1, 7):
        (only,) = walk.choices(step, Move("r", total, ""))
        sizes.append(fraction(step.node, step.node.moves[only.move].total))
    assert all(low <= high for low, high in pairwise(sizes))
    assert len(set(sizes)) == 2


def test_tokens() -> None:
    assert tokens("r300c/cr450f") == ["r300", "c", "c", "r450", "f"]


@pytest.mark.parametrize("by", MAPPINGS)
@given(sizes=SIZES, bet=BETS)
def test_without_draws_a_bet_is_the_size_that_it_is_most_often(by, sizes, bet):
    drawn = Translation(by, randomised=True).shares(sizes, bet)
    chosen = Translation(by, randomised=False).shares(sizes, bet)
    assert sorted(chosen) == [0.0] * (len(sizes) - 1) + [1.0]
    assert drawn[chosen.index(1.0)] == pytest.approx(max(drawn), abs=1e-12)
