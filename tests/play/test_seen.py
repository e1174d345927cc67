"""Hands of real tables: as they are in the files, as pokerkit follows them, as they were made."""

import io
import random
import re
import warnings
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import holdem, mutated, play

from regretless.play.histories._check import Checker
from regretless.play.histories.phh import to_phhs
from regretless.play.histories.phh_seen import (
    parse_seen,
    plain_fields,
    read_seen,
    seen_hand,
    toml_fields,
)
from regretless.play.histories.pokerstars import parse_pokerstars, read_pokerstars
from regretless.play.histories.seen import ENDLESS, SeenHand, Unreadable, seen_of

DATA = Path(__file__).parents[1] / "data"
FILES = sorted((DATA / "phh").glob("*.phh*"))
CASH, TOURNAMENT = (DATA / "pokerstars" / name for name in ("cash.txt", "tournament.txt"))
HEADING = re.compile(r"(?m)^\[\d+\]\n")


def all_hands():
    return [seen for path in FILES for seen in read_seen(path)]


def test_every_sample_is_read():
    found = all_hands()
    assert len(found) > 60
    assert {type(seen) for seen in found} == {SeenHand}
    assert Counter(seen.posts.unit for seen in found)[1] == 4  # the tournament has whole chips
    antes = [seen for seen in found if any(seen.posts.antes)]
    assert any(len(set(seen.posts.antes)) > 1 for seen in antes)  # of the big blind
    assert any(set(seen.posts.antes) == {250} for seen in antes)  # of everybody, 2.50 dollars
    assert any(seen.posts.odd for seen in found)  # posted late
    assert any(ENDLESS in seen.stacks for seen in found)
    assert any(seen.number == 0 for seen in found)  # a name instead of a number


def test_what_is_hidden_stays_hidden():
    for path in FILES:
        for block, seen in zip(blocks(path), read_seen(path), strict=True):
            shown = set(re.findall(r"'(?:d dh p|p)(\d+)(?: sm)? ([^?' ]{4})'", block))
            assert {(str(p + 1), cards) for p, cards in enumerate(seen.holes) if cards} == shown


def blocks(path):
    parts = HEADING.split(path.read_text())
    return parts[1:] if len(parts) > 1 else parts


def test_pokerkit_follows_them_to_the_same_chips():
    """Put in and left over; who wins a hidden showdown it cannot know, nor does it take rake."""
    pokerkit = pytest.importorskip("pokerkit")
    compared = Counter()
    for path in FILES:
        with path.open("rb") as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fields that are not in the format
            kit = pokerkit.HandHistory
            theirs = list(kit.load_all(stream)) if path.suffix == ".phhs" else [kit.load(stream)]
        for ours, history in zip(read_seen(path), theirs, strict=True):
            *_, (state, _) = history.state_actions
            unit = ours.posts.unit
            paid = [float(x) * unit for x in state.payoffs]
            rake = -sum(ours.won)
            assert rake >= -0.01
            if not ours.showdown or all(
                hole or gone for hole, gone in zip(ours.holes, ours.folded, strict=True)
            ):
                losers = [p for p, x in enumerate(paid) if x < 0]
                assert [ours.won[p] for p in losers] == pytest.approx([paid[p] for p in losers])
                assert sum(paid) - sum(ours.won) == pytest.approx(rake, abs=1)
                compared["known"] += 1
            folded = [not live for live in state.statuses]
            if not ours.showdown:
                assert list(ours.folded) == folded
            compared["all"] += 1
    assert compared["all"] == len(all_hands())
    assert compared["known"] > 50


def random_table(rng, pokerkit):
    """A table with antes of all or of the big blind, straddles and late posts, short stacks."""
    count = rng.randint(2, 6)
    antes = rng.choice([[0] * count, [3] * count, [0, 10, *[0] * (count - 2)]])
    blinds = [5, 10, *[0] * (count - 2)]
    if count > 3:
        blinds[rng.choice([2, 3])] = rng.choice([0, 20, -10])
    stacks = [rng.choice([2, 8, 12, 25, 60, 200, 1000]) for _ in range(count)]
    auto = [one for one in pokerkit.Automation if "RUNOUT" not in one.name]
    trimmed = rng.random() < 0.5 and len(set(antes)) == 1
    game = pokerkit.NoLimitTexasHoldem(tuple(auto), trimmed, tuple(antes), tuple(blinds), 10)
    return game, game(tuple(stacks), count)


def play_with_pokerkit(state, rng):
    while state.status:
        choices = ["c"] * 3 * state.can_check_or_call() + ["f"] * state.can_fold()
        choices += ["r"] * 2 * state.can_complete_bet_or_raise_to()
        chosen = rng.choice(choices)
        if chosen == "c":
            state.check_or_call()
        elif chosen == "f":
            state.fold()
        else:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            state.complete_bet_or_raise_to(rng.choice([low, high, min(high, 2 * low)]))


