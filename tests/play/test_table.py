"""One hand: what is known, what is legal, who is paid."""

import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import any_rules, rules_named, seated, tables

from regretless.cards.deck import RANKS, SUITS
from regretless.cards.ranking import strength
from regretless.core.errors import BadInput, IllegalMove
from regretless.play.deals import NAMES, Deal, deals
from regretless.play.table import Table

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "acpc"
GAMES = {"kuhn3p": "kuhn:players=3", "limit2p": "holdem_limit", "nolimit2p": "holdem_nolimit"}
TOLD = re.compile(r"TO \d MATCHSTATE:(\d+):(\d+):([^:]*):(\S*)")
ENDED = re.compile(r"^STATE:(\d+):([^:]*):([^:]*):([^:]*):(\S*)", re.MULTILINE)


def transcript(name):
    text = (TRANSCRIPTS / f"{name}.txt").read_text()
    seed = int(re.search(r"# name/game/hands/seed .* (\d+)", text)[1])
    rules = rules_named(GAMES[name])
    return text, rules, list(islice(deals(rules, seed), 10))


def played(rules, deal, number, betting):
    table = Table.start(rules, deal, number)
    for action in re.findall(r"[fc]|r\d*", betting):
        table = table.act(action)
    return table


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_shown_as_in_the_competition(name):
    text, rules, dealt = transcript(name)
    found = TOLD.findall(text)
    assert found
    for position, number, betting, cards in found:
        table = played(rules, dealt[int(number)], int(number), betting)
        assert table.betting.history == betting
        assert table.cards(int(position)) == cards


@pytest.mark.parametrize("name", GAMES)
def test_hands_end_as_in_the_competition(name):
    text, rules, dealt = transcript(name)
    found = ENDED.findall(text)
    assert found
    for number, betting, cards, values, names in found:
        hand = played(rules, dealt[int(number)], int(number), betting).record(names.split("|"))
        assert hand.number == int(number)
        assert (hand.betting, hand.cards) == (betting, cards)
        assert hand.payoffs == tuple(map(float, values.split("|")))


def reshuffled(rules, table, position, rng):
    """The same hand, where all cards that a position does not know are others."""
    hole, shown = table.deal.holes[position], table.view(position).board
    rest = [card for card in NAMES if card not in (*hole, *shown)]
    rng.shuffle(rest)
    holes = [
        hole if other == position else tuple(rest.pop() for _ in range(rules.hole))
        for other in range(rules.players)
    ]
    more = [rest.pop() for _ in range(sum(rules.board) - len(shown))]
    return Table(rules, Deal(tuple(holes), (*shown, *more)), table.number, table.betting)


@settings(max_examples=30, deadline=None)
@given(any_rules(), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_a_view_tells_nothing_of_hidden_cards(rules, seed, rng):
    for table in tables(rules, seated(rules, "random", seed=seed), seed=seed):
        for position in range(rules.players):
            other = reshuffled(rules, table, position, rng)
            assert other.view(position) == table.view(position)
            assert table.view(position).hole == table.deal.holes[position]
            if not table.over:
                assert other.cards(position) == table.cards(position)


@settings(max_examples=30, deadline=None)
@given(any_rules(), st.integers(0, 10**6))
def test_only_a_showdown_opens_hands_and_never_folded_ones(rules, seed):
    *_, end = tables(rules, seated(rules, "random", seed=seed), seed=seed)
    contested = sum(end.betting.folded) < rules.players - 1
    for position in range(rules.players):
        # The board of the first round stands behind the last hole cards.
        text = end.cards(position).split("/")[0]
        glued = 2 * rules.board[0]
        holes = (text[: len(text) - glued] if glued else text).split("|")
        for other, hole in enumerate(holes):
            open_ = other == position or (contested and not end.betting.folded[other])
            assert hole == ("".join(end.deal.holes[other]) if open_ else "")


@settings(max_examples=100, deadline=None)
@given(any_rules(), st.integers(0, 10**6))
def test_payoffs_are_those_of_the_slow_ranking_and_add_up_to_zero(rules, seed):
    *_, end = tables(rules, seated(rules, "random", seed=seed), seed=seed)
    pairs = [
        [(RANKS.index(r), SUITS.index(s)) for r, s in (*h, *end.deal.board)] for h in end.deal.holes
    ]
    payoffs = end.payoffs()
    assert payoffs == end.betting.settle([strength(cards) for cards in pairs])
    assert sum(payoffs) == pytest.approx(0, abs=1e-9)
    assert end.actor == -1


def test_three_cards_have_an_order_of_their_own():
    rules = rules_named("rhode_island")
    straight, flush = Deal((("4c",), ("9d",)), ("2d", "3d")), Deal((("9d",), ("4c",)), ("2d", "3d"))
    for deal, won in ((straight, 5.0), (flush, -5.0)):
        assert played(rules, deal, 0, "cc/cc/cc").payoffs() == (won, -won)


def test_an_illegal_action_tells_what_is_legal():
    table = Table.start(rules_named("leduc"), next(deals(rules_named("leduc"), 0)), 0)
    with pytest.raises(IllegalMove, match="'f': legal actions are check, bet"):
        table.act("f")


def test_a_hand_that_goes_on_pays_nobody():
    table = Table.start(rules_named("leduc"), next(deals(rules_named("leduc"), 0)), 4)
    with pytest.raises(BadInput, match=r"hand 4, betting '': not over, position 1 is to act"):
        table.record(["a", "b"])


def test_hands_do_not_change():
    table = Table.start(rules_named("leduc"), next(deals(rules_named("leduc"), 0)), 0)
    bet = table.act("r")
    assert (table.betting.history, bet.betting.history) == ("", "r")
