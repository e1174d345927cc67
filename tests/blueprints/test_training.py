"""Public chance sampling: the kernel against its slow twin."""

import numpy as np
import pytest
from slow_training import SlowTrainer

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints.training import Trainer
from regretless.core.errors import BadInput
from regretless.games._betting_tree import BettingTree

SMALL = "holdem_nolimit:ranks=4,suits=3,stack=600,sizes=100%+200%-a/100%-50%-a"
LOSSLESS = "preflop=lossless,flop=lossless,turn=lossless,river=lossless"


@pytest.fixture(scope="module")
def tree():
    return BettingTree(rl.load(SMALL).rules)


@pytest.fixture(scope="module")
def map():
    return hand_map(SMALL, LOSSLESS)


def coarse(map, count):
    """The same with few buckets, so that hands share them."""
    from dataclasses import replace

    rounds = []
    for number, one in enumerate(map.rounds):
        labels = (np.arange(one.index.size) * 7919 % (count + number)).astype(np.uint16)
        rounds.append(replace(one, labels=labels, count=count + number))
    return replace(map, rounds=tuple(rounds))


def set_regrets(trainer, round, player, table):
    """Start from other regrets, [bucket, column]."""
    kernel = trainer._table(trainer.memory.regret, round, player)
    kernel[:, trainer.layout.order[round][player]] = table


def randomised(fast, slow, seed):
    """Give both the same regrets, far from ties: rounding must not decide."""
    draws = np.random.default_rng(seed)
    for round, two in enumerate(slow.regrets):
        for player, table in enumerate(two):
            table[:] = draws.normal(0, 50, table.shape)
            set_regrets(fast, round, player, table)


@pytest.mark.parametrize("count", [1, 9])
def test_kernel_and_slow_twin_agree(tree, map, count):
    few = coarse(map, count)
    fast = Trainer(tree, few, seed=3, boards=1)
    slow = SlowTrainer(tree, few, fast.cards)
    randomised(fast, slow, count)
    for number in range(3):
        board = fast.dealer.board(number)
        fast.step(1)
        slow.play(board)
        for round in range(4):
            for player in (0, 1):
                got, want = fast.regrets(round, player), slow.regrets[round][player]
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3)
                got, want = fast.sums(round, player), slow.sums[round][player]
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_bit(tree, map, threads):
    few = coarse(map, 9)
    alone, together = Trainer(tree, few, boards=3), Trainer(tree, few, boards=3, threads=threads)
    for one in (alone, together):
        one.step(20)
    for mine, theirs in zip(alone.memory, together.memory, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_chunks_change_only_the_order_of_columns(tree, map):
    few = coarse(map, 9)
    wide, narrow = Trainer(tree, few, seed=1), Trainer(tree, few, seed=1, chunk_columns=16)
    assert len(narrow.arrays.chunks) > len(wide.arrays.chunks)
    for one in (wide, narrow):
        one.step(5)
    for round in range(4):
        for player in (0, 1):
            got, want = narrow.regrets(round, player), wide.regrets(round, player)
            np.testing.assert_array_equal(got, want)


def test_discounts_at_the_end_of_a_period(tree, map):
    few = coarse(map, 9)
    plain, linear = (
        Trainer(tree, few, seed=1),
        Trainer(tree, few, seed=1, period=2, alpha=2.0, beta=0.0, gamma=3.0),
    )
    for one in (plain, linear):
        one.step(1)
    np.testing.assert_array_equal(plain.memory.regret, linear.memory.regret)
    for one in (plain, linear):
        one.step(1)  # the end of period 1: all regrets are halved, sums divided by 8
    np.testing.assert_allclose(linear.memory.regret, plain.memory.regret / 2, rtol=1e-6)
    np.testing.assert_allclose(linear.memory.average, plain.memory.average / 8, rtol=1e-6)
    linear.step(1)
    before = linear.memory.regret.copy(), linear.memory.average.copy()
    linear._discount(2)
    want = before[0] * np.where(before[0] > 0, 4 / 5, 1 / 2)
    np.testing.assert_allclose(linear.memory.regret, want, rtol=1e-6)
    np.testing.assert_allclose(linear.memory.average, before[1] * (2 / 3) ** 3, rtol=1e-6)


def test_every_board_is_drawn_once_and_from_the_whole_deck(tree, map):
    dealer = Trainer(tree, map, seed=1).dealer
    boards = [dealer.board(number) for number in range(600)]
    assert boards[300] == Trainer(tree, map, seed=1).dealer.board(300)
    assert boards[0] != Trainer(tree, map, seed=2).dealer.board(0)
    cards = np.array([[card for part in board for card in part] for board in boards])
    assert all(len(set(row)) == 5 for row in cards.tolist())
    # 600 draws of each place: 50 of every card, with a standard deviation of 6.8
    counts = np.stack([np.bincount(column, minlength=12) for column in cards.T])
    assert counts.min() > 20
    assert counts.max() < 80


def test_several_boards_are_learned_one_after_the_other(tree, map):
    """Player 1 learns on all boards of an iteration before player 2 does."""
    few = coarse(map, 5)
    fast = Trainer(tree, few, seed=3, boards=2)
    slow = SlowTrainer(tree, few, fast.cards)
    randomised(fast, slow, 5)
    boards = [fast.dealer.board(number) for number in range(2)]
    fast.step(1)
    for player in (0, 1):
        for board in boards:
            slow.play(board, players=(player,))
    for round in range(4):
        for player in (0, 1):
            got, want = fast.regrets(round, player), slow.regrets[round][player]
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3)


