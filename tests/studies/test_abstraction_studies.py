"""The studies of purification, pathologies and over-fitting, at their smallest."""

import numpy as np
import pytest
from pictures import assert_drawn

import regretless as rl
from regretless.core.progress import nobody
from regretless.games._normal_form import zero_sum_game
from regretless.studies import _matrix_games, over_fitting, pathology, purification
from regretless.studies._study import STUDIES
from regretless.studies.purification import PAIRS, Leduc, of_all_equilibria, reverse


def matrix_solution(wins):
    names = [[str(k) for k in range(count)] for count in wins.shape]
    return rl.solve(zero_sum_game("matrix", wins, names), method="lp")


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4), (4, 3)])
def test_many_matrices_are_solved_as_each_is(rows, columns):
    games = _matrix_games.random_games((7,), 20, rows, columns)
    x, y, values = _matrix_games.solved(games)
    for number, wins in enumerate(games):
        one = matrix_solution(wins)
        assert values[number] == pytest.approx(one.values[0], abs=1e-9)
        assert x[number] == pytest.approx(one.strategy.behaviour[1 : 1 + rows], abs=1e-7)
        assert y[number] == pytest.approx(one.strategy.behaviour[2 + rows :], abs=1e-7)


def test_what_is_played_in_matrix_games():
    games = _matrix_games.random_games((8,), 10, 4, 4)
    base, purified, worst_base, worst_purified = purification.played(games)
    for number, wins in enumerate(games):
        whole, small = matrix_solution(wins), matrix_solution(wins[:3, :3])
        x, y = small.strategy.behaviour[1:4], whole.strategy.behaviour[6:]
        value = whole.values[0]
        pure = np.eye(3)[x.argmax()]
        assert base[number] == pytest.approx(x @ wins[:3] @ y - value, abs=1e-8)
        assert purified[number] == pytest.approx(pure @ wins[:3] @ y - value, abs=1e-8)
        assert worst_base[number] == pytest.approx((x @ wins[:3]).min() - value, abs=1e-8)
        assert worst_purified[number] == pytest.approx((pure @ wins[:3]).min() - value, abs=1e-8)


def test_purified_beats_base_at_the_95_percent_level():
    table = purification.matrix_games(nobody, 20_000)
    change, _, margin = table.rows[0][3].split()
    assert float(change) > float(margin) > 0
    assert table.rows[0][1] < table.rows[0][2] < 0  # nobody beats an equilibrium opponent


def test_the_published_table_is_whole():
    assert set(purification.PUBLISHED) == set(PAIRS)
    assert len(PAIRS) == 24
    assert purification.PUBLISHED["JQ.K-J.QK"] == (-119.46, -37.75)
    improvements = [after - before for before, after in purification.PUBLISHED.values()]
    assert improvements[0] == pytest.approx(81.71)
    assert sorted(improvements, reverse=True) == pytest.approx(improvements, abs=0.02)
    assert reverse("JQ.K-full") == "full-JQ.K"


@pytest.fixture(scope="module")
def leduc():
    return Leduc()


def test_a_strategy_has_the_seats_of_two_abstractions(leduc):
    found = leduc.strategy("JQK-J.Q.K", "cfr+, 5 iterations").to_dict()
    for player in (1, 2):
        first = found[player]["Q:" if player == 1 else "Q:c"]
        assert first == pytest.approx(found[player]["K:" if player == 1 else "K:c"])
    other = leduc.strategy("J.Q.K-JQK", "cfr+, 5 iterations").to_dict()
    assert other[1]["Q:"] != pytest.approx(other[1]["A:"])


def test_ranges_contain_one_another(leduc):
    base, purified = leduc.earned("J.Q.K-J.Q.K", "lp")
    for one in (base, purified):
        assert one.least - 1e-6 <= one.given <= one.most + 1e-6 <= 1e-3
    least, most = of_all_equilibria(leduc, "J.Q.K-J.Q.K")
    assert least <= base.least + 1e-6
    assert most >= base.most - 1e-6
    assert least <= purification.PUBLISHED["J.Q.K-J.Q.K"][0] <= most
    value = leduc.opponents.value
    assert value == pytest.approx(-0.085606424078)


def test_table_2_on_one_pair(leduc, tmp_path):
    found = {"JQK-JQK": leduc.earned("JQK-JQK", "lp")}
    wide = {"JQK-JQK": of_all_equilibria(leduc, "JQK-JQK")}
    (row,) = purification._table_2(found, wide).rows
    assert row[0] == "JQK-JQK"
    assert row[4] == "yes"
    assert row[1].theirs == -386.89
    curves = {"JQK-JQK": [leduc.exploitability(leduc.strategy("JQK-JQK", "lp"))] * 5}
    table = purification._by_threshold(curves)
    assert [row[0] for row in table.rows] == list(purification.BOTS)
    purification._draw_table(found, wide, tmp_path / "a.png")
    purification._draw_thresholds(curves, tmp_path / "b.png")
    assert_drawn(tmp_path / "b.png")


def test_over_fitting_and_cfr_br(tmp_path):
    form = rl.sequence_form("leduc")
    looks = (8, 32, 256)
    plus = over_fitting.curve(form, "J.Q.K", "cfr+", looks)
    assert plus.inside[0] > plus.inside[1] > plus.inside[2]
    assert plus.lowest == 1
    assert plus.true[2] > 1.2 * plus.true[1]  # over-fitted
    best = over_fitting.curve(form, "J.Q.K", "cfr-br", looks)
    assert best.true[2] < plus.true[1] / 2
    table = over_fitting._summary([plus, best], looks, {"J.Q.K": 108.0})
    assert table.rows[0][3] == 32
    assert table.rows[1][1] is None
    assert len(over_fitting._points([plus, best], looks).rows) == 3


def test_pathology_tables(tmp_path):
    found = pathology.Searched(
        "kuhn", *pathology.find_pathologies("kuhn", ("QKA", "QK.A", "Q.K.A"))
    )
    worst = pathology._worst(found).rows[0]
    assert worst[0] == "QKA-QK.A → QKA-Q.K.A"
    assert worst[2:4] == pytest.approx((1000 / 18, 2000 / 9), abs=1e-2)
    ((name, measured, pairs, by_least, _, expressed),) = pathology._counts([found]).rows
    assert (name, measured, expressed) == ("kuhn", 18, 0)
    assert 0 < by_least < pairs
    assert len(pathology._measures(found).rows) == 18
    pathology._draw([found], tmp_path / "p.png")
    assert_drawn(tmp_path / "p.png")


def test_pathologies_of_matrix_games():
    games = np.array([[[1.0, -1, 0, 0], [-1, 1, 0, 0], [0.5, 0.5, -2, 0], [-3, -3, -3, -3]]])
    # With two columns the third row is worth 0.5; with three the first two rows mix, worth 0.
    rng = np.random.default_rng(3)
    games = games + 1e-3 * rng.uniform(-1, 1, games.shape)
    assert pathology.given_up(games, 2) == pytest.approx(2, abs=0.01)
    assert pathology.given_up(games, 3) == pytest.approx(0, abs=0.01)
    table = pathology.matrices(nobody, 2_000)
    means = [row[1] for row in table.rows]
    assert means[0] > means[1] > means[2] == pytest.approx(0, abs=1e-9)
    assert 5 < means[3] < 20
    assert table.rows[1][2] > table.rows[0][2]


def test_the_studies_are_listed():
    assert {"purification", "pathology", "over-fitting", "bounds"} <= set(STUDIES.names())
