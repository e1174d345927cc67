"""`regretless match` as people and programs use it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest
from children import SOON

from regretless.play.agents._catalog import agents
from regretless.play.histories.acpc_log import read_log, write_hand
from regretless.play.match import play_match
from regretless.play.rules import rules_of


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
    assert fish["chips_per_hand"] < -fish["chips_per_hand_half_width"] < 0
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
    assert (
        facts["players"][0]["chips_per_hand"] > 2 * facts["players"][0]["chips_per_hand_half_width"]
    )
    lines = Path("x.log").read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed x-vs-random leduc 4000 0"
    assert lines[-1].startswith("SCORE:")
    assert sum(line.startswith("STATE:") for line in lines) == 4000


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["rps", "random", "random"], "game rps: not a poker game"),
        (["leduc", "random"], "agents: got 1, expected 2"),
        (["leduc", "random", "x.strategy"], "x.strategy: no such file"),
        (["leduc", "random", "random", "--hands", "0"], "hands=0: must be 1 to"),
        (["leduc", "random", "random", "--seed", "-1"], "seed=-1: must be 0 to 4,294,967,295"),
        (["leduc", "random", "random", "--names", "a"], "names: got 1, expected 2"),
        (["leduc", "random", "random", "--continue"], "no log is given"),
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
    resumed = json.loads(command(*words, "--json", "--continue")[1])
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
    log, deadline = tmp_path / "x.log", time.monotonic() + SOON
    while not log.exists() or log.stat().st_size < 50_000:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=SOON)
    written = [line for line in log.read_text().splitlines(keepends=True) if line[0] == "S"]
    whole = [line.rstrip("\n") for line in written if line.endswith("\n")]
    rules = rules_of("leduc")
    players = agents(["random", "aggressive"], rules)
    hands = play_match(rules, players, hands=10**9, seed=0, names=["random", "aggressive"])
    assert whole == [write_hand(hand) for hand in islice(hands, len(whole))]
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert json.loads(out)["stop"] == "interrupted"
        # Ctrl-C may come between the writing and the counting of a hand.
        assert len(whole) - json.loads(out)["hands"] in (0, 1)
        assert "continue with --log x.log --continue" in err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["dealer", "m", "leduc", "9", "1", "a=random", "b=absent.py:Bot"], "absent.py: no such"),
        (["dealer", "m", "leduc", "9", "1", "a=random", "b=nobody"], "unknown agent 'nobody'"),
        (["dealer", "m", "leduc", "9", "1", "a=random", "a=random"], "all names must differ"),
        (["dealer", "", "leduc", "9", "1", "a", "b"], "name of the match: must not be empty"),
        (["dealer", "m", "leduc", "0", "1", "a", "b"], "hands=0"),
        (["match", "leduc", "random", "random", "--names", ""], "player name ''"),
        (["match", "leduc", "random", "random", "--names", "a,a"], "all names must differ"),
        (["match", "leduc", "random", "absent.py:Bot"], "absent.py: no such file"),
        (["play", "leduc", "--continue"], "--continue needs --log"),
        (["play", "--continue"], "--continue needs --log"),
        (["agent", "localhost", "9", "--bot", "mybot.py:Bot"], "--bot needs --game"),
        (["agent", "localhost", "9", "--bot", "nobody"], "unknown agent 'nobody'"),
        (["league", "leduc", "random", "absent.py:Bot"], "absent.py: no such file"),
        (["histories", "x.log", "--parquet", "x.log"], "x.log: is both input x.log and --parquet"),
        (["histories", "x.log", "--parquet", "y", "--phh", "y"], "y: is both --parquet and --phh"),
        (["histories", "x.log", "--long"], "--long needs --parquet"),
    ],
)
def test_wrong_use_around_the_table_is_one_line(command, words, problem):
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1
    assert not list(Path().iterdir())


def test_a_match_is_extended(command):
    words = ["match", "leduc", "random", "aggressive", "--log", "x.log", "--json", "--hands"]
    command(*words, "500")
    code, out, _ = command(*words, "800", "--continue")
    whole = command(*[word.replace("x.log", "y.log") for word in words], "800")[1]
    assert code == 0
    assert json.loads(out)["players"] == json.loads(whole)["players"]
    assert Path("x.log").read_bytes() == Path("y.log").read_bytes()


def test_a_row_for_every_player_and_hand(command):
    pq = pytest.importorskip("pyarrow.parquet")
    words = ["kuhn:players=3", *["random"] * 3, "--hands", "40", "--names", "a,b,c"]
    command("match", *words, "--log", "x.log")
    assert command("histories", "x.log", "--parquet", "x.parquet", "--long")[0] == 0
    rows = pq.read_table("x.parquet").to_pylist()
    hands = list(read_log("x.log"))
    assert len(rows) == 120
    for row, (hand, position) in zip(
        rows, [(hand, p) for hand in hands for p in range(3)], strict=True
    ):
        assert row == {
            "source": "x.log",
            "hand": hand.number,
            "position": position + 1,
            "players": 3,
            "name": hand.names[position],
            "hole": hand.holes[position],
            "board": "",
            "betting": hand.betting,
            "payoff": hand.payoffs[position],
        }


def test_an_agent_that_fails_to_start_ends_the_match(tmp_path):
    (tmp_path / "bad.py").write_text("import nothing_of_that_name\n")
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "regretless", "dealer", "m", "leduc", "9", "1", "a=bad.py:B", "b"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=SOON,
    )
    assert done.returncode == 3
    assert "bad.py:1:1: ModuleNotFoundError" in done.stderr
    assert time.monotonic() - started < 50


@pytest.mark.parametrize(
    "words",
    [
        ["league", "leduc", "random", "aggressive", "--deals", "1000000000"],
        ["agent", "127.0.0.1", "PORT", "--builtin", "random", "--game", "leduc"],
        ["dealer", "m", "leduc", "1000000", "1", "a=random", "b"],
    ],
    ids=lambda words: words[0],
)
def test_ctrl_c_has_one_exit_code(tmp_path, words):
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as stack:
        port = str(silent.getsockname()[1])
        process = subprocess.Popen(
            [sys.executable, "-m", "regretless", *(port if w == "PORT" else w for w in words)],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if words[0] == "agent":
            silent.settimeout(60)
            stack.enter_context(silent.accept()[0]).recv(64)
        elif words[0] == "dealer":
            assert process.stdout.readline()
        else:
            time.sleep(4)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 130, err
    assert "Traceback" not in err


def test_plot(command):
    code, out, err = command("match", "kuhn", "dbbr", "loose", "--hands", "200", "--plot", "m.png")
    assert (code, err) == (0, "")
    assert "written to m.png" in out
    assert Path("m.png").stat().st_size > 5000
    code, _, err = command("match", "kuhn", "random", "random", "--plot", "m.txt")
    assert code == 2
    assert "must be" in err
