"""What is written, where, and for whom: files, pipes, narrow terminals, full disks, Ctrl-C."""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from children import SOON

import regretless as rl
from regretless.core.tables import Estimated
from regretless.interfaces.cli.play import _aivat
from regretless.interfaces.cli.progress import kept
from regretless.runs.limits import Stop

ENVIRONMENT = {**os.environ, "COLUMNS": "40"}


def start(*words, folder, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "regretless", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, **more},
        # A job that a script starts in the background ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("solve", "g.efg", "--out", "g.efg"), "g.efg: is both the game and --out"),
        (("solve", "g.efg", "--out", "./g.efg"), "is both the game and --out"),
        (("solve", "g.efg", "--plot", "g.efg"), "is both the game and --plot"),
        (("solve", "kuhn", "--out", "x.png", "--plot", "x.png"), "is both --out and --plot"),
        (("solve", "--resume", "s.strategy", "--plot", "s.strategy"), "is both --resume and"),
        (
            ("solve", "--resume", "s.strategy", "--force", "--out", "g.efg"),
            "is both the game and out",
        ),
        (("show", "s.strategy", "--csv", "s.strategy"), "is both the strategy and --csv"),
        (("export", "g.efg", "g.efg"), "is both the game and the file to write"),
        (("compare", "g.efg", "--csv", "g.efg"), "is both the game and --csv"),
        (("compare", "kuhn", "--csv", "x.png", "--plot", "x.png"), "is both --csv and --plot"),
        (("solve", "m.py:game", "--out", "m.py"), "is both the game and --out"),
        (("league", "kuhn", "s.strategy", "random", "--csv", "s.strategy"), "is both strategy s."),
        (("league", "g.efg", "random", "--markdown", "g.efg"), "is both the game and --markdown"),
        (("league", "kuhn", "random", "--csv", "x", "--markdown", "x"), "--markdown and --csv"),
        (("league", "kuhn", "random", "--outcomes", "g.efg"), "g.efg: is a file: must be a dir"),
        (("report", "g.efg", "--out", "g.efg"), "is both the spot and --out"),
        (("report", "x.toml", "--flops", "g.efg", "--out", "g.efg"), "is both --flops and --out"),
        (("solve", "kuhn", "--out", "/dev/null"), "device or a pipe"),
    ],
)
def test_no_output_destroys_an_input_or_another_output(command, tmp_path, words, told):
    (tmp_path / "g.efg").write_text(rl.games.to_efg(rl.load("kuhn")))
    (tmp_path / "m.py").write_text("import regretless as rl\ngame = rl.load('kuhn')\n")
    rl.solve("g.efg", iterations=5, out="s.strategy")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code, _, err = command(*words)
    assert code == 2
    assert told in err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


IGNORED = [
    (("solve", "kuhn", "--threads", "0"), "threads=0: must be 1 to 256"),
    (("solve", "rps", "--threads", "2"), "threads=2: must be 1 for the sequence form"),
    (("solve", "kuhn", "--method", "lp", "--threads", "2"), "must be 1 for the sequence form"),
    (("solve", "kuhn", "--seed", "-1"), "seed=-1: must be 0 to"),
    (("solve", "kuhn", "--checkpoint", "3"), "needs a file to write"),
    (("solve", "kuhn", "--method", "lp", "--iterate", "last"), "lp finds one strategy only"),
    (("solve", "--resume", "s", "--seed", "3"), "was made with seed 0: it cannot continue with 3"),
    (("solve", "--resume", "s", "--form", "public"), "was made with form sequence"),
    (("solve", "--resume", "s", "--method", "cfr"), "was made with method sapcfr+"),
    (("solve", "kuhn", "--oracle", "generic"), "no such option"),
    (("evaluate", "s", "--threads", "2"), "must be 1 for the sequence form"),
    (("evaluate", "s", "--threads", "0"), "threads=0: must be 1 to 256"),
    (("show", "s", "--player", "0"), "player=0: must be 1 to 2"),
    (("show", "s", "--board", "K", "--csv", "x"), "cannot be combined"),
    (("show", "s", "--json", "--csv", "x"), "cannot be combined"),
    (("compare", "kuhn", "cfr", "cfr"), "method cfr is given twice"),
    (("export", "kuhn", "x.efg", "--leader", "1"), "are for .gms files only"),
    (("export", "kuhn", "x.efg", "--formulation", "4"), "are for .gms files only"),
    (("export", "kuhn", "x.gms", "--formulation", "5"), "formulation=5: must be 3 or 4"),
    (("compare", "kuhn", "--threads", "0"), "threads=0: must be 1 to 256"),
    (("histories", "s", "./s"), "s is given twice: its hands would count twice"),
    (("histories", "-", "-"), "- is given twice"),
    (("strength", "AsKd", "--clusters", "0"), "clusters=0: must be 1 to 169"),
    (("equity", "AA", "KK", "Qh"), "board of 1 card: must be 0, 3, 4 or 5"),
    (("compare", "kuhn:players=3", "lp"), "two-player constant-sum"),
]


