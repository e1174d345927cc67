"""`regretless model`."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def log(command):
    """A match of always-call in Leduc poker."""
    words = ("match", "leduc", "random", "always-call", "--hands", "200", "--log", "m.log")
    assert command(*words)[0] == 0
    return "m.log"


def test_the_command(command, log):
    code, out, err = command("model", log, "--name", "always-call", "--out", "v.model")
    assert (code, err) == (0, "")
    assert "always-call: largest deviations" in out
    assert "missing data" in out
    assert "written to v.model" in out
    code, out, _ = command("model", "v.model", "--json", "--plot", "v.png")
    facts = json.loads(out)
    assert code == 0
    assert (facts["name"], facts["hands"], facts["game"]) == ("always-call", 200, "leduc")
    first = facts["decisions"][0]
    assert first["played"] == max(one["played"] for one in facts["decisions"])
    assert Path("v.png").exists()


def test_options_matter(command, log):
    def told(*options):
        words = ("model", log, "--name", "always-call", "--json", *options)
        return json.loads(command(*words)[1])

    plain = told()
    assert told("--strength", "1000")["decisions"][0]["played"] < plain["decisions"][0]["played"]
    assert told("--by", "shifting", "--cards", "none")["method"] == "model:shifting"
    assert command("solve", "leduc", "--iterations", "1", "--out", "u.strategy")[0] == 0
    uniform = told("--prior", "u.strategy")
    decision = uniform["decisions"][0]
    chances = [action["prior"] for action in decision["actions"].values()]
    assert chances == pytest.approx([1 / len(chances)] * len(chances))


def test_bad_input(command, log):
    assert "unknown player 'call'" in command("model", log, "--name", "call")[2]
    assert "name the opponent" in command("model", log)[2]
    assert "x.log" in command("model", "x.log", "--name", "a")[2]
    Path("v.model").write_text("mine")
    words = ("model", log, "--name", "random", "--out", "v.model")
    assert "exists already; add --force" in command(*words)[2]
    assert Path("v.model").read_text() == "mine"
    assert command(*words, "--force")[0] == 0


def test_exploit(command, log):
    assert command("model", log, "--name", "always-call", "--out", "v.model")[0] == 0
    code, out, err = command(
        "exploit", "v.model", "--out", "e.strategy", "--plot", "f.png", "--json"
    )
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["method"] == "best-response"
    assert facts["won"] == max(trade["won"] for trade in facts["frontier"])
    assert Path("f.png").exists()
    words = ("solve", "leduc", "--method", "restricted-nash:p=1,model=v.model", "--json")
    found = json.loads(command(*words, "--iterations", "300")[1])["details"]["against_model"]
    assert sum(found) / 2 == pytest.approx(facts["won"], abs=1e-3)
    code, out, _ = command("exploit", "v.model", "--safe", "--json")
    safe = json.loads(out)
    assert safe["risk"] == pytest.approx(0, abs=1e-6)
    assert 0 <= safe["gain"] < facts["gain"]
    risky = json.loads(command("exploit", "v.model", "--safe", "--risk", "0.1", "--json")[1])
    assert safe["won"] < risky["won"]
    assert risky["risk"] <= 0.1 + 1e-6
    assert "frontier" in command("exploit", "v.model", "--by", "data-biased:full=20")[1]
    assert "cannot be combined" in command("exploit", "v.model", "--by", "safe", "--safe")[2]
    assert "not a model" in command("exploit", "e.strategy")[2]
    assert "exists already" in command("exploit", "v.model", "--out", "e.strategy")[2]
