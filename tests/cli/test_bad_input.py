"""Bad input: one line that says what, got and allowed; exit code 2; no traceback."""

import os
import subprocess
import sys

import pytest

import regretless as rl

CASES = [
    (("solve", "kunh"), "unknown game 'kunh'; did you mean kuhn?"),
    (("solve", "chess9"), "unknown game 'chess9'"),
    (("solve", "kuhn", "--method", "crf+"), "did you mean cfr+"),
    (("solve", "leduc:rank=3"), "did you mean ranks"),
    (("solve", "leduc:ranks"), "name=value"),
    (("solve", "leduc:ranks=x"), "must be a whole number"),
    (("solve", "leduc:ranks=99"), "must be 1 to 13"),
    (("solve", "leduc:bets=2"), "must be 2 values"),
    (("solve", "leduc:suits_distinct=perhaps"), "must be true or false"),
    (("solve", "rps:x=1"), "has no parameters"),
    (("solve", "leduc:suits=1,ranks=2"), "need 3 cards: the deck has 2"),
    (("solve", "kuhn:players=11"), "must be 2 to 10"),
    (("solve", "kuhn", "--method", "dcfr:alpha=99"), "alpha=99"),
    (("solve", "kuhn", "--method", "dcfr:omega=1"), "parameter of method dcfr"),
    (("solve", "kuhn", "--target", "-1"), "must be"),
    (("solve", "kuhn", "--iterations", "0"), "must be 1 to"),
    (("solve", "kuhn", "--iterate", "best"), "average, current or last"),
    (("solve",), "no game"),
    (("solve", "missing.efg"), "no such file"),
    (("solve", "kuhn", "--out", "no/such/x"), "no such directory"),
    (("solve", "kuhn", "--plot", "no/such/x.png"), "no such directory"),
    (("solve", "kuhn", "--out", "."), "is a directory"),
    (("solve", "--resume", "missing"), "no such file"),
    (("solve", "kuhn:players=3", "--method", "lp"), "two-player constant-sum"),
    (("solve", "leduc", "--method", "normal-lp"), "pure strategies"),
    (("solve", "leduc:ranks=13,suits=4,players=8"), "memory"),
    (("show", "missing"), "no such file"),
    (("evaluate", "missing"), "no such file"),
    (("games", "openspiel:no_such_game"), "unknown"),
    (("export", "kuhn", "x.gms", "--formulation", "5"), "formulation=5"),
    (("solve", "kuhn:players=3", "--method", "stackelberg:leader=4"), "leader=4"),
    (("solve", "kuhn:players=3", "--method", "stackelberg:solver=knitro"), "ipopt or scip"),
    (("solve", "kuhn:players=3", "--method", "maxmin:player=4"), "player=4"),
    (("export", "kuhn", "x.txt"), "must be .efg, .nfg or .gms"),
    (("export", "kuhn", "x.nfg"), "normal"),
]


def lines(err):
    """What is said about the input; on a new machine kernels may be compiled before."""
    return [line for line in err.splitlines() if not line.startswith("compiling")]


@pytest.mark.parametrize(("words", "told"), CASES, ids=lambda value: " ".join(value)[:40])
def test_one_line_and_exit_code_two(command, words, told):
    code, out, err = command(*words)
    assert code == 2
    assert told in err
    assert "Traceback" not in err
    assert len(lines(err)) == 1
    assert out == ""


FILES = [
    ("x.efg", "EFG 2 R", "x.efg:1:"),
    ("x.efg", 'EFG 2 R "t" { "A" "B" }\np "" 3 1 "i" { "l" "r" } 0\n', "x.efg:2:"),
    ("x.nfg", 'NFG 1 R "t" { "A" "B" } { 2 2 }\n1 2 3\n', "x.nfg:2:"),
    ("x.game", "GAMEDEF\nlimit\nnumPlayers = two\nEND GAMEDEF\n", "x.game:3:"),
    ("x.game", "GAMEDEF\nlimit\nnumPlayers = 2\nEND GAMEDEF\n", "numRounds"),
]


