"""Money in hand histories: however amounts are written, and whatever is dead."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regretless.play.histories.phh_seen import _Amounts
from regretless.play.histories.pokerstars import parse_pokerstars
from regretless.play.histories.seen import Following, Posts, SeenHand
from regretless.play.histories.session import notes

CASH = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"
MONEY = re.compile(r"\$([0-9]+(?:\.[0-9]+)?)")


def spellings(cents):
    """All ways in which files write an amount."""
    whole, part = divmod(cents, 100)
    texts = [f"{whole}.{part:02}", f"{whole:,}.{part:02}"]
    texts += [f"{whole}.{part // 10}", f"{whole:,}.{part // 10}"] if part % 10 == 0 else []
    return texts + ([str(whole), f"{whole:,}"] if part == 0 else [])


@given(st.integers(0, 10**8), st.data())
def test_an_amount_is_its_decimal_fraction(cents, data):
    text = data.draw(st.sampled_from(spellings(cents)))
    plain = text.replace(",", "")
    fields = {"starting_stacks": ["1.00"], "blinds_or_straddles": [], "actions": []}
    read = _Amounts(fields)
    assert read(plain) == cents == 100 * Decimal(plain)
    assert read(f"-{plain}") == -cents


@pytest.mark.parametrize("style", range(6))
@pytest.mark.parametrize("times", [1, 10, 100, 12_000])
def test_the_same_money_spelled_otherwise_is_the_same_hand(times, style):
    """$0.5 and $0.50, $1 and $1.00, also beyond a thousand."""

    def spelled(match):
        texts = spellings(int(100 * Decimal(match[1])) * times)
        return "$" + texts[style % len(texts)]

    text = CASH.read_text()
    hands = list(parse_pokerstars(text.splitlines(), name="x"))
    others = list(parse_pokerstars(MONEY.sub(spelled, text).splitlines(), name="x"))
    for hand, other in zip(hands, others, strict=True):
        assert isinstance(other, SeenHand), other
        assert other.stacks == tuple(times * x for x in hand.stacks)
        assert other.spent == tuple(times * x for x in hand.spent)
        assert other.posts.blinds == tuple(times * x for x in hand.posts.blinds)
        assert other.posts.antes == tuple(times * x for x in hand.posts.antes)
        assert other.won == pytest.approx([times * x for x in hand.won])


def played(antes, steps):
    """A hand of these steps: one number per decision decides between fold, call and raise."""
    count = len(antes)
    blinds = (5, 10, *(0,) * (count - 2))
    followed = Following([1000 + ante for ante in antes], Posts(antes, blinds, 10))
    actor, waiting = 2 % count, count
    for step in steps:
        if waiting == 0:
            break
        if not followed.folded[actor]:
            if step == 0 and sum(followed.folded) < count - 1:
                followed.fold(actor)
            elif step > 5 and followed.top < 500:
                followed.raise_to(actor, followed.top + 10 * step)
                waiting = count
            else:
                followed.call(actor)
        actor, waiting = (actor + 1) % count, waiting - 1
    return followed


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 25), min_size=n, max_size=n)])
    ),
    st.lists(st.integers(0, 9), max_size=20),
    st.integers(0, 4),
)
def test_antes_are_never_returned(given_antes, steps, taker):
    """They are dead: the uncalled part of a bet is that of the same hand without antes, and what
    was collected, what came back and what was put in add up to nothing."""
    antes = tuple(given_antes[0])
    with_antes, without = played(antes, steps), played((0,) * len(antes), steps)
    live = [p for p, gone in enumerate(with_antes.folded) if not gone]
    taker = live[taker % len(live)]
    bets = sorted(without.spent)
    back = [max(x - bets[-2], 0) for x in without.spent]
    pot = sum(with_antes.spent) - sum(back)
    assume(bets[-1] == without.spent[taker])  # who takes it all has put in as much as anyone
    collected = [pot if p == taker else 0 for p in range(len(antes))]
    names = [f"p{p}" for p in range(len(antes))]
    seen = with_antes.finished(1, names, collected=collected)
    assert seen.uncalled == back
    assert sum(seen.won) == 0
    expected = [back[p] + collected[p] - with_antes.spent[p] for p in range(len(antes))]
    assert seen.won == pytest.approx(expected)
    # Some sites report what was collected with the part that came back.
    more = [chips + own for chips, own in zip(collected, back, strict=True)]
    assert played(antes, steps).finished(1, names, collected=more).won == seen.won


SHORT = """\
PokerStars Hand #1:  Hold'em No Limit ($0.05/$0.10 USD) - 2020/10/13 15:32:17 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: ann ($10 in chips)
Seat 2: bob ($10 in chips)
Seat 3: cid ($0.04 in chips)
bob: posts small blind $0.05
cid: posts big blind $0.04 and is all-in
*** HOLE CARDS ***
ann: calls $0.10
bob: calls $0.05
*** FLOP *** [Kc 7d 2s]
bob: checks
ann: bets $0.20
bob: folds
Uncalled bet ($0.20) returned to ann
*** TURN *** [Kc 7d 2s] [Td]
*** RIVER *** [Kc 7d 2s Td] [3h]
*** SHOW DOWN ***
ann: shows [Ah Kd] (a pair of Kings)
cid: shows [Qd Jd] (high card King)
ann collected $0.12 from side pot
ann collected $0.12 from main pot
*** SUMMARY ***
"""
LIMIT = """\
PokerStars Hand #2:  Hold'em Limit ($1/$2 USD) - 2020/10/13 15:32:17 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: ann ($40 in chips)
Seat 2: bob ($40 in chips)
bob: posts big blind $1
ann: posts small blind $0.50
*** HOLE CARDS ***
ann: raises $1 to $2
bob: calls $1
*** FLOP *** [Kc 7d 2s]
bob: bets $1
ann: folds
Uncalled bet ($1) returned to bob
bob collected $4 from pot
*** SUMMARY ***
"""


def test_a_call_is_the_big_blind_even_if_that_was_posted_short():
    (seen,) = parse_pokerstars(SHORT.splitlines(), name="x")
    assert isinstance(seen, SeenHand), seen
    assert seen.names == ("bob", "cid", "ann")
    assert seen.spent == (10, 4, 30)
    assert seen.uncalled == [0, 0, 20]
    assert seen.won == (-10.0, -4.0, 14.0)


def test_tables_of_fixed_limit_are_named_by_their_bets():
    """The small bet is the big blind, by which winnings are measured."""
    (seen,) = parse_pokerstars(LIMIT.splitlines(), name="x")
    assert isinstance(seen, SeenHand), seen
    assert (seen.posts.limits, seen.posts.big_blind) == ((100, 200), 100)
    assert seen.won == (200.0, -200.0)
    assert [note.blinds_won for note in notes(seen)] == [2.0, -2.0]
    rules = seen.rules()
    assert rules is not None
    assert (rules.raises, max(rules.blinds)) == ((100, 100, 200, 200), 100)


@given(st.integers(0, 100), st.integers(1, 30))
def test_winnings_in_a_file_are_taken_if_little_is_missing(percent, raised):
    """More than that would be no rake: then the rules say who wins what."""
    followed = Following([1000, 1000, 1000], Posts((0, 0, 0), (5, 10, 0), 10))
    followed.raise_to(2, 10 + 10 * raised)
    followed.call(0)
    followed.fold(1)
    followed.board("2c7dJh")
    followed.raise_to(0, 50)  # comes back
    followed.fold(2)
    pot = 2 * (10 + 10 * raised) + 10
    taken = pot * percent / 100
    seen = followed.finished(1, ["a", "b", "c"], collected=[taken, 0, 0])
    rake = pot - taken if percent >= 85 else 0
    assert sum(seen.won) == pytest.approx(-rake)
    assert seen.won[1:] == (-10.0, -(10.0 + 10 * raised))


def test_nobody_loses_more_than_was_put_in():
    """A file that says so is wrong: the rules pay."""
    for lost, is_possible in ((10, True), (11, False)):
        followed = Following([1000, 1000], Posts((0, 0), (10, 5), 10))
        followed.call(1)
        followed.call(0)
        followed.board("2c7dJh")
        followed.raise_to(0, 50)
        followed.fold(1)
        seen = followed.finished(1, ["a", "b"], payoffs=[lost - 1, -lost])
        assert seen.won == ((9, -10) if is_possible else (10.0, -10.0))
