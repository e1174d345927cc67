"""Spots: sizes as another solver builds them, files, lines, locks, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from regretless.cards.holdings import hand_names, read_cards
from regretless.core.errors import BadFile, BadParameter, TooLarge
from regretless.games._lines import Line, move_names, read_line
from regretless.games._spot import Spot, spot
from regretless.games._spot_files import EXAMPLE, parse_spot, read_spot, to_toml
from regretless.games._spot_tables import BadSpot
from regretless.games._spot_tree import board_counts, counted, require_room, tree_size

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
BASIC = {
    "pot": 200,
    "stack": 900,
    "ranges": {"oop": OOP, "ip": IP},
    "bets": "60%,e,a",
    "raises": "2.5x",
    "donks": {"river": "50%"},
    "tree": {"add_allin": 1.5, "force_allin": 0.15, "merge": 0.1},
}


def river(**changes: object) -> Spot:
    return spot(**{**BASIC, "board": "Td9d6hQc2s", **changes})


@pytest.mark.parametrize(
    ("board", "hands", "nodes", "entries"),
    [
        ("Td9d6hQc2s", (167, 246), 27, 5_369),
        ("Td9d6hQc", (167, 250), 7_347, 1_359_513),
        ("Td9d6h", (180, 265), 439_447, 82_064_240),
    ],
)
def test_trees_are_those_of_another_solver(board, hands, nodes, entries) -> None:
    """Published: 27, 7,347 and 439,447 nodes; 5,369, 1.36 and 82.1 million entries."""
    made = spot(**BASIC, board=board)
    assert made.hands == hands
    assert tree_size(made) == (nodes, entries)


def test_boards_up_to_suits() -> None:
    assert board_counts(spot(**BASIC, board="Td9d6h")) == (1, 36, 23 * 35 + 13 * 48)
    skewed = {**BASIC, "ranges": {"oop": OOP + ",AsKd:0.3", "ip": IP}}
    assert board_counts(spot(**skewed, board="Td9d6h")) == (1, 49, 49 * 48)


@pytest.mark.parametrize(
    "lock",
    [
        {"hands": "QsQh", "play": {"check": 1.0}},  # one hand tells suits apart
        {"at": "check check / 2s", "play": {"check": 1.0}},  # so does a card that is named
    ],
)
def test_locks_tell_suits_apart(lock) -> None:
    made = spot(**{**BASIC, "bets": "50%", "tree": {}, "donks": None}, board="Td9d6h", locks=[lock])
    assert board_counts(made) == (1, 49, 49 * 48)


def test_room_is_asked_for_where_there_is_a_choice(monkeypatch) -> None:
    plain = {"raises": "", "tree": {}, "donks": None}
    size, chosen, is_whole = counted(river(bets="", **plain), float("inf"))
    assert (size.action_entries, chosen, is_whole) == (
        167 + 246,
        0,
        True,
    )
    made = river(bets="50%", **plain)
    _, needed, _ = counted(made, float("inf"))
    monkeypatch.setattr("regretless.games._spot_tree.usable_bytes", lambda: 8 * needed)
    require_room(made, 8, "this spot")
    monkeypatch.setattr("regretless.games._spot_tree.usable_bytes", lambda: 8 * needed - 1)
    with pytest.raises(TooLarge, match=f"this spot: the tree has {needed:,} action entries"):
        require_room(made, 8, "this spot")


def sizes(made: Spot, at: str = "") -> list[str]:
    return list(move_names(read_line(made.rules, made.board, at).betting))


def test_sizes_of_a_bet() -> None:
    plain = {"tree": {}, "donks": None}
    assert sizes(river(bets="33%,75%", **plain)) == ["check", "bet66", "bet150"]
    assert sizes(river(bets="120c", **plain)) == ["check", "bet120"]
    assert sizes(river(bets="a", **plain)) == ["check", "allin"]
    assert sizes(river(bets="e", **plain)) == ["check", "allin"]
    # (900 · 2 / 200 + 1)^(1/2) = √10, so 1.0811 pots on the turn.
    assert sizes(spot(**{**BASIC, **plain, "bets": "e", "board": "Td9d6hQc"})) == [
        "check",
        "bet216",
    ]
    assert sizes(river(bets="2e", **plain)) == ["check", "bet216"]
    assert sizes(river(bets="0.1%", **plain, pot=1001)) == ["check", "bet1"]
    assert sizes(river(bets="1%", **{**plain, "tree": {"min_bet": 20}})) == ["check", "bet20"]


def test_sizes_of_a_raise() -> None:
    made = river(bets="50%", raises="50%,3x,120c,a", tree={}, donks=None)
    # The pot after a call of 100 is 400.
    assert sizes(made, "bet100") == ["fold", "call", "raise220", "raise300", "allin"]
    small = river(bets="50%", raises="1.1x", tree={}, donks=None)
    assert sizes(small, "bet100") == ["fold", "call", "raise200"]  # the smallest legal raise


def test_thresholds() -> None:
    added = river(bets="50%", tree={"add_allin": 4.5}, donks=None)
    assert sizes(added) == ["check", "bet100", "allin"]
    assert sizes(river(bets="50%", tree={"add_allin": 4.4}, donks=None)) == ["check", "bet100"]
    forced = river(bets="400%", tree={"force_allin": 0.06}, donks=None)
    assert sizes(forced) == ["check", "allin"]  # 100 behind, the pot would be 1,800
    assert sizes(river(bets="400%", tree={"force_allin": 0.05}, donks=None)) == ["check", "bet800"]
    close = river(bets="50%,60%,100%", tree={"merge": 0.1}, donks=None)
    assert sizes(close) == ["check", "bet120", "bet200"]  # 160 / 150 < 1.1 < 200 / 160
    # Pots after the bets are compared, not the bets: 2 / 1.85 < 1.1 < 2 / 1.8.
    near = {"tree": {"merge": 0.1}, "donks": None}
    assert sizes(river(bets="85%,100%", **near)) == ["check", "bet200"]
    assert sizes(river(bets="80%,100%", **near)) == ["check", "bet160", "bet200"]
    # Three pots are exactly half as much again as two, which is not less.
    assert sizes(river(bets="100%,200%", tree={"merge": 0.5}, donks=None)) == [
        "check",
        "bet200",
        "bet400",
    ]
    exact = river(bets="400%", tree={"force_allin": 1 / 18}, donks=None)
    assert sizes(exact) == ["check", "allin"]  # 100 behind is exactly that part of 1,800


def test_halves_are_rounded_up() -> None:
    assert sizes(river(bets="50%", tree={}, donks=None, pot=205)) == ["check", "bet103"]


def test_a_geometric_raise_has_one_street_less_for_every_raise_before() -> None:
    # A call makes the pot 400 with 800 behind: √5 - 1 over 2 is 0.618 pots on two streets.
    options = {"bets": "50%", "tree": {}, "donks": None}
    for made in (
        spot(**{**BASIC, **options, "board": "Td9d6hQc", "raises": "e"}),
        river(**options, raises="2e"),
    ):
        assert sizes(made, "bet100") == ["fold", "call", "raise347"]
        assert sizes(made, "bet100 raise347") == ["fold", "call", "allin"]


def test_the_most_specific_sizes_win() -> None:
    table = {"all": "10%", "oop": "20%", "river": {"all": "30%", "ip": "40%"}, "turn": "50%"}
    made = spot(**{**BASIC, "bets": table, "tree": {}, "donks": None, "board": "Td9d6h"})
    assert sizes(made) == ["check", "bet40"]
    assert sizes(made, "check") == ["check", "bet20"]
    assert sizes(made, "check check") == ["check", "bet100"]
    assert sizes(made, "check check / check check /") == ["check", "bet60"]
    assert sizes(made, "check check / check check / check") == ["check", "bet80"]


def test_donks_are_bets_into_the_last_aggressor() -> None:
    made = spot(
        **{
            **BASIC,
            "board": "Td9d6hQc",
            "bets": "100%",
            "raises": "a",
            "donks": {"river": "25%"},
            "tree": {},
        }
    )
    assert sizes(made, "check bet200 call") == ["check", "bet150"]
    assert sizes(made, "check check") == ["check", "bet200"]
    assert sizes(made, "bet200 call / 2s") == ["check", "bet600"]
    assert sizes(made, "check bet200 call / 2s / check") == ["check", "bet600"]


def test_unequal_stacks_play_for_the_smaller() -> None:
    made = river(stack=None, stacks=[1200, 300], bets="a", raises="a", tree={}, donks=None)
    end = read_line(made.rules, made.board, "allin call").betting
    assert end.spent == (300, 300)
    assert end.over
    assert end.settle((1, 0)) == (400, -400)


def test_before_the_flop() -> None:
    made = spot(
        blinds=[50, 100],
        ante=10,
        stack=1010,
        ranges={"oop": "random", "ip": "random"},
        bets={"all": "50%", "preflop": "2.5x,a"},
        raises="a",
    )
    assert made.pot == 170
    assert made.street == "preflop"
    assert sizes(made) == ["fold", "call", "raise250", "allin"]
    assert sizes(made, "call") == ["check", "raise250", "allin"]
    assert sizes(made, "raise250 call / 2c3d4h") == ["check", "bet260"]
    # The small blind, in position, folds: it loses blind and ante.
    assert read_line(made.rules, (), "fold").betting.settle((0, 0)) == (60, -60)
    jam = spot(**{**made.given, "bets": "a", "tree": {"limp": False}})
    assert sizes(jam) == ["fold", "allin"]
    assert sizes(jam, "allin") == ["fold", "call"]
    assert sum(board_counts(made)[:2]) == 1 + 1755


def test_rake_and_prizes() -> None:
    made = river(rake={"rate": 0.05, "cap": 4})
    assert sum(read_line(made.rules, made.board, "check check").betting.settle((1, 0))) == -4
    prizes = river(icm={"prizes": [70, 30]})
    end = read_line(prizes.rules, prizes.board, "allin call").betting
    assert end.settle((1, 0)) == (20, -20)


def test_card_removal_and_targets() -> None:
    made = river()
    blocked = [n for n, name in enumerate(hand_names()) if "Td" in name]
    assert not made.ranges[0][blocked].any()
    assert made.chips("0.5%") == 1
    assert made.chips(0.25) == 0.25
    assert made.percent(1) == 0.5
    with pytest.raises(BadParameter, match="target"):
        made.chips("half")


def test_locks() -> None:
    made = river(locks=[{"at": "bet120", "hands": "QQ,AsKs", "play": {"call": 0.25, "fold": 0.75}}])
    lock = made.locks[0]
    assert lock.player == 1
    assert lock.play == (("fold", 0.75), ("call", 0.25), ("raise300", 0.0))
    names = {hand_names()[n] for n in np.flatnonzero(lock.hands)}
    assert names == {"QsQd", "QhQd", "QsQh"}  # AKs is not in the range, Qc on the board


def test_locks_on_different_cards_do_not_meet() -> None:
    places = [("check check / 2s", "22"), ("check check / 3s", "22"), ("check check", "33")]
    tables = [
        {"at": at, "hands": hands, "play": {"check": chance, "bet100": 1 - chance}}
        for (at, hands), chance in zip(places, (1.0, 0.5, 0.0), strict=True)
    ]
    plain = {**BASIC, "bets": "50%", "tree": {}, "donks": None, "board": "Td9d6hQc"}
    plain["ranges"] = {"oop": "22,33", "ip": "22,33"}
    made = spot(**plain, locks=tables)
    assert [int(lock.hands.sum()) for lock in made.locks] == [3, 6, 6]  # 2s is not held with 2s
    clash = [tables[0], {**tables[0], "at": "check check", "play": {"check": 0.0, "bet100": 1.0}}]
    with pytest.raises(BadSpot, match="contradicts lock 1"):
        spot(**plain, locks=clash)


def test_a_single_hand_is_locked_with_probabilities_that_sum_to_one() -> None:
    play = {"fold": 0.3333333, "call": 0.6666666}
    (lock,) = river(locks=[{"at": "bet120", "hands": "QsQh", "play": play}]).locks
    assert [hand_names()[n] for n in np.flatnonzero(lock.hands)] == ["QsQh"]
    assert sum(chance for _, chance in lock.play) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("changes", "key", "problem"),
    [
        ({"board": "TdTd6h"}, "board", "character 3: Td appears twice"),
        ({"board": "Td9x6h"}, "board", "character 3: '9x' is not a card"),
        ({"board": "Td9d"}, "board", "got 2 cards, expected 0, 3, 4 or 5"),
        ({"pot": -1}, "pot", "must be 1 to"),
        ({"pot": 1.5}, "pot", "expected a whole number"),
        ({"pot": None}, "pot", "is missing"),
        ({"stacks": [1, 2]}, "stack", "either stack or stacks"),
        ({"stack": None, "stacks": [1]}, "stacks", "expected two"),
        ({"ranges": {"oop": "", "ip": "AA"}}, "ranges.oop", "the range is empty"),
        ({"ranges": {"oop": "TdTh", "ip": "AA"}}, "ranges.oop", "no hand is left"),
        ({"ranges": {"oop": "AA", "ip": "A8x"}}, "ranges.ip", "character 3: 'x' does not fit"),
        ({"ranges": {"oop": "AsAh", "ip": "AsKd"}}, "ranges", "shares a card"),
        ({"ranges": {"oop": "AA"}}, "ranges.ip", "is missing"),
        ({"ranges": {"oop": "AA", "ip": "KK", "ib": "QQ"}}, "ranges", "unknown key 'ib'"),
        ({"bets": "60"}, "bets.all", "character 1: '60' is not a size"),
        ({"bets": "33%, 2x"}, "bets.all", "character 6: '2x' multiplies a bet faced"),
        ({"bets": {"river": {"ip": "5e"}}}, "bets.river.ip", "must be 1e to 4e"),
        ({"bets": "1000c"}, "bets.all", "1000 chips cannot be bet: the stack is 900"),
        ({"bets": "0%"}, "bets.all", "must be above 0"),
        ({"raises": "1x"}, "raises.all", "the factor must be above 1"),
        ({"bets": {"rivr": "a"}}, "bets", "unknown key 'rivr'; did you mean river"),
        ({"donks": {"ip": "a"}}, "donks", "unknown key 'ip'"),
        ({"tree": {"merge": -1}}, "tree.merge", "must be 0 to"),
        ({"tree": {"raise_cap": 1.5}}, "tree.raise_cap", "expected a whole number"),
        ({"rake": {"rate": 2}}, "rake.rate", "must be 0 to 1"),
        ({"rake": {"cap": 2}}, "rake.rate", "is missing"),
        ({"blinds": [1, 2]}, "blinds", "only before the flop"),
        ({"icm": {"prizes": [1, 2]}}, "icm", "must be in descending order"),
        ({"locks": [{"at": "bet7", "play": {"call": 1}}]}, "locks.1.at", "expected one of check"),
        ({"locks": [{"at": "check check", "play": {}}]}, "locks.1.at", "the hand is over"),
        ({"locks": [{"at": "", "play": {"check": 0.5}}]}, "locks.1.play", "sum to 0.5"),
        ({"locks": [{"at": "", "play": {"call": 1}}]}, "locks.1.play", "'call' is not possible"),
        ({"locks": [{"hands": "32o", "play": {"check": 1}}]}, "locks.1.hands", "no such hand"),
        (
            {
                "locks": [
                    {"hands": "QQ+", "play": {"check": 1}},
                    {"hands": "KK", "play": {"allin": 1}},
                ]
            },
            "locks.2",
            "contradicts lock 1: KsKh is in both",
        ),
        (
            {"locks": [{"at": "check", "hands": "KK:0.5", "play": {"check": 1}}]},
            "locks.1.hands",
            "weights are not allowed here",
        ),
    ],
)
def test_what_is_refused(changes: dict, key: str, problem: str) -> None:
    with pytest.raises(BadSpot) as caught:
        river(**changes)
    assert caught.value.key == key
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lines() -> None:
    made = spot(**BASIC, board="Td9d6hQc")
    line = read_line(made.rules, made.board, "check bet 120 call / 2s / check")
    assert line.cards == (read_cards("2s"),)
    assert line.betting.actor == 1
    assert line.betting.history == "cr120c/c"
    for text, problem in (
        ("check / check", "character 7: the street is not over yet"),
        ("/ check", "character 1: the street is not over yet"),
        ("2s check", "2s cannot be dealt here"),
        ("check check / 2s check / check", "character 24: the street is not over yet"),
        ("check check / check 2s", "2s cannot be dealt here"),
        ("check check / Td", "Td has already been dealt"),
        ("check check / 2s3s", "2s3s cannot be dealt here"),
        ("bet120 fold check", "the hand is over before 'check'"),
    ):
        with pytest.raises(BadParameter, match=problem):
            read_line(made.rules, made.board, text)


def test_the_example_is_a_spot(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(EXAMPLE)
    made = read_spot(path)
    assert tree_size(made) == (27, 5_369)
    uncommented = EXAMPLE.replace("# rake", "rake").replace("# river.ip", "river.ip")
    for key in ("raise_cap", "min_bet", "limp", "[[locks]]", "at =", "hands =", "play =", "icm ="):
        uncommented = uncommented.replace(f"# {key}", key)
    assert len(parse_spot(uncommented).locks) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("board = ", "x.toml: not TOML: Invalid value"),
        (EXAMPLE.replace("96s+,85s+", "96x"), r"x.toml:15:1: ranges.oop: range .*character"),
        (EXAMPLE.replace('all = "2.5x"', 'all = "x"'), "x.toml:26:1: raises.all"),
        (EXAMPLE.replace("pot = 200", "pott = 200"), "x.toml: unknown key 'pott'; did you mean"),
        (EXAMPLE.replace("[ranges]", "[range]"), "x.toml: unknown key 'range'"),
        (EXAMPLE + "[[locks]]\nplay = {}\n[[locks]]\nplay = {}\n", r"x.toml:\d+:1: locks.1.play"),
    ],
)
def test_files_that_are_refused(text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        parse_spot(text, name="x.toml")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        read_spot(tmp_path / "missing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not a spot: byte 1 is not UTF-8"):
        read_spot(tmp_path / "bytes.toml")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 2000)
    | st.floats()
    | st.sampled_from(["", "AA", "60%", "a", "Td9d6h", "check", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["all", "oop", "ip", "river", "rate", "at", "play", "hands", "check"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
KEYS = [*BASIC, "board", "stacks", "locks", "rake", "blinds", "ante", "icm"]


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=2))
@example({"ranges": {"oop": {"all": "AA"}, "ip": "AA"}})
@example({"ranges": {"oop": [[1.0], 2.0], "ip": "AA"}})
def test_any_values_are_a_spot_or_an_error(changes: dict) -> None:
    problem = ""
    try:
        river(**changes)
    except BadParameter as error:
        problem = str(error)
    assert "\n" not in problem


def same(one: Spot, other: Spot) -> bool:
    ranges = zip(one.ranges, other.ranges, strict=True)
    locks = [(lock.at, lock.play, lock.hands.tolist()) for lock in one.locks]
    return (
        (one.board, one.rules, one.pot) == (other.board, other.rules, other.pot)
        and all((a == b).all() for a, b in ranges)
        and locks == [(lock.at, lock.play, lock.hands.tolist()) for lock in other.locks]
    )


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["", "Td9d6h", "Td9d6hQc", "Td9d6hQc2s"]),
    st.integers(1, 5000),
    st.tuples(st.integers(10, 5000), st.integers(10, 5000)),
    st.sampled_from(["60%,e,a", "10c", "33.3%", {"all": "e", "river": {"ip": "a"}}]),
    st.floats(0, 1),
    st.booleans(),
)
def test_spots_survive_writing(board, pot, stacks, bets, threshold, locked) -> None:
    made = spot(
        board=board,
        pot=pot,
        stacks=list(stacks),
        ranges={"oop": "QQ+,AKs:0.3", "ip": np.full(1326, 0.5)},
        bets=bets,
        raises="2.5x",
        tree={"force_allin": threshold, "raise_cap": {"river": 2}},
        locks=[{"hands": "AA", "play": {"check" if board else "fold": 1}}] if locked else [],
        rake={"rate": 0.05},
        **({} if board else {"blinds": [1, 2], "ante": 1}),
    )
    assert same(parse_spot(to_toml(made)), made)
    for child in made.rules.start().children:
        for move in child.choices:
            assert move.total <= min(made.rules.stacks)


@pytest.mark.parametrize("donks", ["", "50%", {"river": ""}, {}, None])
def test_a_written_spot_has_the_same_donk_bets(donks):
    table = {"ranges": {"oop": "AA", "ip": "KK"}, "bets": "60%", "raises": "", "donks": donks}
    made = spot(board="Td9d6hQc", pot=200, stack=900, **table)
    again = parse_spot(to_toml(made))
    assert again.rules.sizing == made.rules.sizing
    assert tree_size(again) == tree_size(made)


def test_antes_come_out_of_the_stacks() -> None:
    ranges = {"oop": "AA", "ip": "KK"}
    made = spot(stack=20, blinds=[1, 2], ante=1, ranges=ranges, bets="", raises="a")
    assert made.rules.stacks == (19, 19)
    assert made.pot == 5


def test_what_the_smaller_stack_and_earlier_cards_forbid() -> None:
    with pytest.raises(BadSpot, match="cannot be bet"):
        river(stack=None, stacks=[900, 300], bets="400c", tree={}, donks=None)
    made = spot(**BASIC, board="Td9d6h")
    with pytest.raises(BadParameter, match="2s has already been dealt"):
        read_line(made.rules, made.board, "check check / 2s / check check / 2s")


def test_stacks_must_exceed_ante_and_big_blind():
    table = {"ranges": {"oop": "AA", "ip": "KK"}, "bets": "a", "blinds": [1, 2], "ante": 5}
    assert spot(**table, stack=8).rules.stacks == (3, 3)
    with pytest.raises(BadSpot, match="got 7, must be 8"):
        spot(**table, stack=7)


def test_a_size_in_chips_may_be_the_whole_stack():
    table = {"board": "Td9d6hQc2s", "pot": 200, "ranges": {"oop": "AA", "ip": "KK"}, "stack": 900}
    assert move_names(spot(**table, bets="900c").rules.start()) == ("check", "allin")
    with pytest.raises(BadSpot, match="901 chips cannot be bet: the stack is 900"):
        spot(**table, bets="901c")


def test_lines_meet_whatever_the_order_of_their_cards():
    start = spot(ranges={"oop": "AA", "ip": "KK"}, bets="a", blinds=[1, 2], stack=20).rules.start()
    one = Line(start, ((1, 2, 3), (), ()))
    assert one.meets(Line(start, ((3, 1, 2), (4,), ())))
    assert one.meets(Line(start, ((), (), ())))
    assert not one.meets(Line(start, ((1, 2, 4), (), ())))
    assert not one.meets(Line(start.children[1], ((1, 2, 3), (), ())))
