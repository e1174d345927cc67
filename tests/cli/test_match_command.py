"""`regretless match` as people and programs use it."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from regretless.play.agents._catalog import agents
from regretless.play.histories.acpc_log import write_hand
from regretless.play.match import play_match, rules_of


def test_facts_are_one_json_object(command):
    words = ["match", "leduc", "random", "aggressive", "--hands", "2000", "--seed", "3"]
    code, out, err = command(*words, "--json", "--names", "fish, maniac")
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert (facts["game"], facts["hands"], facts["seed"]) == ("leduc", 2000, 3)
    assert facts["stop"] == "all hands played"
    fish, maniac = facts["players"]
    assert (fish["name"], maniac["name"]) == ("fish", "maniac")
    assert fish["chips"] == -maniac["chips"]
    assert fish["chips_per_hand"] < -fish["chips_interval_95"] < 0
    again = json.loads(command(*words, "--json", "--names", "fish,maniac")[1])
    assert again["players"] == facts["players"]


def test_a_table_for_people(command):
    code, out, _ = command("match", "holdem_limit:players=3", *["random"] * 3, "--hands", "50")
    assert code == 0
    for text in ("chips per hand", "milli-big-blinds per hand", "random-3", "±", "50 hands"):
        assert text in out


def test_a_solved_strategy_beats_a_random_player(command):
    command("solve", "leduc", "--iterations", "200", "--out", "x.strategy")
    words = ["match", "leduc", "x.strategy", "random", "--hands", "4000", "--duplicate", "--json"]
    code, out, _ = command(*words, "--log", "x.log")
    facts = json.loads(out)
    assert code == 0
    assert facts["samples"] == 2000
    assert facts["players"][0]["chips_per_hand"] > 2 * facts["players"][0]["chips_interval_95"]
    lines = Path("x.log").read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed x-vs-random leduc 4000 0"
    assert lines[-1].startswith("SCORE:")
    assert sum(line.startswith("STATE:") for line in lines) == 4000


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["rps", "random", "random"], "game rps: not poker"),
        (["leduc", "random"], "agents: got 1, needed are 2"),
        (["leduc", "random", "x.strategy"], "x.strategy: no such file"),
        (["leduc", "random", "random", "--hands", "0"], "hands=0: must be 1 to"),
        (["leduc", "random", "random", "--seed", "-1"], "seed=-1: must be 0 to 4294967295"),
        (["leduc", "random", "random", "--names", "a"], "names: got 1, needed are 2"),
        (["leduc", "random", "random", "--resume"], "no log is named"),
        (["leduc", "random", "random", "--duplicate", "--fixed"], "fixed seats"),
        (["leduc", "random", "random", "--log", "no/x.log"], "no such directory"),
    ],
)
def test_mistakes_are_one_line(command, words, problem):
    code, out, err = command("match", *words)
    assert (code, out) == (2, "")
    assert err.startswith("regretless: ")
    assert problem in err
    assert err.count("\n") == 1


def test_a_cut_log_is_completed(command):
    words = ["match", "leduc", "random", "aggressive", "--hands", "3000", "--log", "x.log"]
    whole = json.loads(command(*words, "--json")[1])
    text = Path("x.log").read_bytes()
    Path("x.log").write_bytes(text[: len(text) // 2])
    assert "exists" in command(*words)[2]
    resumed = json.loads(command(*words, "--json", "--resume")[1])
    assert resumed["players"] == whole["players"]
    assert Path("x.log").read_bytes() == text


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_match_leaves_its_hands(tmp_path, number):
    words = ["leduc", "random", "aggressive", "--hands", "1000000000", "--json", "--log", "x.log"]
    process = subprocess.Popen(
        [sys.executable, "-m", "regretless", "match", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    log, deadline = tmp_path / "x.log", time.monotonic() + 60
    while not log.exists() or log.stat().st_size < 50_000:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=60)
    written = [line for line in log.read_text().splitlines(keepends=True) if line[0] == "S"]
    whole = [line.rstrip("\n") for line in written if line.endswith("\n")]
    rules = rules_of("leduc")
    players = agents(["random", "aggressive"], rules)
    hands = play_match(rules, players, hands=10**9, seed=0, names=["random", "aggressive"])
    assert whole == [write_hand(hand) for hand in islice(hands, len(whole))]
    if number == signal.SIGINT:
        assert process.returncode == 0
        assert json.loads(out)["stop"] == "interrupted"
        # Ctrl-C may come between the writing and the counting of a hand.
        assert len(whole) - json.loads(out)["hands"] in (0, 1)
        assert "go on with --log x.log --resume" in err
