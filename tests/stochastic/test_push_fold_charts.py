"""Charts of push or fold: published values, a second route, and what they write."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import regretless as rl
from regretless.cards.holdings import class_names
from regretless.cards.showdowns import holdem_showdowns
from regretless.core.errors import BadParameter
from regretless.games._icm import expected_prizes
from regretless.stochastic.chart_picture import chart_picture
from regretless.stochastic.push_fold import read_stacks


@pytest.fixture(scope="module")
def ten():
    return rl.tournaments.pushfold("10bb")


def test_ten_big_blinds(ten):
    """Value, jams and calls as computed by an independent program for this project."""
    assert ten.values_bb == pytest.approx((-0.04537, 0.04537), abs=5e-6)
    assert ten.percent("SB") == pytest.approx(58.284, abs=2e-3)
    assert ten.percent("BB", "j") == pytest.approx(37.376, abs=2e-3)
    assert max(ten.gains) < 2e-7
    assert ten.chart("SB")[class_names().index("AA")] == pytest.approx(1)
    assert ten.chart("SB")[class_names().index("72o")] == pytest.approx(0, abs=1e-6)


def earned(jam, call, worth):
    """[player] what both earn, from results of classes and final stacks; written out."""
    deals = holdem_showdowns().pairs.sum(axis=2)
    ties, won, _ = np.moveaxis(holdem_showdowns().pairs / deals[:, :, None], 2, 0)
    total = np.zeros(2)
    for player in range(2):
        shown = (
            won * worth["win"][player]
            + ties * worth["tie"][player]
            + (1 - won - ties) * worth["lose"][player]
        )
        met = call * shown + (1 - call) * worth["steal"][player]
        value = jam[:, None] * met + (1 - jam[:, None]) * worth["walk"][player]
        total[player] = (deals * value).sum()
    return total


def test_prizes_by_a_second_route():
    """Blinds of a three-handed bubble: nobody gains by changing one class."""
    found = rl.tournaments.pushfold(
        [3000, 5000], blinds=(200, 400), payouts=[50, 30], others=[4000]
    )
    stacks = {
        "walk": (2800, 5200),
        "steal": (3400, 4600),
        "win": (6000, 2000),
        "tie": (3000, 5000),
        "lose": (0, 8000),
    }
    worth = {
        name: expected_prizes(np.array([[*both, 4000.0]]), [50, 30])[0, :2]
        for name, both in stacks.items()
    }
    jam, call = found.chart("SB"), found.chart("BB", "j")
    values = earned(jam, call, worth)
    assert found.values == pytest.approx(tuple(values))
    for cell in range(0, 169, 7):
        for player, mine in enumerate((jam, call)):
            for other in (0.0, 1.0):
                changed = mine.copy()
                changed[cell] = other
                both = (changed, call) if player == 0 else (jam, changed)
                assert earned(*both, worth)[player] <= values[player] + 1e-6


def test_stacks_in_chips_are_the_same_game(ten):
    chips = rl.tournaments.pushfold([200, 200], blinds=(10, 20))
    assert chips.values_bb == pytest.approx(ten.values_bb, abs=1e-7)
    assert chips.values == pytest.approx(tuple(20 * v for v in ten.values_bb), abs=2e-6)


def test_antes_make_jams_wider(ten):
    assert rl.tournaments.pushfold("10bb", ante=0.125).percent("SB") > ten.percent("SB")
    assert rl.tournaments.pushfold("10bb", big_blind_ante=1).percent("BB", "j") > ten.percent(
        "BB", "j"
    )


def test_files(ten, tmp_path):
    ten.write_csv(tmp_path / "charts.csv")
    text = (tmp_path / "charts.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 2 * 169
    by_name = {(row["position"], row["hand"]): float(row["jams"]) for row in rows}
    assert by_name["SB", "AA"] == pytest.approx(1)
    assert {row["after"] for row in rows if row["position"] == "BB"} == {"j"}
    figure = chart_picture(ten, tmp_path / "charts.png")
    assert (tmp_path / "charts.png").stat().st_size > 10_000
    assert [axes.get_title("left")[:8] for axes in figure.axes] == ["SB jams:", "BB calls"]


def test_stacks_as_text():
    assert read_stacks("5000, 3100") == ([5000, 3100], False)
    assert read_stacks("10bb,8.5bb") == ([10, 8.5], True)


def test_positions_and_histories_that_are_not_there(ten):
    with pytest.raises(BadParameter, match="position"):
        ten.chart("BTN")
    with pytest.raises(BadParameter, match="history before BB"):
        ten.chart("BB", "f")
