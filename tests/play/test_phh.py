"""Hands in the PHH format, with pokerkit as the other reader."""

import io
import random
import re
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import holdem, mutated, play, rules_of

from regretless.core.errors import BadInput, Unsuitable
from regretless.games._betting import NO_LIMIT_STACK
from regretless.play.histories._check import Checker
from regretless.play.histories.phh import to_phh, to_phhs
from regretless.play.histories.phh_seen import parse_seen, read_seen
from regretless.play.histories.seen import Unreadable
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


def read(text):
    """The only hand of a text."""
    (seen,) = parse_seen(io.StringIO(text), name="x.phh")
    if isinstance(seen, Unreadable):
        raise seen
    return seen


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
        text = to_phh(hand, rules)
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
    text = to_phh(hand, rules)
    assert "finishing_stacks = [975, 1012.5, 1012.5]" in text
    assert sorted(replayed(text).payoffs) == [-25, 12, 13]
    assert read(text).hand() == hand


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
    text = to_phh(hand, rules)
    assert read(text).hand() == hand
    with pytest.raises(ValueError, match="hand history"):
        replayed(text)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(TABLES)))
def test_what_we_write_we_read(seed, table):
    rules = TABLES[table]
    hand = play(rules, seed, number=seed)
    seen = read(to_phh(hand, rules))
    assert seen.hand() == hand
    known = seen.rules()
    same = (known.blinds, known.stacks, known.raises, known.first)
    assert same == (rules.blinds, rules.stacks, rules.raises, rules.first)


def test_many_hands_in_one_file(tmp_path):
    rules = TABLES["side pots, 4"]
    hands = [play(rules, seed, number=seed) for seed in range(20)]
    path = tmp_path / "x.phhs"
    path.write_text("".join(to_phhs(hands, rules)))
    assert [seen.hand() for seen in read_seen(path)] == hands
    pokerkit = pytest.importorskip("pokerkit")
    with path.open("rb") as stream:
        assert len(list(pokerkit.HandHistory.load_all(stream))) == 20
    one = tmp_path / "x.phh"
    one.write_text(to_phh(hands[3], rules))
    (seen,) = read_seen(one)
    assert seen.hand() == hands[3]


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
    seen = read(SOMEBODYS)
    rules, hand = seen.rules(), seen.hand()
    assert seen.posts.unit == 100  # one amount has decimals
    assert rules.stacks == (11_000, 20_000, NO_LIMIT_STACK)
    assert rules.blinds == (100, 200, 0)
    assert hand.betting == "r700cf/r4200c/r11000c/"
    assert hand.cards == "Ac2d||7h6h/Jc3d5c/4h/Jh"
    assert hand.payoffs == (-11_000, -200, 11_200)  # a straight to the seven beats one to the five
    assert hand.names == ("Ann_Lee", "B_b", "p3")
    assert Checker(rules).difference(hand) is None
    assert [100 * float(x) for x in replayed(SOMEBODYS).payoffs] == list(hand.payoffs)


def test_the_file_knows_who_won():
    mucked = SOMEBODYS.replace("'p1 sm Ac2d', 'p3 sm 7h6h'", "'p1 sm', 'p3 sm'")
    unknown = mucked.replace("Ac2d", "????").replace("7h6h", "????")
    assert read(unknown).won is None
    told = unknown.replace("inf", "200") + "finishing_stacks = [0, 198, 311.5]\n"
    assert read(told).won == (-11_000, -200, 11_150)


