"""Models over the buckets of a blueprint, against slow twins that follow hand by hand."""

import re
from collections import defaultdict
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints.blueprint import Blueprint
from regretless.core.errors import BadInput, BadParameter, UnknownName, WrongGame
from regretless.exploitation import bucket_model
from regretless.exploitation.bucket_model import Entered, fitted, posterior_mean
from regretless.exploitation.leaks import leak_table, missing_table, summary
from regretless.games._betting_tree import BettingTree
from regretless.kernels.bucket_counts import TREMBLE, tilted
from regretless.play import observing_buckets as watching
from regretless.play.modelling import model
from regretless.play.observing import Cards
from regretless.play.observing_buckets import BucketWatcher
from regretless.play.records import Hand

GAME = "holdem_nolimit:ranks=3,suits=3,stack=300,sizes=100%-a"
NAMES = ("hero", "villain")


@pytest.fixture(scope="module")
def base():
    tree = BettingTree(rl.load(GAME).rules)
    map = hand_map(GAME, "preflop=lossless,flop=lossless,turn=lossless,river=lossless")
    few = tuple(
        replace(one, labels=(np.arange(one.index.size) * 7 % 5).astype(np.uint16), count=5)
        for one in map.rounds
    )
    few = replace(map, rounds=few)
    draws, tables = np.random.default_rng(3), []
    for count, two in zip(few.counts, tree.widths, strict=True):
        pair = [draws.integers(0, 60_000, (count, width)).astype(np.uint16) for width in two]
        tables.append(tuple(pair))
    return Blueprint(tree, few, tuple(tables), {"game": GAME})


@pytest.fixture(scope="module")
def hands():
    rules = rl.rules_of(GAME)
    agents = [rl.agent("random", GAME, seed=s) for s in (1, 2)]
    return list(rl.play_match(rules, agents, hands=150, seed=4, names=NAMES))


def entries(base):
    return Entered(base.tree, base.map.counts)


def acted(base, hand, position):
    """[(decision, action)] of a position, in a tree with all bets of the table."""
    node, found = base.tree.start, []
    for letter in tokens_of(hand.betting):
        texts = [f"r{move.total}" if move.letter == "r" else move.letter for move in node.choices]
        if node.actor == position:
            found.append((base.tree.find(node), texts.index(letter)))
        node = node.children[texts.index(letter)]
    return found, node


def tokens_of(betting):
    return re.findall(r"r[0-9]+|[fc]", betting)


def slow_counts(base, hands, cards, behaviour):
    """(history, bucket, action) → expected count, trying every hand that was possible."""
    deal, counts = base.map.deal, defaultdict(float)
    for hand in hands:
        position = hand.names.index("villain")
        found, end = acted(base, hand, position)
        board = "".join(hand.boards)
        shown = cards == "all" or (cards == "showdown" and not any(end.folded))
        others = {hand.holes[1 - position][i : i + 2] for i in (0, 2)}
        others |= {board[i : i + 2] for i in range(0, len(board), 2)}
        free = [name for name in deal.names if name not in others]
        tried = [hand.holes[position]] if shown else ["".join(two) for two in combinations(free, 2)]
        weighed = []
        for hole in tried:
            places = [
                (one.betting.history, base.map.of(hole, board[: 2 * deal.shown(one.round)]), a)
                for one, a in found
            ]
            weighed.append((np.prod([behaviour[place] + TREMBLE for place in places]), places))
        total = sum(weight for weight, _ in weighed)
        for weight, places in weighed:
            for place in places:
                counts[place] += weight / total
    return counts


