"""`regretless histories` as people and programs use it."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from children import SOON
from random_hands import holdem, play, rules_of

from regretless.play.histories.acpc_log import write_hand, write_header
from regretless.play.histories.phh_seen import read_seen

RULES = holdem([20_000] * 2)
HANDS = [play(RULES, seed, number=seed) for seed in range(50)]


@pytest.fixture
def log(tmp_path):
    """A log of fifty hands, in the folder in which commands run."""
    text = "\n".join([write_header("x", "holdem_nolimit", 50, 1), *map(write_hand, HANDS), ""])
    (tmp_path / "x.log").write_text(text)
    return text


def test_tables(command, log):
    code, out, err = command("histories", "x.log", "--check")
    assert code == 0
    assert "50 hands" in out
    assert "mbb/hand" in out
    assert "by position" in out
    assert "hands that break the rules: 0" in out
    assert err == ""
    assert max(map(len, out.splitlines())) <= 80


def test_facts(command, log):
    code, out, _ = command("histories", "x.log", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["hands"] == 50
    assert (facts["unit"], facts["unit_chips"]) == ("big-blind", 100)
    one = next(player for player in facts["players"] if player["name"] == "p1")
    won = [hand.payoffs[hand.names.index("p1")] for hand in HANDS]
    assert one["chips"] == sum(won)
    assert one["milli_units_per_hand"] == pytest.approx(10 * sum(won) / 50)
    assert [place["hands"] for place in one["positions"]] == [25, 25]


def test_exports(command, log, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    code, out, _ = command("histories", "x.log", "--parquet", "x.parquet", "--phh", "x.phhs")
    assert code == 0
    assert "written to x.parquet" in out
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 50
    assert [seen.hand() for seen in read_seen(tmp_path / "x.phhs")] == HANDS
    code, out, _ = command("histories", "x.phhs", "--check", "--json")
    assert code == 0
    assert json.loads(out)["hands"] == 50


def test_stdin_and_a_game(command, monkeypatch):
    leduc = rules_of("leduc")
    lines = "".join(write_hand(play(leduc, seed, number=seed)) + "\n" for seed in range(9))
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    code, out, _ = command("histories", "-")
    assert code == 0
    assert "chips only" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    code, out, _ = command("histories", "-", "--game", "leduc", "--check")
    assert code == 0
    assert "milli-antes" in out


def test_mismatches_are_told_by_line_and_exit_code_one(command, log, tmp_path):
    (tmp_path / "x.log").write_text(log.replace(f":{HANDS[7].betting}:", ":f:", 1))
    code, out, err = command("histories", "x.log", "--check", "--json")
    assert code == 1
    assert json.loads(out)["mismatches"] >= 1
    assert err.startswith("x.log:")


def test_a_cut_log_is_read_with_a_word_about_it(log, tmp_path):
    (tmp_path / "x.log").write_text(log[:-9])
    done = subprocess.run(
        [sys.executable, "-m", "regretless", "histories", "x.log", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["hands"] == 49
    assert "x.log:54: the last line is incomplete" in done.stderr
    assert len(done.stderr.splitlines()) == 1


BAD = [
    (("missing.log",), "no such file"),
    (("bad.log",), "bad.log:1:1: got 'nonsense'"),
    (("plain.log", "--check"), "add --game"),
    (("plain.log", "--phh", "x.phhs"), "add --game"),
    (("plain.log", "--game", "rps"), "poker"),
    (("plain.log", "--game", "leduc", "--phh", "x.phhs"), "PHH has no code"),
    (("plain.log", "--parquet", "no/such/x"), "no such directory"),
]


@pytest.mark.parametrize(("words", "told"), BAD)
def test_bad_input_is_one_line(command, tmp_path, words, told):
    (tmp_path / "bad.log").write_text("nonsense\n")
    (tmp_path / "plain.log").write_text(write_hand(play(rules_of("leduc"), 1)) + "\n")
    code, out, err = command("histories", *words)
    assert code == 2
    assert told.lower() in err.lower()
    assert len(err.splitlines()) == 1
    assert out == ""
    assert not (tmp_path / "x.phhs").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_keeps_the_hands_read_so_far(tmp_path):
    line = write_hand(HANDS[3]) + "\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "regretless", "histories", "-", "--json", "--parquet", "x.parquet"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    # More than a pipe holds: when this is written, most of it was read.
    process.stdin.write(line * 5_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(line * 5_000, timeout=SOON)
    facts = json.loads(out)
    assert process.returncode == 130
    assert facts["interrupted"]
    assert 2_000 <= facts["hands"] < 10_000
    assert (tmp_path / "x.parquet").exists()


def test_cents_are_shown(command):
    cash = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"
    code, out, err = command("histories", str(cash))
    assert code == 0, err
    assert re.search(r"cid +2 +-0\.35 +-0\.175", out)
