"""Three players on the command line: solving for one of them, exporting, outcomes, reproducing."""

import json

import pytest
from typer.testing import CliRunner

from regretless.core.errors import BadInput, BadParameter, RegretlessError
from regretless.interfaces.cli.app import app

KUHN = "kuhn:players=3"


def run(*arguments):
    done = CliRunner().invoke(app, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_maxmin_as_json_has_the_player_first():
    done = run("solve", KUHN, "--method", "maxmin:player=3", "--iterations", "2000", "--json")
    facts = json.loads(done.stdout)
    assert facts["players"] == [3, 1, 2]
    assert facts["values"][0] == pytest.approx(1 / 24, abs=1e-3)
    assert facts["bound"] >= 1 / 24 - 1e-9
    assert facts["gap"] >= 0


def test_other_methods_keep_their_order():
    facts = json.loads(run("solve", KUHN, "--iterations", "10", "--json").stdout)
    assert facts["players"] == [1, 2, 3]
    assert facts["bound"] is None
    assert sum(facts["values"]) == pytest.approx(0)


def test_exact_guarantees_are_shown():
    done = run("solve", KUHN, "--method", "maxmin-exact:player=2,share=cards")
    assert "player 2 -0.064102564" in done.stdout


def test_programs_are_exported(tmp_path):
    path = tmp_path / "x.gms"
    done = run("export", KUHN, str(path), "--leader", "3", "--formulation", "3")
    assert "leader 3" in done.stdout
    text = path.read_text()
    assert "using nlp maximizing" in text
    assert "complement_0.." in text
    with pytest.raises(BadParameter, match="leader=4"):
        run("export", KUHN, str(path), "--leader", "4")
    with pytest.raises(RegretlessError, match=r"\.efg, \.nfg or \.gms"):
        run("export", KUHN, str(tmp_path / "x.lp"))


def test_a_league_writes_outcomes(tmp_path):
    done = run(
        *("league", KUHN, "random", "aggressive", "always-fold", "--no-self-play"),
        *("--outcomes", str(tmp_path / "out"), "--json"),
    )
    facts = json.loads(done.stdout)
    assert (tmp_path / "out" / "by-card.png").exists()
    assert facts["outcomes"].endswith("outcomes.md")


BOTS = """
from regretless import Agent
from regretless.play.agents._agent import MixingAgent, Mixture

class Caller(MixingAgent):
    def mixture(self, view):
        return Mixture(("c",))

class Secret(Agent):
    def act(self, view):
        return "c"
"""


def test_a_league_writes_outcomes_of_an_agent_that_tells_what_it_plays(tmp_path):
    bots, out = tmp_path / "bots.py", tmp_path / "out"
    bots.write_text(BOTS)
    words = ("league", "kuhn", f"{bots}:Caller", "random", "--outcomes", str(out), "--json")
    told = json.loads(run(*words).stdout)
    same = json.loads(run("league", "kuhn", "always-call", "random", "--json").stdout)
    assert [one["mean"] for one in told["cross"]] == [one["mean"] for one in same["cross"]]
    assert "| bots" in (out / "outcomes.md").read_text()


def test_outcomes_that_cannot_be_known_are_refused_before_the_league(tmp_path, monkeypatch):
    bots = tmp_path / "bots.py"
    bots.write_text(BOTS)
    monkeypatch.setattr("regretless.play.league._played", None)
    words = ("league", "kuhn", f"{bots}:Secret", "random", "--deals", "10")
    with pytest.raises(BadInput, match="bots: not a MixingAgent, so its strategy is not known"):
        run(*words, "--outcomes", str(tmp_path / "out"))


def test_studies_are_listed():
    assert "three-players" in run("reproduce").stdout
