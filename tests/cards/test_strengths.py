"""Hand strength: published values, equities as a second route, the river rival by rival."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import ExitStack
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards import strengths
from regretless.cards.equities import against_random, equity
from regretless.cards.holdings import CLASSES, class_names, class_of, hands, number_of, read_cards
from regretless.cards.ranking import strength as slow_rank
from regretless.cards.strengths import BINS, cluster_strengths, strength, strength_table
from regretless.core.errors import BadFile, BadParameter, Interrupted
from regretless.core.files import locked


def cards(text):
    return read_cards(text)


def beaten(hand, board, rivals):
    """[rival] 1, 1/2 or 0."""

    def rank(two):
        return slow_rank([(card // 4, card % 4) for card in (*two, *board)])

    own = rank(hand)
    return [(own > rank(other)) + 0.5 * (own == rank(other)) for other in rivals]


def rivals_of(hand, board):
    left = sorted(set(range(52)) - set(hand) - set(board))
    return list(combinations(left, 2))


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(52)))
def test_the_river_one_rival_at_a_time(deck):
    hand, board = deck[:2], deck[2:7]
    rivals = rivals_of(hand, board)
    won = beaten(hand, board, rivals)
    found = strength(hand, board)
    assert len(rivals) == 990
    assert found.ehs == pytest.approx(np.mean(won), abs=1e-12)
    assert found.ehs2 == pytest.approx(np.mean(won) ** 2, abs=1e-12)
    bin = min(int(2 * sum(won)) * BINS // 1980, BINS - 1)
    assert found.histogram.tolist() == np.eye(BINS)[bin].tolist()
    clusters = np.arange(CLASSES) % 5
    vector = cluster_strengths(hand, board, clusters)
    groups = [int(clusters[class_of()[number_of(*other)]]) for other in rivals]
    for k in range(5):
        mine = [share for share, group in zip(won, groups, strict=True) if group == k]
        assert vector[k] == pytest.approx(np.mean(mine), abs=1e-12)


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc", "Td9d6h", "TdTsTh"])
def test_the_mean_is_the_equity_against_a_random_hand(board):
    found = strength(cards("AsKd"), cards(board))
    assert found.ehs == pytest.approx(equity("AsKd", "random", board).first, abs=1e-12)
    assert found.histogram.sum() == pytest.approx(1)


def test_turns_are_the_mean_of_rivers():
    hand, board = cards("8h7h"), cards("Td9d6hQc")
    rivers = [
        strength(hand, (*board, card)).ehs for card in range(52) if card not in (*hand, *board)
    ]
    found = strength(hand, board)
    assert len(rivers) == 46
    assert found.ehs == pytest.approx(np.mean(rivers), abs=1e-12)
    assert found.ehs2 == pytest.approx(np.mean(np.square(rivers)), abs=1e-12)
    bins = np.minimum(np.array([round(r * 1980) for r in rivers]) * BINS // 1980, BINS - 1)
    assert found.histogram == pytest.approx(np.bincount(bins, minlength=BINS) / 46)


@pytest.mark.parametrize(
    ("hand", "board"), [("8h7h", "Td9d6hQc"), ("AcAd", "AsKs2c"), ("9d9c", "9hTdTs")]
)
def test_equities_against_clusters_are_the_mean_over_the_next_card(hand, board):
    """Down to the river, which is counted rival by rival: a card of the hand never comes."""
    clusters = np.arange(CLASSES) % 5
    held, shown = cards(hand), cards(board)
    left = [card for card in range(52) if card not in (*held, *shown)]
    below = [cluster_strengths(held, (*shown, card), clusters) for card in left]
    np.testing.assert_allclose(
        cluster_strengths(held, shown, clusters), np.mean(below, axis=0), rtol=0, atol=1e-12
    )


@pytest.mark.slow
def test_before_the_flop():
    """0.8520 and 0.8240: Moravčík 2014, section 3.2."""
    assert strength(cards("AcAd")).ehs == pytest.approx(0.8520, abs=5e-5)
    assert strength(cards("KhKd")).ehs == pytest.approx(0.8240, abs=5e-5)
    sums, histograms = strengths.preflop_strengths()
    assert (sums[:, 2] == histograms.sum(axis=1)).all()
    found = sums[:, 0] / (1980 * sums[:, 2])
    assert found == pytest.approx(against_random(), abs=1e-12)
    suited = class_names().index("87s")
    assert strength(cards("8h7h")).ehs == pytest.approx(found[suited], abs=1e-12)


def test_a_hand_that_meets_nobody_of_a_cluster():
    clusters = np.zeros(CLASSES, int)
    clusters[class_names().index("AA")] = 1
    assert cluster_strengths(cards("AcAd"), cards("AhAs2c3d4h"), clusters)[1] == 0.5


@pytest.fixture
def few_boards(monkeypatch):
    """A table of three boards, so that it is made in no time."""
    some = np.array([[0, 5, 10], [0, 1, 2], [48, 49, 50]], np.uint8)
    monkeypatch.setattr(strengths, "_boards", lambda _: some)
    monkeypatch.setattr(strengths, "CHUNK", 1)
    return some


def test_tables_have_every_hand_of_their_boards(few_boards, tmp_path):
    table = strength_table(3, folder=tmp_path, threads=2)
    for board in few_boards.tolist():
        for hand in hands()[::97].tolist():
            if not {*hand} & {*board}:
                one, two = table.at(hand, board), strength(hand, board)
                assert one.ehs == pytest.approx(two.ehs, abs=1e-6)
                assert one.ehs2 == pytest.approx(two.ehs2, abs=1e-6)
                assert one.histogram == pytest.approx(two.histogram, abs=1e-12)
    again = strength_table(3, folder=tmp_path)  # opened, not made
    assert again.means.mode == "r"


def test_a_table_that_another_run_computes_is_waited_for(few_boards, tmp_path):
    whole = strength_table(3, folder=tmp_path / "other")
    place, told = tmp_path / "strengths-3-1", []
    place.mkdir()
    holding = ExitStack()
    holding.enter_context(locked(place / "table"))

    def listen(progress):
        told.append(progress.stage)
        if len(told) == 2:  # the other run is done
            shutil.copytree(tmp_path / "other" / "strengths-3-1", place, dirs_exist_ok=True)
            holding.close()

    found = strength_table(3, folder=tmp_path, listen=listen)
    assert told == ["hand strengths: waiting for another run that computes them"] * 2
    assert np.array_equal(found.means, whole.means)


def test_tables_go_on_where_they_were_interrupted(few_boards, tmp_path, monkeypatch):
    whole = strength_table(3, folder=tmp_path / "whole")
    looked = []

    class Asked:
        def __enter__(self):
            return lambda: looked.append(1) or len(looked) >= 1

        def __exit__(self, *_):
            return None

    with monkeypatch.context() as patch:
        patch.setattr(strengths, "interrupts", Asked)
        with pytest.raises(Interrupted, match="1 of 3 boards are saved"):
            strength_table(3, folder=tmp_path / "half")
    half = tmp_path / "half" / f"strengths-3-{strengths.VERSION}"
    assert (half / "done").read_text() == "1"
    first = np.load(half / "means.npy")
    done = []
    strength_table(3, folder=tmp_path / "half", listen=lambda p: done.append(p.done))
    assert done == pytest.approx([2 / 3, 1])  # the first board is not counted again
    assert (np.load(half / "means.npy")[first > 0] == first[first > 0]).all()
    for name in ("means.npy", "histograms.npy"):
        there = tmp_path / "whole" / half.name / name
        assert (half / name).read_bytes() == there.read_bytes()
    assert whole.boards_per_hand == 1081


@pytest.mark.parametrize(
    ("damage", "message"),
    [(b"", "damaged or missing"), (None, "damaged or missing"), ("other", "from another version")],
)
def test_damaged_tables_are_refused(few_boards, tmp_path, damage, message):
    strength_table(3, folder=tmp_path)
    path = tmp_path / f"strengths-3-{strengths.VERSION}" / "means.npy"
    if damage is None:
        path.unlink()
    elif damage == "other":
        np.save(path, np.zeros((3, 2)))
        strengths._finish(path.parent, {})
    else:
        path.write_bytes(damage)
    with pytest.raises(BadFile, match=message):
        strength_table(3, folder=tmp_path)


def test_a_flipped_bit_in_a_table_is_noticed(few_boards, tmp_path):
    strength_table(3, folder=tmp_path)
    path = tmp_path / f"strengths-3-{strengths.VERSION}" / "means.npy"
    content = bytearray(path.read_bytes())
    content[-3] ^= 4
    path.write_bytes(content)
    with pytest.raises(BadFile, match=r"^[^\n]*means.npy: damaged: delete its folder[^\n]*$"):
        strength_table(3, folder=tmp_path)


@pytest.mark.parametrize("damage", ["done", "means.npy", "histograms.npy"])
@pytest.mark.parametrize("content", [b"", b"rubbish", None])
def test_an_unfinished_table_that_is_damaged_is_computed_again(
    few_boards, tmp_path, damage, content
):
    whole = strength_table(3, folder=tmp_path / "whole").means.tobytes()
    place = tmp_path / f"strengths-3-{strengths.VERSION}"
    strength_table(3, folder=tmp_path)
    (place / "about.json").unlink()
    (place / "done").write_text("1")
    if content is None:
        (place / damage).unlink()
    else:
        (place / damage).write_bytes(content)
    assert strength_table(3, folder=tmp_path).means.tobytes() == whole


def test_a_disk_without_space_for_a_table_is_one_line(few_boards, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(BadFile, match=r"^[^\n]*means.npy: cannot be written: No space[^\n]*$"):
        strength_table(3, folder=tmp_path)
    monkeypatch.undo()
    assert not list(tmp_path.glob("*/means.npy"))


@pytest.mark.parametrize(
    ("hand", "board", "message"),
    [
        ("As", "", "hand of 1 card: must be 2"),
        ("AsKd", "Td9d", "board of 2 cards"),
        ("AsKd", "AsTd9d", "As appears twice"),
    ],
)
def test_bad_cards(hand, board, message):
    with pytest.raises(BadParameter, match=message):
        strength(cards(hand), cards(board))


def test_bad_clusters_and_tables(tmp_path):
    with pytest.raises(BadParameter, match="one per class"):
        cluster_strengths(cards("AsKd"), cards("Td9d6h"), [0, 1])
    with pytest.raises(BadParameter, match="must be 3, 4 or 5"):
        cluster_strengths(cards("AsKd"), (), np.zeros(CLASSES, int))
    with pytest.raises(BadParameter, match="board_cards=5"):
        strength_table(5)
