"""`regretless strength`, as a person calls it."""

import json

import numpy as np
import pytest
from pictures import assert_drawn

from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_map import HandMap, RoundMap
from regretless.abstraction._opponents import opponent_clusters, preflop_cluster_strengths
from regretless.cards.equities import equity
from regretless.cards.holdings import class_names, class_of, read_cards
from regretless.cards.strengths import cluster_strengths, strength
from regretless.interfaces.cli.strength import picture


@pytest.mark.slow
def test_json_and_text(command):
    code, out, err = command("strength", "kdAS", "td 9d6h qc", "--json")
    assert code == 0, err
    facts = json.loads(out)
    exact = strength("AsKd", "Td9d6hQc")
    assert (facts["hand"], facts["board"]) == ("AsKd", "Td9d6hQc")
    assert facts["ehs"] == exact.ehs
    assert facts["ehs2"] == exact.ehs2
    assert facts["histogram"] == exact.histogram.tolist()
    assert len(facts["ochs"]) == len(facts["clusters"]) == 8
    assert sorted(name for one in facts["clusters"] for name in one) == sorted(class_names())
    held, groups = (read_cards("AsKd"), read_cards("Td9d6hQc")), opponent_clusters()
    assert facts["ochs"] == cluster_strengths(*held, groups).tolist()
    code, out, _ = command("strength", "AsKd", "Td9d6hQc", "--clusters", "3")
    assert code == 0
    assert "E[HS]   0.4690\nE[HS²]  0.2721\n" in out
    assert [line.split()[0] for line in out.splitlines()[-3:]] == ["1", "2", "3"]
    assert "AA KK" in facts["clusters"][-1][0] + " " + facts["clusters"][-1][1]  # weakest first


@pytest.mark.slow
def test_before_the_flop_clusters_are_ranges():
    groups = opponent_clusters(5)
    for cluster in (0, 4):
        weights = (groups == cluster)[class_of()].astype(float)
        found = preflop_cluster_strengths(class_names().index("AKo"), groups)
        assert found[cluster] == pytest.approx(equity("AKo", weights).first, abs=1e-12)


def test_the_picture():
    shares = np.array([0.5, 0.0, 0.25, 0.001])
    lines = picture(shares)
    assert lines[0].startswith(" 50.0% ")
    columns = [[line[7 + k : 8 + k].strip() for line in lines[:-1]] for k in range(4)]
    assert all(columns[0])  # the largest is as high as the picture
    assert not any(columns[1])
    assert sum(map(bool, columns[2])) == 3
    assert sum(map(bool, columns[3])) == 1  # what is not 0 is seen
    assert lines[-1] == " " * 7 + "0  1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["AsKx"], "not a card"),
        (["As"], "hand of 1 card: must be 2"),
        (["AsKd", "Td9d"], "board of 2 cards: must be 0, 3, 4 or 5"),
        (["AsKd", "AsTd9d"], "As appears twice"),
        (["AsKd", "Td9d6h", "--clusters", "0"], "clusters=0: must be 1 to 169"),
    ],
)
def test_bad_input(command, words, message):
    code, out, err = command("strength", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_bucket_and_the_picture(command, tmp_path):
    """A map of hold'em with random buckets on the flop, one bucket elsewhere."""
    deal = DealRules()
    labels = np.random.default_rng(0).integers(0, 9, deal.index(1).size).astype(np.uint16)
    rounds = [RoundMap(deal.index(n), 1, np.zeros(deal.index(n).size, np.uint16)) for n in (0, 2)]
    # The river would be a table of 123 million hands: numbers of hands serve as well.
    river = RoundMap(deal.index(3), deal.index(3).size)
    found = HandMap(deal, (rounds[0], RoundMap(deal.index(1), 9, labels), rounds[1], river))
    found.save(tmp_path / "x.map")
    code, out, _ = command("strength", "AsKd", "Td9d6h", "--map", "x.map", "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["bucket"], facts["buckets"]) == (found.of("AsKd", "Td9d6h"), 9)
    code, out, _ = command("strength", "AcKh", "9h6dTh", "--map", "x.map", "--plot", "x.png")
    assert f"bucket  {facts['bucket']} (0 to 8)" in out
    assert_drawn(tmp_path / "x.png")