@pytest.mark.parametrize("cards", ["all", "showdown", "none"])
def test_counts_are_those_of_the_slow_twin(base, hands, cards, monkeypatch):
    monkeypatch.setattr(bucket_model, "PASSES", 1)
    found = model(hands, player="villain", prior=base, cards=cards)
    before = {
        (one.betting.history, bucket, a): base.table(one.betting)[bucket, a]
        for one in base.tree.decisions
        for bucket in range(5)
        for a in range(len(one.moves))
    }
    wanted = slow_counts(base, hands, cards, before)
    assert found.hands == 150
    for one in base.tree.decisions:
        got = entries(base).of(found.counts, one)
        for (bucket, a), count in np.ndenumerate(got):
            assert count == pytest.approx(wanted[one.betting.history, bucket, a], abs=1e-4)


def test_passes_go_on_with_the_model(base, hands, monkeypatch):
    """The second pass weighs hidden hands by the estimate of the first."""
    monkeypatch.setattr(bucket_model, "PASSES", 1)
    first = model(hands, player="villain", prior=base, cards="none").strategy
    monkeypatch.setattr(bucket_model, "PASSES", 2)
    second = model(hands, player="villain", prior=base, cards="none")
    played = {
        (one.betting.history, bucket, a): first.table(one.betting)[bucket, a]
        for one in base.tree.decisions
        for bucket in range(5)
        for a in range(len(one.moves))
    }
    wanted = slow_counts(base, hands, "none", played)
    one = base.tree.find("")
    got = entries(base).of(second.counts, one)
    for (bucket, a), count in np.ndenumerate(got):
        assert count == pytest.approx(wanted["", bucket, a], abs=0.01)


def test_a_tilt_meets_the_frequencies_and_is_one_factor_per_action():
    draws = np.random.default_rng(1)
    prior = draws.dirichlet([1, 1, 1], 6)
    weights = np.array([0.0, 3, 1, 0.5, 7, 2])
    wanted = np.array([0.2, 0.7, 0.1])
    found = tilted(prior, weights, wanted)
    np.testing.assert_allclose(weights @ found / weights.sum(), wanted, atol=1e-5)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    odds = found / prior
    np.testing.assert_allclose(odds / odds[:, :1], np.tile(odds[0] / odds[0, 0], (6, 1)))


def test_the_mean_at_a_line():
    prior, counts = (
        np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]),
        np.array([[6.0, 2], [0, 4], [0, 0]]),
    )
    found = posterior_mean(prior, counts, 5.0)
    floored = (prior + 1e-3) / 1.002
    alpha = (5 * ([8, 4, 0] @ floored) / 12 + [6, 6]) / 17
    nearest = tilted(floored, np.array([8.0, 4, 0]), alpha)
    np.testing.assert_allclose(found, (5 * nearest + counts) / [[13], [9], [5]])
    assert found[2, 1] > prior[2, 1]  # never seen, but the line was raised more often
    much = posterior_mean(prior, counts * 1e6, 5.0)
    np.testing.assert_allclose(much[:2], [[0.75, 0.25], [0, 1]], atol=1e-4)
    same = posterior_mean(prior, prior * 100, 5.0)
    np.testing.assert_allclose(same, prior, atol=2e-3)


def test_lines_that_were_not_seen_are_the_blueprint(base, hands):
    found = model(hands[:20], player="villain", prior=base)
    played = {
        (one.betting.history, hand.number)
        for hand in hands[:20]
        for one, _ in acted(base, hand, hand.names.index("villain"))[0]
    }
    seen = {history for history, _ in played}
    changed = 0
    for one in base.tree.decisions:
        same = np.allclose(found.strategy.table(one.betting), base.table(one.betting), atol=1e-4)
        assert same or one.betting.history in seen
        changed += not same
    assert changed >= 3
    assert found.strategy.about["model"]["name"] == "villain"
    assert found.strategy.at("", "").chances.shape == (36, len(base.tree.find("").moves))


