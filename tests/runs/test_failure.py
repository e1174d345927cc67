"""A method that cannot go on loses nothing: why is told, what was found is kept."""

import json

import pytest

import regretless as rl
from regretless.interfaces.cli.app import app
from regretless.runs.limits import Stop
from regretless.solvers._restricted_program import RestrictedProgram

METHOD = "double-oracle:rough=0"
LEDUC = -0.085606424078


@pytest.fixture
def tired(monkeypatch):
    """HiGHS gives up after a few steps of the simplex method."""
    few = {"simplex_iteration_limit": 40, "presolve": "off"}
    monkeypatch.setattr(RestrictedProgram, "options", few)
    return monkeypatch


def test_the_state_is_saved_and_can_go_on(tired, tmp_path):
    path = tmp_path / "leduc.strategy"
    failed = rl.solve("leduc", method=METHOD, out=path)
    assert failed.stop is Stop.FAILED
    assert "status Iteration limit" in failed.failure
    assert failed.iterations > 1
    low, high = failed.details["bounds"]
    assert low < LEDUC < high
    tired.setattr(RestrictedProgram, "options", {})
    found = rl.solve(resume=path)
    assert found.stop is Stop.EXACT
    assert found.iterations > failed.iterations
    assert found.values[0] == pytest.approx(LEDUC, abs=1e-9)


def test_the_command_tells_why_and_keeps_the_work(tired, tmp_path):
    from typer.testing import CliRunner

    tired.chdir(tmp_path)
    done = CliRunner().invoke(app, ["solve", "leduc", "--method", METHOD, "--json"])
    assert done.exit_code == 2
    facts = json.loads(done.stdout.strip().splitlines()[-1])
    assert facts["stop"] == "failed"
    assert "Iteration limit" in facts["failure"]
    assert (tmp_path / "leduc.strategy").exists()
