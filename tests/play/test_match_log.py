"""Logs: one writer at a time, matches that are extended, hands that are checked."""

import json
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from children import SOON
from hypothesis import given
from hypothesis import strategies as st

from regretless.core.errors import BadFile, BadInput, BadParameter
from regretless.evaluation.statistics import CONFIDENCE_95
from regretless.play.fixture import Fixture
from regretless.play.histories._check import Numbering
from regretless.play.match_log import MatchLog
from regretless.play.match_run import Match
from regretless.play.records import Hand
from regretless.play.rules import rules_of
from regretless.play.score import Score


def match(hands=100, **change):
    given_ = {"game": "leduc", "agents": ("random", "aggressive"), "hands": hands, "seed": 3}
    return Match(**{**given_, **change})


def fixture(**change):
    told = {"name": "m", "game": "leduc", "rules": rules_of("leduc"), "hands": 5, "seed": 1}
    return Fixture(**{**told, "names": ("a", "b"), **change})


# --- one writer


def test_a_log_has_one_writer(tmp_path):
    path = tmp_path / "x.log"
    with MatchLog(path, fixture()) as log:
        log.take_up()
        for resume in (False, True):
            with pytest.raises(BadFile, match=r"x\.log: is being written by another run"):
                MatchLog(path, fixture(), resume=resume)
    with MatchLog(path, fixture(), resume=True) as log:  # free again
        log.take_up()
        assert log.score.hands == 0


