"""Which flops a report looks at, and how much each of them counts."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.cards.holdings import disjoint, read_cards, without
from regretless.core.errors import BadFile, BadInput, BadParameter, RegretlessError
from regretless.games._flops import flops_of, on_flop
from regretless.games._spot import spot


def flop_spot(**changes):
    given = {
        "board": "2c3d4h",
        "pot": 10,
        "stack": 20,
        "ranges": {"oop": "random", "ip": "random"},
        "bets": "a",
    }
    return rl.spot(**given | changes)


def test_1755_flops_stand_for_22100():
    found = flops_of(flop_spot())
    assert len(found) == 1755
    assert sum(flop.weight for flop in found) == pytest.approx(1)
    # With every hand in both ranges only the number of suits matters: 4, 12 or 24 of 22,100.
    times = {round(22100 * flop.weight, 6) for flop in found}
    assert times == {4, 12, 24}


RANGES = {"oop": "AA,QQ:0.5,76s", "ip": "AKs,JJ,AsQs"}


def chance(cards, ranges):
    """Slowly: the weight of all deals that leave these cards in the deck."""
    live = without(cards)
    one, two = (np.where(live, rl.cards.read_range(ranges[name]), 0.0) for name in ("oop", "ip"))
    return one @ disjoint() @ two


def test_weights_are_chances_of_the_deal():
    found = flops_of(flop_spot(ranges=RANGES))
    by_kind = {}
    for flop in found:
        by_kind.setdefault(tuple(sorted(c // 4 for c in flop.cards)), []).append(flop.weight)
    ranks = (10, 11, 12)  # Q, K, A: all 64 flops of these ranks, one by one
    total = sum(chance(cards, RANGES) for cards in QKA)
    other = next(flop for flop in found if flop.name == "Kd7d2c")
    images = {tuple(sorted(c // 4 * 4 + s[c % 4] for c in other.cards)) for s in NOT_SPADES}
    ratio = sum(by_kind[ranks]) / other.weight
    assert ratio == pytest.approx(total / sum(chance(cards, RANGES) for cards in images))


QKA = [c for c in combinations(range(40, 52), 3) if {x // 4 for x in c} == {10, 11, 12}]
# Spades are told apart by AsQs: the other three suits may be renamed.
NOT_SPADES = [(0, 1, 2, 3), (0, 2, 1, 3), (1, 0, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3), (2, 1, 0, 3)]


def test_flops_that_leave_no_hands_are_left_out():
    found = flops_of(flop_spot(ranges={"oop": "AA", "ip": "KK"}))
    names = [flop.name for flop in found]
    assert not any(name[::2] in ("AAA", "KKK") for name in names)
    assert any(name[::2] == "AAK" for name in names)
    assert len(names) == 1755 - 2


def test_a_sample_is_spread_over_all_of_them():
    spot = flop_spot()
    found = flops_of(spot, 200)
    assert sum(flop.weight for flop in found) == pytest.approx(1)
    assert len({flop.name for flop in found}) == len(found)
    assert found == flops_of(spot, "200")

    def paired(flops):
        return sum(f.weight for f in flops if len({c // 4 for c in f.cards}) == 2)

    assert paired(found) == pytest.approx(paired(flops_of(spot)), abs=0.05)


@pytest.mark.parametrize("count", [7, 1700])
def test_every_flop_of_a_sample_stands_for_its_share(count):
    """To within one draw: those that are dealt more often are drawn twice."""
    spot = flop_spot()
    shares = {flop.name: flop.weight for flop in flops_of(spot)}
    drawn = {flop.name: flop.weight for flop in flops_of(spot, count)}
    for name, share in shares.items():
        times = drawn.get(name, 0.0) * count
        assert times == pytest.approx(round(times), abs=1e-9)
        assert abs(times - share * count) < 1


def test_files_of_flops(tmp_path):
    path = tmp_path / "flops.txt"
    path.write_text("# some\nTd9d6h\n\nAs Kd 2c : 3 # with a weight\nQhQs2d 0.5\n")
    found = {flop.name: flop.weight for flop in flops_of(flop_spot(), path)}
    assert list(found) == ["Td9d6h", "AsKd2c", "QsQh2d"]
    total = 12 + 3 + 0.5  # two-tone flops are 12 of a kind
    assert found["Td9d6h"] == pytest.approx(12 / total)
    assert found["QsQh2d"] == pytest.approx(0.5 / total)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no flop"),
        ("Td9d6x", "6x"),
        ("Td9d", "Td9d"),
        ("Td9d6h2c", "4 cards"),
        ("TdTd6h", "twice"),
        ("Td9d6h:-1", "weight -1"),
        ("Td9d6h:0", "weight 0"),
        ("Td9d6h:1e99", "weight"),
        ("Td9d6h\nTs9s6c", "line 1"),
        ("hello", "hello"),
    ],
)
def test_bad_files_of_flops(tmp_path, text, words):
    path = tmp_path / "flops.txt"
    path.write_text(text)
    with pytest.raises(BadFile, match=r"flops\.txt") as caught:
        flops_of(flop_spot(), path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def read(text, path):
    """The flops of a text, or what is wrong with it."""
    path.write_text(text, encoding="utf-8", errors="replace")
    try:
        return flops_of(SPOT, path), ""
    except RegretlessError as error:
        return [], str(error)


SPOT = flop_spot(ranges={"oop": "AA", "ip": "KK"})


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=30) | st.text("TA9dhc:.01 \n#", max_size=30))
def test_any_text_is_read_or_refused_in_one_line(tmp_path_factory, text):
    found, refused = read(text, tmp_path_factory.mktemp("flops") / "flops.txt")
    assert bool(found) != bool(refused)
    assert "\n" not in refused
    assert sum(flop.weight for flop in found) == pytest.approx(1 if found else 0)


def test_what_is_no_choice_of_flops(tmp_path):
    with pytest.raises(BadParameter, match="1 to 1,755"):
        flops_of(flop_spot(), 0)
    with pytest.raises(BadParameter, match="1 to 1,755"):
        flops_of(flop_spot(), 1756)
    with pytest.raises(BadParameter, match=r"flops=nowhere\.txt: must be a file, a number"):
        flops_of(flop_spot(), "nowhere.txt")
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not a list of flops: byte 1 is not UTF-8"):
        flops_of(flop_spot(), tmp_path / "x")
    with pytest.raises(BadParameter, match="turn"):
        flops_of(flop_spot(board="2c3d4h5s"))
    (tmp_path / "y").write_text("AsAhAd")
    with pytest.raises(BadInput, match="no hands of the ranges"):
        flops_of(flop_spot(ranges={"oop": "AA", "ip": "KK"}), tmp_path / "y")


def test_locks_go_along():
    locks = [{"at": "check", "hands": "KK", "play": {"check": 1.0}}]
    spot = flop_spot(ranges={"oop": "AA", "ip": "KK,QQ"}, locks=locks)
    assert len(flops_of(spot)) == 1755 - 1
    assert len(on_flop(spot, read_cards("Td9d6h")).locks) == 1
    assert not on_flop(spot, read_cards("KdKcKh")).locks
    named = [{"at": "check check / 2s / check", "hands": "KK", "play": {"check": 1.0}}]
    with pytest.raises(BadParameter, match="named cards"):
        flops_of(flop_spot(ranges={"oop": "AA", "ip": "KK"}, locks=named))


def test_locks_follow_the_flop() -> None:
    plain = {"board": "Td9d6h", "pot": 10, "stack": 20, "bets": "a"}
    lock = {"hands": "QQ,AA", "play": {"check": 1.0}}
    made = spot(**plain, ranges={"oop": "QQ,55", "ip": "KK"}, locks=[lock])
    assert len(on_flop(made, read_cards("Tc9d6h")).locks) == 1
    assert on_flop(made, read_cards("QcQdQh")).locks == ()  # aces are not in the range
    one = spot(**plain, ranges={"oop": "QQ", "ip": "KK"}, locks=[{**lock, "hands": "QsQh"}])
    assert len(flops_of(one)) > 1755  # a hand that is locked tells suits apart
