"""`regretless league` as people and programs use it."""

import csv
import json

import pytest

SIMPLE = ("random", "always-call", "aggressive")


@pytest.fixture
def solved(command):
    for spec, name in (("kuhn:players=3", "k"), ("leduc", "l")):
        assert command("solve", spec, "--iterations", "30", "--out", f"{name}.strategy")[0] == 0
    return command


def test_exact_is_the_default(solved):
    code, out, _ = solved("league", "leduc", "l.strategy", *SIMPLE, "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["strategies"] == ["l", *SIMPLE]
    assert facts["exact"] is True
    assert facts["unit"] == "ma/h"
    cells = {(c["strategy"], *c["opponents"]): c["mean"] for c in facts["cross"]}
    assert len(cells) == 16
    assert cells["l", "random"] == pytest.approx(-cells["random", "l"])
    assert cells["l", "random"] > 300
    assert cells["l", "l"] == pytest.approx(0, abs=1e-9)
    assert next(iter(facts["overall"])) == "l"
    assert solved("league", "leduc", "l.strategy", *SIMPLE, "--json", "--exact")[1] == out


def test_played_hands_are_reproducible(solved):
    words = ("league", "kuhn:players=3", "k.strategy", *SIMPLE, "--deals", "3000", "--json")
    one, two, other = (json.loads(solved(*words, "--seed", seed)[1]) for seed in ("1", "1", "2"))
    assert one == two
    assert one["cross"] != other["cross"]
    assert one["deals"] == 3000
    assert one["hands"] == 3000 * 4**3
    cell = one["cross"][1]
    assert cell["half_width"] > 0
    assert cell["plain_half_width"] > 0


@pytest.mark.parametrize("more", [(), ("--deals", "2000")])
def test_tables_files_and_picture(solved, tmp_path, more):
    files = ("--markdown", "x.md", "--csv", "x.csv", "--plot", "x.png")
    words = ("league", "kuhn:players=3", "k.strategy", *SIMPLE, "--no-self-play", *more, *files)
    code, out, _ = solved(*words)
    assert code == 0
    for text in ("Standings (ma/h)", "position 3", "k → random → always-call", "written to x.png"):
        assert text in out
    assert ("±" in out) == bool(more)
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    markdown = (tmp_path / "x.md").read_text()
    assert "| always-call, aggressive |" in markdown
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text().splitlines()))
    tables = [row["table"] for row in rows]
    assert [tables.count(t) for t in ("cross", "position", "order", "overall")] == [12, 12, 24, 4]
    cross = {(row["strategy"], row["opponents"]): row for row in rows if row["table"] == "cross"}
    mean = float(cross["k", "random always-call"]["mean"])
    assert f"{mean:.1f}" in markdown
    assert (float(cross["k", "random always-call"]["half_width_95"]) > 0) == bool(more)


def test_games_that_are_no_poker(solved):
    code, out, _ = solved(
        "solve", "battle_of_the_sexes", "--iterations", "9", "--out", "b.strategy"
    )
    code, out, _ = solved("league", "battle_of_the_sexes", "b.strategy", "random", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["unit"] == "chips/h"
    code, out, _ = solved("league", "battle_of_the_sexes", "b.strategy", "random")
    assert code == 0
    assert "chips per hand" in out


BAD = [
    (("league", "kuhn", "random"), "must be 2 or more"),
    (("league", "kuhn", "random", "rnadom"), "did you mean random?"),
    (("league", "kuhn", "random", "missing.strategy"), "no such file"),
    (("league", "kuhn", "random", "l.strategy"), "made for game leduc, does not fit game kuhn"),
    (("league", "kuhn", "random", "random"), "given twice"),
    (("league", "rps", "random", "aggressive"), "expected one of raise, bet, call, check"),
    (("league", "kuhn", "random", "aggressive", "--exact", "--deals", "9"), "cannot be combined"),
    (("league", "kuhn", "random", "aggressive", "--deals", "1"), "must be 2 to"),
    (("league", "kuhn", "random", "aggressive", "--deals", "9" * 30), "must be 2 to"),
    (("league", "kuhn", "random", "aggressive", "--deals", "9", "--seed", "-1"), "seed=-1"),
    (("league", "kuhn", "random", "aggressive", "--plot", "x.txt"), "ends in '.txt'"),
    (("league", "kuhn", "random", "aggressive", "--csv", "no/x"), "no such directory"),
    (("league", "rhode_island", "random", "aggressive", "--deals", "9"), "6,705,372,545 nodes"),
    (("league", "kuhn:players=3", "random", "aggressive", "--no-self-play"), "must be 3"),
]


@pytest.mark.parametrize(("words", "told"), BAD, ids=lambda value: " ".join(value)[:50])
def test_league_bad_input(solved, words, told):
    code, out, err = solved(*words)
    assert code == 2
    assert told in err
    assert len([line for line in err.splitlines() if not line.startswith("compiling")]) == 1
    assert out == ""
