"""`regretless spot` and `regretless equity` as people use them."""

import json
from pathlib import Path

import pytest

from regretless.games._spot_files import parse_spot, to_toml
from regretless.play.histories.hand_spots import spot_of_hand, spot_of_seen
from regretless.play.histories.reading import read_history

LOG = """# name/game/hands/seed example holdem.nolimit.2p.reverse_blinds.game 4 42
STATE:0:r8600r18321f:7d3d|2hAc:8600|-8600:ann|bob
STATE:1:r19796r20000c///:9h6s|3d3h/5s3s8h/9d/5c:-20000|20000:bob|ann
STATE:2:r8807c/cc/r14734r20000f:4d6c|QsJh/3c9sJc/2d:-14734|14734:ann|bob
SCORE:13816|-13816:ann|bob
"""
THREE = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 100, 300]
finishing_stacks = [180, 132, 288]
players = ["Ann", "Bob", "Cid\\u0007"]
actions = ["d dh p1 AhAd", "d dh p2 7c7d", "d dh p3 KsKh", "p3 cbr 12", "p1 cc", "p2 cc",
  "d db 7h2c5s", "p1 cc", "p2 cbr 8", "p3 f", "p1 cc", "d db 9c", "p1 cc",
  "p2 cc", "d db Td", "p1 cc", "p2 cbr 10", "p1 f"]