def test_pokerkit_pays_the_same_with_antes_straddles_and_late_posts():
    pokerkit = pytest.importorskip("pokerkit")
    kinds = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(150):
            rng = random.Random(seed)
            random.seed(seed)  # pokerkit shuffles by it
            game, state = random_table(rng, pokerkit)
            play_with_pokerkit(state, rng)
            text = pokerkit.HandHistory.from_game_state(game, state).dumps()
            (seen,) = parse_seen(io.StringIO(text))
            assert isinstance(seen, SeenHand), f"{seen}\n{text}"
            odd_chips = len(seen.names)
            assert seen.won == pytest.approx([float(x) for x in state.payoffs], abs=odd_chips), text
            assert sum(seen.won) == pytest.approx(0)
            kinds["antes"] += any(seen.posts.antes)
            kinds["odd"] += seen.posts.odd
            kinds["shown"] += seen.showdown
    assert min(kinds.values()) > 30


def test_the_tournament_ends_with_the_stacks_that_the_file_tells():
    for path in FILES:
        if path.suffix == ".phh":
            ends = re.search(r"finishing_stacks = \[(.*)\]", path.read_text())[1].split(", ")
            without = path.read_text().replace("finishing_stacks", "_finishing_stacks")
            (seen,) = parse_seen(io.StringIO(without))
            found = [stack + won for stack, won in zip(seen.stacks, seen.won, strict=True)]
            assert found == [float(end) for end in ends]


def test_hands_that_our_rules_know_keep_them():
    kept = 0
    for seen in all_hands():
        rules = seen.rules()
        if rules is not None:
            assert Checker(rules).difference(seen.hand(), payoffs=False) is None
            kept += 1
        else:
            assert seen.posts.odd or any(seen.posts.antes)
    assert kept > 50


def test_the_fast_way_and_toml_find_the_same():
    plain = 0
    for path in FILES:
        for block in blocks(path):
            fast = plain_fields(block)
            assert fast is not None
            assert seen_hand(fast) == seen_hand(toml_fields(block))
            plain += 1
    assert plain == len(all_hands())


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(150, 3000), min_size=2, max_size=6), st.integers(0, 10**6), st.booleans()
)
def test_our_own_hands_come_back(stacks, seed, limit):
    rules = holdem(stacks, limit=limit)
    hands = [play(rules, seed + n, number=n) for n in range(3)]
    text = "".join(to_phhs(hands, rules))
    found = list(parse_seen(io.StringIO(text)))
    for seen, hand in zip(found, hands, strict=True):
        assert seen.hand()[:3] == hand[:3]
        assert seen.won == pytest.approx(hand.payoffs, abs=1e-5)
        same = seen_of(hand, rules)
        assert (same.rounds, same.folded, same.spent) == (seen.rounds, seen.folded, seen.spent)


def test_chunks_may_end_anywhere(monkeypatch):
    text = "".join(path.read_text() for path in FILES if path.suffix == ".phhs")
    whole = list(parse_seen(io.StringIO(text)))
    for size in (1, 17, 1000):
        monkeypatch.setattr("regretless.play.histories.phh_seen.CHUNK", size)
        assert list(parse_seen(io.StringIO(text))) == whole


def test_a_broken_hand_is_told_with_its_line_and_the_others_are_read():
    text = (DATA / "phh" / "ps.phhs").read_text()
    total = text.count("variant")
    broken = text.replace("'p2 cbr 110'", "'p2 cbr 1100000'", 1)
    found = list(parse_seen(io.StringIO(broken), name="x.phhs"))
    assert len(found) == total
    assert str(found[0]).startswith("x.phhs:1: p2 raises to 110000000: must be")
    assert sum(isinstance(seen, Unreadable) for seen in found) == 1
    second = text.replace("'NT'", "'PO'").replace("'PO'", "'NT'", 1)
    found = list(parse_seen(io.StringIO(second), name="x.phhs"))
    line = text[: text.index("[2]")].count("\n") + 1
    assert str(found[1]) == (
        f"x.phhs:{line}: variant: got 'PO', must be 'FT' or 'NT' (Texas hold'em)"
    )


