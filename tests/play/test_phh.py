"""Hands in the PHH format, with pokerkit as the other reader."""

import random
import re
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import holdem, mutated, play, rules_of

from regretless.core.errors import BadFile, BadInput, Unsuitable
from regretless.games._betting import NO_LIMIT_STACK
from regretless.play.histories.phh import write_phh, write_phhs
from regretless.play.histories.phh_reading import parse_phh, parse_phhs, read_phh, read_phhs
from regretless.play.records import Hand

TABLES = {
    "limit, 2": holdem([NO_LIMIT_STACK] * 2, limit=True),
    "limit, 3": holdem([NO_LIMIT_STACK] * 3, limit=True),
    "no-limit, 2": holdem([20_000] * 2),
    "no-limit, 3": holdem([1_001] * 3, small=25),
    "no-limit, 6": holdem([2_000] * 6),
    "side pots, 2": holdem([700, 1_950]),
    "side pots, 3": holdem([300, 955, 1_450]),
    "side pots, 4": holdem([777, 300, 2_100, 1_201]),
    "side pots, 6": holdem([2_000, 450, 333, 5_000, 1_111, 800]),
}


def replayed(text, **options):
    """What pokerkit makes of a hand: its last state."""
    pokerkit = pytest.importorskip("pokerkit")
    *_, state = pokerkit.HandHistory.loads(text, **options)
    assert not state.status
    return state


def halves(amount, count):
    """A division that keeps fractions, as the ACPC dealer does."""
    return Decimal(amount) / count, 0


@pytest.mark.parametrize("table", TABLES)
def test_pokerkit_plays_what_we_write_and_pays_the_same(table):
    rules = TABLES[table]
    odd = 0
    for seed in range(60):
        hand = play(rules, seed, number=seed, house=True)
        text = write_phh(hand, rules)
        assert [float(x) for x in replayed(text, divmod=halves).payoffs] == pytest.approx(
            hand.payoffs, abs=1e-6
        )
        # By itself pokerkit has whole chips only, and gives the odd ones to somebody.
        whole = replayed(text).payoffs
        assert whole == pytest.approx(hand.payoffs, abs=rules.players)
        if any(payoff != int(payoff) for payoff in hand.payoffs):
            odd += 1
        else:
            assert whole == list(hand.payoffs)
    assert odd < 60


def test_an_odd_chip():
    """51 chips of a folded small blind and two equal hands: half a chip each here."""
    rules = holdem([1_000] * 3, small=25)
    board = "2c3c4d/5d/6h"
    hand = Hand(0, "cfc/cc/cc/cc", f"KsKd|AsAd|AhAc/{board}", (-25.0, 12.5, 12.5), ("a", "b", "c"))
    text = write_phh(hand, rules)
    assert "finishing_stacks = [975, 1012.5, 1012.5]" in text
    assert sorted(replayed(text).payoffs) == [-25, 12, 13]
    assert parse_phh(text).hand == hand


# The ACPC dealer allows what a card room does not: raising again after an all-in of less than
# a full raise, and raising where nobody has the chips to answer.
DEALERS_OWN = [
    ((20_000, 350, 20_000), "r300cr350r600f///", (-300.0, -350.0, 650.0)),
    ((300, 955, 1_450), "ccc/cr955r1450f//", (-100.0, -955.0, 1055.0)),
]


@pytest.mark.parametrize(("stacks", "betting", "payoffs"), DEALERS_OWN)
def test_where_the_rules_of_pokerkit_differ(stacks, betting, payoffs):
    rules = holdem(stacks)
    hand = Hand(0, betting, "9h6s|3d3h|AcAd/2c2d2h/7c/8c", payoffs, ("a", "b", "c"))
    text = write_phh(hand, rules)
    assert parse_phh(text).hand == hand
    with pytest.raises(ValueError, match="hand history"):
        replayed(text)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(TABLES)))
def test_what_we_write_we_read(seed, table):
    rules = TABLES[table]
    hand = play(rules, seed, number=seed)
    read = parse_phh(write_phh(hand, rules))
    assert read.hand == hand
    same = (read.rules.blinds, read.rules.stacks, read.rules.raises, read.rules.first)
    assert same == (rules.blinds, rules.stacks, rules.raises, rules.first)


def test_many_hands_in_one_file(tmp_path):
    rules = TABLES["side pots, 4"]
    hands = [play(rules, seed, number=seed) for seed in range(20)]
    path = tmp_path / "x.phhs"
    path.write_text("".join(write_phhs(hands, rules)))
    assert [read.hand for read in read_phhs(path)] == hands
    pokerkit = pytest.importorskip("pokerkit")
    with path.open("rb") as stream:
        assert len(list(pokerkit.HandHistory.load_all(stream))) == 20
    one = tmp_path / "x.phh"
    one.write_text(write_phh(hands[3], rules))
    assert read_phh(one).hand == hands[3]


SOMEBODYS = """
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [1, 2.0, 0]
min_bet = 2
starting_stacks = [110, 200.0, inf]
actions = [
  'd dh p1 Ac2d', 'd dh p2 ????', 'd dh p3 7h6h', '# a pause',
  'p3 cbr 7  # too much', 'p1 cc', 'p2 f', '',
  'd db Jc3d5c', 'p1 cbr 35', 'p3 cc',
  'd db 4h', 'p1 cbr 68', 'p3 cc', 'd db Jh', 'p1 sm Ac2d', 'p3 sm 7h6h',
]
author = 'Somebody'
hand = 'the long one'
players = ['Ann Lee', 'B|b', '']
"""