"""


@pytest.fixture
def log(tmp_path):
    (tmp_path / "x.log").write_text(LOG)


def test_the_example(command):
    code, out, err = command("spot")
    assert (code, err) == (0, "")
    assert parse_spot(out).hands == (167, 246)


def test_from_a_log(command, log):
    code, out, _ = command(
        "spot", "--from", "x.log", "--number", "2", "--oop", "QQ+", "--ip", "22+"
    )
    assert code == 0
    made = parse_spot(out)
    assert made.street == "turn"
    assert (made.pot, made.rules.stacks) == (17_614, (11_193, 11_193))
    assert made.hands == (18, 78 - 4 * 3)
    assert "ann out of position with 4d6c, bob in position with QsJh" in out
    assert "r14734r20000f" in out


def test_another_street(command, log):
    code, out, _ = command("spot", "--from", "x.log", "--number", "2", "--street", "preflop")
    assert code == 0
    made = parse_spot(out)
    assert made.rules.blinds == (100, 50)
    assert made.rules.stacks == (20_000, 20_000)
    assert made.rules.first[0] == 1


def test_the_only_hand_of_a_phh_file(command, tmp_path):
    (tmp_path / "x.phh").write_text(THREE)
    code, out, err = command("spot", "--from", "x.phh", "--street", "turn")
    assert code == 0, err
    made = parse_spot(out)
    assert (made.pot, made.rules.stacks) == (52, (180, 80))
    code, _, err = command("spot", "--from", "x.phh", "--street", "flop")
    assert code == 2
    assert "3 players are left on the flop, must be 2" in err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--number", "3"], "--number and --street need --from"),
        (["--from", "x.log"], "several hands: choose one by its number"),
        (["--from", "x.log", "--number", "77"], "no hand 77 in x.log; the first of 3 is hand 0"),
        (["--from", "x.log", "--number", "1", "--street", "turn"], "nobody acts on the turn"),
        (["--from", "x.log", "--number", "1", "--street", "trn"], "did you mean turn?"),
        (
            ["--from", "x.log", "--number", "2", "--oop", "A8x"],
            "ranges.oop: range 'A8x', character 3",
        ),
        (["--from", "x.log", "--number", "2", "--bets", "2x"], "bets.all"),
        (["--from", "none.log", "--number", "2"], "none.log"),
        (["--from", "x.log", "--number", "2", "--game", "holdem_limit"], "only no-limit hold'em"),
    ],
)
def test_what_is_refused(command, log, words, problem):
    code, out, err = command("spot", *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_equity(command):
    code, out, _ = command("equity", "AsAh", "QQ+,AKs", "2c3d4h5h7c", "--json")
    assert code == 0
    facts = json.loads(out)
    assert facts["equity"][0] + facts["equity"][1] == pytest.approx(1)
    assert facts["hands"] == [1, 6 + 6 + 1 + 2]
    code, out, _ = command("equity", "AsAh", "KK", "2c3d4h")
    assert code == 0
    assert "equity on 2c3d4h" in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["AsAx", "KK"], "range 'AsAx', character 4"),
        (["AA", "KK", "2c3d"], "board of 2 cards: must be 0, 3, 4 or 5"),
        (["AA", "KK", "2c2c4d"], "2c appears twice"),
        (["AA", "KsKh", "Ks2c3d"], "the second range has no hand left"),
        (["", "KK", "2c3d4h"], "the first range is empty"),
    ],
)
def test_equities_that_are_refused(command, words, problem):
    code, out, err = command("equity", *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


ANTES = """variant = 'NT'
ante_trimming_status = false
antes = [0, 120, 0]
blinds_or_straddles = [40, 80, 0]
min_bet = 80
starting_stacks = [3000, 2000, 5000]
actions = [
'd dh p1 Th5d', 'd dh p2 Qs4s', 'd dh p3 Ac5h', 'p3 cbr 200', 'p1 f', 'p2 cc',
'd db Kc8d6h', 'p2 cc', 'p3 cc', 'd db 2s', 'p2 cbr 300', 'p3 f']
hand = 7
"""


def test_antes_and_folded_blinds_are_in_the_pot(command, tmp_path):
    (tmp_path / "x.phh").write_text(ANTES)
    code, out, err = command("spot", "--from", "x.phh", "--street", "flop")
    assert code == 0, err
    made = parse_spot(out)
    assert (made.pot, made.rules.stacks) == (40 + 120 + 400, (1680, 4800))
    assert "out of position with Qs4s" in out
    code, out, err = command("spot", "--from", "x.phh")
    assert parse_spot(out).street == "turn"
    code, _, err = command("spot", "--from", "x.phh", "--street", "preflop")
    assert (code, "3 players are left before the flop" in err) == (2, True)
    (tmp_path / "x.phh").write_text(ANTES.replace("6h", "5h"))
    code, _, err = command("spot", "--from", "x.phh")
    assert (code, "5h appears twice" in err) == (2, True)


CASH = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"


def test_a_street_of_a_cash_game_is_in_cents(command):
    code, out, err = command("spot", "--from", str(CASH), "--number", "219371022626")
    assert code == 0, err
    made = parse_spot(out)
    # Two blinds and a late post of 5 + 10 cents, 1 dollar each before the flop, 1.20 on it.
    assert (made.street, made.pot) == ("turn", 5 + 15 + 2 * 100 + 2 * 120)
    assert made.rules.stacks == (1000 - 220, 1040 - 220)
    assert "Amounts are in cents: the pot of 460 is 4.60." in out
    assert "in cents of the whole hand: cr520r1000c/" in out


def test_both_ways_to_a_spot_agree(tmp_path):
    (tmp_path / "x.phh").write_text(THREE)
    (recorded,) = read_history(tmp_path / "x.phh")
    given = {"ranges": {"oop": "QQ+", "ip": "22+"}, "street": "turn", "bets": "a"}
    assert recorded.seen is not None
    one = spot_of_seen(recorded.seen, **given)
    two = spot_of_hand(recorded.hand, recorded.seen.rules(), **given)
    assert to_toml(one.spot) == to_toml(two.spot)
    assert (one.names, one.holes, one.played) == (two.names, two.holes, two.played)


def test_before_the_flop_both_ways_agree_and_antes_must_be_equal(command):
    recorded = next(r for r in read_history(CASH) if r.hand.number == 219371022801)
    given = {"ranges": {"oop": "QQ+", "ip": "22+"}, "street": "preflop", "bets": "a"}
    one = spot_of_seen(recorded.seen, **given)
    two = spot_of_hand(recorded.hand, recorded.seen.rules(), **given)
    assert one.spot.rules.stacks == two.spot.rules.stacks == (2238, 1925)
    assert one.spot.rules.blinds == two.spot.rules.blinds == (10, 5)
    assert one.names == two.names == ("fay", "hero")
    words = ("--from", str(CASH.with_name("tournament.txt")), "--number", "231900000002")
    code, out, err = command("spot", *words)
    assert (code, out) == (2, "")
    assert "only two blinds and equal antes" in err
