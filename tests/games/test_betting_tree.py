"""The betting tree: every decision once, deals between rounds, stages of equal shape."""

import pytest

import regretless as rl
from regretless.core.errors import TooLarge
from regretless.games._betting_tree import BettingTree, Kind

GAMES = [
    "kuhn",
    "leduc",
    "generic_poker:bets=1/2,raises=2",
    "holdem_limit:ranks=5,suits=2",
    "holdem_nolimit:ranks=5,suits=2,stack=500,sizes=50%+100%-a",
    "holdem_nolimit:players=3,small_blind=1,stack=5",
]


def decisions_of(betting):
    """Histories of all decisions, by plain recursion."""
    if betting.over:
        return []
    return [betting.history, *(h for child in betting.children for h in decisions_of(child))]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("runouts", [False, True])
def test_every_decision_is_listed_once_parents_first(spec, runouts):
    rules = rl.load(spec).rules
    tree = BettingTree(rules, runouts=runouts)
    wanted = decisions_of(rules.start())
    assert [one.betting.history for one in tree.decisions] == wanted
    staged = [
        betting.history
        for stage in tree.stages()
        for node in stage.nodes
        if node.kind is Kind.DECISION
        for betting in node.bettings
    ]
    assert sorted(staged) == sorted(wanted)
    assert tree.sequences == sum(len(one.moves) for one in tree.decisions)
    for round in range(rules.rounds):
        for player in range(rules.players):
            mine = [d for d in tree.decisions if (d.round, d.player) == (round, player)]
            columns = [at for one in mine for at in range(one.columns.start, one.columns.stop)]
            assert columns == list(range(tree.widths[round][player]))


@pytest.mark.parametrize("spec", GAMES)
def test_all_ins_are_dealt_out_round_by_round_or_at_once(spec):
    rules = rl.load(spec).rules
    for kind, player, round, betting in BettingTree(rules).walk():
        live = [p for p, folded in enumerate(betting.folded) if not folded]
        if kind is Kind.DECISION:
            assert (player, round) == (betting.actor, betting.round)
        elif kind is Kind.FOLD:
            assert live == [player]
        else:
            assert len(live) > 1
            assert (kind is Kind.DEAL) == (round < rules.rounds - 1)
    kinds = [node.kind for node in BettingTree(rules, runouts=True).walk()]
    ends = [node.kind for node in BettingTree(rules).walk() if node.betting.over]
    showdowns = kinds.count(Kind.SHOWDOWN) + kinds.count(Kind.RUNOUT)
    assert ends.count(Kind.SHOWDOWN) == showdowns
    early = [n for n in BettingTree(rules, last=0).walk() if n.kind is Kind.LEAF]
    assert all(node.round == 0 for node in early)
    assert bool(early) == (rules.rounds > 1)


@pytest.mark.parametrize("spec", GAMES)
def test_lines_of_a_stage_go_on_in_the_same_way(spec):
    tree = BettingTree(rl.load(spec).rules)
    stages = tree.stages()
    for stage in stages:
        for node in stage.nodes:
            assert {tree.kind(one, stage.round) for one in node.bettings} == {
                (node.kind, node.player)
            }
            if node.kind is Kind.DEAL:
                after = stages[node.next_stage]
                assert after.round == stage.round + 1
                begin = node.next_prefix
                entering = after.nodes[0].bettings[begin : begin + len(node.bettings)]
                assert entering == node.bettings
    for round in range(tree.rules.rounds):
        entering = [b for s in stages if s.round == round for b in s.nodes[0].bettings]
        whole = {tree.shape(betting, round) for betting in entering}
        until_deals = {tree.shape(betting, round, whole=False) for betting in entering}
        assert len(whole) == sum(stage.round == round for stage in stages)
        assert len(until_deals) <= len(whole)


def test_too_many_nodes_are_refused_before_they_are_made():
    tree = BettingTree(rl.load("holdem_nolimit").rules)
    with pytest.raises(TooLarge, match="over 1,000 betting nodes: too many"):
        list(tree.walk(1000, "too many"))
