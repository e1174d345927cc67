"""How people play: counted by hand, and by a slow twin."""

import io
import json
from pathlib import Path
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import assert_drawn
from random_hands import holdem, play

from regretless.core.errors import UnknownName
from regretless.play.histories.phh_seen import parse_seen
from regretless.play.histories.pokerstars import read_pokerstars
from regretless.play.histories.seen import Following, Posts, Unreadable, seen_of
from regretless.play.histories.session import Habits, Note, Session, notes, picture

CASH = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"


def hand(actions, stacks=(1000, 1000, 1000), won=None, blinds=(1, 2, 0)):
    told = ", ".join(f"'{act}'" for act in actions)
    text = f"""\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = {list(blinds)}
min_bet = 2
starting_stacks = {list(stacks)}
actions = [{told}]
players = ['ann', 'bob', 'cid']
"""
    if won is not None:
        text += f"finishing_stacks = {[a + b for a, b in zip(stacks, won, strict=True)]}\n"
    (seen,) = parse_seen(io.StringIO(text))
    return seen


WALK = ["p3 f", "p1 f"]
THREE_BET = ["p3 cbr 6", "p1 cbr 20", "p2 f", "p3 cc", "d db 2c7dJh", "p1 cbr 20", "p3 f"]
LIMPED = ["p3 cc", "p1 cc", "p2 cc", "d db 2c7dJh", "p1 cc", "p2 cbr 4", "p3 cc", "p1 f"]
LIMPED += ["d db 3s", "p2 cbr 8", "p3 cc", "d db 9s", "p2 cc", "p3 cc", "p2 sm AhAd", "p3 sm ????"]
FOUR_BET = ["p3 cbr 6", "p1 f", "p2 cbr 20", "p3 cbr 60", "p2 f"]


def test_a_walk_is_no_decision_of_the_big_blind():
    ann, bob, cid = notes(hand(WALK))
    assert (ann.decided, bob.decided, cid.decided) == (True, False, True)
    assert not any(note.entered or note.raised or note.faced for note in (ann, bob, cid))
    assert (ann.blinds_won, bob.blinds_won, cid.blinds_won) == (-0.5, 0.5, 0.0)


def test_a_three_bet_is_the_second_raise():
    ann, bob, cid = notes(hand(THREE_BET))
    assert (ann.faced, ann.three_bet, ann.raised) == (True, True, True)
    assert (bob.faced, bob.three_bet) == (False, False)  # it met two raises
    assert (cid.faced, cid.three_bet) == (False, False)  # it was the first raiser
    assert (ann.aggressive, ann.calls, cid.calls) == (1, 0, 0)
    assert (ann.saw_flop, bob.saw_flop, cid.saw_flop) == (True, False, True)
    assert not any(note.showdown for note in (ann, bob, cid))


def test_limping_enters_and_checking_the_big_blind_does_not():
    ann, bob, cid = notes(hand(LIMPED))
    assert (ann.entered, bob.entered, cid.entered) == (True, False, True)
    assert (ann.showdown, bob.showdown, cid.showdown) == (False, True, True)
    assert (bob.won_showdown, cid.won_showdown) == (True, False)
    assert (bob.aggressive, bob.calls, cid.calls) == (2, 0, 2)
    assert bob.blinds_won == (2 + 2 + 4 + 8) / 2
    assert ann.blinds_won + bob.blinds_won + cid.blinds_won == pytest.approx(0)


def test_the_first_raiser_that_raises_again_made_no_three_bet():
    ann, bob, cid = notes(hand(FOUR_BET))
    assert (bob.faced, bob.three_bet) == (True, True)
    assert (cid.faced, cid.three_bet) == (False, False)
    assert (ann.faced, ann.three_bet) == (True, False)


def test_a_session_adds_up():
    session = Session("cid")
    for actions in (WALK, THREE_BET, LIMPED, FOUR_BET):
        session.add(hand(actions))
    facts = session.facts()
    ann, bob, cid = (facts["players"][name] for name in ("ann", "bob", "cid"))
    assert ann["hands"] == bob["hands"] == cid["hands"] == 4
    assert ann["vpip"] == 2 / 4
    assert bob["vpip"] == 1 / 3  # a walk is no decision
    assert (ann["pfr"], bob["pfr"], cid["pfr"]) == (1 / 4, 1 / 3, 2 / 4)
    assert (ann["three_bet"], bob["three_bet"], cid["three_bet"]) == (1 / 2, 1.0, None)
    assert (ann["aggression"], bob["aggression"], cid["aggression"]) == (None, None, 0.0)
    assert (ann["wtsd"], bob["wtsd"], cid["wtsd"]) == (0.0, 1.0, 1 / 2)
    assert (bob["won_at_showdown"], cid["won_at_showdown"]) == (1.0, 0.0)
    assert sum(one["bb_per_100"] for one in (ann, bob, cid)) == pytest.approx(0)
    assert cid["bb_per_100"] == pytest.approx(100 * (0 - 10 - 7 + 10.5) / 4)
    assert list(facts["positions"]["cid"]) == ["BTN"]
    assert facts["opponents"]["ann"]["hands"] == 4
    assert json.dumps(facts)
    with pytest.raises(UnknownName, match="player 'dan'"):
        session.require("dan")


