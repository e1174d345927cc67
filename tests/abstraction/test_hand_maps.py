"""Maps of hands to buckets: look-ups, memory, files, composition."""

from __future__ import annotations

import errno
import json
import os
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.abstraction._composition import hand_map, read_composition
from regretless.abstraction._deal_rules import DealRules, deal_rules
from regretless.abstraction._hand_map import HandMap, RoundMap
from regretless.abstraction._hand_map_files import load_hand_map
from regretless.core.errors import BadFile, BadInput, BadParameter, RegretlessError, WrongGame

SMALL = DealRules(ranks=3, suits=3, hole=2, board=(0, 3, 1))


def any_map(deal: DealRules, seed: int = 0) -> HandMap:
    """Random labels; the last round remembers."""
    rng = np.random.default_rng(seed)
    rounds = []
    for number in range(len(deal.board)):
        index = deal.index(number, ordered=number % 2 == 1)
        labels = rng.integers(0, 5, index.size).astype(np.uint16)
        pairs = np.empty((0, 0), np.int32)
        if number and number == len(deal.board) - 1:
            pairs = rng.integers(0, 7, (rounds[-1].count, 5)).astype(np.int32)
        rounds.append(RoundMap(index, 7 if pairs.size else 5, labels, pairs))
    return HandMap(deal, tuple(rounds), "random")


