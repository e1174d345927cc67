"""`regretless compare`, Python files as games, and lists that are quick and right."""

import csv
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

import regretless as rl
from regretless.core.errors import BadFile, Interrupted, RegretlessError, TooLarge, UnknownName
from regretless.games._sizes import DEFAULT_SIZES
from regretless.runs import compare as comparing
from regretless.runs.limits import Stop


def test_compare_prints_draws_and_writes(command, tmp_path):
    words = ("compare", "kuhn", "cfr", "cfr+", "lp", "--iterations", "100")
    code, out, _ = command(*words, "--csv", "x.csv", "--plot", "x.png")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["cfr", "cfr+", "lp"]
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text().splitlines()))
    assert {row["method"] for row in rows} == {"cfr", "cfr+", "lp"}
    code, out, _ = command(*words, "--json")
    facts = json.loads(out)
    assert [found["iterations"] for found in facts["methods"]] == [100, 100, 1]


def test_every_method_runs_as_alone():
    found = rl.compare("kuhn", ["cfr", "dcfr:alpha=2"], iterations=200)
    for solution in found.solutions:
        alone = rl.solve("kuhn", method=solution.method, iterations=200)
        assert alone.strategy == solution.strategy
    curve = [row.split(",") for row in found.csv().splitlines()[1:]]
    last = [row for row in curve if row[0] == "cfr"][-1]
    assert float(last[3]) == found.solutions[0].exploitability
    assert "dcfr:alpha=2.0" in found._repr_html_()


def test_ctrl_c_ends_the_comparison_with_what_there_is():
    rl.solve("leduc", method="cfr", iterations=1)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    found = rl.compare("leduc", ["cfr", "cfr+", "dcfr"], iterations=10**9)
    assert [solution.stop for solution in found.solutions] == [Stop.INTERRUPTED]
    assert found.interrupted
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_an_exact_method_keeps_those_before_it(monkeypatch):
    run = comparing.fulfilled

    def fulfilled(request, listen):
        if request.method == "lp":
            raise Interrupted("interrupted")
        return run(replace(request, iterations=5), listen)

    monkeypatch.setattr(comparing, "fulfilled", fulfilled)
    found = rl.compare("kuhn", ["cfr", "lp", "dcfr"])
    assert [solution.method for solution in found.solutions] == ["cfr"]
    assert found.interrupted
    assert not rl.compare("kuhn", ["cfr", "dcfr"]).interrupted
    with pytest.raises(Interrupted):  # there is nothing to keep
        rl.compare("kuhn", ["lp", "cfr"])


def test_the_table_is_shown_even_if_a_file_cannot_be_written(command, monkeypatch, tmp_path):
    def full(path, content):
        raise BadFile(path, "cannot be written: No space left on device")

    monkeypatch.setattr("regretless.core.files.write_atomically", full)
    code, out, err = command("compare", "kuhn", "cfr", "--iterations", "5", "--csv", "c.csv")
    assert (code, "No space left" in err) == (2, True)
    assert "cfr" in out
    assert "written" not in out


MINE = """
import regretless as rl

def kuhn(*, bet: int = 1):
    return rl.load(f"kuhn:bet={bet}")

whole = rl.load("kuhn")
first = whole.root
number = 3
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)


@pytest.mark.parametrize(
    ("spec", "saved", "bet"),
    [
        ("mine.py:kuhn", "mine.py:kuhn", 1),
        ("mine.py:kuhn:bet=2", "mine.py:kuhn:bet=2", 2),
        ("mine.py:kuhn:bet=1", "mine.py:kuhn", 1),
        ("mine.py:whole", "mine.py:whole", 1),
        ("mine.py:first", "mine.py:first", 1),
    ],
)
def test_python_files_are_games(mine, spec, saved, bet):
    game = rl.load(spec)
    assert game.spec == saved
    form = rl.sequence_form(game)
    assert form.fingerprint() == rl.sequence_form(f"kuhn:bet={bet}").fingerprint()


@pytest.mark.parametrize(
    ("spec", "kind", "told"),
    [
        ("mine.py", UnknownName, "unknown game in mine.py 'game'; known: first, kuhn, whole"),
        ("mine.py:number", BadFile, "number must be a Game, a State, or a function"),
        ("mine.py:kuhn:size=1", RegretlessError, "unknown parameter of game mine.py:kuhn"),
        ("mine.py:whole:bet=1", BadFile, "whole has no parameters"),
        ("missing.py:x", BadFile, "missing.py: no such file"),
        ("raises.py", BadFile, "raises.py:2:1: ValueError: so be it"),
        ("broken.py", BadFile, "broken.py:1:1: SyntaxError"),
        ("late.py", BadFile, "late.py:2:1: KeyError: 'x'"),
    ],
)
def test_python_files_that_are_none(mine, tmp_path, spec, kind, told):
    (tmp_path / "raises.py").write_text("\nraise ValueError('so\\nbe it')\n")
    (tmp_path / "broken.py").write_text("def game(:\n")
    (tmp_path / "late.py").write_text("def game():\n    return {}['x']\n")
    with pytest.raises(kind) as found:
        rl.load(spec)
    assert told in str(found.value)
    assert "\n" not in str(found.value)


def test_python_files_on_the_command_line(command, tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    _, out, _ = command("solve", "mine.py:kuhn", "--method", "lp", "--json", "--out", "x")
    assert json.loads(out)["value_fraction"] == "-1/18"
    code, _, err = command("evaluate", "x")
    assert code == 2
    assert "name mine.py:kuhn as the game" in err
    assert command("evaluate", "x", "--game", "mine.py:kuhn")[0] == 0


@pytest.mark.parametrize("name", rl.games.game_names())
def test_listed_sizes_are_those_that_are_counted(name):
    try:
        sizes = rl.forms.game_sizes(rl.load(name))
    except TooLarge:
        sizes = rl.games.Sizes(0, 0, (), ())
    assert DEFAULT_SIZES[name] == sizes


def test_listing_games_imports_no_compiler(tmp_path):
    script = (
        "import sys; sys.argv = ['regretless', 'games']\n"
        "from regretless.interfaces.cli import main\n"
        "main()\n"
        "print(sorted({'numba', 'scipy', 'matplotlib', 'highspy', 'pandas'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.endswith("[]\n"), run.stdout + run.stderr


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("True", 468),
        ("true", 468),
        ("YES", 468),
        ("1", 468),
        ("False", 144),
        ("no", 144),
        ("0", 144),
    ],
)
def test_true_is_true_however_it_is_written(text, points):
    game = rl.load(f"leduc:suits_distinct={text}")
    assert rl.forms.game_sizes(game).decision_points == (points, points)
    assert game.spec == ("leduc:suits_distinct=true" if points == 468 else "leduc")


@pytest.mark.parametrize("spec", ["kuhn:players=8", "kuhn:players=10"])
def test_what_does_not_fit_is_refused_before_it_is_built(command, spec):
    code, _, err = command("solve", spec)
    assert code == 2
    assert "memory" in err


def test_the_form_is_chosen_by_an_estimate():
    from regretless.forms.choice import _better_public

    chosen = {
        spec: _better_public(rl.load(spec), 1)
        for spec in ("leduc", "kuhn:players=6", "leduc:players=4", "rhode_island", "rps")
    }
    assert chosen == {
        "leduc": False,
        "kuhn:players=6": False,  # combinations that share a card would be most of the work
        "leduc:players=4": True,  # too many terminals to walk
        "rhode_island": True,
        "rps": False,
    }
