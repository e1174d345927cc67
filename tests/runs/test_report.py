"""A spot on several flops: what is told is what solving each of them tells."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from matplotlib.colors import to_hex

import regretless as rl
from regretless.core.errors import BadFile, BadInput, BadParameter, RegretlessError
from regretless.evaluation.spot_tables import colours
from regretless.evaluation.spot_values import SpotView
from regretless.runs.report import Line, Report, Row, report, solve_flop
from regretless.runs.report_tables import parquet_columns, tables
from regretless.runs.units import local

SPOT = {
    "board": "2c3d4h",
    "pot": 10,
    "stack": 10,
    "ranges": {"oop": "AA,QQ", "ip": "KK,JJ"},
    "bets": "a",
}
FLOPS = "Qs8d3c\nKd7d2c 20\n"
OPTIONS = {"at": ("", "check"), "iterations": 6}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "flops.txt").write_text(FLOPS)
    out = folder / "r.parquet"
    seen = []
    found = report(
        rl.spot(**SPOT),
        flops=folder / "flops.txt",
        out=out,
        processes=1,
        listen=lambda progress: seen.append(progress),
        **OPTIONS,
    )
    return found, folder, seen


def again(folder, **changes):
    given = {"flops": folder / "flops.txt", "out": folder / "r.parquet", **OPTIONS}
    return report(changes.pop("spot", rl.spot(**SPOT)), **given | changes)


def refused(work, units):
    """Nobody may do any work."""
    if units:
        raise AssertionError(f"{len(units)} flops are solved again")
    return iter(())


def test_every_flop_is_solved_as_alone(made):
    found, _, _ = made
    assert [row.board for row in found.rows] == ["Qs8d3c", "Kd7d2c"]
    for row in found.rows:
        spot = rl.spot(**SPOT | {"board": row.board})
        alone = rl.solve(spot, iterations=6)
        # Both are near the same equilibrium: values of a zero-sum game differ by no more.
        slack = 2 * (row.exploitability + alone.exploitability)
        assert row.ev[0] == pytest.approx(alone.values[0] + 5, abs=slack)
        assert sum(row.ev) == pytest.approx(10)
        shares = rl.cards.equity(SPOT["ranges"]["oop"], SPOT["ranges"]["ip"], row.board)
        assert row.equity == pytest.approx((shares.first, shares.second))
        assert row.lines[1].reach == pytest.approx(row.lines[0].frequencies[0])
        assert all(sum(line.frequencies) == pytest.approx(1) for line in row.lines)


def test_prizes_that_follow_chips_are_chips():
    """The winner takes all, and nobody else plays: prizes are in proportion to chips, so the report
    tells the same EVs, as prizes won from an even split of the pot."""
    prize, chips = 7.0, SPOT["pot"] + 2 * SPOT["stack"]
    asked = {"at": [""], "target": 1e-9, "iterations": 6, "method": None}
    paid, plain = (
        json.loads(solve_flop(json.dumps({**asked, "spot": rl.games.to_toml(spot)})))
        for spot in (rl.spot(**SPOT, icm={"prizes": [prize]}), rl.spot(**SPOT))
    )
    won = [prize / chips * (ev - SPOT["pot"] / 2) for ev in plain["ev"]]
    assert paid["ev"] == pytest.approx(won, abs=1e-4)
    assert paid["exploitability"] == pytest.approx(
        prize / chips * plain["exploitability"], rel=1e-3
    )
    assert paid["equity"] == plain["equity"]


def test_means_are_weighted(made):
    found, _, _ = made
    weights = np.array([row.weight for row in found.rows])
    assert weights.sum() == pytest.approx(1)
    assert weights[0] > weights[1]  # 24 flops against 20
    for player in range(2):
        assert found.ev[player] == pytest.approx(weights @ [row.ev[player] for row in found.rows])
        shares = [row.equity[player] for row in found.rows]
        assert found.equity[player] == pytest.approx(weights @ shares)
    reached = weights * [row.lines[1].reach for row in found.rows]
    checked = [row.lines[1].frequencies[0] for row in found.rows]
    assert found.frequencies(1)[0] == pytest.approx(reached @ checked / reached.sum())


def test_progress_is_told(made):
    _, _, seen = made
    assert [p.stage for p in seen] == ["0 of 2 flops", "1 of 2 flops", "2 of 2 flops"]
    assert seen[-1].done == 1


def test_what_is_done_is_not_done_again(made):
    found, folder, _ = made
    second = again(folder, runner=refused)
    assert second.rows == found.rows
    assert second.is_complete


def test_a_journal_that_was_cut_short_goes_on(made, tmp_path):
    found, folder, _ = made
    whole = (folder / "r.parquet.boards.jsonl").read_bytes()
    (tmp_path / "r.parquet.boards.jsonl").write_bytes(whole[:-20])
    asked = []

    def noted(work, units):
        asked.extend(json.loads(unit)["spot"] for unit in units)
        return local(1)(work, units)

    second = again(folder, out=tmp_path / "r.parquet", runner=noted)
    assert len(asked) == 1
    assert second.rows[0] == found.rows[0]
    assert second.is_complete
    lines = (tmp_path / "r.parquet.boards.jsonl").read_text().splitlines()
    assert [json.loads(line).get("board") for line in lines] == [None, "Qs8d3c", "Kd7d2c"]


def test_ctrl_c_keeps_what_is_done(made, tmp_path):
    _, folder, _ = made

    def interrupted(work, units):
        yield next(iter(local(1)(work, units)))
        raise KeyboardInterrupt

    found = again(folder, out=tmp_path / "r.parquet", runner=interrupted)
    assert not found.is_complete
    assert [row.board for row in found.rows] == ["Qs8d3c"]
    assert again(folder, out=tmp_path / "r.parquet", processes=1).is_complete


def test_an_error_names_the_flop_and_keeps_the_rest(made, tmp_path):
    _, folder, _ = made

    def failing(work, units):
        yield next(iter(local(1)(work, units)))
        (done,) = local(1)(work, [units[1].replace("dcfr", "nothing")])
        yield done._replace(number=1)

    with pytest.raises(RegretlessError, match="Kd7d2c: unknown method 'nothing'"):
        again(folder, out=tmp_path / "r.parquet", runner=failing, method="dcfr")
    assert len((tmp_path / "r.parquet.boards.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"iterations": 7},
        {"at": ("",)},
        {"target": 3},
        {"method": "cfr+"},
        {"spot": rl.spot(**SPOT | {"stack": 11})},
        {"spot": rl.spot(**SPOT | {"ranges": {"oop": "AA", "ip": "KK"}})},
    ],
)
def test_a_journal_of_something_else_is_refused(made, changes):
    _, folder, _ = made
    with pytest.raises(BadFile, match="another spot or other options"):
        again(folder, runner=refused, **changes)


def test_the_board_of_the_spot_does_not_matter(made):
    found, folder, _ = made
    other = again(folder, spot=rl.spot(**SPOT | {"board": "AsKsQs"}), runner=refused)
    assert other.rows == found.rows


@pytest.mark.parametrize("content", ["", "{}\n", "no json\n", '{"format": 1}\n{"a": 1}\n'])
def test_damaged_journals_are_refused(made, tmp_path, content):
    _, folder, _ = made
    (tmp_path / "r.parquet.boards.jsonl").write_text(content)
    with pytest.raises(BadFile, match=r"r\.parquet\.boards\.jsonl"):
        again(folder, out=tmp_path / "r.parquet", runner=refused)


def test_parquet_has_a_row_per_flop(made):
    found, folder, _ = made
    found.write(folder / "r.parquet")
    table = pq.read_table(folder / "r.parquet")
    assert table.to_pydict() == parquet_columns(found)
    assert table.column("board").to_pylist() == ["Qs8d3c", "Kd7d2c"]
    assert {"start: reach", "start: check", "start: allin", "check: allin"} <= set(
        table.column_names
    )


def test_tables_have_kinds_of_flops_and_flops(made):
    kinds, flops = tables(made[0])
    assert [row[0] for row in kinds.rows] == ["all", "rainbow", "two-tone", "K high", "Q high"]
    assert [row[0] for row in flops.rows] == ["Qs8d3c", "Kd7d2c"]
    assert all(len(row) == len(kinds.header) for row in (*kinds.rows, *flops.rows))
    assert kinds.lines()[0][1] == "100.0%"


def test_a_picture_is_drawn(made, tmp_path):
    figure = made[0].plot(tmp_path / "r.png")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    assert len(figure.axes) == 3
    for axes, actions in zip(figure.axes, made[0].actions, strict=False):
        drawn = [to_hex(handle.patches[0].get_facecolor()) for handle in axes.containers]
        assert tuple(drawn) == colours(actions)  # as in the grid
    made[0].plot(tmp_path / "r.svg")
    with pytest.raises(BadFile, match="picture"):
        made[0].plot(tmp_path / "r.nothing")


def test_a_report_without_a_flop_has_no_picture(made, tmp_path):
    def idle(work, units):
        return iter(())

    found = again(made[1], out=tmp_path / "r.parquet", runner=idle)
    assert found.facts()["flops"] == 0
    assert found.facts()["ev"] == [None, None]
    with pytest.raises(BadInput, match="nothing to draw"):
        found.plot()


def test_a_unit_is_text_in_and_text_out():
    unit = {
        "at": [""],
        "target": 1e-9,
        "iterations": 3,
        "method": "cfr+",
        "spot": rl.games.to_toml(rl.spot(**SPOT | {"board": "Qs8d3c"})),
    }
    found = json.loads(solve_flop(json.dumps(unit)))
    assert found["iterations"] == 3
    assert found["lines"][0][:2] == ["", 1.0]


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"at": ("bet7",)}, BadParameter, "bet7"),
        ({"at": ("check check / 2s / check",)}, BadParameter, "on the flop"),
        ({"at": ("allin fold",)}, BadParameter, "on the flop"),
        ({"target": "x"}, BadParameter, "target"),
        ({"iterations": 0}, BadParameter, "iterations"),
        ({"processes": 0}, BadParameter, "processes"),
        ({"flops": 2000}, BadParameter, "flops=2000"),
        ({"spot": "kuhn"}, BadFile, "toml"),
        ({"spot": "nowhere.toml"}, BadFile, "nowhere"),
        ({"spot": rl.load("kuhn")}, BadInput, "not a spot"),
        ({"out": "/nowhere/r.parquet"}, BadFile, "no such directory"),
    ],
)
def test_bad_questions(made, changes, error, words):
    with pytest.raises(error, match=words):
        again(made[1], **changes)


def test_a_spot_is_found_in_a_game(made):
    game = rl.spot(**SPOT).game
    assert again(made[1], spot=game, runner=refused).rows == made[0].rows
    assert SpotView.of(rl.Strategy.uniform(rl.forms.public_form(game))).at().frequencies == (
        0.5,
        0.5,
    )


def test_frequencies_in_tables_are_weighted_by_reach():
    rows = tuple(
        Row(board, 0.5, (1.0, 2.0), (0.5, 0.5), 0.0, 1, 0.0, (Line("", reach, frequencies),))
        for board, reach, frequencies in (("2c7dJh", 1.0, (1.0, 0.0)), ("2c7dJd", 0.5, (0.0, 1.0)))
    )
    made = Report(rl.spot(**SPOT), ("",), (("check", "bet"),), rows, 2, None)
    every = tables(made)[0].lines()[0]
    assert every == ["all", "100.0%", "1.000", "2.000", "50.0%", "66.7%", "33.3%"]
