"""Hands of many files: sums, tables, and which rules a log tells."""

from math import sqrt
from statistics import mean, stdev

import pytest
from acpc_text import write_rules
from random_hands import holdem, play, rules_of

from regretless.play.histories.acpc_log import write_hand, write_header
from regretless.play.histories.parquet import ParquetWriter
from regretless.play.histories.phh import to_phhs
from regretless.play.histories.reading import DEALERS_GAMES, named_rules, read_history
from regretless.play.histories.summary import Summary

RULES = rules_of("leduc")
HANDS = [play(RULES, seed, number=seed) for seed in range(101)]


def test_sums_by_player_and_position():
    summary = Summary()
    for hand in HANDS:
        summary.add(hand, RULES)
    assert summary.hands == 101
    assert summary.unit == ("ante", 1)
    players = list(summary.players())
    assert sorted(name for name, _, _ in players) == ["p1", "p2"]
    assert players[0][1].mean > players[1][1].mean  # the winner comes first
    for name, whole, own in players:
        won = [hand.payoffs[hand.names.index(name)] for hand in HANDS]
        assert whole.mean == pytest.approx(mean(won))
        assert whole.interval == pytest.approx(1.96 * stdev(won) / sqrt(101), rel=1e-4)
        assert sorted(tally.hands for tally in own.values()) == [50, 51]
        first = [hand.payoffs[0] for hand in HANDS if hand.names[0] == name]
        assert own[0].mean == pytest.approx(mean(first))


def test_one_hand_has_no_interval():
    summary = Summary()
    summary.add(HANDS[0], None)
    assert summary.unit is None
    assert all(whole.interval is None for _, whole, _ in summary.players())


def test_games_of_different_stakes_have_no_common_unit():
    summary = Summary()
    for rules in (RULES, holdem([200, 200])):
        summary.add(play(rules, 1), rules)
    assert summary.unit is None


def test_rules_that_a_header_names(tmp_path):
    for name, spec in DEALERS_GAMES.items():
        assert named_rules(f"games/{name}", tmp_path) == rules_of(spec)
    assert named_rules("leduc:ranks=5", tmp_path) == rules_of("leduc:ranks=5")
    assert named_rules("unheard.game", tmp_path) is None
    assert named_rules("leduc:ranks=99", tmp_path) is None
    assert named_rules("rps", tmp_path) is None
    mine = holdem([500, 700])
    (tmp_path / "mine.game").write_text(write_rules(mine))
    assert named_rules("somewhere/mine.game", tmp_path) == mine
    (tmp_path / "broken.game").write_text("nonsense = 3")
    with pytest.warns(UserWarning, match="no known key"):
        assert named_rules("broken.game", tmp_path) is None


def test_logs_after_one_another_each_with_its_game(tmp_path):
    other = holdem([2_000] * 3)
    path = tmp_path / "x.log"
    lines = [write_header("a", "leduc", 5, 1), *map(write_hand, HANDS[:5])]
    lines += [write_header("b", "holdem_nolimit:players=3,stack=2000", 1, 1)]
    path.write_text("\n".join([*lines, write_hand(play(other, 3)), ""]))
    found = list(read_history(path))
    assert [recorded.rules for recorded in found] == [RULES] * 5 + [other]
    assert [recorded.line for recorded in found] == [5, 6, 7, 8, 9, 14]
    assert {recorded.rules for recorded in read_history(path, rules=RULES)} == {RULES}


def test_phh_files_bring_their_rules(tmp_path):
    rules = holdem([300, 900, 500])
    hands = [play(rules, seed, number=seed) for seed in range(5)]
    path = tmp_path / "x.phhs"
    path.write_text("".join(to_phhs(hands, rules)))
    found = list(read_history(path))
    assert [recorded.hand for recorded in found] == hands
    assert found[0].seen.rules().stacks == (300, 900, 500)


def test_a_table_in_groups_of_rows(tmp_path, monkeypatch):
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("regretless.play.histories.parquet.GROUP", 40)
    path = tmp_path / "x.parquet"
    with ParquetWriter(path) as table:
        for hand in HANDS:
            table.add(hand, "x.log")
    assert pq.ParquetFile(path).metadata.num_row_groups == 3
    rows = pq.read_table(path).to_pylist()
    assert len(rows) == 101
    hand = HANDS[77]
    assert rows[77] == {
        "source": "x.log",
        "hand": 77,
        "betting": hand.betting,
        "holes": list(hand.holes),
        "board": "/".join(hand.boards),
        "payoffs": list(hand.payoffs),
        "names": list(hand.names),
    }