@pytest.mark.parametrize(("words", "told"), IGNORED)
def test_what_would_be_ignored_is_refused(command, tmp_path, words, told):
    rl.solve("kuhn", iterations=5, out="s")
    code, out, err = command(*words)
    assert code == 2
    assert told in err
    assert out == ""


@pytest.mark.parametrize(
    "words", [("games",), ("games", "leduc"), ("methods",), ("show", "s"), ("evaluate", "s")]
)
def test_pipes_get_whole_lines_without_padding(command, tmp_path, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "40")
    rl.solve("leduc", iterations=5, out="s")
    code, out, _ = command(*words)
    assert code == 0
    lines = out.splitlines()
    assert not [line for line in lines if line != line.rstrip()]
    assert max(map(len, lines)) > 40
    assert "\x1b" not in out


def test_memory_is_announced_in_a_pipe(command, monkeypatch):
    monkeypatch.setattr("regretless.runs.solve.WORTH_SAYING", 0)
    code, _, err = command("solve", "kuhn", "--iterations", "3")
    assert code == 0
    assert re.fullmatch(r"memory: about [\d.,]+ [kKM]?i?B\n", err), err


def in_terminal(words, folder, columns):
    process_id, handle = pty.fork()
    if process_id == 0:
        os.chdir(folder)
        os.environ.update(TERM="xterm", COLUMNS=str(columns), LINES="40", NO_COLOR="1")
        os.execv(sys.executable, [sys.executable, "-m", "regretless", *words])
    seen = b""
    while True:
        try:
            seen += os.read(handle, 65536)
        except OSError:
            break
    os.close(handle)
    os.waitpid(process_id, 0)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode(errors="replace"))


def test_numbers_stay_whole_in_a_narrow_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solution = rl.solve("kuhn", iterations=50, out="s")
    seen = in_terminal(["evaluate", "s"], tmp_path, 40)
    for row in solution.evaluation.tables()[0].lines():
        for cell in row:
            assert cell in seen
    seen = in_terminal(["games"], tmp_path, 40)
    for number in ("6,705,372,545", "26,064,064", "294,883"):
        assert number in seen


def test_records_in_a_narrow_terminal_name_their_player(tmp_path):
    cash = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"
    seen = in_terminal(["histories", str(cash)], tmp_path, 40)
    records = seen.partition("by position")[2].replace("\r", "").strip().split("\n\n")
    lines = [[line.split() for line in record.splitlines()] for record in records]
    rows = [dict(line for line in one if len(line) == 2) for one in lines]
    places = [(row["player"], row["position"]) for row in rows if "position" in row]
    assert len(places) == 11
    assert [place for name, place in places if name == "hero"] == ["1", "2"]
    assert not any(line == ["±"] for one in lines for line in one)  # blank cells are left out


def test_a_mean_that_rounds_to_zero_has_no_minus():
    assert format(Estimated(-0.00001, None), "+z,.4f") == "+0.0000 ± ?"
    assert format(Estimated(-1234.5, 1), "+z,.1f") == "-1,234.5 ± 1.0"
    assert _aivat({"milli_per_hand": -1e-9, "times_smaller": None}) == "+0.0 exact"


