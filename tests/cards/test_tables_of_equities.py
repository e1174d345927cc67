"""Tables of equities of single hands: against equities of ranges, and against each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards.equities import (
    board_shares,
    class_equities,
    equity,
    pot_shares,
    preflop_results,
)
from regretless.cards.hand_index import boards_up_to_suits
from regretless.cards.holdings import class_of, disjoint, members, number_of, read_cards, without


@pytest.mark.parametrize("board", ["2c2d2h", "Td9d6hQc", "AsKsQsJsTs"])
def test_shares_of_hands_are_equities_of_ranges_of_one_hand(board):
    cards = read_cards(board)
    table, live = board_shares(cards), np.flatnonzero(without(cards))
    rng = np.random.default_rng(0)
    theirs = np.zeros(1326)
    theirs[rng.choice(live, 60, replace=False)] = rng.random(60)
    met = disjoint() * theirs
    for hand in rng.choice(live, 3, replace=False):
        mine = np.eye(1326)[hand]
        expected = equity(mine, theirs, cards).first
        assert table[hand] @ met[hand] / met[hand].sum() == pytest.approx(expected, abs=1e-12)


def test_results_before_the_flop_are_wins_losses_and_ties_of_every_deal():
    net, ties = preflop_results()
    assert np.abs(net + net.T).max() == 0
    assert np.array_equal(ties, ties.T)
    assert (np.abs(net) + ties <= disjoint() + 1e-12).all()
    assert np.abs(net / 2 + disjoint() / 2 - pot_shares()).max() < 1e-12
    never = disjoint() == 0
    assert not ties[never].any()
    assert not net[never].any()
    # The same ranks, neither suit on the side of one hand: both make the same flushes.
    one, two = number_of(*read_cards("AsKh")), number_of(*read_cards("AdKc"))
    assert net[one, two] == 0
    assert ties[one, two] > 0.9


def test_classes_are_means_over_their_hands():
    equities, deals = class_equities()
    assert deals.sum() == disjoint().sum()
    rng = np.random.default_rng(1)
    for first, second in rng.integers(0, 169, (12, 2)):
        pairs = np.ix_(members()[first], members()[second])
        assert deals[first, second] == disjoint()[pairs].sum()
        won = (pot_shares()[pairs] * disjoint()[pairs]).sum() / deals[first, second]
        assert equities[first, second] == pytest.approx(won, abs=1e-12)
    assert (class_of()[members()[7]] == 7).all()


@settings(max_examples=10)
@given(st.permutations(range(4)), st.permutations(range(52)))
def test_names_of_suits_change_no_equity(renaming, deck):
    def renamed(cards):
        return [card // 4 * 4 + renaming[card % 4] for card in cards]

    mine, theirs, board = deck[:2], deck[2:4], deck[4:8]
    one, two = np.eye(1326)[number_of(*mine)], np.eye(1326)[number_of(*theirs)]
    first, second = (np.eye(1326)[number_of(*renamed(hand))] for hand in (mine, theirs))
    assert equity(one, two, board).first == equity(first, second, renamed(board)).first


@pytest.mark.slow
def test_boards_up_to_suits_stand_for_all_boards():
    boards, weights = boards_up_to_suits()
    assert (len(boards), int(weights.sum())) == (134_459, 2_598_960)