def test_a_hand_of_somebody_else():
    rules, hand = parse_phh(SOMEBODYS)
    assert rules.stacks == (110, 200, NO_LIMIT_STACK)
    assert rules.blinds == (1, 2, 0)
    assert hand.betting == "r7cf/r42c/r110c/"
    assert hand.cards == "Ac2d||7h6h/Jc3d5c/4h/Jh"
    assert hand.payoffs == (-110.0, -2.0, 112.0)  # a straight to the seven beats one to the five
    assert hand.names == ("Ann_Lee", "B_b", "p3")
    assert [float(x) for x in replayed(SOMEBODYS).payoffs] == list(hand.payoffs)


def test_the_file_knows_who_won():
    mucked = SOMEBODYS.replace("'p1 sm Ac2d', 'p3 sm 7h6h'", "'p1 sm', 'p3 sm'")
    unknown = mucked.replace("Ac2d", "????").replace("7h6h", "????")
    with pytest.raises(BadFile, match="the winner is unknown"):
        parse_phh(unknown)
    told = unknown.replace("inf", "200") + "finishing_stacks = [0, 198, 311.5]\n"
    assert parse_phh(told).hand.payoffs == (-110.0, -2.0, 111.5)


WRONG = [
    ("'NT'", "'PO'", "variant: got 'PO', must be 'FT' or 'NT'"),
    ("variant", "variety", "variant: got None"),
    ("antes = [0, 0, 0]", "antes = [1, 1, 1]", "antes: got [1, 1, 1], must be 0"),
    ("antes = [0, 0, 0]", "antes = 0", "antes: must be an array"),
    ("antes = [0, 0, 0]", "antes = [0]", "antes: got 1 values, expected 3"),
    ("[1, 2.0, 0]", "[1, 2, 4]", "must be two blinds"),
    ("[1, 2.0, 0]", "[0.5, 1, 0]", "expected a whole number of chips"),
    ("[1, 2.0, 0]", "[2, 1, 0]", "blinds 2 and 1"),
    ("min_bet = 2", "", "min_bet: got None"),
    ("min_bet = 2", "min_bet = 1", "smallest bet 1"),
    ("[110, 200.0, inf]", "[110]", "starting_stacks: got 1, must be 2 to 10"),
    ("[110, 200.0, inf]", "[110, 'x', 3]", "got 'x', expected a number"),
    ("[110, 200.0, inf]", "[110, -2, 3]", "must be 0 or more"),
    ("[110, 200.0, inf]", "[110, nan, 3]", "must be 0 or more"),
    ("'p1 cc'", "'p2 cc'", "action 'p2 cc': it is p1's turn"),
    ("'p1 cc'", "'p1 xx'", "action 'p1 xx': must be dh, db"),
    ("'p1 cc'", "'p9 cc'", "player 'p9': must be p1 to p3"),
    ("cbr 35", "cbr 1", "legal actions are check, bet 9 to 110"),
    ("cbr 35", "cbr 3.5", "amount '3.5'"),
    ("'p2 f', '',", "'p2 f']\n_x = [", "actions end before the hand"),
    ("Jc3d5c", "Jc3d", "cards by round"),
    ("Jc3d5c", "Jc3dAc", "one deck"),
    ("Jc3d5c", "Jc3d??", "must have cards"),
    ("Ac2d", "Ac2", "cards 'Ac2'"),
    ("players =", "players = 3 #", "players: must be 3 names"),
    ("hand =", "hand", "not TOML"),
    ("'the long one'", "9" * 5000, "not TOML"),
    ("author = 'Somebody'", "_payoffs = [inf, 0, 0]", "_payoffs: got a number that is too large"),
]


@pytest.mark.parametrize(("old", "new", "told"), WRONG)
def test_a_wrong_file_says_what_is_wrong(old, new, told):
    assert old in SOMEBODYS
    with pytest.raises(BadFile, match=re.escape(told)):
        parse_phh(SOMEBODYS.replace(old, new))


@pytest.mark.parametrize("number", ["true", "-1", "1" + "0" * 18, "1.5"])
def test_what_is_no_number_of_a_hand(number):
    assert parse_phh(SOMEBODYS.replace("'the long one'", number)).hand.number == 0


def test_errors_name_the_file_and_the_hand():
    lines = ["[1]", *SOMEBODYS.splitlines(), "[2]", "variant = 3"]
    with pytest.raises(BadFile, match=r"x\.phhs:18:1: variant: got 3"):
        list(parse_phhs(lines, name="x.phhs"))


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rhode_island", "holdem_limit:ranks=8"])
def test_games_without_a_code_are_refused(game):
    rules = rules_of(game)
    with pytest.raises(Unsuitable, match="PHH has no code"):
        write_phh(play(rules, 1), rules)


def test_a_hand_that_breaks_the_rules_is_not_written():
    rules = TABLES["no-limit, 2"]
    with pytest.raises(BadInput, match="legal actions are"):
        write_phh(Hand(0, "r1f", "AsAc|KsKc", (1.0, -1.0), ("a", "b")), rules)


def test_names_with_any_character():
    rules = TABLES["no-limit, 2"]
    names = ('a"\\é😀', "tab\there\x7f\x00")
    hand = play(rules, 5)._replace(names=names)
    assert parse_phh(write_phh(hand, rules)).hand.names == ('a"\\é😀', "tab_here\x7f\x00")


def test_ten_thousand_broken_files():
    """Whatever is done to a file, reading it ends well or with an error of ours."""
    rng = random.Random(2)
    texts = [SOMEBODYS, *(write_phh(play(rules, 7), rules) for rules in TABLES.values())]
    texts += ["a = " + "[" * 5000, "[1]\n[1]\n", ""]
    outcomes = {"read": 0, "refused": 0}
    for _ in range(10_000):
        broken = mutated(rng.choice(texts), rng)
        try:
            list(parse_phhs(broken.splitlines(keepends=True)))
            outcomes["read"] += 1
        except BadInput:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 100
