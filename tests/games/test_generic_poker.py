"""Poker with menus of sizes: what may be bet, how large it is, and Leduc as a special case."""

from __future__ import annotations

import re

import numpy as np
import pytest
from enumeration import enumerated
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadParameter, IllegalMove
from regretless.forms.form import uniform
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games import generic_poker, leduc
from regretless.games._betting import Betting, Menu, PokerRules
from regretless.games._catalog import load

SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True).map(tuple)


def start(**parameters: object) -> Betting:
    return generic_poker.game(**parameters).root.betting


def names(betting: Betting) -> list[str]:
    return [move.name for move in betting.moves]


def test_one_size_is_leduc() -> None:
    """The same trees, deals and payoffs; only the texts of bets tell them apart."""
    ours = sequence_form(generic_poker.game(bets=(2,), raises=(2,)))
    theirs = sequence_form(leduc.game())
    assert np.array_equal(ours.sequences, theirs.sequences)
    assert np.array_equal(ours.chance, theirs.chance)
    assert np.array_equal(ours.payoffs, theirs.payoffs)
    for mine, other in zip(ours.treeplexes, theirs.treeplexes, strict=True):
        assert np.array_equal(mine.parents, other.parents)
        texts = [re.sub(r"(?<=r)\d+", "", label) for label in mine.labels]
        assert texts == list(other.labels)


def test_bets_and_raises_have_menus_of_their_own() -> None:
    betting = start(bets=(1, 3), raises=(2, 5))
    assert names(betting) == ["check", "bet 2", "bet 4"]
    assert names(betting.act("bet 4")) == ["fold", "call", "raise 6", "raise 9"]
    assert names(betting.act("bet 4").act("raise 6")) == ["fold", "call"]  # the cap is 2


def test_the_second_round_is_larger_by_growth() -> None:
    betting = start(bets=(1, 3), raises=(2,), growth=3).act("check").act("check")
    assert names(betting) == ["check", "bet 4", "bet 10"]
    assert names(betting.act("bet 4")) == ["fold", "call", "raise 10"]


def test_menus_are_sorted_and_say_each_size_once() -> None:
    assert names(start(bets=(3, 1, 3))) == ["check", "bet 2", "bet 4"]


def test_acpc_texts_name_the_totals() -> None:
    betting = start(bets=(1, 2))
    assert betting.act("r3").history == "r3"
    assert betting.rules.replay("r3r5c/r9f").over
    assert betting.raise_range() == (2, 3)
    for text in ("r4", "bet 4", "r9999999"):
        with pytest.raises(IllegalMove, match=r"legal actions are check, bet 2, bet 3"):
            betting.act(text)


def test_what_exceeds_a_stack_is_all_in() -> None:
    rules = PokerRules(
        players=2,
        ranks=3,
        suits=2,
        hole=1,
        board=(0, 1),
        blinds=(1, 1),
        first=(0, 0),
        caps=(2, 2),
        stacks=(4, 4),
        menus=(Menu((2, 5, 9), (2,)), Menu((2,), (2,))),
    )
    assert names(rules.start()) == ["check", "bet 3", "bet 4"]
    assert names(rules.start().act("bet 4")) == ["fold", "call"]
    assert names(rules.start().act("bet 3")) == ["fold", "call", "raise 4"]


@settings(max_examples=12, deadline=None)
@given(bets=SIZES, raises=SIZES, ranks=st.integers(2, 3), cap=st.integers(1, 2))
def test_sizes_are_counted_as_enumerated(
    bets: tuple[int, ...], raises: tuple[int, ...], ranks: int, cap: int
) -> None:
    game = generic_poker.game(bets=bets[:2], raises=raises[:2], ranks=ranks, cap=cap)
    assert game.count is not None
    assert game.count() == enumerated(game)


def test_sizes_by_hand() -> None:
    """One bet a round, two sizes: cc, cr2f, cr2c, cr3f, cr3c, r2f, r2c, r3f, r3c end it."""
    game = generic_poker.game(ranks=2, cap=1)
    assert game.count is not None
    found = game.count()
    # In the first round a player decides at 3 places with either card. 5 of the 9 ends of it
    # lead to the second round, of which every pair of card and board has the same 3 places.
    assert found.decision_points == (3 * 2 + 5 * 3 * 4, 3 * 2 + 5 * 3 * 4)
    # First to act: check and two bets, then fold or call against either bet.
    assert found.sequences[0] == 1 + (3 + 2 + 2) * (2 + 5 * 4)
    assert found.sequences == enumerated(game).sequences


def test_a_game_is_found_by_its_spec() -> None:
    game = load("generic_poker:bets=1/2/3,raises=2,growth=1")
    assert game.root.betting.rules.menus == (Menu((1, 2, 3), (2,)),) * 2
    assert load(game.spec).spec == game.spec


def test_its_public_tree_is_the_same_game() -> None:
    form = public_form("generic_poker:ranks=2")
    written, walked = form.expanded(), sequence_form(load("generic_poker:ranks=2"))
    assert written.sizes == walked.sizes
    for player in range(2):
        found = form.respond(player, uniform(form))
        assert found == pytest.approx(walked.respond(player, uniform(walked)), abs=1e-12)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ("bets=0", r"bet size=0: must be 1 to"),
        ("raises=1/-2", r"bet size=-2: must be 1 to"),
        ("bets=1/x", "bets=x: must be a whole number"),
        ("growth=0", r"growth=0: must be 1 to"),
        ("cap=0", r"cap=0: must be 1 to"),
        ("ranks=14", r"ranks=14: must be 1 to 13"),
        ("ranks=1,suits=2", "need 3 cards: the deck has 2"),
    ],
)
def test_bad_parameters_say_what_is_allowed(parameters: str, says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        load(f"generic_poker:{parameters}")


def test_menus_are_for_no_limit_betting() -> None:
    with pytest.raises(BadParameter, match="menus of sizes are for no-limit betting"):
        PokerRules(
            players=2,
            ranks=3,
            suits=2,
            hole=1,
            board=(0,),
            blinds=(1, 1),
            first=(0,),
            caps=(1,),
            raises=(2,),
            menus=(Menu((2,), (2,)),),
        )
