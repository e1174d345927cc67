"""The study of potential-aware abstraction on a small deck."""

import pytest

import regretless as rl
from regretless.core.errors import BadParameter
from regretless.core.progress import nobody
from regretless.studies import potential_aware
from regretless.studies._study import Beside, reproduce, study_names


def test_potential_becomes_gameshrink_and_expectations_do_not():
    assert "potential-aware" in study_names()
    found = reproduce("potential-aware", nobody, quick=True)
    classes, payoffs, quality = found.tables
    known = {row[0]: row[1] for row in classes.rows}
    assert known["PA"] == known["GameShrink"] == "5-43-228"
    assert known["EB"] == "5-40-219"
    assert {row[0]: row[2] for row in classes.rows}["lossless"] == "yes"
    rows = {row[0]: row for row in quality.rows}
    assert rows["PA 5-60-600"][1] == "5-43-228"
    for name in potential_aware.MAKERS:  # more buckets, less exploitable
        assert rows[f"{name} 5-60-600"][2] < 0.5 * rows[f"{name} 5-8-20"][2]
    for row in payoffs.rows:
        assert all(isinstance(cell, Beside) and cell.theirs is None for cell in row[1:])
    assert [picture.name for picture in found.pictures] == ["exploitability"]


def test_the_published_table_is_whole():
    published = potential_aware.PUBLISHED
    assert len(published) == 8
    assert sum(row is not None for row in published.values()) == 5
    assert published["13-100-750"] == (0.2340, -6.9880, -7.1448)


def test_payoffs_are_those_of_the_league():
    form = rl.public_form(potential_aware.QUICK)
    agents = potential_aware._solved(nobody, form, ("5-8-20",), 5)
    earned = potential_aware._payoffs(form, agents, "5-8-20")
    for (one, two), value in earned.items():
        assert value == pytest.approx(-earned[two, one], abs=1e-9)
    league = rl.league(
        potential_aware.QUICK,
        {
            name: rl.Strategy(form, agents[name, "5-8-20"].behaviour.astype(float))
            for name in potential_aware.MAKERS
        },
    )
    assert league.against("EB", "PA").mean == pytest.approx(earned["EB", "PA"] * league.unit.scale)


def test_only_studies_that_have_more_run_in_full():
    with pytest.raises(BadParameter, match="full: the study rhode-island always runs in full"):
        reproduce("rhode-island", nobody, full=True)
    with pytest.raises(BadParameter, match="quick and full"):
        reproduce("potential-aware", nobody, quick=True, full=True)
