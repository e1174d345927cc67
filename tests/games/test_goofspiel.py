"""Goofspiel by hand: who takes a prize, what is seen, how large it is, what it is worth."""

from __future__ import annotations

from math import factorial, perm

import pytest
from enumeration import enumerated

from regretless.core.errors import BadParameter
from regretless.evaluation.exploitability import evaluate
from regretless.forms.sequence import sequence_form
from regretless.games import goofspiel
from regretless.games._openspiel import read_openspiel
from regretless.games._state import CHANCE, TERMINAL, Sizes, State
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy


def bids(*pairs: str, **parameters: bool) -> State:
    """The state after bids such as 31: player 1 bids 3, player 2 bids 1."""
    state = goofspiel.game(cards=3, **parameters).root
    for first, second in pairs:
        state = state.play(first).play(second)
    return state


@pytest.mark.parametrize(
    ("pairs", "paid"),
    [
        (["33", "22", "11"], 0.0),  # all prizes are lost
        (["32", "23", "11"], 1.0),  # 3 points to 2
        (["23", "32", "11"], -1.0),
        (["13", "21", "32"], 0.0),  # 2 + 1 points to 3
        (["13", "32", "21"], 0.0),
        (["31", "12", "23"], 0.0),
        (["12", "33", "21"], -1.0),  # 1 point to 3, a prize of 2 lost
    ],
)
def test_the_higher_bid_takes_the_prize(pairs: list[str], paid: float) -> None:
    state = bids(*pairs)
    assert state.player == TERMINAL
    assert state.payoff == (paid, -paid)


def test_bids_are_made_at_once_and_cards_are_spent() -> None:
    state = bids()
    assert (state.player, state.actions) == (0, ["1", "2", "3"])
    after = state.play("2")
    assert (after.player, after.actions) == (1, ["1", "2", "3"])
    assert after.view(1) == state.view(1) == "3"
    assert after.play("3").actions == ["1", "3"]


def test_only_the_winner_of_a_prize_is_seen() -> None:
    assert bids("21").view(1) == bids("31").view(1)
    assert bids("21").view(0) != bids("23").view(0)
    assert bids("21").view(0) != bids("31").view(0)  # one's own bid is known


def test_revealed_bids_are_seen() -> None:
    assert bids("21", revealed=True).view(1) != bids("31", revealed=True).view(1)


def test_shuffled_prizes_come_by_chance() -> None:
    state = goofspiel.game(cards=3, shuffled=True).root
    assert state.player == CHANCE
    assert state.actions == ["3", "2", "1"]
    assert list(state.chances) == pytest.approx([1 / 3] * 3)
    after = state.play("1").play("3").play("2")
    assert after.player == CHANCE
    assert after.actions == ["3", "2"]


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_sizes_are_those_of_permutations(cards: int) -> None:
    found = enumerated(goofspiel.game(cards=cards, revealed=True))
    points = sum(perm(cards, turn) ** 2 for turn in range(cards))
    sequences = 1 + sum(perm(cards, turn) ** 2 * (cards - turn) for turn in range(cards))
    nodes = sum(perm(cards, t) ** 2 * (1 + cards - t) for t in range(cards))
    terminals = factorial(cards) ** 2
    assert found == Sizes(nodes + terminals, terminals, (points, points), (sequences, sequences))


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_shuffling_multiplies_the_ends(cards: int) -> None:
    game = goofspiel.game(cards=cards, shuffled=True)
    assert enumerated(game).terminals == factorial(cards) ** 3


@pytest.mark.parametrize("order", ["descending", "random"])
def test_it_pays_what_openspiel_pays(order: str) -> None:
    """OpenSpiel plays the last card by itself; what uniform play wins by prizes is the same."""
    text = f"goofspiel(imp_info=True,num_cards=3,points_order={order},returns_type=win_loss)"
    theirs = read_openspiel(f"openspiel:turn_based_simultaneous_game(game={text})")
    ours = goofspiel.game(cards=3, shuffled=order == "random")
    counted = [_ends(game.root) for game in (ours, theirs)]
    for ends in counted:
        assert sum(ends.values()) == pytest.approx(1)
    assert counted[0] == pytest.approx(counted[1])


def _ends(state: State, reach: float = 1.0) -> dict[float, float]:
    """How likely every payoff of player 1 is, if all actions are equally likely."""
    if state.player == TERMINAL:
        return {state.payoff[0]: reach}
    found: dict[float, float] = {}
    count = len(state.actions)
    weights = state.chances if state.player == CHANCE else [1 / count] * count
    for index, weight in enumerate(weights):
        for paid, more in _ends(state.child(index), reach * weight).items():
            found[paid] = found.get(paid, 0.0) + more
    return found


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("revealed", [False, True])
def test_both_players_have_equal_chances(shuffled: bool, revealed: bool) -> None:
    form = sequence_form(goofspiel.game(cards=3, shuffled=shuffled, revealed=revealed))
    running = solver("lp", form)
    while not running.finished:
        running.step()
    found = evaluate(Strategy(form, running.behaviour()))
    assert found.exploitability < 1e-9
    assert found.values == pytest.approx((0, 0), abs=1e-9)


def test_with_two_cards_the_high_one_goes_for_the_high_prize() -> None:
    """It wins against the low one and draws against itself."""
    form = sequence_form(goofspiel.game(cards=2))
    running = solver("lp", form)
    while not running.finished:
        running.step()
    strategy = Strategy(form, running.behaviour())
    for player in (1, 2):
        assert strategy.probabilities("2", player=player)["2"] == pytest.approx(1)


@pytest.mark.parametrize("cards", [0, 14])
def test_hands_have_one_to_thirteen_cards(cards: int) -> None:
    with pytest.raises(BadParameter, match=r"cards=.*must be 1 to 13"):
        goofspiel.game(cards=cards)
