"""SIGTERM is answered like Ctrl-C, with exit code 143; a job in the background hears only it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from children import SOON

import regretless as rl
from regretless.core.interrupts import insistent, interrupts, signals
from regretless.interfaces.cli import progress
from regretless.strategy import files

SMALL = "holdem_nolimit:ranks=4,suits=3,small_blind=1,stack=20,sizes=100%-a"
ROUNDS = "preflop=lossless,flop=percentile:8,turn=percentile:6,river=percentile:6"
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


def ignored(*numbers):
    """A job that a shell starts in the background ignores Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN if number in numbers else signal.SIG_DFL)


def start(*words, folder, deaf=(signal.SIGINT,), **more):
    return subprocess.Popen(
        [sys.executable, "-m", "regretless", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: ignored(*deaf),
        **more,
    )


def wait_for(run, ready):
    deadline = time.monotonic() + SOON
    while not ready():
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_run_in_the_background_is_kept_and_continues(tmp_path):
    words = ("solve", "leduc", "--iterations", "1000000000", "--json")
    run = start(*words, "--out", "x", "--checkpoint", "0.1", folder=tmp_path)
    wait_for(run, (tmp_path / "x").exists)
    run.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert run.poll() is None
    before = files.read(tmp_path / "x").about["iterations"]
    run.send_signal(signal.SIGTERM)
    out, err = run.communicate(timeout=SOON)
    assert run.returncode == 143, err
    assert "Traceback" not in err
    facts = json.loads(out)
    assert facts["stop"] == "interrupted"
    kept = files.read(tmp_path / "x").about
    assert (kept["stop"], kept["iterations"]) == ("interrupted", facts["iterations"])
    assert kept["iterations"] >= before > 0
    longer = rl.solve(resume=tmp_path / "x", iterations=kept["iterations"] + 10)
    assert longer.iterations == kept["iterations"] + 10


def test_a_second_signal_of_the_other_kind_ends_at_once(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import os, signal\n"
        "from regretless.core.interrupts import interrupts\n"
        "with interrupts() as asked:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    assert asked()\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    while True: pass\n"
    )
    run = start("solve", "slow.py:Game", folder=tmp_path, deaf=())
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 143
    assert err.strip() == "regretless: interrupted"


def test_while_kernels_compile(tmp_path):
    run = start(
        *("solve", "kuhn"),
        folder=tmp_path,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )
    assert "compiling" in run.stderr.readline()
    run.send_signal(signal.SIGTERM)
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 143
    assert err.strip() == "regretless: interrupted"


def test_a_shell_may_ignore_it(tmp_path):
    words = ("solve", "leduc", "--seconds", "1", "--target", "0", "--out", "x")
    run = start(*words, folder=tmp_path, deaf=(signal.SIGINT, signal.SIGTERM))
    time.sleep(1)
    run.send_signal(signal.SIGTERM)
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 0, err


@pytest.mark.slow
def test_a_report_gets_it_with_all_its_processes(tmp_path):
    (tmp_path / "s.toml").write_text(FLOP)
    words = ["report", "s.toml", "--flops", "40", "--iterations", "5", "--processes", "2"]
    run = start(*words, folder=tmp_path, start_new_session=True)
    journal = tmp_path / "s.parquet.boards.jsonl"

    def flops():
        return len(journal.read_text().splitlines()) - 1 if journal.exists() else 0

    wait_for(run, lambda: flops() > 0)
    os.killpg(run.pid, signal.SIGTERM)
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 143, err
    assert "the same command continues" in err
    assert "Traceback" not in err
    assert 1 <= flops() < 40


@pytest.mark.parametrize("command", ["agent", "dealer"])
def test_at_a_table(tmp_path, command):
    with socket.create_server(("127.0.0.1", 0)) as dealer:
        dealer.settimeout(60)
        port = str(dealer.getsockname()[1])
        words = {
            "agent": ["agent", "127.0.0.1", port, "--builtin", "random", "--game", "leduc"],
            "dealer": ["dealer", "m", "leduc", "1000000", "1", "a=random", "b"],
        }[command]
        run = start(*words, folder=tmp_path)
        if command == "agent":
            connection, _ = dealer.accept()
            with connection:
                connection.recv(64)
                time.sleep(0.5)
                run.send_signal(signal.SIGTERM)
                _, err = run.communicate(timeout=SOON)
        else:
            assert run.stdout.readline()
            time.sleep(1)
            run.send_signal(signal.SIGTERM)
            _, err = run.communicate(timeout=SOON)
    assert run.returncode == 143, err
    assert "interrupted" in err
    assert "Traceback" not in err
    if command == "dealer":
        assert "interrupted after 0 hands; continue with --continue" in err
        assert err.count("interrupted") == 1  # nothing of the agent that it started


@pytest.fixture
def terminated(command, monkeypatch):
    """Run a command that gets SIGTERM with the first progress of a stage, or a later one."""
    shown = progress.Bar.show

    def call(stage, *words, at=1):
        seen = []

        def show(bar, event):
            if stage in event.stage:
                seen.append(stage)
                if len(seen) == at:
                    signal.raise_signal(signal.SIGTERM)
            shown(bar, event)

        with monkeypatch.context() as patched:
            patched.setattr(progress.Bar, "show", show)
            code, out, err = command(*words)
        assert len(seen) >= at
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        assert code == 143, (out, err)
        assert "Traceback" not in err
        return out, err

    return call


def test_solving(terminated):
    words = ("solve", "leduc", "--iterations", "100000", "--target", "0", "--json", "--out", "x")
    out, _ = terminated("solving", *words)
    assert json.loads(out)["stop"] == "interrupted"
    assert files.read(Path("x")).about["iterations"] < 100000


def test_comparing(terminated):
    terminated("", "compare", "leduc", "dcfr", "cfr+", "--iterations", "100000")


def test_leagues(terminated):
    words = ("league", "kuhn", "random", "aggressive", "--deals", "1000000")
    out, _ = terminated("playing", *words, at=3)
    assert "random" in out


def test_matches(terminated):
    words = ("match", "leduc", "random", "aggressive", "--hands", "1000000000", "--log", "m.log")
    _, err = terminated("", *words, "--json")
    assert "continue with --log m.log --continue" in err


@pytest.mark.slow
def test_maps_blueprints_and_what_they_win(terminated, command):
    _, err = terminated("", "abstract", SMALL, ROUNDS, "--out", "a.map")
    assert err.strip() == "regretless: flop: stopped; repeat the command to continue"
    assert command("abstract", SMALL, ROUNDS, "--out", "a.map")[0] == 0
    train = ("solve", SMALL, "--abstraction", "a.map", "--iterations", "100000", "--out", "b")
    terminated("training", *train)
    found = rl.research.load_blueprint("b")
    assert found.about["stop"] == "interrupted"
    assert found.about["iterations"] < 100000
    terminated("", "one-on-one", "b", "b", "--boards", "100000")
    terminated("", "lbr", "b", "--deals", "100000")


def test_libraries_leave_it_alone():
    with interrupts():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        assert signals() == (signal.SIGINT,)
    with insistent():
        assert signals() == (signal.SIGINT, signal.SIGTERM)
        assert callable(signal.getsignal(signal.SIGTERM))
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
