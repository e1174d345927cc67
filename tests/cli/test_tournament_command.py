"""`regretless tournament`, as a person calls it."""

import json
from importlib import import_module

import pytest
from pictures import assert_drawn

TWO = ("tournament", "--stacks", "2000,4000", "--payouts", "50,30", "--unit", "1000")


def test_two_players(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = command(*TWO, "--json", "--csv", "x.csv", "--plot", "x.png", "--out", "run")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert sum(facts["values"]) == pytest.approx(80)
    assert facts["epsilon"] <= 0.05
    assert facts["states"] == 5
    assert [one["title"] for one in facts["decisions"]] == ["SB first in", "BB calls SB"]
    assert facts["decisions"][0]["jams"]["AA"] > 0.99
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert len(lines) == 1 + 2 * 169
    assert_drawn(tmp_path / "x.png")
    code, out, _ = command(*TWO, "--resume", "run")
    assert code == 0
    assert "AA  AKs AQs" in out
    assert "no player can gain more than" in out
    code, out, _ = command(*TWO, "--hand", "AKs", "--position", "button", "--json")
    assert json.loads(out)["jam"] > 0.99
    assert json.loads(out)["gain"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--stacks", "2000,x"), "--stacks 2000,x: must be numbers"),
        (("--stacks", "300,200"), "stacks 300,200: below the blinds"),
        (("--payouts", "30,50"), "must be in descending order"),
        (("--payouts", "50,30,20"), "3 prizes for 2 players"),
        (("--unit", "700"), "unit=700: 6000 chips must be a multiple"),
        (("--blinds", "300"), "--blinds 300: must be such as 300/600"),
        (("--hand", "AKs"), "--hand and --position belong together"),
        (("--hand", "AKx", "--position", "SB"), "unknown hand 'AKx'"),
        (("--hand", "AKs", "--position", "UTG"), "unknown position 'UTG'"),
        (("--hand", "AKs", "--position", "BB", "--after", "fold"), "BB decides after SB"),
    ],
)
def test_bad_input_is_one_line(command, words, message):
    code, out, err = command(*TWO, *words)
    assert code != 0
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1


FOUR = ("tournament", "--stacks", "5,4,4,6", "--payouts", "50,30,20", "--blinds", "0.5/1/0.1")


def test_four_players_are_one_hand_with_icm_after_it(command, monkeypatch):
    asked = {}
    module = import_module("regretless.interfaces.cli.tournament")
    monkeypatch.setattr(module, "pushfold", lambda stacks, **rest: asked.update(rest, s=stacks))
    assert command(*FOUR, "--big-blind-ante", "0.25", "--csv", "x.csv", "--json")[0] == 0
    assert asked.pop("csv").name == "x.csv"
    assert asked == {
        "s": "5,4,4,6",
        "payouts": "50,30,20",
        "blinds": "0.5/1.0",
        "ante": 0.1,
        "big_blind_ante": 0.25,
        "png": None,
        "json_": True,
    }


@pytest.mark.parametrize(
    "words", [("--hand", "AKs"), ("--unit", "1"), ("--seconds", "5"), ("--out", "run")]
)
def test_one_hand_has_no_run(command, words):
    code, out, err = command(*FOUR, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"regretless: {words[0]}: must be left out with four or more players")
