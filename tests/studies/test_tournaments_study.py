"""The study of tournaments, on a deck of five cards."""

import pytest

from regretless.core.progress import nobody
from regretless.runs.tournaments import solve_tournament
from regretless.stochastic.certificate import certified
from regretless.stochastic.tournament import TournamentRules, tournament
from regretless.studies import tournaments as study


def test_five_cards_have_no_ties():
    cards = study.five_cards()
    assert cards.pairs.sum() == pytest.approx(1)
    assert cards.triples.sum() == pytest.approx(1)
    assert cards.pairs[4, 0].tolist() == [0, pytest.approx(1 / 20), 0]
    assert cards.triples[1, 1].sum() == 0


def test_curves_fall_and_say_what_was_measured():
    cards = study.five_cards()
    runs = {name: list(study._curve(name, study.QUICK, cards, nobody)) for name in study.ALGORITHMS}
    for name, own in runs.items():
        assert own[-1].epsilon <= own[0].epsilon + 1e-9, name
        assert own[0].states == 1 + 2
    assert runs["pi-fp"][-1].epsilon < 0.5
    table = study._reached([run for own in runs.values() for run in own])
    assert [row[0] for row in table.rows] == list(study.ALGORITHMS)


def test_vi_fp_stays_with_values_that_are_too_high():
    cards = study.five_cards()
    rows = study._wrong_start(study.QUICK, cards, nobody).rows
    stuck, right = rows[5], rows[11]
    assert stuck[0] == "vi-fp, iteration 6"
    assert stuck[2] > 1
    assert right[2] < 0.5 < stuck[2]


def test_the_table_of_differences_counts_hands():
    solution = solve_tournament(
        [4500.0] * 3, study.BLINDS, study.PRIZES, unit=4500.0, showdowns=study.five_cards()
    )
    rows = study.differences(solution).rows
    assert len(rows) == 2 * 6
    assert all(0 <= row[3] <= 100 for row in rows)
    game = tournament(
        TournamentRules(study.PRIZES, 13_500.0, 3, (study.BLINDS,)), 4500.0, study.five_cards()
    )
    assert certified(game, solution.profile).epsilon == solution.check.epsilon


def test_ten_big_blinds_are_those_of_another_program():
    value, jams, calls, gain = (row[1] for row in study._ten_big_blinds().rows)
    assert value.ours == pytest.approx(-0.04537, abs=5e-6)
    assert jams.ours == pytest.approx(58.284, abs=0.02)  # a hand or two are nearly indifferent
    assert calls.ours == pytest.approx(37.376, abs=0.02)
    assert gain.ours < 1e-5
