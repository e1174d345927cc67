"""Refining strategies, solutions and files: what is measured, written and refused."""

import json

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadFile, BadInput, BadParameter, WrongGame
from regretless.strategy import files


@pytest.fixture(scope="module")
def blueprint():
    return rl.solve("kuhn", method="cfr", iterations=8)


def test_what_is_measured(blueprint):
    found = rl.refine(blueprint, by="in-game:levels=3,iterations=200")
    assert found.before.exploitability == rl.exploitability(blueprint.strategy)
    assert found.after.exploitability == rl.exploitability(found.strategy)
    assert found.exploitability < found.before.exploitability / 5
    facts = json.loads(json.dumps(found.facts()))
    assert facts["exploitability_before"] == found.before.exploitability
    assert facts["exploitability"] == found.exploitability
    assert facts["by"] == "in-game:levels=3,iterations=200"
    assert facts["blueprint"]["method"] == "cfr"
    assert facts["seconds"] > 0
    assert not facts["interrupted"]
    assert facts["decision_points"] == 12
    assert "÷" in dict(found.rows())["exploitability after"]
    assert "in-game" in repr(found)


def test_changed_decision_points_are_counted(blueprint):
    kept = rl.refine(blueprint, by="in-game:levels=1,responses=0,iterations=1")
    differs = kept.strategy.behaviour != blueprint.strategy.behaviour
    points = [
        differs[start : start + actions * lanes].reshape(actions, lanes).any(axis=0).sum()
        for start, actions, lanes, _ in blueprint.form.blocks.blocks
    ]
    assert kept.changed == sum(points) <= 3


def test_files_know_where_they_came_from(blueprint, tmp_path):
    blueprint.save(tmp_path / "a.strategy")
    one = rl.refine(tmp_path / "a.strategy", by="cfr:iterations=9", out=tmp_path / "b.strategy")
    again = rl.refine(one, by="in-game:iterations=9")
    assert again.blueprint["refinement"] == "cfr:iterations=9"
    two = rl.refine(tmp_path / "b.strategy", by="in-game:iterations=9")
    assert two.blueprint["refinement"] == "cfr:iterations=9"
    assert two.blueprint["file"].endswith("b.strategy")
    assert np.array_equal(two.strategy.behaviour, again.strategy.behaviour)
    about = files.read(tmp_path / "b.strategy").about
    assert about["refinement"] == "cfr:iterations=9"
    assert about["blueprint"]["method"] == "cfr"
    assert about["exploitability"] == pytest.approx(one.exploitability)
    assert rl.load_strategy(tmp_path / "b.strategy") == one.strategy
    one.save(tmp_path / "c.strategy")
    assert rl.load_strategy(tmp_path / "c.strategy") == one.strategy


def test_a_time_limit_too_short_loses_nothing(blueprint, tmp_path):
    out = tmp_path / "out.strategy"
    with pytest.raises(BadParameter, match="seconds=1e-09: too short for in-game"):
        rl.refine(blueprint, by="in-game", seconds=1e-9, out=out)
    assert not out.exists()
    with pytest.raises(BadParameter, match="seconds=0: must be more than 0"):
        rl.refine(blueprint, by="in-game", seconds=0)


def test_a_time_limit_ends_with_what_there_is(blueprint):
    found = rl.refine(blueprint, by=f"in-game:levels=2,iterations={10**9}", seconds=0.3)
    assert found.interrupted
    assert found.seconds < 5
    assert found.exploitability < found.before.exploitability
    assert "ended early" in dict(found.rows())["time"]


def test_bad_blueprints(blueprint, tmp_path):
    with pytest.raises(BadParameter, match="strategy=3: must be a Strategy"):
        rl.refine(3, by="in-game")
    with pytest.raises(BadParameter, match="by=3"):
        rl.refine(blueprint, by=3)
    with pytest.raises(BadFile, match="no such file"):
        rl.refine(tmp_path / "none.strategy", by="in-game")
    blueprint.save(tmp_path / "a.strategy")
    with pytest.raises(BadFile, match="both the blueprint and out"):
        rl.refine(tmp_path / "a.strategy", by="in-game", out=tmp_path / "a.strategy")
    with pytest.raises(WrongGame):
        rl.refine(tmp_path / "a.strategy", by="in-game", game="leduc")
    with pytest.raises(BadInput, match="threads: only for a strategy that is not in memory"):
        rl.refine(blueprint, by="in-game", threads=2)
    with pytest.raises(BadInput, match="K:"):
        rl.Strategy.from_dict("kuhn", {"Q:": {"check": 1}})  # a blueprint that misses most points


def test_there_is_no_run_to_resume(blueprint, tmp_path):
    path = tmp_path / "x.strategy"
    rl.refine(blueprint, by="cfr:iterations=3", out=path)
    with pytest.raises(BadFile, match=r"made by refine \(cfr:iterations=3\), not by solve"):
        rl.solve(resume=path, iterations=9)
    rl.purify(blueprint, threshold=0.2, out=path)
    with pytest.raises(BadFile, match=r"made by purify \(threshold 0.2\), .* no run to resume"):
        rl.solve(resume=path, method="cfr", iterations=9)


def test_what_was_refined_can_be_purified(blueprint):
    found = rl.purify(rl.refine(blueprint, by="cfr:iterations=3"), steps="50%")
    assert found.source["method"] == "refined by cfr:iterations=3"
    assert found.before.exploitability != rl.exploitability(blueprint.strategy)
