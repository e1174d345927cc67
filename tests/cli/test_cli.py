"""The command line as people and programs use it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from children import SOON
from pictures import assert_drawn


def test_solve_prints_one_json_object(command):
    code, out, _ = command("solve", "leduc", "--iterations", "50", "--json", "--out", "x")
    facts = json.loads(out)
    assert code == 0
    assert facts["game"] == "leduc"
    assert facts["iterations"] == 50
    assert facts["stop"] == "iteration limit reached"
    assert facts["decision_points"] == [144, 144]
    assert facts["sequences"] == [337, 337]
    assert facts["out"] == "x"
    assert len(facts["values"]) == 2
    assert facts["nash_conv"] == pytest.approx(2 * facts["exploitability"])
    assert {"method", "seconds", "seed", "version"} <= set(facts)


def test_evaluate_agrees_with_solve(command):
    _, out, _ = command("solve", "kuhn:players=3", "--iterations", "99", "--out", "x", "--json")
    solved = json.loads(out)
    code, out, _ = command("evaluate", "x", "--json")
    measured = json.loads(out)
    assert code == 0
    for key in ("exploitability", "nash_conv", "epsilon", "values"):
        assert measured[key] == solved[key]
    code, out, _ = command("evaluate", "x")
    assert code == 0
    assert "exploitability" in out


def test_exact_solution_tells_a_fraction_and_a_certificate(command):
    _, out, _ = command("solve", "kuhn", "--method", "lp")
    assert "-1/18" in out
    assert "certificate" in out


def test_solve_plot_show_and_csv(command, tmp_path):
    code, out, _ = command("solve", "leduc", "--target", "1e-3", "--out", "x", "--plot", "x.png")
    assert code == 0
    assert "target reached" in out
    assert_drawn(tmp_path / "x.png")
    code, out, _ = command("show", "x")
    assert code == 0
    assert "Player 1, board K" in out
    assert "Player 2" in out
    code, out, _ = command("show", "x", "--player", "2", "--filter", "K/A:")
    assert "Player 1" not in out
    code, out, _ = command("show", "x", "--csv", "x.csv")
    rows = (tmp_path / "x.csv").read_text().splitlines()
    assert rows[0] == "player,decision,action,probability,reach"
    assert len(rows) == 1 + 2 * 336


def test_show_of_other_games(command):
    command("solve", "rps", "--method", "lp", "--out", "x")
    code, out, _ = command("show", "x")
    assert code == 0
    assert "rock 0.3333" in out


def test_games_and_methods(command):
    code, out, _ = command("games")
    assert code == 0
    assert "leduc" in out
    assert "FILE.efg" in out
    code, out, _ = command("games", "leduc:ranks=5", "--json")
    facts = json.loads(out)
    assert facts["decision_points"] == [390, 390]
    assert facts["memory_bytes"] > 0
    code, out, _ = command("games", "leduc:ranks=5")
    assert "memory to solve" in out
    code, out, _ = command("methods")
    assert "pdcfr+" in out
    code, out, _ = command("methods", "--json")
    assert {fact["method"] for fact in json.loads(out)} >= {"cfr", "cfr+", "lp", "sapcfr+"}
    code, out, _ = command("games", "--json")
    assert "kuhn" in {fact["game"] for fact in json.loads(out)}


def test_resume_goes_on(command):
    command("solve", "leduc", "--iterations", "20", "--out", "x")
    _, out, _ = command("solve", "--resume", "x", "--iterations", "30", "--json")
    assert json.loads(out)["iterations"] == 30


def test_games_are_written_and_read_again(command, tmp_path):
    assert command("export", "kuhn", "kuhn.efg")[0] == 0
    _, out, _ = command("solve", "kuhn.efg", "--method", "lp", "--json", "--out", "x")
    assert json.loads(out)["value_fraction"] == "-1/18"
    assert command("export", "rps", "rps.nfg")[0] == 0
    _, out, _ = command("solve", "rps.nfg", "--method", "lp", "--json")
    assert json.loads(out)["values"][0] == pytest.approx(0, abs=1e-12)
    (tmp_path / "kuhn.efg").rename(tmp_path / "moved.efg")
    assert command("evaluate", "x")[0] == 2
    assert command("evaluate", "x", "--game", "moved.efg")[0] == 0


def test_module_and_version():
    run = subprocess.run(
        [sys.executable, "-m", "regretless", "--version"], capture_output=True, text=True
    )
    assert re.fullmatch(r"regretless \d+\.\d+\.\d+(\.dev\d+)?\n", run.stdout)


def test_help_imports_nothing_heavy():
    script = (
        "import sys; sys.argv = ['regretless', '--help']\n"
        "from regretless.interfaces.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'numba', 'scipy', 'matplotlib', 'highspy'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.endswith("[]\n"), run.stdout + run.stderr


def _in_terminal(words, folder, *, interrupt_on=None):
    """Run in a pseudo-terminal; send Ctrl-C once the text has been seen."""
    process_id, handle = pty.fork()
    if process_id == 0:
        os.chdir(folder)
        os.environ.update(TERM="xterm", COLUMNS="120", LINES="40")
        os.execv(sys.executable, [sys.executable, "-m", "regretless", *words])
    seen, sent, deadline = b"", False, time.monotonic() + SOON
    while time.monotonic() < deadline:
        try:
            seen += os.read(handle, 65536)
        except OSError:
            break
        if interrupt_on and not sent and interrupt_on in seen:
            os.kill(process_id, signal.SIGINT)
            sent = True
    os.close(handle)
    _, status = os.waitpid(process_id, 0)
    return os.waitstatus_to_exitcode(status), seen.decode(errors="replace")


def test_progress_and_interrupt_in_a_terminal(tmp_path):
    words = ["solve", "leduc", "--method", "cfr", "--iterations", "1000000000"]
    code, seen = _in_terminal(words, tmp_path, interrupt_on=b"exploitability")
    assert code == 130
    assert "iterations" in seen
    assert "/s" in seen
    assert "left" in seen
    assert "interrupted" in seen
    assert (tmp_path / "leduc.strategy").exists()
    assert "--resume leduc.strategy" in seen


def test_counting_a_vast_game_ends_with_a_lower_bound(command, monkeypatch):
    monkeypatch.setattr("regretless.interfaces.cli.listing.COUNTING_S", 0.3)
    code, out, _ = command("games", "goofspiel:cards=10")
    assert code == 0
    assert re.search(r"nodes +more than [1-9]", out)
    assert re.search(r"memory to solve +more than ", out)
    code, out, _ = command("games", "goofspiel:cards=10", "--json")
    assert json.loads(out)["counted"] is False
    assert json.loads(command("games", "goofspiel", "--json")[1])["counted"] is True