def test_a_result_that_nobody_saw_is_in_no_winnings():
    hidden = hand([act.replace("AhAd", "????") for act in LIMPED])
    assert hidden.won is None
    session = Session("bob")
    session.add(hidden)
    facts = session.facts()["players"]["bob"]
    assert (facts["hands"], facts["hands_with_known_result"]) == (1, 0)
    assert (facts["wtsd"], facts["won_at_showdown"], facts["bb_per_100"]) == (1.0, None, None)
    assert len(session.course) == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans())
def test_notes_agree_with_the_betting_text(seed, players, limit):
    """A slow twin that only looks at the text of a log, token by token, with our rules."""
    rules = holdem([2000] * players, limit=limit)
    played = play(rules, seed, number=1)
    found = notes(seen_of(played, rules))
    betting, raises, decided = rules.start(), 0, set()
    raised, entered, three_bet = set(), set(), set()
    first, _, later = played.betting.partition("/")
    for token in first.replace("r", " r").replace("c", " c").replace("f", " f").split():
        actor, owed = betting.actor, max(betting.spent) > betting.spent[betting.actor]
        decided.add(actor)
        if token[0] == "r":
            raises += 1
            if raises == 2 and actor not in raised:
                three_bet.add(actor)
            raised.add(actor)
        if token[0] == "r" or (token[0] == "c" and owed):
            entered.add(actor)
        betting = betting.act(token)
    numbers = range(players)
    assert [p in decided for p in numbers] == [note.decided for note in found]
    assert [p in entered for p in numbers] == [note.entered for note in found]
    assert [p in raised for p in numbers] == [note.raised for note in found]
    assert [p in three_bet for p in numbers] == [note.three_bet for note in found]
    assert sum(note.aggressive for note in found) == later.count("r")
    # Shares of a pot have six decimals in a log.
    assert sum(note.blinds_won for note in found) == pytest.approx(0, abs=1e-5)


def test_an_uncalled_bet_that_comes_back_wins_no_showdown():
    shown = ["d db 2c7dJh", "d db 3s", "d db 9s", "p3 sm KhKd", "p1 sm AhAd"]
    acts = ["p3 cbr 1000", "p1 cc", "p2 f", *shown]
    seen = hand(acts, stacks=(300, 1000, 1000))
    assert (seen.won, seen.uncalled) == ((302.0, -2.0, -300.0), [0, 0, 700])
    ann, _, cid = notes(seen)
    assert (ann.showdown, ann.won_showdown) == (True, True)
    assert (cid.showdown, cid.won_showdown) == (True, False)
    # With equal hands the one with more chips wins half of the called part.
    seen = hand([*acts[:-1], "p1 sm KcKs"], stacks=(300, 1000, 1000))
    assert [note.won_showdown for note in notes(seen)] == [True, False, True]


def test_the_interval_is_that_of_the_mean():
    habits = Habits()
    won = [1.0, -2.0, 4.0, 0.5]
    for blinds in won:
        habits.add(Note(blinds_won=blinds))
    habits.add(Note())  # the result is unknown
    found = habits.facts()
    assert found["bb_per_100"] == pytest.approx(100 * mean(won))
    half = 1.959963984540054 * stdev(won) / len(won) ** 0.5
    assert found["bb_per_100_half_width"] == pytest.approx(100 * half)


def test_a_picture(tmp_path):
    session = Session("hero")
    for seen in read_pokerstars(CASH):
        session.add(seen)
    figure = picture(session, "hero", tmp_path / "hero.png")
    assert_drawn(tmp_path / "hero.png")
    lines = figure.axes[0].get_lines()
    whole, shown, unshown = (line.get_ydata()[-1] for line in lines[:3])
    assert whole == pytest.approx(93 - 0.5 + 1, abs=1e-4)
    assert shown + unshown == pytest.approx(whole)


def test_what_a_file_says_is_ignored_if_a_player_who_folded_lost_nothing():
    assert hand(WALK, won=(0, 0, 0)).won == (-1.0, 1.0, 0.0)
    assert hand(WALK, won=(-1, 0.9, 0)).won == (-1.0, pytest.approx(0.9), 0.0)  # less the rake


def test_a_raise_must_be_more_than_the_bet():
    wrong = hand(["p3 cbr 6", "p1 cbr 6", "p2 f", "p3 f"])
    assert isinstance(wrong, Unreadable)
    assert "p1 raises to 6: must be 7 to 1000" in str(wrong)


@pytest.mark.parametrize(("trimmed", "won"), [(True, (8, 4, -12)), (False, (20, -8, -12))])
def test_a_player_short_of_the_ante_wins_as_much_from_each_if_antes_are_trimmed(trimmed, won):
    posts = Posts((10, 10, 10), (1, 2, 0), 2, trimmed=trimmed)
    followed = Following((4, 1000, 1000), posts)
    followed.call(2)
    followed.call(1)
    for cards in ("2c7dJh", "3s", "9s"):
        followed.board(cards)
    for position, cards in enumerate(("AhAd", "KhKd", "QhQd")):
        followed.hold(position, cards)
    assert followed.finished(1, ["ann", "bob", "cid"]).won == won


def test_the_small_blind_of_a_late_post_is_dead():
    seen = next(read_pokerstars(CASH))
    fay = seen.names.index("fay")
    assert (seen.posts.blinds[fay], seen.posts.antes[fay], seen.posts.odd) == (10, 5, True)
    assert seen.spent[fay] == 15
