"""Solved spots on the command line: what `solve`, `show` and `evaluate` print and write."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import regretless as rl
from regretless.core.errors import BadFile, RegretlessError
from regretless.evaluation.spot_values import SpotView
from regretless.interfaces.cli.shortcut import read

GOLDEN = Path(__file__).parent.parent / "data" / "spots"
SPOT = """board = "Kc8d5h2s2d"
pot = 100
stack = 100

[ranges]
oop = "AA,QQ"
ip = "KK:0.5,JJ"

[bets]
all = "a"
"""
TURN = SPOT.replace("Kc8d5h2s2d", "Kc8d5h2s")


@pytest.fixture
def solved(command, tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT)
    code, _, err = command(
        "solve", "spot.toml", "--iterations", "64", "--out", "spot.strategy", "--json"
    )
    assert code == 0, err
    return command


def test_solve_in_chips_and_per_cent(command, tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT)
    code, out, _ = command("solve", "spot.toml", "--target", "1%", "--json")
    assert code == 0
    facts = json.loads(out)
    assert facts["limits"]["target"] == pytest.approx(1)
    assert facts["exploitability_percent"] == pytest.approx(facts["exploitability"])
    assert sum(facts["ev"]) == pytest.approx(100)
    assert sum(facts["equity"]) == pytest.approx(1)
    assert facts["tree"] == {"nodes": 9, "action_entries": 84}
    assert facts["memory_bytes"] > 0
    code, out, _ = command("solve", "spot.toml", "--target", "2")
    assert code == 0
    assert "target           2 chips, 2 % of the pot\n" in out
    assert "% of the pot\n" in next(line + "\n" for line in out.splitlines() if "exploit" in line)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grid", []),
        ("answer", ["--at", "allin"]),
        ("list", ["--range", "AA,QsQh", "--at", ""]),
    ],
)
def test_what_is_printed(solved, name, words):
    code, out, err = solved("show", "spot.strategy", *words)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    golden = GOLDEN / f"{name}.txt"
    assert out == golden.read_text(encoding="utf-8")


def test_json_csv_and_parquet_say_the_same(solved, tmp_path):
    words = ("--at", "check", "--csv", "x.csv", "--parquet", "x.parquet", "--json")
    code, out, _ = solved("show", "spot.strategy", *words)
    assert code == 0
    facts = json.loads(out)
    assert (facts["player"], facts["line"], facts["pot"]) == ("ip", "check", 100)
    assert [one["action"] for one in facts["actions"]] == ["check", "allin"]
    hands = facts["hands"]
    with Path("x.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    table = pq.read_table("x.parquet").to_pylist()
    assert len(rows) == len(hands) == len(table) == 3 + 6 + 6 + 6
    for row, hand, other in zip(rows, hands, table, strict=True):
        assert other == hand
        for key, value in hand.items():
            assert row[key] == ("" if value is None else str(value))
    kings = [hand for hand in hands if hand["class"] == "KK"]
    assert {hand["weight"] for hand in kings} == {0.5}
    assert all(hand["reach"] == 1 for hand in kings)


def test_pictures(solved):
    code, out, _ = solved("show", "spot.strategy", "--png", "x.png", "--svg", "x.svg")
    assert code == 0
    assert "written to x.png" in out
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("x.svg").read_text()


def test_evaluate(solved):
    code, out, _ = solved("evaluate", "spot.strategy")
    assert code == 0
    assert out.splitlines()[0].startswith("exploitability ")
    assert "% of the pot" in out
    code, out, _ = solved("evaluate", "spot.strategy", "--json", "--game", "spot.toml")
    assert code == 0
    assert sum(json.loads(out)["ev"]) == pytest.approx(100)


def test_the_file_stands_alone(solved, tmp_path):
    (tmp_path / "spot.toml").unlink()
    assert solved("show", "spot.strategy")[0] == 0
    assert solved("evaluate", "spot.strategy")[0] == 0


def test_solving_again_from_a_line(solved):
    code, out, _ = solved("show", "spot.strategy", "--at", "allin", "--resolve", "--target", "1")
    assert code == 0
    assert "re-solved from here, to " in out
    assert "% of the pot" in out
    code, out, _ = solved("show", "spot.strategy", "--at", "check", "--resolve", "--json")
    assert code == 0
    assert json.loads(out)["resolved"]["exploitability_percent"] <= 0.5


def test_bad_input(solved, tmp_path):
    solved("solve", "kuhn", "--iterations", "3", "--out", "kuhn.strategy")
    for words, told in (
        (["spot.strategy", "--at", "bet50"], "line 'bet50', character 1: 'bet50' is not possible"),
        (["spot.strategy", "--at", "check check"], "the hand is over"),
        (["spot.strategy", "--range", "AX"], "character 2"),
        (["spot.strategy", "--range", "22"], "holds none of them"),
        (["spot.strategy", "--png", "x.jpg"], "must end in .png"),
        (["spot.strategy", "--csv", "no/x.csv"], "no such directory"),
        (["spot.strategy", "--csv", "spot.strategy"], "must end in .csv"),
        (["spot.strategy", "--player", "1"], "choose with --at and --range"),
        (["spot.strategy", "--target", "1%"], "--target needs --resolve"),
        (["kuhn.strategy", "--at", "check"], "is not a solved spot"),
    ):
        code, out, err = solved("show", *words)
        assert (code, out) == (2, ""), words
        assert told in err
        assert err.count("\n") == 1
    for words, told in (
        (["spot.toml", "--target", "x"], "target='x'"),
        (["spot.toml", "--target", "-1%"], "target"),
        (["kuhn", "--target", "1%"], "percentages are for spots only"),
    ):
        code, _, err = solved("solve", *words)
        assert code == 2
        assert told in err


def test_a_spot_is_not_dealt_at_a_table(solved):
    code, _, err = solved("play", "spot.toml", "--hands", "1")
    assert code == 2
    assert "tables deal whole hands" in err


def test_cards_are_asked_for(command, tmp_path):
    (tmp_path / "turn.toml").write_text(TURN)
    assert command("solve", "turn.toml", "--iterations", "4", "--out", "t.strategy")[0] == 0
    code, _, err = command("show", "t.strategy", "--at", "check check")
    assert code == 2
    assert "expected the river between slashes" in err
    code, out, _ = command("show", "t.strategy", "--at", "check check / 2d")
    assert code == 0
    assert out.startswith("Kc 8d 5h 2s 2d  check check / 2d\n")


def test_looking_loads_no_kernels(solved, tmp_path):
    """Numba alone takes longer to load than looking at a decision may take."""
    script = (
        "import sys; sys.argv = ['regretless', 'show', 'spot.strategy', '--at', 'check']\n"
        "from regretless.interfaces.cli import main\n"
        "main()\n"
        "slow = {'numba', 'scipy', 'matplotlib', 'pandas', 'typer', 'pydantic'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    words = [sys.executable, "-c", script]
    run = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert run.stdout.endswith("[]\n"), run.stdout + run.stderr


def test_a_tree_that_does_not_fit_is_refused_at_once(command, tmp_path):
    sizes = '[bets]\nall = "25%,50%,75%,100%,150%,a"\n[raises]\nall = "50%,75%,100%,a"\n'
    text = SPOT.partition("[bets]")[0].replace("Kc8d5h2s2d", "Kc8d5h").replace("= 100", "= 9000")
    text = text.replace("pot = 9000", "pot = 20").replace("AA,QQ", "random").replace("JJ", "random")
    (tmp_path / "huge.toml").write_text(text + sizes)
    code, out, err = command("solve", "huge.toml", "--out", "huge.strategy")
    assert (code, out) == (2, "")
    for words in ("over", "action entries", "GiB of memory", "is free", "tree.raise_cap"):
        assert words in err
    assert not (tmp_path / "huge.strategy").exists()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("show a.strategy", {"file": "a.strategy"}),
        ("show --at=check a=b --json", {"file": "a=b", "at": "check", "as_json": True}),
        ("show a --range QQ --at check", {"file": "a", "at": "check", "hands": "QQ"}),
        ("show a --at", None),
        ("show a --at --json", None),
        ("show a b", None),
        ("show a --csv x.csv", None),
        ("show a --json=1", None),
        ("show --help", None),
        ("solve a", None),
        ("show", None),
        ("", None),
    ],
)
def test_the_shortcut_takes_only_what_it_understands(words, found):
    nothing = {"at": "", "hands": None, "as_json": False}
    assert read(words.split()) == (None if found is None else {**nothing, **found})


def test_names_that_no_file_can_have():
    with pytest.raises(BadFile, match="is not a usable file name"):
        SpotView.open("a\0b")
    with pytest.raises(RegretlessError):
        rl.load_strategy("\ud800")
