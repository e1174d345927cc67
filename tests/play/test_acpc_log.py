"""Logs of the ACPC dealer: what it wrote, what it once wrote, and what is broken."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import holdem, mutated, play, rules_of

from regretless.core.errors import BadFile, BadInput, BadParameter
from regretless.games._betting import PokerRules
from regretless.play.histories.acpc_log import (
    CutLine,
    Header,
    Score,
    chips,
    read_log,
    write_hand,
    write_header,
    write_score,
)
from regretless.play.records import Hand

DATA = Path(__file__).parents[1] / "data" / "acpc"
DEALER = [
    ("kuhn3p", "kuhn:players=3"),
    ("limit2p", "holdem_limit"),
    ("nolimit2p", "holdem_nolimit"),
]
LINE = "STATE:3:f:Ad3s|8d5d:5|-5:p2|p1"
RULES = {game: rules_of(game) for _, game in DEALER} | {"leduc": rules_of("leduc")}


def dealer_log(name):
    """The lines of a transcript of the real dealer that are its log."""
    lines = (DATA / f"{name}.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith(("TO", "FROM"))]


@pytest.mark.parametrize(("name", "game"), DEALER)
def test_lines_of_the_dealer_are_read_checked_and_written_the_same(name, game):
    lines = dealer_log(name)
    log = read_log(lines, check=RULES[game])
    assert [write_hand(hand) for hand in log] == [ln for ln in lines if ln.startswith("STATE")]
    assert log.header.name == name
    assert log.header.seed == 42


def test_a_whole_file(tmp_path):
    path = tmp_path / "x.log"
    top = write_header("kuhn3p", "kuhn.limit.3p.game", 200, 42)
    assert top.splitlines()[1:] == [
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    ]
    path.write_text(f"{top}\n{LINE}\n{write_score((5, -5), ('p2', 'p1'))}\n")
    log = read_log(path)
    assert list(log) == [Hand(3, "f", "Ad3s|8d5d", (5.0, -5.0), ("p2", "p1"))]
    assert log.header == Header("kuhn3p", "kuhn.limit.3p.game", 200, 42)
    assert log.score == Score((5.0, -5.0), ("p2", "p1"))
    assert not log.cut


def test_names_before_values_as_in_the_first_competitions():
    old = ["STATE:3:f:Ad3s|8d5d:p2|p1:5|-5", "SCORE:p1|p2:-5|5"]
    log = read_log(old)
    assert [write_hand(hand) for hand in log] == [LINE]
    assert log.score == Score((-5.0, 5.0), ("p1", "p2"))


def test_names_that_are_numbers_stand_last():
    (hand,) = read_log(["STATE:3:f:Ad3s|8d5d:5|-5:1|2"])
    assert hand.names == ("1", "2")


def test_line_ends_comments_blank_lines_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "x.log"
    path.write_bytes(f"\ufeff# hello\r\n\r\n; too\r\n{LINE}\r\n".encode())
    assert [write_hand(hand) for hand in read_log(path)] == [LINE]


def test_a_name_that_is_no_utf8(tmp_path):
    path = tmp_path / "x.log"
    path.write_bytes(LINE.encode().replace(b"p2", b"\xe9") + b"\n")
    (hand,) = read_log(path)
    assert hand.names == ("\\xe9", "p1")


@pytest.mark.parametrize("length", range(1, len(LINE)))
def test_a_last_line_cut_anywhere_is_left_out_with_a_warning(length):
    log = read_log([LINE + "\n", LINE[:length]])
    with pytest.warns(CutLine, match="log:2"):
        assert len(list(log)) == 1
    assert log.cut


@pytest.mark.parametrize("length", range(1, len(LINE)))
def test_an_old_last_line_cut_anywhere(length):
    old = "STATE:3:f:Ad3s|8d5d:p2|p1:50|-50"
    with pytest.warns(CutLine):
        assert len(list(read_log([old + "\n", old[:length]]))) == 1


def test_a_cut_comment_or_a_whole_line_without_its_end_is_fine():
    assert len(list(read_log([LINE + "\n", LINE]))) == 2
    assert len(list(read_log([LINE + "\n", "# nam"]))) == 1


WRONG = [
    ("nonsense", "expected STATE"),
    ("STATE:3:f:Ad3s|8d5d:5|-5", "got 5 fields"),
    ("STATE:x:f:Ad3s|8d5d:5|-5:a|b", "whole number"),
    ("STATE:3:q:Ad3s|8d5d:5|-5:a|b", "betting: got 'q'"),
    ("STATE:3:f:Ad3|8d5d:5|-5:a|b", "cards: got 'Ad3|8d5d'"),
    ("STATE:3:f:Ad3s|8d5d:5|-5|0:a|b", "must be equally many"),
    ("STATE:3:f:Ad3s|8d5d:x|-5:a|b", "one must be numbers"),
    ("STATE:3:f:Ad3s|8d5d::a|b", "no values"),
    ("SCORE:5|-5", "SCORE:values:names"),
    ("SCORE:5|-5:a|b|c", "SCORE:values:names"),
]


@pytest.mark.parametrize(("line", "told"), WRONG)
def test_a_wrong_line_is_told_with_its_number(line, told):
    with pytest.raises(BadFile, match=re.escape(told)) as caught:
        list(read_log([LINE + "\n", line + "\n", LINE + "\n"], name="x.log"))
    assert caught.value.line == 2
    assert str(caught.value).startswith("x.log:2:")


def test_no_such_file(tmp_path):
    with pytest.raises(BadFile, match="no such file"):
        list(read_log(tmp_path / "x.log"))


MISMATCHES = [
    ("STATE:0:rrrrrc/cc/cc/cc:7d3d|2hAc/5sKs7s/9s/6h:0|0:a|b", "legal actions are"),
    ("STATE:0:r:7d3d|2hAc:0|0:a|b", "not finished"),
    ("STATE:7:rf:7d3d|2hAc:10|-10:a|b", "hand 7: values 10|-10, the rules give -10|10"),
    ("STATE:0:rf:7d3d|2h:-10|10:a|b", "expected 2 cards"),
    ("STATE:0:rf:7d3d|2h7d:-10|10:a|b", "one deck"),
    ("STATE:0:cc/cf:7d3d|2hAc/5sKs:-10|10:a|b", "legal actions are check"),
    ("STATE:0:cc/rf:7d3d|2hAc/5sKs:10|-10:a|b", "cards by round"),
    ("STATE:0:rf:7d3d|2hAc|3c3d:-10|10|0:a|b|c", "3 players"),
]


@pytest.mark.parametrize(("line", "told"), MISMATCHES)
def test_a_hand_against_the_rules(line, told):
    assert len(list(read_log([line]))) == 1
    with pytest.raises(BadFile, match=re.escape(told)):
        list(read_log([line], check=RULES["holdem_limit"]))


def test_unknown_cards_are_not_compared():
    line = "STATE:0:cc/cc/cc/cc:|2hAc/5sKs7s/9s/6h:-10|10:a|b"
    assert len(list(read_log([line], check=RULES["holdem_limit"]))) == 1


@settings(deadline=None)  # tables of the evaluator are loaded by whoever comes first
@given(st.integers(0, 10**6), st.sampled_from([*RULES.values(), holdem([300, 900, 2000, 450])]))
def test_written_hands_are_read_back_and_agree_with_the_rules(seed, rules):
    hand = play(rules, seed, number=seed)
    assert list(read_log([write_hand(hand)], check=rules)) == [hand]


def test_numbers_as_the_dealer_writes_them():
    amounts = (5.0, -5, 0.0, -0.0, 1e-9, -1e-9, 50 / 3, -2.5, 20000)
    assert " ".join(map(chips, amounts)) == "5 -5 0 0 0 0 16.666667 -2.5 20000"


@pytest.mark.parametrize("name", ["a:b", "a|b", "a\nb", "", "a\udcff"])
def test_names_that_would_break_a_line_are_refused(name):
    with pytest.raises(BadParameter, match="player name"):
        write_score((0, 0), (name, "b"))


@pytest.mark.filterwarnings("ignore::regretless.play.histories.acpc_log.CutLine")
def test_ten_thousand_broken_logs():
    """Whatever is done to a log, reading it ends well or with an error of ours."""
    rng = random.Random(1)
    text = "\n".join([*dealer_log("limit2p"), *dealer_log("nolimit2p"), "SCORE:1|-1:a|b", ""])
    rules = RULES["holdem_limit"]
    outcomes = {"read": 0, "refused": 0}
    for _ in range(10_000):
        broken = mutated(text[rng.randrange(200) :][: rng.randrange(900)], rng)
        try:
            list(read_log(broken.splitlines(keepends=True), check=rng.choice((None, rules))))
            outcomes["read"] += 1
        except BadInput:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 100


def test_hidden_cards_beside_a_board_of_the_first_round():
    rules = PokerRules(
        players=2,
        ranks=5,
        suits=2,
        hole=1,
        board=(1,),
        blinds=(1, 1),
        first=(0,),
        caps=(1,),
        raises=(1,),
    )
    hands = ["STATE:0:cc:Ah|KhTs:-1|1:a|b\n", "STATE:0:cc:Ah|Ts:-1|1:a|b\n"]
    with pytest.raises(BadFile, match=r"the rules give 1\|-1"):
        list(read_log(hands[:1], check=rules))
    assert len(list(read_log(hands[1:], check=rules))) == 1  # who knows what b had
