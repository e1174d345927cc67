"""The studies of potential-aware abstraction and of GS1, GS2, GS3 on small decks."""

import pytest
from pictures import assert_drawn

import regretless as rl
from regretless.abstraction._composition import hand_map, read_composition
from regretless.abstraction._deal_rules import deal_rules
from regretless.core.errors import BadParameter, Interrupted
from regretless.core.progress import nobody
from regretless.studies import potential_aware
from regretless.studies._contests import payoffs, solved, with_buckets
from regretless.studies._study import STUDIES, Beside, reproduce
from regretless.studies._whole_deck import WHOLE, Size, random_deals, whole_deck, within_buckets


def test_potential_becomes_gameshrink_and_expectations_do_not():
    assert "potential-aware" in STUDIES.names()
    found = reproduce("potential-aware", nobody, quick=True)
    classes, contest = found.tables
    known = {row[0]: row[1] for row in classes.rows}
    assert known["PA"] == known["GameShrink"] == "5-43-228"
    assert known["EB"] == "5-40-219"
    assert {row[0]: row[2] for row in classes.rows}["lossless"] == "yes"
    coarse, fine = contest.rows
    for before, after in zip(coarse[4:], fine[4:], strict=True):
        assert after < 0.5 * before  # more buckets, less exploitable
    for row in contest.rows:
        assert all(isinstance(cell, Beside) and cell.theirs is None for cell in row[1:4])
    assert [picture.name for picture in found.pictures] == ["exploitability"]


def test_the_published_table_is_whole():
    published = potential_aware.PUBLISHED
    assert len(published) == 8
    assert sum(row is not None for row in published.values()) == 5
    assert published["13-100-750"] == (0.2340, -6.9880, -7.1448)


def test_payoffs_are_those_of_the_league():
    form = rl.forms.public_form(potential_aware.QUICK)
    jobs = {name: with_buckets(by, (5, 8, 20)) for name, by in potential_aware.MAKERS.items()}
    agents = solved(nobody, form, jobs, 5)
    earned = payoffs(form, agents, list(jobs))
    for (one, two), value in earned.items():
        assert value == pytest.approx(-earned[two, one], abs=1e-9)
    league = rl.league(
        potential_aware.QUICK,
        {
            name: rl.Strategy(form, agents[name].behaviour.astype(float))
            for name in potential_aware.MAKERS
        },
    )
    assert league.against("EB", "PA").mean == pytest.approx(earned["EB", "PA"] * league.unit.scale)


def test_only_studies_that_have_more_run_in_full():
    with pytest.raises(BadParameter, match="full: the study rhode-island always runs in full"):
        reproduce("rhode-island", nobody, full=True)
    with pytest.raises(BadParameter, match="quick and full"):
        reproduce("potential-aware", nobody, quick=True, full=True)


def test_gs_compares_partitions_of_equal_size():
    found = reproduce("gs", nobody, quick=True)
    sizes, contest = found.tables
    rows = {row[0].split()[0]: row for row in sizes.rows}
    assert list(rows) == ["GS1", "GS2", "GS3", "PA"]
    assert rows["GS1"][1] == "4-12-29-49"
    assert rows["GS2"][2] < rows["GS1"][2]  # the integer program spends buckets where they count
    cross = {row[0]: row[1:] for row in contest.rows}
    assert cross["GS1"][1] == -cross["GS2"][0]
    assert cross["GS1"][0] is None
    assert [picture.name for picture in found.pictures] == ["exploitability"]


def test_what_is_lost_within_buckets():
    game = "rhode_island:ranks=4,suits=2"
    known = random_deals(deal_rules(game), deals=500)
    fine, coarse = (
        within_buckets(hand_map(game, by), known)
        for by in (
            "preflop=lossless,flop=lossless,turn=lossless",
            "preflop=percentile:2,flop=percentile:3,turn=percentile:4",
        )
    )
    for one in fine:
        assert one.strength == pytest.approx(0, abs=1e-7)
        assert one.moved is None or one.moved == pytest.approx(0, abs=1e-6)
    assert [one.round for one in coarse] == ["preflop", "flop", "turn"]
    assert [one.buckets for one in coarse] == [one.used for one in coarse]
    assert all(one.strength > 0.05 for one in coarse)
    assert coarse[0].moved > 0.01
    assert coarse[2].moved is None


def test_the_whole_deck_on_a_small_one(tmp_path):
    """Maps and blueprints are made once; what one earns the other loses."""
    rounds = ("preflop", "flop", "turn", "river")
    small = {
        name: ",".join(f"{one}={maker}" for one, maker in zip(rounds, makers, strict=True))
        for name, makers in {
            "GS2": ("gs2:2", "gs2:4", "gs2:8", "gs2:16"),
            "PA": ("potential:2", "potential:4", "potential:8", "potential:16"),
            "GS1": ("gs1:2", "gs1:4", "gs2:8", "gs2:16"),
        }.items()
    }
    more = {"more": small["GS2"], "GS1": small.pop("GS1")}
    size = Size("holdem_limit:ranks=3,suits=3,cap=1", small, more, 300, 40, 20)
    merged, picture, contest = whole_deck(size, tmp_path, nobody)
    picture.draw(tmp_path / "losses.png")
    assert_drawn(tmp_path / "losses.png")
    assert [row[0] for row in merged.rows[:2]] == ["GS2, preflop", "GS2, flop"]
    assert merged.rows[:4][0][1:] == merged.rows[8:][0][1:]
    assert [row[0] for row in merged.rows[12:]] == [f"GS1, {one}" for one in rounds]
    assert merged.rows[13][3] > merged.rows[1][3]  # greedy merging loses more than clusters
    (_, none, one), (_, two, _) = contest.rows
    assert none is None
    assert float(one.split()[0]) == -float(two.split()[0])
    stages = []
    again = list(whole_deck(size, tmp_path, lambda progress: stages.append(progress.stage)))
    assert again[2].rows == contest.rows
    assert not any("training" in stage for stage in stages)


def test_every_map_of_the_whole_deck_can_be_made():
    deal = deal_rules(WHOLE.game)
    for by in {**WHOLE.equal, **WHOLE.more}.values():
        assert len(read_composition(by, deal)) == 4
    assert list(WHOLE.equal)[:3] == ["GS1", "GS2", "GS3"]


def test_ctrl_c_keeps_finished_granularities():
    def listen(progress):
        if progress.stage.startswith("5-60-600"):
            raise Interrupted("stopped")

    found = reproduce("potential-aware", listen, quick=True)
    assert found.interrupted
    assert [row[0] for row in found.tables[1].rows] == ["5-8-20"]
