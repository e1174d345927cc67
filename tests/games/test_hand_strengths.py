"""Hands of a deck on a board compare as their cards do, one by one."""

import numpy as np
import pytest

from regretless.cards.deck_hands import DeckHands
from regretless.cards.ranking import strength, three_card_strength
from regretless.games._betting import Ranking
from regretless.games._hand_strengths import hand_strengths
from regretless.kernels.hands import BLOCKED

SLOW = {
    Ranking.BEST_FIVE: strength,
    Ranking.THREE_CARDS: three_card_strength,
    Ranking.THREE_CARDS_ACE_HIGH: lambda cards: three_card_strength(cards, wheel=False),
}


@pytest.mark.parametrize(
    ("ranks", "suits", "hole", "shown", "ranking"),
    [
        (13, 4, 2, 5, Ranking.BEST_FIVE),
        (5, 3, 2, 3, Ranking.BEST_FIVE),
        (4, 2, 1, 1, Ranking.BEST_FIVE),
        (3, 1, 1, 0, Ranking.BEST_FIVE),
        (13, 4, 1, 2, Ranking.THREE_CARDS),
        (13, 4, 1, 2, Ranking.THREE_CARDS_ACE_HIGH),
    ],
)
def test_numbers_compare_like_the_hands(ranks, suits, hole, shown, ranking):
    deck, rng = DeckHands(ranks, suits, hole), np.random.default_rng(ranks)
    for _ in range(3):
        board = rng.permutation(deck.deck)[:shown].tolist()
        numbers = hand_strengths(deck, ranking, board)
        known = {}
        for hand, number in zip(deck.hands.tolist(), numbers.tolist(), strict=True):
            if set(hand) & set(board):
                assert number == BLOCKED
                continue
            # A small deck has the highest ranks.
            cards = [(13 - ranks + card // suits, card % suits) for card in (*hand, *board)]
            assert ranking.strength(cards) == SLOW[ranking](cards)
            known.setdefault(SLOW[ranking](cards), set()).add(number)
        assert all(len(same) == 1 for same in known.values())
        ordered = [known[each].pop() for each in sorted(known)]
        assert (np.diff(ordered) > 0).all()
        assert ordered[0] > BLOCKED
