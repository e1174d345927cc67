"""The study of three-player poker: transcription, tables, pictures, matches, failures."""

import csv
import io
from itertools import islice

import numpy as np
import pytest
from pictures import assert_drawn

import regretless as rl
from regretless.core.errors import Unsolved
from regretless.core.progress import nobody
from regretless.forms.form import own, plan_of, size
from regretless.studies import _three_players_published as published
from regretless.studies import three_players as study
from regretless.studies._study import reproduce
from regretless.studies._three_players_runs import (
    KUHN,
    LEDUC,
    QUICK,
    Runs,
    coarse_certificate,
    in_process,
    over_the_protocol,
)


@pytest.fixture(scope="module")
def quick():
    return reproduce("three-players", nobody, quick=True)


def test_every_published_row_sums_to_zero():
    """Transcription check: what three strategies earn at one table adds up to nothing."""
    for cross, tolerance in ((published.KUHN_CROSS, 0.4), (published.LEDUC_CROSS, 120.0)):
        for (a, b), row in cross.items():
            for c, earned in row.items():
                rest = sum(
                    cells[one]
                    for pair, cells in cross.items()
                    for one in (a, b)
                    if one in cells and set(pair) == {a, b, c} - {one}
                )
                assert abs(earned + rest) < tolerance, (a, b, c)


def test_columns_average_to_the_last_line():
    for cross, printed in (
        (published.KUHN_CROSS, published.KUHN_OVERALL),
        (published.LEDUC_CROSS, published.LEDUC_OVERALL),
    ):
        for name, overall in printed.items():
            cells = [row[name] for row in cross.values() if name in row]
            assert np.mean(cells) == pytest.approx(overall, abs=0.6)


def test_orders_average_to_the_cross_table():
    for pair, row in published.KUHN_ORDERS.items():
        for name, halves in row.items():
            assert np.mean(halves) == pytest.approx(published.KUHN_CROSS[pair][name], abs=0.5)


def test_the_thesis_contradicts_itself_on_stackelberg():
    """Followers who answer best earn what they can secure; its own MM row says how much."""
    for leader in range(3):
        secured = sum(v for i, v in enumerate(published.MM_VALUES) if i != leader)
        assert published.SE_VALUES[leader] > -secured + 0.04


def test_all_tables_and_pictures_are_there(quick, tmp_path):
    titles = " ".join(table.title for table in quick.tables)
    assert "What is missing" not in titles
    for number in ("5.1", "5.2", "5.3", *(f"6.{n}" for n in range(1, 11))):
        assert f"Table {number}:" in titles
    assert [picture.name for picture in quick.pictures] == [f"figure-6.{n}" for n in range(1, 5)]
    quick.pictures[0].draw(tmp_path / "x.png")
    assert_drawn(tmp_path / "x.png")
    rows = list(csv.DictReader(io.StringIO(quick.csv())))
    told = {(row["table"], row["row"], row["column"]): row["value"] for row in rows}
    title = next(table.title for table in quick.tables if "5.1" in table.title)
    assert told[title, "CFR", "position 1, published"] == "-0.027914"
    assert abs(float(told[title, "CFR", "position 1, ours"]) + 0.029) < 0.01


def test_values_of_a_league_add_up(quick):
    table = next(table for table in quick.tables if "6.10" in table.title)
    for row in table.rows:
        assert sum(cell.ours for cell in row[1:]) == pytest.approx(0, abs=1e-6)


def found_table(study, number):
    table = next(table for table in study.tables if number in table.title)
    return {row[0]: row[1:] for row in table.rows}


def ours(cells):
    return [cell.ours for cell in cells if cell is not None]


def test_tables_agree_with_each_other(quick):
    """Positions average to the cross tables, orders to their cells."""
    for cross, positions, orders in (("6.1:", "6.4:", "6.8:"), ("6.3:", "6.5:", "6.9:")):
        table, by_order = found_table(quick, cross), found_table(quick, orders)
        names = published.NAMES if cross == "6.1:" else published.LEDUC_NAMES
        overall = dict(zip(names, ours(table["overall"]), strict=True))
        for name, cells in found_table(quick, positions).items():
            assert cells[-1].ours == pytest.approx(overall[name])
            assert np.mean(ours(cells[:3])) == pytest.approx(overall[name])
        for opponents, cells in table.items():
            a, _, b = opponents.partition(", ")
            halves = [by_order.get(f"A = {a}, B = {b}: A, {order}") for order in ("B, C", "C, B")]
            if all(halves):
                means = np.mean([ours(half) for half in halves], axis=0)
                np.testing.assert_allclose(means, ours(cells), atol=1e-9)
                assert ours(halves[0]) != pytest.approx(ours(halves[1]))


