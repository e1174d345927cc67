"""Pots that are shared: whoever gets a part of one has won something at the showdown."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import holdem, play

from regretless.play.histories._check import Checker
from regretless.play.histories.seen import seen_of
from regretless.play.histories.session import Session, notes

ROYAL = ("AsKsQs", "Js", "Ts")
OTHERS = [rank + suit for rank in "23456789" for suit in "cdh"]


@settings(max_examples=60)
@given(st.lists(st.integers(150, 3000), min_size=2, max_size=5), st.integers(0, 10**6))
def test_a_board_that_beats_all_hands_is_won_by_all_who_are_left(stacks, seed):
    """Nobody gains from it, but everybody gets a part of the pot, also those with fewer chips."""
    rules = holdem(stacks)
    hand = play(rules, seed, number=1, folding=0.1)
    cards = random.Random(seed).sample(OTHERS, 2 * len(stacks))
    holes = ["".join(cards[2 * p : 2 * p + 2]) for p in range(len(stacks))]
    boards = ROYAL[: len(hand.boards)]
    hand = hand._replace(cards="|".join(holes) + "".join(f"/{board}" for board in boards))
    hand = hand._replace(payoffs=Checker(rules).payoffs(hand))
    seen, session = seen_of(hand, rules), Session()
    session.add(seen)
    for note, gone, name in zip(notes(seen), seen.folded, seen.names, strict=True):
        assert note.showdown == note.won_showdown == (seen.showdown and not gone)
        share = session.facts()["players"][name]["won_at_showdown"]
        assert share == (1.0 if note.showdown else None)
