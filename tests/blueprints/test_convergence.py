"""Sampled boards against exact gradients, values and best responses of small games."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints.training import Trainer
from regretless.forms.form import own, plan_of, uniform
from regretless.games._betting import PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.games._poker import poker_game
from regretless.games._sizing import read_menu
from regretless.strategy.on_form import on_form


def small_game(board=(0, 3, 1)):
    rules = PokerRules(
        players=2,
        ranks=4,
        suits=2,
        hole=2,
        board=board,
        blinds=(2, 1),
        first=(1, *(0 for _ in board[1:])),
        caps=(60,) * len(board),
        stacks=(12, 12),
        sizing=read_menu("100%-a/100%-a", len(board)),
    )
    return poker_game("small", rules)


def lossless(game):
    rounds = ("preflop", "flop", "turn", "river")[: game.rules.rounds]
    return hand_map(game, ",".join(f"{name}=lossless" for name in rounds))


def coarse(map):
    """One bucket before the flop, pairs of neighbouring hands after it: with perfect recall."""
    first, second = map.rounds
    labels = np.arange(second.index.size) // 2
    few = (
        replace(first, labels=np.zeros(first.index.size, np.uint16), count=1),
        replace(second, labels=labels.astype(np.uint16), count=int(labels.max()) + 1),
    )
    return replace(map, rounds=few, by="coarse")


def all_boards(rules):
    """Every run of boards, each equally likely."""
    deck = range(rules.ranks * rules.suits)
    found = [()]
    for count in rules.board:
        found = [
            (*before, cards)
            for before in found
            for cards in combinations(sorted(set(deck) - {c for p in before for c in p}), count)
        ]
    return found


def exact_regrets(form, map, tree, player):
    """[round][bucket, column] instantaneous regrets of uniform play, from the gradient."""
    plan = plan_of(form, uniform(form))
    out = np.zeros_like(plan)
    form.gradient(player, plan, out)
    values = out[own(form, player)].copy()
    counts, widths = map.counts, tree.widths
    found = [np.zeros((count, two[player])) for count, two in zip(counts, widths, strict=True)]
    for point in reversed(list(form.points(player))):
        cards, _, betting = point.label.partition(":")
        hand, *board = cards.split("/")
        mine = values[point.sequences]
        values[point.parent] += mine.mean()
        decision = tree.find(betting)
        bucket = map.of(hand, "".join(board))
        found[decision.round][bucket, decision.columns] += mine - mine.mean()
    return found


def test_the_mean_over_all_boards_is_the_gradient():
    game = small_game()
    map, tree = lossless(game), BettingTree(game.rules)
    trainer = Trainer(tree, map)
    boards = all_boards(game.rules)
    mean = [0.0] * game.rules.rounds
    for board in boards:
        trainer.memory.regret[:] = 0
        trainer.play([board])
        for round in range(game.rules.rounds):
            # Player 1 learns first, against uniform play.
            mean[round] = mean[round] + trainer.regrets(round, 0).astype(np.float64) / len(boards)
    for round, want in enumerate(exact_regrets(rl.forms.public_form(game), map, tree, 0)):
        np.testing.assert_allclose(mean[round], want, rtol=1e-4, atol=1e-8)
        assert np.abs(want).max() > 1e-4


def trained(game, map, iterations, **options):
    trainer = Trainer(BettingTree(game.rules), map, seed=1, boards=4, **options)
    trainer.step(iterations)
    return trainer.blueprint()


def test_a_lossless_blueprint_converges_to_an_equilibrium():
    game = small_game((0, 3))
    form, map = rl.forms.public_form(game), lossless(game)
    gaps = [
        rl.exploitability(on_form(trained(game, map, boards // 4, period=50), form))
        for boards in (200, 5_000)
    ]
    assert gaps[1] < gaps[0] / 4
    assert gaps[1] < 0.03  # chips; the big blind is 2


def test_a_coarse_blueprint_has_the_value_of_the_form_with_cells():
    game = small_game((0, 3))
    form, map = rl.forms.public_form(game), coarse(lossless(game))
    exact = rl.solve(form, abstraction=map.abstraction(form), iterations=1_000).evaluation
    sampled = rl.evaluate(on_form(trained(game, map, 1_250, period=50), form))
    full = rl.solve(form, iterations=300).evaluation
    assert sampled.values == pytest.approx(exact.values, abs=0.01)
    assert abs(full.values[0] - exact.values[0]) > 0.05  # which is not the value of the full game


def test_with_pruning_exploitability_still_falls():
    game = small_game((0, 3))
    form, map = rl.forms.public_form(game), lossless(game)
    trainer = Trainer(BettingTree(game.rules), map, seed=1, period=200, prune=-5.0, explore=0.1)
    gaps = []
    for iterations in (200, 3_800):
        trainer.step(iterations)
        gaps.append(rl.exploitability(on_form(trainer.blueprint(), form)))
    # The last period has just been discounted: something was near the floor, so it was pruned.
    assert trainer.memory.regret.min() < -4.5
    assert gaps[1] < gaps[0] / 3
    assert gaps[1] < 0.08
