"""Blueprints from files: who plays them, one-on-one, local best response, and the commands."""

from __future__ import annotations

import json

import numpy as np
import pytest
from random_buckets import Buckets
from typer.testing import CliRunner

import regretless as rl
from regretless.core.errors import BadFile, RegretlessError, Unsuitable
from regretless.interfaces.cli.acpc import _player
from regretless.interfaces.cli.app import app
from regretless.interfaces.cli.play import _game_of
from regretless.play.agents import nyx
from regretless.play.agents._catalog import agents, table_of
from regretless.strategy.tree_walk import AtTable

TABLE = "holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=10"
GAME = f"{TABLE},sizes=100%-a"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two blueprints on one map, one of them hardly trained."""
    place = tmp_path_factory.mktemp("blueprints")
    by = "preflop=lossless,flop=percentile:4,turn=percentile:4,river=percentile:4"
    rl.abstraction.hand_map(GAME, by, out=place / "small.map")
    for name, iterations in (("good", 120), ("rough", 2)):
        path = place / f"{name}.strategy"
        rl.train_blueprint(GAME, place / "small.map", iterations=iterations, out=path)
    return place


def test_a_blueprint_is_played_by_nyx(files) -> None:
    path = str(files / "good.strategy")
    first, second = agents([path, path], TABLE)
    assert isinstance(first, nyx.Agent)
    assert first.play is second.play  # loaded once
    assert table_of(path) == TABLE
    assert _game_of([path]) == TABLE
    seated = _player(files / "good.strategy", None, None, None, 3)
    assert isinstance(seated, nyx.Agent)
    assert seated.rules == rl.rules_of(TABLE)
    named = rl.agent(f"nyx:blueprint={path},round=5,limit_ms=50", TABLE)
    assert isinstance(named, nyx.Agent)
    assert (named.round, named.limit_s) == (4, 0.05)
    hands = list(rl.play_match(TABLE, [named, rl.agent("aggressive", TABLE)], hands=20, seed=1))
    assert len(hands) == 20


def test_table_of_other_strategies(tmp_path) -> None:
    rl.solve("kuhn", iterations=2, out=tmp_path / "kuhn.strategy")
    assert table_of(tmp_path / "kuhn.strategy") == "kuhn"


def test_training_wins(files) -> None:
    good, rough = files / "good.strategy", files / "rough.strategy"
    found = rl.research.one_on_one(good, rough, boards=40, seed=1)
    mean, half_width = found.mbb
    assert mean > 2 * half_width > 0
    assert found == rl.research.one_on_one(
        rl.research.load_blueprint(good), str(rough), boards=40, seed=1, threads=2
    )


def test_commands(files) -> None:
    good, rough = str(files / "good.strategy"), str(files / "rough.strategy")
    run = CliRunner().invoke
    told = run(app, ["one-on-one", good, rough, "--boards", "10", "--json"])
    facts = json.loads(told.stdout)
    assert facts["boards"] == 10
    assert facts["mean"] == pytest.approx(rl.research.one_on_one(good, rough, boards=10).mbb[0])
    told = run(app, ["one-on-one", good, rough, "--boards", "10", "--deterministic"])
    assert "good wins" in told.stdout
    assert "mbb/h" in told.stdout
    told = run(app, ["lbr", good, "--deals", "4", "--json"])
    facts = json.loads(told.stdout)
    assert facts["deals"] == 4
    assert facts["mean"] == pytest.approx(rl.research.local_best_response(good, hands=4).mbb[0])
    assert "4 deals from both seats" in run(app, ["lbr", good, "--deals", "4"]).stdout


def test_bad_input(files, tmp_path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        rl.research.one_on_one(files / "good.strategy", files / "none.strategy")
    rl.solve("kuhn", iterations=2, out=tmp_path / "kuhn.strategy")
    with pytest.raises(Unsuitable, match="not a blueprint"):
        rl.research.one_on_one(files / "good.strategy", tmp_path / "kuhn.strategy")
    with pytest.raises(RegretlessError, match="translation=linear"):
        rl.research.one_on_one(
            files / "good.strategy", files / "good.strategy", translation="linear"
        )
    with pytest.raises(RegretlessError, match="seed=-1"):
        rl.research.local_best_response(tmp_path / "kuhn.strategy", seed=-1)
    assert rl.research.local_best_response(tmp_path / "kuhn.strategy", hands=10).hands == 10


def test_all_hands_of_buckets() -> None:
    """Rows of the table by bucket; one action where two sizes are the same bet; calls outside."""
    rules = rl.load(GAME).rules
    assert rules is not None
    play = Buckets(rules, 2)
    hands = AtTable(play)
    assert hands.rules == rl.rules_of(TABLE)
    board = (0, 4, 8)
    history = "cc/"
    found = hands.at(hands.rules.replay(history), board)
    node = play.rules.replay(history)
    buckets = play.map.buckets([(), board])[-1]
    assert len(found.actions) == len(node.choices)
    for hand, bucket in enumerate(buckets.tolist()):
        expected = play.table(node)[bucket] if bucket >= 0 else np.zeros(len(node.choices))
        assert found.chances[hand] == pytest.approx(expected)
    # A raise to 9 is understood as all-in: then only fold and call are left.
    facing = hands.at(hands.rules.replay("r9"), ())
    assert facing.actions == ("f", "c")
    after = hands.at(hands.rules.replay("r9c/"), board)
    assert after.actions == ("c",)
    assert set(after.chances[:, 0]) == {0.0, 1.0}