@pytest.mark.parametrize(("name", "text", "told"), FILES)
def test_malformed_game_files_tell_line_and_column(command, tmp_path, name, text, told):
    (tmp_path / name).write_text(text)
    code, _, err = command("solve", name)
    assert code == 2
    assert told in err
    assert len(lines(err)) == 1


FORGETFUL = """EFG 2 R "forgets its first move" { "A" "B" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "second" { "x" "y" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 1 2 "second" { "x" "y" } 0
t "" 3 "" { 0 0 }
t "" 4 "" { 1 -1 }
"""


def test_imperfect_recall_is_recognised(command, tmp_path):
    (tmp_path / "x.efg").write_text(FORGETFUL)
    code, _, err = command("solve", "x.efg")
    assert code == 2
    assert "forgets" in err
    assert "perfect recall" in err


@pytest.mark.parametrize("form", ["sequence", "auto"])
def test_limit_holdem_is_refused_before_anything_is_allocated(command, tmp_path, form):
    text = """limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
"""
    (tmp_path / "x.game").write_text(text)
    code, _, err = command("solve", "x.game", "--form", form)
    assert code == 2
    assert "memory" in err
    assert "x.game is too large to solve whole" in err
    assert "solve a spot (regretless spot) or a small deck" in err


def test_a_game_that_grows_too_large_is_stopped_on_the_way(tmp_path):
    """With little memory left, a game that cannot be counted is refused while it is walked."""
    script = (
        "import resource, sys\n"
        "from regretless.runs.solve import solve\n"
        "solve('kuhn', iterations=1)\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 120 * 2**20,) * 2)\n"
        "from regretless.core.errors import TooLarge\n"
        "from regretless.forms.sequence import sequence_form\n"
        "from regretless.games._catalog import load\n"
        "from dataclasses import replace\n"
        "game = replace(load('liars_dice:faces=7'), count=None)\n"
        "try: sequence_form(game)\n"
        "except TooLarge as error: sys.exit(str(error))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.returncode == 1
    assert "memory" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_folder_that_cannot_be_written(command, tmp_path, monkeypatch):
    # The tests may run as a user who may write anywhere, so the answer of the system is set.
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, _, err = command("solve", "kuhn", "--out", "x")
    assert code == 2
    assert "cannot be written" in err


def test_nothing_written_is_lost_by_a_failed_run(command, tmp_path):
    command("solve", "kuhn", "--out", "x")
    before = (tmp_path / "x").read_bytes()
    assert command("solve", "leduc", "--resume", "x")[0] == 2
    assert command("solve", "nonsense", "--out", "x")[0] == 2
    assert (tmp_path / "x").read_bytes() == before


def test_control_characters_never_reach_the_terminal(command, tmp_path):
    """Names of files, and whatever they contain, may come from anywhere."""
    bell = "a\x1b[31mb"
    for words in (
        ("solve", f"leduc:ranks={bell}"),
        ("solve", bell),
        ("show", f"{bell}.strategy"),
        ("match", "kuhn", bell, "random"),
        ("histories", f"{bell}.log"),
        (bell,),
        ("solve", f"--{bell}"),
        ("solve", "kuhn", "--threads", bell),
    ):
        code, out, err = command(*words)
        assert code in (1, 2), words
        assert "\x1b" not in out + err, words
    named = rl.games.normal_form_game("x", [[[1, 2]], [[3, 4]]], [[bell], ["c", "d"]])
    (tmp_path / f"{bell}.nfg").write_text(rl.games.to_nfg(named))
    for words in (
        ("solve", f"{bell}.nfg", "--iterations", "2", "--out", f"{bell}.strategy"),
        ("show", f"{bell}.strategy"),
        ("show", f"{bell}.strategy", "--csv", f"{bell}.csv"),
        ("export", f"{bell}.nfg", f"{bell}.efg"),
        ("games", f"{bell}.nfg"),
        ("evaluate", f"{bell}.strategy"),
    ):
        code, out, err = command(*words)
        assert code == 0, err
        assert "\x1b" not in out + err, words
        assert r"a\x1b[31mb" in out + err or words[0] == "evaluate"