def test_se2_differs_from_se3_in_position_1_only(quick):
    rows = found_table(quick, "6.4:")
    assert ours(rows["se2"][1:3]) == pytest.approx(ours(rows["se3"][1:3]))
    assert ours(rows["se2"][:1]) != pytest.approx(ours(rows["se3"][:1]), abs=1e-3)


def test_columns_of_behaviour_are_the_ones_named(quick):
    kuhn, leduc = found_table(quick, "6.6:"), found_table(quick, "6.7:")
    assert ours(kuhn["aggro"][3:]) == ours(leduc["aggro"][4:]) == [0, 0]
    assert ours(leduc["rnd"][2:]) == pytest.approx(published.LEDUC_BEHAVIOUR["rnd"][2:], abs=5)


def test_what_is_beyond_the_thesis(quick):
    bounds = found_table(quick, "Stackelberg, Kuhn")[
        "no leader earns more than (followers' guarantees)"
    ]
    assert bounds == pytest.approx((-1 / 66, -1 / 264, 17 / 264))
    sharing = found_table(quick, "guarantees against")
    assert sharing["most that can be guaranteed, opponents share cards"] == pytest.approx(
        (-1 / 12, -5 / 78, 0), abs=1e-9
    )
    league = found_table(quick, "a larger Kuhn league")
    assert league["mm, exact"][-1] > league["rnd"][-1] + 50
    last = found_table(quick, "5.1:")
    assert last["epsilon of the last iterate"] != pytest.approx(ours(last["epsilon"]), rel=0.1)


def test_every_position_leads_with_its_own_commitment(monkeypatch):
    runs = Runs(nobody, QUICK)
    form = runs.form(KUHN)
    rng = np.random.default_rng(1)
    for position in range(3):
        noise = rng.random(size(form))
        for i, plex in enumerate(form.treeplexes):
            mine = noise[own(form, i)]
            mine[0] = 1.0
            for sequences in plex.sequences:
                mine[sequences] /= mine[sequences].sum()
        runs.leaders[KUHN, position] = {"plan": plan_of(form, noise)}
    uniform = rl.Strategy.uniform(form)
    for strategy, first in (
        (runs.leading(KUHN), runs.leaders[KUHN, 0]["plan"]),
        (runs.leading(KUHN, first=uniform), plan_of(form, uniform.behaviour)),
    ):
        plan = plan_of(form, strategy.behaviour)
        sources = (first, runs.leaders[KUHN, 1]["plan"], runs.leaders[KUHN, 2]["plan"])
        for position, source in enumerate(sources):
            mine = own(form, position)
            np.testing.assert_allclose(plan[mine], source[mine])

    def unsolved(*_):
        raise Unsolved("no feasible point")

    monkeypatch.setattr(runs, "leader", unsolved)
    monkeypatch.setattr(runs, "cfr", lambda game: rl.Strategy.uniform(runs.form(game)))
    with pytest.raises(Unsolved):
        runs.leading(KUHN)
    np.testing.assert_allclose(
        runs.leading(LEDUC).behaviour, rl.Strategy.uniform(runs.form(LEDUC)).behaviour
    )
    assert runs.unsolved == [0, 1, 2]


def test_what_fails_is_said_and_the_rest_is_kept(monkeypatch):
    def failing(*_, **__):
        raise Unsolved("no feasible point")

    makers = study._Tables.makers
    monkeypatch.setattr(
        study._Tables, "makers", lambda self: [*islice(makers(self), 1), ("sharing", self.sharing)]
    )
    monkeypatch.setattr(study._Tables, "pictures", lambda self: ())
    monkeypatch.setattr(study, "most_guaranteed", failing)
    found = reproduce("three-players", nobody, quick=True)
    assert [table.title[:9] for table in found.tables] == ["Table 5.1", "What is m"]
    assert found.tables[1].rows == [("sharing", "no feasible point")]


def test_cfr_play_is_a_coarse_correlated_equilibrium():
    form = rl.sequence_form(KUHN)
    few, many = (coarse_certificate(form, n)[1].max() for n in (20, 400))
    assert many < few / 3
    assert many < 0.03


@pytest.mark.slow
def test_matches_over_the_protocol_have_the_same_hands():
    form = rl.sequence_form(KUHN)
    seated = {
        name: rl.solve(form, method=method, iterations=20).strategy
        for name, method in (("cfr", "cfr"), ("mm", "maxmin"), ("plus", "cfr+"))
    }
    log = over_the_protocol(KUHN, seated, hands=60, seed=5)
    assert log == in_process(KUHN, seated, hands=60, seed=5)
    assert len(log) == 60