PLAIN = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 200, 300]
actions = ['d dh p1 AcAd', 'd dh p2 ????', 'd dh p3 KhKd', 'p3 cbr 300', 'p1 cc', 'p2 cc', \
'd db 2c3d5h', 'd db 7s', 'd db 9s', 'p1 sm AcAd', 'p2 sm ????', 'p3 sm KhKd']
"""


def test_side_pots_and_who_mucks():
    (seen,) = parse_seen(io.StringIO(PLAIN))
    assert seen.spent == (100, 200, 300)
    assert seen.won == (200.0, -200.0, 0.0)  # the kings win the side pot, and get 100 back
    assert seen.betting() == "r300cc///"
    hidden = PLAIN.replace("KhKd", "????")
    (seen,) = parse_seen(io.StringIO(hidden))
    assert seen.won is None  # the side pot was between two hands that nobody has seen
    assert seen.hand().payoffs != seen.hand().payoffs
    everything = hidden.replace("AcAd", "????")
    (seen,) = parse_seen(io.StringIO(everything))
    assert seen.won is None


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("'p1 cc'", "'p1 cc', 'p1 f', 'p1 cc'", "p1 acts after folding"),
        ("2c3d5h", "2c3d", "board 2c3d: expected 3, then 1, then 1 card"),
        ("2c3d5h", "Ac3d5h", "Ac appears twice"),
        ("'p1 cc'", "'p4 cc'", "player 'p4': must be p1 to p3"),
        ("'p1 cc'", "'p1 xx'", "action 'p1 xx': must be dh, db"),
        ("[100, 200, 300]", "[100, 200]", "blinds: got 3 values, expected 2"),
        ("cbr 300", "cbr 3.005", "at most two decimals"),
        ("actions", "acts", "actions: missing"),
        ("min_bet = 2", "min_bet = [", "not TOML"),
        ("[1, 2, 0]", "[1, 2, true]", "blinds_or_straddles: got"),
    ],
)
def test_what_makes_no_sense_is_told(old, new, problem):
    assert old in PLAIN
    (seen,) = parse_seen(io.StringIO(PLAIN.replace(old, new)))
    assert isinstance(seen, Unreadable)
    assert problem in str(seen)


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([*FILES, CASH, TOURNAMENT]))
def test_broken_files_never_crash(rng, path):
    text = mutated(path.read_text()[:3000], rng)
    if path.suffix == ".txt":
        found = list(parse_pokerstars(text.splitlines(keepends=True), name="x"))
    else:
        found = list(parse_seen(io.StringIO(text)))
    assert all(isinstance(seen, SeenHand | Unreadable) for seen in found)


# --- PokerStars


def test_a_cash_game_of_pokerstars():
    first, second, third = read_pokerstars(CASH)
    assert first.names == ("cid", "hero", "fay", "ann", "bob__the_great")  # eve sits out
    assert first.number == 219371022626
    assert first.posts.blinds == (5, 10, 10, 0, 0)
    assert first.posts.antes == (0, 0, 5, 0, 0)  # the dead small blind
    assert first.won == (-5.0, 930.0, -15.0, -1000.0, 0.0)
    assert sum(first.won) == -90  # the rake
    assert first.holes == ("", "AhKd", "", "QdJd", "")
    assert first.hero == 1
    assert first.rules() is None
    assert second.won == (-5.0, 198.0, 0.0, -180.0, -30.0)
    assert second.holes[3] == ""  # mucked
    assert [second.seat(p) for p in range(5)] == ["SB", "BB", "UTG", "CO", "BTN"]
    assert Checker(second.rules()).difference(second.hand(), payoffs=False) is None
    assert third.names == ("fay", "hero")
    assert third.won == (-10.0, 10.0)
    assert third.betting() == "r20f"


def test_tournaments_of_pokerstars_and_their_dialect():
    first, second = read_pokerstars(TOURNAMENT)
    assert first.names == ("d4", "a1", "b2", "hero")
    assert first.posts.antes == (100,) * 4
    assert first.won == (-7350.0, -900.0, 7600.0, 650.0)
    assert sum(first.won) == 0
    assert second.posts.antes == (1000, 0)
    assert second.won == (-2000.0, 2000.0)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Hold'em No Limit", "Omaha Pot Limit", "must be hold'em"),
        ("hero: bets $1.20", "hero: bets $99", "raises to 9900: must be"),
        ("ann: calls $0.70", "ann: calls $0.60", "expected 70"),
        ("Seat #2 is the button", "no button", "the table and the button"),
    ],
)
def test_a_wrong_hand_of_pokerstars_is_told_and_the_others_are_read(old, new, problem):
    text = CASH.read_text()
    assert old in text
    lines = text.replace(old, new, 1).splitlines(keepends=True)
    found = list(parse_pokerstars(lines, name="x.txt"))
    assert len(found) == 3
    assert problem in str(found[0])
    assert str(found[0]).startswith("x.txt:1: ")
    assert all(isinstance(seen, SeenHand) for seen in found[1:])
