"""`regretless model`."""

import json
from pathlib import Path

import pytest

import regretless as rl


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


def test_over_a_blueprint(command):
    game = "holdem_nolimit:ranks=3,suits=3,stack=300,sizes=100%-a"
    rounds = ("preflop", "flop", "turn", "river")
    rl.abstraction.hand_map(game, ",".join(f"{name}=lossless" for name in rounds), out="small.map")
    rl.train_blueprint(game, "small.map", iterations=20, out="base.strategy")
    words = ("match", game, "random", "always-call", "--hands", "60", "--log", "m.log")
    assert command(*words)[0] == 0
    words = ("model", "m.log", "--name", "always-call", "--prior", "base.strategy")
    assert "name it .strategy" in command(*words, "--out", "v.model")[2]
    code, out, err = command(*words, "--out", "v.strategy", "--plot", "v.png")
    assert (code, err) == (0, "")
    assert "always-call: largest deviations" in out
    assert "missing data" in out
    assert Path("v.png").exists()
    facts = json.loads(command(*words, "--json")[1])
    assert (facts["name"], facts["hands"], facts["skipped"]) == ("always-call", 60, 0)
    assert facts["decisions"][0]["cost"] is None
    options = ("--iterations", "200", "--out", "c.strategy", "--json")
    code, out, _ = command("exploit", "v.strategy", *options)
    found = json.loads(out)
    assert code == 0
    assert (found["opponent"], found["iterations"]) == ("always-call", 200)
    assert found["won"]["mean"] > found["blueprint"]["mean"]
    assert command("show", "c.strategy", "--betting", "c")[0] == 0
    code, out, _ = command("one-on-one", "c.strategy", "v.strategy", "--boards", "50", "--json")
    assert code == 0
    assert json.loads(out)["mean"] > 0
    shown = command("exploit", "v.strategy", "--seconds", "0.2")[1]
    assert "best response to always-call" in shown
    assert "blueprint" in shown
    assert "only a best response" in command("exploit", "v.strategy", "--safe")[2]
    assert (
        "no frontier" in command("exploit", "v.strategy", "--plot", "f.png", "--iterations", "1")[2]
    )
