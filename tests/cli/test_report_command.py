"""`report` and `diff`, as a person calls them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from children import SOON

from regretless.core.files import locked

FLOP = """\
board = "2c3d4h"
pot = 10
stack = 10
[ranges]
oop = "AA,QQ"
ip = "KK,JJ"
[bets]
all = "a"
"""
RIVER = FLOP.replace("2c3d4h", "2c3d4hTsTc")


@pytest.fixture
def flop(command):
    Path("s.toml").write_text(FLOP)
    Path("flops.txt").write_text("Qs8d3c\n")
    return command


QUICK = ("--flops", "flops.txt", "--iterations", "4", "--processes", "1")


def test_a_report_is_shown_and_written(flop):
    code, out, err = flop("report", "s.toml", *QUICK, "--at", "check", "--plot", "r.png")
    assert (code, err) == (0, "")
    assert "1 flop, pot 10" in out
    assert "line: check" in out
    assert "Qs8d3c" in out
    assert pq.read_table("s.parquet").column("board").to_pylist() == ["Qs8d3c"]
    assert Path("r.png").read_bytes().startswith(b"\x89PNG")
    code, out, err = flop("report", "s.toml", *QUICK, "--at", "check", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["flops"] == facts["wanted"] == 1
    assert facts["out"] == "s.parquet"
    assert sum(facts["ev"]) == pytest.approx(10)
    assert sum(facts["lines"][0]["frequencies"].values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("s.toml", "--flops", "0"), "flops=0"),
        (("s.toml", "--flops", "nothing.txt"), "nothing.txt"),
        (("s.toml", "--at", "bet3"), "bet3"),
        (("s.toml", "--target", "lots"), "target"),
        (("s.toml", "--iterations", "0"), "iterations"),
        (("s.toml", "--processes", "0"), "processes"),
        (("s.toml", "--method", "nothing", "--flops", "1"), "nothing"),
        (("s.toml", "--out", "no/where.parquet"), "no such directory"),
        (("s.toml", "--plot", "x.nothing"), "x.nothing"),
        (("missing.toml",), "missing.toml"),
        (("river.toml",), "river"),
        (("flops.txt",), "toml"),
    ],
)
def test_bad_words_are_one_line_and_leave_nothing(flop, words, told):
    Path("river.toml").write_text(RIVER)
    before = {path.name for path in Path().iterdir()}
    code, out, err = flop("report", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    left = {path.name for path in Path().iterdir()} - before
    assert left <= {"s.parquet.boards.jsonl"}
    assert "s.parquet.boards.jsonl" not in left or "--method" in words


def test_a_journal_has_one_writer(flop):
    with locked("s.parquet.boards.jsonl"):
        code, out, err = flop("report", "s.toml", *QUICK)
    assert (code, out) == (2, "")
    assert err == "regretless: s.parquet.boards.jsonl: is being written by another run\n"
    assert not Path("s.parquet.boards.jsonl").exists()


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.slow
def test_ctrl_c_keeps_the_work(tmp_path):
    (tmp_path / "s.toml").write_text(FLOP)
    words = ["report", "s.toml", "--flops", "40", "--iterations", "5", "--processes", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "regretless", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # as in a terminal, all processes of the command get the signal
    )
    journal = tmp_path / "s.parquet.boards.jsonl"
    deadline = time.monotonic() + SOON
    while len(lines(journal)) < 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=SOON)
    assert process.returncode == 130
    assert "the same command continues" in told
    kept = lines(journal)
    assert 2 <= len(kept) < 41
    assert all(json.loads(line) for line in kept)
    assert not (tmp_path / "s.parquet").exists()


def test_two_solutions_are_compared(command):
    Path("a.toml").write_text(RIVER)
    lock = '[[locks]]\nat = ""\nhands = "QQ"\nplay = { check = 0.5, allin = 0.5 }\n'
    Path("b.toml").write_text(RIVER + lock)
    for name in ("a", "b"):
        code, _, _ = command(
            "solve", f"{name}.toml", "--iterations", "20", "--out", f"{name}.strategy"
        )
        assert code == 0
    code, out, err = command("diff", "a.strategy", "b.strategy")
    assert (code, err) == (0, "")
    assert "start: the player out of position acts" in out
    assert "QQ" in out
    code, out, _ = command("diff", "a.strategy", "b.strategy", "--at", "check", "--json")
    facts = json.loads(out)
    assert facts["player"] == "ip"
    assert {one["name"] for one in facts["classes"]} == {"KK", "JJ"}
    for words, told in (
        (("a.strategy", "nothing.strategy"), "nothing.strategy"),
        (("a.strategy", "b.strategy", "--at", "bet7"), "bet7"),
        (("a.strategy", "a.toml"), "a.toml"),
        (("a.strategy", "b.strategy", "--game", "b.toml"), "a.strategy"),
        (("a.strategy", "b.strategy", *("--game", "a.toml") * 3), "--game"),
    ):
        code, out, err = command("diff", *words)
        assert (code, out) == (2, "")
        assert told in err
        assert err.count("\n") == 1