def test_ascii_terminals_get_ascii(tmp_path):
    run = start("games", "leduc", folder=tmp_path, PYTHONIOENCODING="ascii")
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert "3x2 cards" in out
    run = start("solve", "é", folder=tmp_path, PYTHONIOENCODING="ascii")
    _, err = run.communicate()
    assert run.returncode == 2
    assert "unknown game" in err
    assert "Traceback" not in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("words", [("games", "kuhn"), ("methods", "--json"), ("solve", "kuhn")])
def test_a_full_disk_is_one_line(tmp_path, words):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        run = subprocess.run(
            [sys.executable, "-m", "regretless", *words],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert run.returncode == 2
    assert run.stderr == "regretless: No space left on device\n"


def test_a_disk_that_fills_up_keeps_the_old_file_and_no_other(tmp_path):
    rl.solve("leduc", iterations=3, out=tmp_path / "x.strategy")
    before = (tmp_path / "x.strategy").read_bytes()
    run = subprocess.run(
        [sys.executable, "-m", "regretless", "solve", "--resume", "x.strategy", "--iterations=9"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert run.returncode == 2
    assert run.stderr == "regretless: x.strategy: cannot be written: File too large\n"
    assert [file.name for file in tmp_path.iterdir()] == ["x.strategy"]
    assert (tmp_path / "x.strategy").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        ("solve kuhn --iterations 3 --out {file}", ">&-", 0),
        ("play kuhn --hands 1", "<&-", 0),
        ("methods --json", ">&- 2>&- <&-", 0),
        ("solve nothing", "2>&-", 2),
        ("solve nothing", "2>/dev/full", 2),
    ],
)
def test_closed_streams_are_not_missed(tmp_path, words, closed, code):
    file = tmp_path / "x.strategy"
    call = f"{sys.executable} -m regretless {words.format(file=file)} {closed}"
    run = subprocess.run(
        call, shell=True, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    assert file.exists() == ("--out" in words)


def test_a_file_does_not_take_the_place_of_a_closed_stream(tmp_path):
    """The log would be file 1, and what is printed would be in it."""
    call = f"{sys.executable} -m regretless match kuhn random random --hands 5 --log x.log >&-"
    run = subprocess.run(call, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    lines = (tmp_path / "x.log").read_text().splitlines()
    assert all(line.startswith(("#", "STATE:", "SCORE:")) for line in lines)
    assert len(lines) > 5


def test_a_reader_that_leaves_is_no_error(tmp_path):
    run = start("games", "--json", folder=tmp_path)
    run.stdout.close()
    assert run.wait() in (0, 1)
    assert "Traceback" not in run.stderr.read()
    run.stderr.close()


def test_missing_memory_is_one_line(command, monkeypatch):
    def starved(*_):
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr("regretless.games._catalog.load", starved)
    monkeypatch.setattr("regretless.forms.choice.load", starved)
    code, _, err = command("solve", "openspiel:kuhn_poker")
    assert code == 2
    assert err == "regretless: not enough memory for this\n"


def interrupted(words, folder, after, number, loaded="_multiarray_umath", **more):
    """Send a signal some seconds after a library is loaded: code, seconds to the end, both outputs.

    Before `main` begins, Python itself answers, by the signal instead of the exit code."""
    run = start(*words, folder=folder, **more)
    while loaded not in Path(f"/proc/{run.pid}/maps").read_text():
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    time.sleep(after)
    run.send_signal(number)
    began = time.monotonic()
    out, err = run.communicate(timeout=SOON)
    return run.returncode, time.monotonic() - began, out, err


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc")
@pytest.mark.parametrize(
    ("words", "after", "number"),
    [
        (("solve", "liars_dice", "--method", "lp"), 2, signal.SIGINT),
        (("reproduce", "double-oracle"), 1, signal.SIGINT),
        (("reproduce", "double-oracle"), 1, signal.SIGTERM),
        (("compare", "leduc", "--iterations", "1000000000"), 1, signal.SIGINT),
        (("games", "holdem_nolimit"), 0, signal.SIGINT),
        (("games", "holdem_nolimit"), 0, signal.SIGTERM),
    ],
)
def test_ctrl_c_and_sigterm_end_everything_soon(tmp_path, words, after, number):
    code, seconds, _, err = interrupted(words, tmp_path, after, number)
    assert code == 128 + number, err
    assert "Traceback" not in err
    assert seconds < 6  # one second on a machine that has nothing else to do


def test_ctrl_c_while_kernels_compile(tmp_path):
    run = start("solve", "kuhn", folder=tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert "compiling" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 130
    assert err.strip() == "regretless: interrupted"


SWALLOWED = {
    "finaliser": "class Met:\n    def __del__(self):\n        press()\nMet()\n",
    "callback": "import ctypes\nctypes.CFUNCTYPE(None)(press)()\n",
    "library": "try:\n    press()\nexcept BaseException:\n    pass\n",
    "library, twice": "for _ in 'ab':\n    try:\n        press()\n    except BaseException:\n"
    "        pass\n",
}


@pytest.mark.parametrize("where", SWALLOWED)
def test_ctrl_c_that_is_swallowed_is_raised_again(tmp_path, where):
    (tmp_path / "slow.py").write_text(
        "import os, signal, time\n"
        "def press():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(0.1)\n"
        f"{SWALLOWED[where]}"
        "time.sleep(20)\n"
    )
    run = start("solve", "slow.py:Game", folder=tmp_path)
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 130
    assert err.strip() == "regretless: interrupted"


def test_ctrl_c_keeps_what_there_is(tmp_path):
    words = ("solve", "leduc", "--iterations", "1000000000", "--out", "x", "--json")
    run = start(*words, "--checkpoint", "0.1", folder=tmp_path)
    while not (tmp_path / "x").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=SOON)
    assert run.returncode == 130
    assert json.loads(out)["stop"] == "interrupted"
    assert rl.load_strategy(tmp_path / "x").form.spec == "leduc"


def test_large_strategies_ask_for_a_choice(command, tmp_path):
    rl.Strategy.uniform(rl.forms.public_form("leduc:ranks=13,suits=4")).save("s")
    code, out, err = command("show", "s")
    assert code == 2
    assert "5,148 decision points: choose some with --filter, --board, --betting; or write" in err
    assert out == ""
    assert command("show", "s", "--filter", "K:")[0] == 0
    code, out, _ = command("show", "s", "--json")
    assert len(json.loads(out)) == 5148
    assert command("show", "s", "--csv", "s.csv")[0] == 0


def test_show_as_json(command):
    rl.solve("kuhn", method="lp", out="s")
    _, out, _ = command("show", "s", "--json", "--filter", "K:cr")
    (found,) = json.loads(out)
    assert found["player"] == 1
    assert found["label"] == "K:cr"
    assert found["actions"] == ["fold", "call"]
    assert sum(found["probabilities"]) == pytest.approx(1)
    rl.solve("leduc", form="public", iterations=5, out="p")
    _, out, _ = command("show", "p", "--board", "K", "--betting", "cc/", "--json")
    facts = json.loads(out)
    assert {hand["hand"] for hand in facts["hands"]} == {"Q", "K", "A"}


def test_an_error_after_ctrl_c_is_ctrl_c(tmp_path):
    """A compiler whose callback was interrupted fails in ways of its own."""
    (tmp_path / "slow.py").write_text(
        "import os, signal\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    signal.pause()\n"
        "except BaseException:\n"
        "    pass\n"
        "raise RuntimeError('half done')\n"
    )
    run = start("solve", "slow.py:Game", folder=tmp_path)
    _, err = run.communicate(timeout=SOON)
    assert run.returncode == 130, err
    assert "Traceback" not in err


def test_an_unfinished_run_in_a_folder_that_cannot_be_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    solution = replace(rl.solve("kuhn", iterations=2), stop=Stop.INTERRUPTED)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    assert kept(solution) is solution
    assert (
        "the run could not be saved: kuhn.strategy: directory . cannot" in capsys.readouterr().err
    )
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert kept(solution).out == "kuhn.strategy"
    assert kept(solution).out == "kuhn.2.strategy"
