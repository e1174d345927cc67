"""The study of three-player poker: transcription, tables, pictures, matches, failures."""

import csv
import io

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import Unsolved
from regretless.core.progress import nobody
from regretless.studies import _three_players_published as published
from regretless.studies import three_players as study
from regretless.studies._acpc_matches import in_process, over_the_protocol
from regretless.studies._study import reproduce
from regretless.studies._three_players_runs import KUHN, coarse_certificate


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
    assert (tmp_path / "x.png").stat().st_size > 10_000
    rows = list(csv.DictReader(io.StringIO(quick.csv())))
    told = {(row["table"], row["row"], row["column"]): row["value"] for row in rows}
    title = next(table.title for table in quick.tables if "5.1" in table.title)
    assert told[title, "CFR", "position 1, published"] == "-0.027914"
    assert abs(float(told[title, "CFR", "position 1, ours"]) + 0.029) < 0.01


def test_values_of_a_league_add_up(quick):
    table = next(table for table in quick.tables if "6.10" in table.title)
    for row in table.rows:
        assert sum(cell.ours for cell in row[1:]) == pytest.approx(0, abs=1e-6)


def test_what_fails_is_said_and_the_rest_is_kept(monkeypatch):
    def failing(*_, **__):
        raise Unsolved("no feasible point")

    monkeypatch.setattr(study._Tables, "makers", lambda self: [self.kuhn_cfr, self.sharing])
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