def slow_bucket(found: HandMap, hand, boards) -> int:
    """One round after the other, one hand at a time."""
    bucket = -1
    for number in range(len(boards)):
        one = found.rounds[number]
        cards = [*hand, *(card for part in boards[: number + 1] for card in part)]
        label = int(one.index.index([cards])[0])
        label = int(one.labels[label]) if one.labels.size else label
        bucket = int(one.pairs[bucket, label]) if one.pairs.size else label
    return bucket


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_all_hands_of_a_board_at_once(data):
    deal = data.draw(
        st.sampled_from(
            [SMALL, DealRules(4, 2, 1, (0, 1, 2)), DealRules(5, 4), DealRules(2, 4, 2, (1,))]
        )
    )
    found = any_map(deal, data.draw(st.integers(0, 3)))
    order = data.draw(st.permutations(range(deal.cards)))
    rounds = data.draw(st.integers(1, len(deal.board)))
    ends = [deal.shown(number) for number in range(rounds)]
    boards = [tuple(order[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
    dealt = {card for part in boards for card in part}
    buckets = found.buckets(boards)
    assert len(buckets) == rounds
    for number in range(rounds):
        seen = {card for part in boards[: number + 1] for card in part}
        for place, hand in enumerate(combinations(range(deal.cards), deal.hole)):
            expected = -1 if seen & set(hand) else slow_bucket(found, hand, boards[: number + 1])
            assert buckets[number][place] == expected
            if number == rounds - 1 and not dealt & set(hand) and deal.shown(number):
                assert found.of(hand, [card for part in boards for card in part]) == expected


def test_lossless_rounds_of_holdem():
    found = hand_map(DealRules(board=(0, 3, 1)), "preflop=lossless,flop=lossless,turn=lossless")
    assert found.counts == (169, 1_286_792, 55_190_538)
    assert found.of("AsKd") == found.of("KhAc") != found.of("AsKs")
    assert found.of("AsKd", "Td9d6h2c") != found.of("AsKd", "Td9d2c6h")  # another turn card
    assert found.of("AsKd", "Td9d6h2c") == found.of("AcKh", "6d9hTh 2s")
    with pytest.raises(RegretlessError, match=r"^river=lossless: 2,428,287,420 buckets[^\n]*$"):
        hand_map("holdem_nolimit", "preflop=lossless,flop=lossless,turn=lossless,river=lossless")


@pytest.mark.parametrize(
    "spec", ["leduc", "leduc:suits_distinct=true", "rhode_island:ranks=3,suits=2,cap=1", "kuhn"]
)
def test_a_lossless_map_gives_the_same_game(spec):
    form = rl.sequence_form(spec)
    rounds = deal_rules(spec).rounds
    found = hand_map(spec, ",".join(f"{name}=lossless" for name in rounds))
    made = found.abstraction(form)
    assert made.is_lossless
    assert made.has_perfect_recall
    full, there = rl.solve(form, iterations=50), rl.solve(form, abstraction=made, iterations=50)
    assert there.exploitability == pytest.approx(full.exploitability, abs=1e-9)
    assert found.abstraction(form).maps[0].counts == made.maps[0].counts


def test_cards_that_cannot_be():
    found = any_map(SMALL)
    for hand, board, message in [
        ("AsAs", "", "appears twice"),
        ("AsKs", "AsQhKh", "As is both in the hand and on the board"),
        ("As", "", "must be 2"),
        ("2s3s", "", "is not a card from Qd to As"),
        ("AsKs", "AhQh", "must be one of 0, 3, 4"),
        ("AsKs", "AhQhQh", "appears twice"),
    ]:
        with pytest.raises(BadParameter, match=rf"^[^\n]*{message}[^\n]*$"):
            found.of(hand, board)
    for boards in ([(0,)], [(), (0, 1)], [(), (0, 1, 1)], [(), (0, 1, 9)], [(), (0, 1, -1)], []):
        with pytest.raises(BadParameter):
            found.buckets(boards)


def test_tables_that_do_not_fit_are_refused():
    index = SMALL.index(1)
    good = np.zeros(index.size, np.uint16)
    pairs = np.zeros((5, 1), np.int32)
    for count, labels, table in [
        (0, good, None),
        (1, good[1:], None),
        (1, good.astype(np.int64), None),
        (1, good + np.uint16(1), None),
        (2, good - np.int32(1), None),
        (1, good + np.uint16(1), pairs),
        (1, good, pairs + np.int32(1)),
        (1, good, pairs - np.int32(1)),
        (index.size - 1, np.empty(0, np.uint16), None),
    ]:
        with pytest.raises(BadInput):
            RoundMap(index, count, labels, *(() if table is None else (table,)))
    rounds = any_map(SMALL).rounds
    for wrong in (rounds[:2], (rounds[0], rounds[2], rounds[1]), (rounds[0],) * 3):
        with pytest.raises(BadInput):
            HandMap(SMALL, wrong)
    RoundMap(index, 1, good, pairs)
    with pytest.raises(BadInput, match="previous"):
        rounds[2].of(SMALL.hands, np.array([0, 1, 2, 3], np.uint8))


def test_what_is_saved_is_read(tmp_path):
    found = any_map(SMALL)
    found.save(tmp_path / "x.map")
    read = load_hand_map(tmp_path / "x.map")
    assert (read.deal, read.by, read.counts) == (found.deal, found.by, found.counts)
    assert read.fingerprint == found.fingerprint != any_map(SMALL, 1).fingerprint
    boards = [(), (0, 4, 8), (1,)]
    for one, other in zip(read.buckets(boards), found.buckets(boards), strict=True):
        assert np.array_equal(one, other)
    assert sorted(path.name for path in (tmp_path / "x.map").iterdir()) == [
        "about.json", "flop.json", "flop.npy", "preflop.json", "preflop.npy",
        "turn-pairs.npy", "turn.json", "turn.npy",
    ]  # fmt: skip
    # Another map may replace it, but not another kind of folder or a file.
    any_map(SMALL, 1).save(tmp_path / "x.map")
    assert load_hand_map(tmp_path / "x.map").fingerprint == any_map(SMALL, 1).fingerprint
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    (tmp_path / "file").write_text("")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "about.json").write_text("{}")  # of something else
    (tmp_path / "cache" / "work").mkdir()
    for place in ("other", "file", "none/x.map", "cache"):
        with pytest.raises(BadFile):
            found.save(tmp_path / place)
    assert (tmp_path / "cache" / "about.json").exists()
    with pytest.raises(BadParameter):
        found.save("")


def fingerprint_or_line(place) -> str:
    try:
        return load_hand_map(place).fingerprint
    except RegretlessError as error:
        return str(error) if "\n" in str(error) else "one line"


@pytest.mark.parametrize("name", ["about.json", "flop.json", "flop.npy", "turn-pairs.npy"])
def test_damaged_files_are_refused_in_one_line(name, tmp_path):
    any_map(SMALL).save(tmp_path / "x.map")
    path = tmp_path / "x.map" / name
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    damaged = [whole[:cut] for cut in (0, 1, len(whole) // 2, len(whole) - 1)]
    for _ in range(40):
        at = int(rng.integers(len(whole)))
        damaged.append(
            whole[:at] + bytes([whole[at] ^ int(rng.integers(1, 256))]) + whole[at + 1 :]
        )
    before = load_hand_map(tmp_path / "x.map").fingerprint
    for content in damaged:
        path.write_bytes(content)
        # What is not refused is white space, or a field without meaning.
        assert fingerprint_or_line(tmp_path / "x.map") in (before, "one line")
    path.unlink()
    with pytest.raises(BadFile, match=r"^[^\n]*missing[^\n]*$"):
        load_hand_map(tmp_path / "x.map")


def test_other_versions_and_half_maps_are_refused(tmp_path):
    place = tmp_path / "x.map"
    any_map(SMALL).save(place)
    for name in ("about.json", "turn.json"):
        about = json.loads((place / name).read_text())
        (place / name).write_text(json.dumps({**about, "format": "regretless hand map 7"}))
        with pytest.raises(BadFile, match="format is 'regretless hand map 7'"):
            load_hand_map(place)
        (place / name).write_text(json.dumps(about))
    # A round of another map.
    any_map(SMALL, 1).save(tmp_path / "y.map")
    for name in ("flop.json", "flop.npy"):
        (place / name).write_bytes((tmp_path / "y.map" / name).read_bytes())
    with pytest.raises(BadFile, match="belong to different maps"):
        load_hand_map(place)
    (place / "about.json").unlink()
    (place / "work").mkdir()
    with pytest.raises(BadFile, match="not finished"):
        load_hand_map(place)
    with pytest.raises(BadFile, match="no such map"):
        load_hand_map(tmp_path / "z.map")


def test_a_full_disk_is_one_line_and_leaves_no_map(tmp_path, monkeypatch):
    def full(stream, table):
        stream.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    any_map(SMALL).save(tmp_path / "x.map")
    monkeypatch.setattr(np, "save", full)
    with pytest.raises(
        BadFile, match=r"^[^\n]*preflop.npy: cannot be written: No space left[^\n]*$"
    ):
        any_map(SMALL, 1).save(tmp_path / "x.map")
    with pytest.raises(BadFile, match="not finished"):
        load_hand_map(tmp_path / "x.map")
    monkeypatch.undo()
    any_map(SMALL, 1).save(tmp_path / "x.map")
    assert load_hand_map(tmp_path / "x.map").fingerprint == any_map(SMALL, 1).fingerprint
    assert not list(tmp_path.glob("**/.*"))  # no temporary files


def test_an_array_that_is_cut_off_by_a_full_disk_has_a_reason(tmp_path, monkeypatch):
    def cut(stream, table):
        raise OSError(f"{table.size} requested and 2 written")  # as NumPy does

    monkeypatch.setattr(np, "save", cut)
    with pytest.raises(BadFile, match=r"cannot be written: is the disk full\?$"):
        any_map(SMALL).save(tmp_path / "x.map")


def test_a_missing_round_is_named(tmp_path):
    any_map(SMALL).save(tmp_path / "x.map")
    (tmp_path / "x.map" / "flop.json").unlink()
    with pytest.raises(BadFile, match=r"flop.json: missing: rebuild the map$"):
        load_hand_map(tmp_path / "x.map")


def test_a_map_of_another_deck_is_refused():
    found = hand_map("leduc", "preflop=lossless,flop=lossless")
    with pytest.raises(WrongGame, match=r"3×2 cards.*4×2 cards"):
        found.abstraction(rl.sequence_form("leduc:ranks=4"))


def test_compositions_are_read(tmp_path):
    deal = deal_rules("leduc")
    for by, message in [
        ("preflop=lossless", "flop is missing"),
        (
            "preflop=lossless,flop=nested:3",
            "flop=nested:3: inner is missing: must be nested:OUTERxINNER",
        ),
        ("preflop=lossless,flop=lossless,turn=lossless", "rounds are preflop, flop"),
        ("preflop=lossless,preflop=lossless", "given twice"),
        ("lossless", "must begin with preflop="),
        ("preflop=nonsense,flop=lossless", "unknown maker of buckets 'nonsense'"),
        ("preflop=lossless:5,flop=lossless", "must be lossless"),
        ("preflop=lossless,flop=lossless,seed=3", "has no parameters"),
    ]:
        with pytest.raises(BadInput, match=message):
            read_composition(by, deal)
    assert [str(one) for one in read_composition(" preflop = lossless , flop=lossless", deal)] == [
        "lossless",
        "lossless",
    ]
