"""A request is resolved once, and everybody who solves makes the same one."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadParameter
from regretless.forms import choice
from regretless.forms.precision import Precision
from regretless.runs.request import Request

SMALL = "holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=4,sizes=100%-a"
MAP = "preflop=lossless,flop=percentile:3,turn=percentile:3,river=percentile:3"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("maps") / "small.map"
    rl.abstraction.hand_map(SMALL, MAP, out=place)
    return place


def test_hold_em_on_a_map_of_hands_is_trained(folder) -> None:
    trained = rl.train_blueprint(SMALL, folder, iterations=3)
    hand_map = rl.abstraction.load_hand_map(folder)
    for given in (folder, str(folder), hand_map):
        made = rl.solve(SMALL, abstraction=given, iterations=3)
        assert isinstance(made, rl.research.Blueprint)
        for one, other in zip(made.tables, trained.tables, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_other_methods_and_given_forms_are_solved(folder) -> None:
    assert not Request(game=SMALL, abstraction=folder, method="dcfr").trains
    assert not Request(game=rl.forms.public_form("leduc"), abstraction=folder).trains
    assert not Request(game="leduc", abstraction=folder).trains
    assert not Request(game="leduc", abstraction="JQ.K").trains
    assert Request(game=SMALL, abstraction=folder, method="public-chance-sampling").trains


@pytest.mark.parametrize(
    "option", [{"target": 1}, {"strategy": "last"}, {"form": "public"}, {"precision": "single"}]
)
def test_what_training_does_not_have_is_refused(folder, option) -> None:
    with pytest.raises(BadParameter, match="blueprints have no such option"):
        rl.solve(SMALL, abstraction=folder, **option)


def test_a_game_is_loaded_once(monkeypatch, folder, tmp_path) -> None:
    loaded = []

    def load(spec):
        loaded.append(spec)
        return rl.load(spec)

    monkeypatch.setattr(choice, "load", load)
    rl.solve("kuhn", iterations=2)
    rl.compare("leduc", ["cfr", "lp", "public-chance-sampling"], iterations=1)  # on two forms
    rl.solve(SMALL, abstraction=folder, iterations=1)
    assert loaded == ["kuhn", "leduc", SMALL]


def test_nothing_is_loaded_before_everything_is_checked() -> None:
    with pytest.raises(BadParameter, match="threads=0"):
        Request(game="no such game", threads=0)
    assert Request(game="kuhn", method="lp").kind == "sequence"
    assert Request(game="kuhn", method="cfr").kind == "auto"


@pytest.mark.parametrize("precision", Precision)
def test_precisions_know_their_numbers(precision) -> None:
    state = {"regret": np.zeros(3, precision.dtype)}
    assert Precision.of(state) is precision
    assert Precision.of({"weights": np.zeros(3)}) is None
