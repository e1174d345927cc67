"""Responses over buckets: against the slow twin, and against exact best responses."""

import numpy as np
import pytest
from slow_training import SlowTrainer
from test_convergence import lossless, small_game
from test_training import LOSSLESS, SMALL, coarse, randomised

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints.blueprint import Blueprint
from regretless.blueprints.response import Response
from regretless.blueprints.training import Trainer
from regretless.forms.form import own
from regretless.games._betting_tree import BettingTree
from regretless.strategy.on_form import on_form


def random_blueprint(tree, map, seed):
    draws = np.random.default_rng(seed)
    tables = []
    for count, two in zip(map.counts, tree.widths, strict=True):
        pair = [draws.integers(0, 60_000, (count, width)).astype(np.uint16) for width in two]
        for table in pair:
            table[draws.random(count) < 0.2] = 0  # nothing is known: uniform
        tables.append(tuple(pair))
    return Blueprint(tree, map, tuple(tables))


@pytest.mark.parametrize("fixed", [0, 1])
def test_one_player_learns_and_the_other_one_does_not(fixed):
    tree = BettingTree(rl.load(SMALL).rules)
    few = coarse(hand_map(SMALL, LOSSLESS), 9)
    given = random_blueprint(tree, few, 5)
    fast, slow = Trainer(tree, few, seed=3), SlowTrainer(tree, few, Trainer(tree, few).cards)
    randomised(fast, slow, 1)
    fast.hold(fixed, given.tables)
    for round, two in enumerate(given.tables):
        slow.regrets[round][fixed][:] = two[fixed]
    for number in range(3):
        board = fast.dealer.board(number)
        fast.step(1)
        for player in (0, 1):  # what the fixed player would learn is undone
            before = [two[player].copy() for two in slow.regrets]
            slow.play(board, players=(player,))
            for two, kept in zip(slow.regrets, before, strict=True):
                if player == fixed:
                    two[player][:] = kept
        for round in range(4):
            for player in (0, 1):
                got, want = fast.regrets(round, player), slow.regrets[round][player]
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-2)
            mine = 1 - fixed
            got, want = fast.sums(round, mine), slow.sums[round][mine]
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)
            assert got.sum() > 0


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_bit(threads):
    tree = BettingTree(rl.load(SMALL).rules)
    given = random_blueprint(tree, coarse(hand_map(SMALL, LOSSLESS), 9), 5)
    alone, together = Response(given, boards=3), Response(given, boards=3, threads=threads)
    for one in (alone, together):
        one.step(10)
    for mine, theirs in zip(alone.blueprint().tables, together.blueprint().tables, strict=True):
        np.testing.assert_array_equal(mine[0], theirs[0])
        np.testing.assert_array_equal(mine[1], theirs[1])


def test_without_loss_it_is_the_exact_best_response():
    game = small_game((0, 3))
    form, map = rl.forms.public_form(game), lossless(game)
    given = random_blueprint(BettingTree(game.rules), map, 2)
    response = Response(given, seed=1, boards=4, period=50)
    response.step(1_500)
    counter, model = on_form(response.blueprint(), form), on_form(given, form)
    for player in (0, 1):
        best = rl.best_response(model, player + 1)[0]
        together = model.behaviour.copy()
        mine = own(form, player)
        together[mine] = counter.behaviour[mine]
        won = form.respond(player, together)[0]
        assert won < best + 1e-6
        assert won == pytest.approx(best, abs=0.02)
        assert won - form.respond(player, model.behaviour)[0] > 0.5  # it was far from that