def pruned_pair(tree, map, **options):
    """A trainer without pruning and one with, both with regrets far from ties."""
    plain, pruning = Trainer(tree, map, seed=3), Trainer(tree, map, seed=3, **options)
    slow = SlowTrainer(tree, map, plain.cards)
    randomised(plain, slow, 8)
    randomised(pruning, slow, 8)
    return plain, pruning


def test_a_threshold_that_no_regret_reaches_changes_no_bit(tree, map):
    plain, pruning = pruned_pair(tree, coarse(map, 9), prune=-1e30, explore=0.3)
    for one in (plain, pruning):
        one.step(8)
    for round in range(4):
        for player in (0, 1):
            got, want = pruning.regrets(round, player), plain.regrets(round, player)
            np.testing.assert_array_equal(got, want)
            got, want = pruning.sums(round, player), plain.sums(round, player)
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("count", [1, 2])
def test_pruning_and_slow_twin_agree(tree, map, count):
    few, least = coarse(map, count), -30.0
    fast = Trainer(tree, few, seed=3, prune=least)
    slow = SlowTrainer(tree, few, fast.cards, prune=least)
    randomised(fast, slow, count)
    for two in slow.regrets:  # as the first iteration does
        for table in two:
            np.maximum(table, slow.floor, out=table)
    for round, two in enumerate(slow.regrets):
        for player, table in enumerate(two):
            set_regrets(fast, round, player, table)
    for number in range(3):
        board = fast.dealer.board(number)
        fast.play([board], [True])
        slow.play(board)
        for round in range(4):
            for player in (0, 1):
                got, want = fast.regrets(round, player), slow.regrets[round][player]
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3)
                got, want = fast.sums(round, player), slow.sums[round][player]
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)
    assert slow.skipped > 0


def test_pruned_actions_learn_only_when_iterations_explore(tree, map):
    few, least = coarse(map, 1), -30.0
    fast = Trainer(tree, few, seed=3, prune=least)
    slow = SlowTrainer(tree, few, fast.cards)
    randomised(fast, slow, 2)
    start = tree.find("")
    before = np.array([40.0, 10.0, 5.0, 5.0, -30.5])  # the last one is all-in
    table = fast.regrets(0, 1)
    table[:, start.columns] = before
    set_regrets(fast, 0, 1, table)
    last = len(before) - 1
    fast.play([fast.dealer.board(0)], [True])
    assert fast.regrets(0, 1)[0, start.columns][last] == np.float32(before[last])
    assert fast.regrets(0, 1)[0, start.columns][1] != np.float32(before[1])
    fast.play([fast.dealer.board(0)], [False])
    assert fast.regrets(0, 1)[0, start.columns][last] != np.float32(before[last])
    assert (
        min(fast.regrets(round, 0).min() for round in range(4)) >= np.float32(1.03 * least) - 1e-3
    )


def test_threads_change_no_bit_with_pruning(tree, map):
    few = coarse(map, 2)
    alone, together = (Trainer(tree, few, prune=-0.2, threads=n) for n in (1, 2))
    for one in (alone, together):
        one.step(60)
    for mine, theirs in zip(alone.memory, together.memory, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_exploring_iterations_are_a_share_and_always_the_same(tree, map):
    trainer = Trainer(tree, map, seed=1, prune=-1.0, explore=0.25)
    pruned = [trainer._prunes(number) for number in range(2000)]
    assert 0.7 < np.mean(pruned) < 0.8
    assert pruned == [trainer._prunes(number) for number in range(2000)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"prune": 5.0}, "prune=5: must be negative, or 0 for no pruning"),
        ({"prune": -1.0, "explore": 0.0}, "explore=0: must be more than 0, and at most 1"),
        ({"prune": -1.0, "boards": 2}, "boards=2: must be 1 with pruning"),
    ],
)
def test_bad_pruning_is_refused(tree, map, given, message):
    with pytest.raises(rl.RegretlessError, match=message):
        Trainer(tree, map, **given)


def test_states_with_other_columns_are_refused(tree, map):
    trainer = Trainer(tree, coarse(map, 3))
    older = {name: vector.copy() for name, vector in trainer.state().items()}
    trainer.restore(older)
    older["layout"] -= 1
    with pytest.raises(BadInput, match="columns in another order"):
        trainer.restore(older)
    del older["layout"]
    with pytest.raises(BadInput, match="no vector 'layout'"):
        trainer.restore(older)
