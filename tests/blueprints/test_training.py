"""Public chance sampling: the kernel against its slow twin."""

import numpy as np
import pytest
from slow_training import SlowTrainer

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints.betting_tree import BettingTree
from regretless.blueprints.training import Trainer

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


def randomised(fast, slow, seed):
    """Give both the same regrets, far from ties: rounding must not decide."""
    draws = np.random.default_rng(seed)
    for round, two in enumerate(slow.regrets):
        for player, table in enumerate(two):
            table[:] = draws.normal(0, 50, table.shape)
            fast.set_regrets(round, player, table)


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
    alone, together = Trainer(tree, few, seed=1), Trainer(tree, few, seed=1, threads=threads)
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