def test_a_log_stays_locked_while_its_header_changes(tmp_path):
    path = tmp_path / "x.log"
    match(20).run(log=path)
    with MatchLog(path, match(40).fixture(), resume=True) as log:
        log.take_up()
        assert not log.complete
        with pytest.raises(BadFile, match="another run"):
            MatchLog(path, match(40).fixture(), resume=True)


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_a_killed_writer_leaves_no_lock(tmp_path):
    words = ["match", "leduc", "random", "random", "--hands", "100000000", "--log", "x.log"]
    first = subprocess.Popen(
        [sys.executable, "-m", "regretless", *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        log, deadline = tmp_path / "x.log", time.monotonic() + SOON
        while not log.exists() or log.stat().st_size < 20_000:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        wanted = Match(game="leduc", agents=("random", "random"), hands=100_000_000)
        with pytest.raises(BadFile, match="another run"):
            MatchLog(log, wanted.fixture(), resume=True)
    finally:
        first.kill()
        first.wait()
    with MatchLog(log, wanted.fixture(), resume=True) as taken:
        assert sum(1 for _ in taken.hands()) > 100


# --- extended


@pytest.mark.parametrize(("played", "more"), [(100, 101), (99, 1000), (7, 30)])
@pytest.mark.parametrize("duplicate", [False, True])
def test_an_extended_match_is_the_one_played_at_once(tmp_path, played, more, duplicate):
    whole = match(more, duplicate=duplicate).run(log=tmp_path / "whole.log")
    match(played, duplicate=duplicate).run(log=tmp_path / "x.log")
    longer = match(more, duplicate=duplicate).run(log=tmp_path / "x.log", resume=True)
    assert (tmp_path / "x.log").read_bytes() == (tmp_path / "whole.log").read_bytes()
    assert longer.facts()["players"] == whole.facts()["players"]
    assert not list(tmp_path.glob(".x.log*"))


def test_a_finished_match_is_left_as_it_is(tmp_path):
    path = tmp_path / "x.log"
    match().run(log=path)
    text, changed = path.read_bytes(), path.stat().st_mtime_ns
    match().run(log=path, resume=True)
    assert path.read_bytes() == text
    assert path.stat().st_mtime_ns == changed
    with pytest.raises(BadInput, match="has 100 hands, must be at most 50"):
        match(50).run(log=path, resume=True)
    assert path.read_bytes() == text


# --- checked


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: [*lines[:9], lines[8], *lines[9:]], "got hand 2, expected hand 3"),
        (lambda lines: [*lines[:8], *lines[9:]], "got hand 3, expected hand 2"),
        (
            lambda lines: [*lines[:8], lines[8].replace(":r", ":c", 1), *lines[9:]],
            "hand 2|got 'STATE:2:",
        ),
        (lambda lines: [*lines[:-1], lines[-1].replace("SCORE:", "SCORE:1")], "expected 'SCORE:"),
        (lambda lines: [*lines[:-3], lines[-1]], "expected 'SCORE:"),
        (lambda lines: [*lines, lines[-1]], "after the score"),
    ],
)
def test_a_log_with_other_hands_is_not_continued(tmp_path, change, problem):
    path = tmp_path / "x.log"
    match(seed=1).run(log=path)
    lines = path.read_text().splitlines(keepends=True)
    assert ":r" in lines[8]
    text = "".join(change(lines))
    assert text != "".join(lines)
    path.write_text(text)
    with pytest.raises(BadFile, match=problem):
        match(200, seed=1).run(log=path, resume=True)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": " "}, "name of the match: must not be empty"),
        ({"names": ("a", "a")}, "names a, a: all names must differ"),
        ({"names": ("a", "")}, "player name ''"),
        ({"names": ("a",)}, "1 player names: the game has 2 seats"),
        ({"hands": 0}, "hands=0"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_what_a_log_could_not_say_is_refused(change, problem):
    with pytest.raises(BadParameter, match=problem):
        fixture(**change)


# --- numbers of hands


@given(st.lists(st.integers(0, 40)))
def test_numbers_are_those_of_a_set(numbers):
    numbering, seen = Numbering(), set()
    for number in numbers:
        assert numbering.add(number) == (number not in seen)
        seen.add(number)
    missing = {n for a, b in numbering.missing() for n in range(a, b + 1)}
    assert missing == set(range(max(seen, default=-1) + 1)) - seen


def test_a_long_log_takes_little_memory():
    numbering = Numbering()
    assert all(numbering.add(number) for number in range(10_000))
    assert len(numbering._starts) == 1


def test_repeated_and_missing_hands_are_told(tmp_path):
    path = tmp_path / "x.log"
    match(30).run(log=path)
    lines = path.read_text().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if line.startswith("STATE:0:"))
    changed = [*lines[: first + 10], lines[first + 4], *lines[first + 10 :]]
    del changed[first + 20 : first + 23]
    path.write_text("".join(changed))
    done = subprocess.run(
        [sys.executable, "-m", "regretless", "histories", "x.log", "--check", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"x.log:{first + 11}: hand 4 appears twice",
        "x.log: hands 19 to 21 are missing",
    ]
    assert json.loads(done.stdout)["mismatches"] == 2


def test_the_path_is_kept_as_it_was_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with MatchLog(Path("x.log"), fixture()) as log:
        log.take_up()
        assert str(log.path) == "x.log"


def test_a_score_before_the_last_hand_is_refused(tmp_path):
    path = tmp_path / "x.log"
    match(4).run(log=path)
    path.write_text(path.read_text().replace(" leduc 4 3", " leduc 10 3", 1))
    with pytest.raises(BadFile, match="got the score after 4 of 10 hands"):
        match(10).run(log=path, resume=True)


def test_a_match_killed_in_its_header_begins_again(tmp_path):
    path, whole = tmp_path / "x.log", tmp_path / "whole.log"
    match(4).run(log=whole)
    header = match(4).fixture().header().encode()
    for length in range(1, len(header), 7):
        path.write_bytes(header[:length])
        match(4).run(log=path, resume=True)
        assert path.read_bytes() == whole.read_bytes()
    path.write_bytes(header[: header.index(b"#--t_hand")] + b"some notes")
    with pytest.raises(BadFile, match="belongs to another match: got 'some notes'"):
        match(4).run(log=path, resume=True)


@pytest.mark.parametrize("duplicate", [False, True])
def test_the_interval_of_a_score_is_that_of_chips_per_hand(duplicate):
    score = Score(2, duplicate=duplicate)
    won = [3, -1, 2, 2, -5, 4, 1, 0]  # of position 1; seats change positions after every hand
    for number, chips in enumerate(won):
        score.add(Hand(number, "", "", (chips, -chips), ("a", "b")))
    seat = np.array([chips if number % 2 == 0 else -chips for number, chips in enumerate(won)])
    samples = seat.reshape(-1, 2).mean(axis=1) if duplicate else seat
    half = CONFIDENCE_95 * samples.std(ddof=1) / len(samples) ** 0.5
    assert score.means() == pytest.approx([seat.mean(), -seat.mean()])
    assert score.intervals() == pytest.approx([half, half])


@pytest.mark.parametrize("duplicate", [False, True])
def test_deals_from_any_hand_on_are_those_of_the_whole_match(duplicate):
    made = fixture(duplicate=duplicate)
    whole = list(islice(made.dealt(0), 12))
    for first in range(5):
        assert list(islice(made.dealt(first), 7)) == whole[first : first + 7]
