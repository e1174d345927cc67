"""Charts of four and more players on a small deck: what is said about them is so."""

import numpy as np
import pytest

from regretless.forms.dealt_in_turn import dealt_in_turn
from regretless.games._icm import icm_utility
from regretless.games._jam_fold import JamFold
from regretless.stochastic import push_fold as module
from regretless.stochastic.in_turn import play_in_turn
from tests.jam_fold_twin import small_showdowns

CARDS = small_showdowns(5, 2)
STACKS = (8.0, 6.0, 10.0, 7.0)


@pytest.fixture
def form():
    utility = icm_utility(STACKS, [50, 30, 20])
    return dealt_in_turn(JamFold(STACKS, (1, 2)), CARDS, utility)


def test_gains_and_values_as_measured_by_best_responses(form):
    found = play_in_turn(form, regret=0.1, most=30)
    assert found.gains.max() <= 0.1
    behaviour = found.plan  # everybody acts at most once
    for player in range(4):
        value, best = form.respond(player, behaviour)
        assert found.values[player] == pytest.approx(value)
        assert found.gains[player] == pytest.approx(best - value, abs=1e-9)
    assert found.values.sum() == pytest.approx(100)
    assert found.chips.sum() == pytest.approx(0, abs=1e-9)
    assert np.abs(found.chips).max() > 0.01


def test_whoever_watches_may_end_it(form):
    told = []
    found = play_in_turn(form, regret=0.0, most=9, watch=lambda *one: told.append(one) is None)
    assert [walks for walks, _ in told] == [found.iterations] == [1]
    assert told[0][1] == found.gains.max()


def test_pushfold_of_five_players(monkeypatch):
    monkeypatch.setattr(module, "holdem_showdowns", lambda hands, listen: CARDS)
    heard = []
    found = module.pushfold([6, 6, 6, 6, 6], blinds=(1, 2), listen=heard.append)
    assert heard[0].stage == "charts"
    assert not found.stopped
    assert found.values_bb == pytest.approx([value / 2 for value in found.values], abs=1e-9)
    assert sum(found.values) == pytest.approx(0, abs=1e-9)
    assert max(found.gains) < 0.05
    assert [after for _, after in found.drawn] == ["", "f", "ff", "fff"]
    assert "folded cards" in found.model
    assert found.tables()[0].note == found.model


def test_ctrl_c_keeps_the_charts_so_far(monkeypatch):
    monkeypatch.setattr(module, "holdem_showdowns", lambda hands, listen: CARDS)
    monkeypatch.setattr(module, "interrupted", lambda: True)
    assert module.pushfold([6, 6, 6, 6], blinds=(1, 2)).played.iterations == 1
    assert module.pushfold([6, 6, 6], blinds=(1, 2)).played.iterations == 0