def test_leaks_are_public_frequencies(base, hands):
    found = model(hands, player="villain", prior=base, strength=10)
    leaks = found.leaks()
    first = next(leak for leak in leaks if leak.label == "start")
    own = [hand for hand in hands if hand.names.index("villain") == base.tree.find("").player]
    assert first.seen == pytest.approx(len(own))
    assert first.share == pytest.approx(len(own) / 150)
    calls = next(guess for guess in first.guesses if guess.action == "call")
    taken = sum(hand.betting.startswith("c") for hand in own)
    before = np.mean(
        [base.probabilities("", hand.holes[base.tree.find("").player])[1] for hand in own]
    )
    assert calls.prior == pytest.approx(before)
    assert calls.probability == pytest.approx((10 * before + taken) / (10 + len(own)))
    assert calls.low < calls.probability < calls.high
    moved = sum(abs(guess.probability - guess.prior) for guess in first.guesses) / 2
    assert first.played == pytest.approx(first.share * moved)
    assert [leak.played for leak in leaks] == sorted((one.played for one in leaks), reverse=True)
    assert "blueprint" in str(leak_table(leaks, found))
    assert missing_table(leaks).rows
    assert dict(summary(found))["hands"] == "150"


def test_bets_of_other_sizes_stacks_and_blinds_are_translated(base):
    table = replace(base.rules, sizing=None, menus=(), blinds=(20, 10), stacks=(400, 400))
    watcher = BucketWatcher(base.tree, base.map, Cards.ALL)
    # At blinds 10/20 a raise to 60 is the pot, as 300 of 50/100 would be: all-in in the tree.
    hand = Hand(0, "r56c/cc/cc/cc", "AsAh|KsKh/QsQhQd/Kd/Ad", (0.0, 0.0), NAMES)
    watcher.add(hand, base.tree.find("").player, table)
    counts = fitted(base, watcher.seen())[1]
    one = base.tree.find("")
    got = entries(base).of(counts, one).sum(axis=0)
    raised = [move.letter for move in one.moves].index("r")
    assert got[raised] == 1
    assert got.sum() == 1


def test_large_decks_draw_hidden_hands(base, hands, monkeypatch):
    exact = model(hands, player="villain", prior=base, cards="none")
    monkeypatch.setattr(watching, "MOST_LISTED", 10)
    monkeypatch.setattr(watching, "DRAWN", 2_000)
    drawn = model(hands, player="villain", prior=base, cards="none")
    one = base.tree.find("")
    a, b = (entries(base).of(m.counts, one).sum(axis=0) for m in (exact, drawn))
    np.testing.assert_allclose(a, b, atol=1e-3)  # actions are known
    near = np.abs(drawn.strategy.table("") - exact.strategy.table(""))
    assert 0 < near.max() < 0.2


def test_bad_input(base, hands):
    with pytest.raises(UnknownName, match="hero"):
        model(hands, player="nobody", prior=base)
    with pytest.raises(BadInput, match="no hands"):
        model([], player="villain", prior=base)
    with pytest.raises(BadParameter, match="must be posterior"):
        model(hands, player="villain", prior=base, by="l1")
    with pytest.raises(BadParameter, match="strength"):
        model(hands, player="villain", prior=base, strength=0)
    one = Hand(7, "fc", "AsAh|KsKh", (0, 0), NAMES)
    for wrong, error, what in (
        (one._replace(betting="c"), BadInput, "not finished"),
        (one._replace(betting="f", cards="AsAh|AsKh"), BadInput, "cannot be dealt"),
        (one._replace(betting="f", cards="As|KsKh"), BadInput, "cannot be dealt"),
        (one._replace(betting="f", cards="2s3s|KsKh"), WrongGame, "not in the deck"),
        (one._replace(betting="cc/cc/cc/cc", cards="AsAh|KsKh/QsQhQd"), BadInput, "are needed"),
    ):
        with pytest.raises(error, match=what):
            model([wrong], player="villain", prior=base)
    three = Hand(1, "ff", "AsAh|KsKh|QsQh", (0, 0, 0), (*NAMES, "third"))
    with pytest.raises(BadInput, match="no heads-up hands"):
        model([three], player="villain", prior=base)
    assert model([three, *hands[:3]], player="villain", prior=base).skipped == 1