WRONG = [
    ("'NT'", "'PO'", "variant: got 'PO', must be 'FT' or 'NT'"),
    ("variant", "variety", "variant: got None"),
    ("antes = [0, 0, 0]", "antes = 0", "antes: must be an array"),
    ("antes = [0, 0, 0]", "antes = [0]", "antes: got 1 values, expected 3"),
    ("[110, 200.0, inf]", "[110]", "blinds: got 3 values, expected 1"),
    ("[110, 200.0, inf]", "[110, 'x', 3]", "amount 'x': must be a number"),
    ("[110, 200.0, inf]", "[110, -2, inf]", "starting_stacks: got -2, must be 0 or more"),
    ("[110, 200.0, inf]", "[110, nan, 3]", "amount 'nan': must be a number"),
    ("'p1 cc'", "'p1 xx'", "action 'p1 xx': must be dh, db"),
    ("'p1 cc'", "'p9 cc'", "player 'p9': must be p1 to p3"),
    ("Jc3d5c", "Jc3d", "board Jc3d: expected 3, then 1, then 1 card"),
    ("Jc3d5c", "Jc3dAc", "Ac appears twice"),
    ("Jc3d5c", "Jc3d??", "board Jc3d??: hidden"),
    ("Ac2d", "Ac2", "cards 'Ac2': must be e.g. AhTd"),
    ("players =", "players = 3 #", "players: must be an array"),
    ("hand =", "hand", "not TOML"),
    ("'the long one'", "9" * 5000, "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "told"), WRONG)
def test_a_wrong_file_says_what_is_wrong(old, new, told):
    assert old in SOMEBODYS
    with pytest.raises(Unreadable, match=re.escape(told)):
        read(SOMEBODYS.replace(old, new))


OTHER_RULES = [
    ("antes = [0, 0, 0]", "antes = [0, 2, 0]"),
    ("[1, 2.0, 0]", "[1, 2, 4]"),
    ("[1, 2.0, 0]", "[2, 1, 0]"),
]


@pytest.mark.parametrize(("old", "new"), OTHER_RULES)
def test_tables_that_our_rules_do_not_support(old, new):
    assert read(SOMEBODYS).rules() is not None
    assert read(SOMEBODYS.replace(old, new)).rules() is None


ILLEGAL = [
    ("'p1 cc'", "'p2 cc'", "is not finished"),
    ("cbr 35", "cbr 1", "legal actions are check, bet 900 to 11000"),
    ("'p2 f', '',", "'p2 f']\n_x = [", "rounds end at"),
]


@pytest.mark.parametrize(("old", "new", "told"), ILLEGAL)
def test_hands_that_our_rules_forbid(old, new, told):
    seen = read(SOMEBODYS.replace(old, new))
    assert told in Checker(seen.rules()).difference(seen.hand())


@pytest.mark.parametrize("number", ["true", "-1", "1" + "0" * 18, "1.5"])
def test_what_is_no_number_of_a_hand(number):
    if number == "true":
        with pytest.raises(Unreadable, match="hand: got True"):
            read(SOMEBODYS.replace("'the long one'", number))
    else:
        assert read(SOMEBODYS.replace("'the long one'", number)).number == 0


def test_errors_name_the_file_and_the_hand():
    lines = ["[1]", *SOMEBODYS.splitlines(), "[2]", "variant = 3"]
    _, wrong = parse_seen(io.StringIO("\n".join(lines)), name="x.phhs")
    assert str(wrong).startswith("x.phhs:18: variant: got '3'")


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rhode_island", "holdem_limit:ranks=8"])
def test_games_without_a_code_are_refused(game):
    rules = rules_of(game)
    with pytest.raises(Unsuitable, match="PHH has no code"):
        to_phh(play(rules, 1), rules)


def test_a_hand_that_breaks_the_rules_is_not_written():
    rules = TABLES["no-limit, 2"]
    with pytest.raises(BadInput, match="legal actions are"):
        to_phh(Hand(0, "r1f", "AsAc|KsKc", (1.0, -1.0), ("a", "b")), rules)


def test_names_with_any_character():
    rules = TABLES["no-limit, 2"]
    names = ('a"\\é😀', "tab\there\x7f\x00")
    hand = play(rules, 5)._replace(names=names)
    assert read(to_phh(hand, rules)).names == ('a"\\é😀', "tab_here\x7f\x00")


def test_ten_thousand_broken_files():
    """Whatever is done to a file, reading it ends well or with an error of ours."""
    rng = random.Random(2)
    texts = [SOMEBODYS, *(to_phh(play(rules, 7), rules) for rules in TABLES.values())]
    texts += ["a = " + "[" * 5000, "[1]\n[1]\n", ""]
    outcomes = {"read": 0, "refused": 0}
    for _ in range(10_000):
        broken = mutated(rng.choice(texts), rng)
        for seen in parse_seen(io.StringIO(broken)):
            outcomes["refused" if isinstance(seen, Unreadable) else "read"] += 1
    assert min(outcomes.values()) > 100
