"""Cards as the ACPC dealer draws them."""

import random
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import any_rules, rules_named

from regretless.cards.deck import rank_names, suit_names
from regretless.core.errors import BadParameter
from regretless.play.deals import CHUNK, MOST_SEED, deals

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "acpc"
GAMES = {"kuhn3p": "kuhn:players=3", "limit2p": "holdem_limit", "nolimit2p": "holdem_nolimit"}


def twister(seed):
    """MT19937 as its authors seed it."""
    words = [seed]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + i) % 2**32)
    generator = random.Random()
    generator.setstate((3, (*words, 624), None))
    return lambda: generator.getrandbits(32)


def slow_deals(rules, seed):
    """One card after another, as the protocol tells it."""
    draw = twister(seed)
    while True:
        deck = [r + s for s in suit_names(rules.suits) for r in rank_names(rules.ranks)]

        def take(count, deck=deck):
            found = []
            for _ in range(count):
                place = draw() % len(deck)
                found.append(deck[place])
                deck[place] = deck[-1]
                deck.pop()
            return tuple(found)

        holes = tuple(take(rules.hole) for _ in range(rules.players))
        yield holes, take(sum(rules.board))


@pytest.mark.parametrize("name", GAMES)
def test_dealers_of_the_competition_deal_the_same(name):
    lines = (TRANSCRIPTS / f"{name}.txt").read_text().splitlines()
    header = next(line for line in lines if line.startswith("# name/game"))
    seed = int(header.split()[-1])
    logged = [line.split(":") for line in lines if line.startswith("STATE:")]
    assert logged
    for deal, (_, _, _, cards, *_) in zip(
        deals(rules_named(GAMES[name]), seed), logged, strict=False
    ):
        holes, *boards = cards.split("/")
        assert holes == "|".join("".join(hole) for hole in deal.holes)
        assert "".join(deal.board).startswith("".join(boards))


@settings(max_examples=50, deadline=None)
@given(any_rules(), st.integers(0, MOST_SEED))
def test_as_card_by_card(rules, seed):
    ours = list(islice(deals(rules, seed), 20))
    assert ours == list(islice(slow_deals(rules, seed), 20))
    for deal in ours:
        cards = [card for hole in deal.holes for card in hole] + list(deal.board)
        assert len(set(cards)) == len(cards)


@pytest.mark.parametrize("first", [1, 2, 3, 11, 40])
def test_hands_are_skipped_in_pieces_of_any_size(first, monkeypatch):
    monkeypatch.setattr("regretless.play.deals._SKIPPED", 7)  # no multiple of a hand's numbers
    for spec in ("kuhn", "leduc:players=3", "holdem_limit"):
        rules = rules_named(spec)
        whole = list(islice(deals(rules, 9), first + 5))
        assert list(islice(deals(rules, 9, first=first), 5)) == whole[first:]


@pytest.mark.parametrize("first", [1, 7, CHUNK - 1, CHUNK, 3 * CHUNK + 5])
def test_a_later_hand_needs_none_before(first):
    rules = rules_named("leduc")
    whole = list(islice(deals(rules, 9), first + 2 * CHUNK))
    assert list(islice(deals(rules, 9, first=first), 2 * CHUNK)) == whole[first:]


def test_reduced_decks_keep_the_top():
    dealt = islice(deals(rules_named("leduc"), 1), 200)
    assert {hole for deal in dealt for (hole,) in deal.holes} == {
        "Qh",
        "Kh",
        "Ah",
        "Qs",
        "Ks",
        "As",
    }


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_has_32_bits(seed):
    with pytest.raises(BadParameter, match=r"seed=.*: must be 0 to 4,294,967,295"):
        next(deals(rules_named("leduc"), seed))
