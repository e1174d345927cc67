"""Public forms where players are all-in: who has folded before must not be forgotten."""

import numpy as np
import pytest

import regretless as rl
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game


def all_in(stack, ranks=3):
    """Three players, equal stacks, no-limit: bets can be all-in, and there are no side pots."""
    rules = PokerRules(
        players=3,
        ranks=ranks,
        suits=2,
        hole=1,
        board=(0, 1),
        blinds=(1, 1, 1),
        first=(0, 0),
        caps=(2, 2),
        stacks=(stack,) * 3,
    )
    return poker_game(f"all in with {stack}", rules)


def on_both(game, seed):
    """The same random behaviour on both forms, decision point by decision point."""
    sequence, public = rl.sequence_form(game), rl.forms.public_form(game)
    rng = np.random.default_rng(seed)
    table = {}
    for player in range(3):
        for point in sequence.points(player):
            weights = rng.random(len(point.actions)) ** 3
            chosen = dict(zip(point.actions, weights / weights.sum(), strict=True))
            table.setdefault(player + 1, {})[point.label] = chosen
    return [rl.Strategy.from_dict(form, table) for form in (sequence, public)]


@pytest.mark.parametrize("stack", [2, 3])
def test_three_players_all_in_with_equal_stacks(stack):
    game = all_in(stack)
    here, there = (rl.evaluate(strategy) for strategy in on_both(game, stack))
    assert there.values == pytest.approx(here.values, abs=1e-12)
    assert there.best_responses == pytest.approx(here.best_responses, abs=1e-12)
    assert max(map(abs, here.values)) > 1e-3, "a case that can tell"


def test_a_fold_before_the_board_is_remembered():
    """Player 1 folds, the others are all-in: the pot is split between two, never three."""
    game = all_in(2)
    for strategy in on_both(game, 7):
        changes = {1: {}, 2: {}, 3: {}}
        for player, points in strategy.to_dict().items():
            for label, actions in points.items():
                names = list(actions)
                best = names[0] if player == 1 and names[0] == "fold" else names[-1]
                changes[player][label] = {best: 1.0}
        found = rl.evaluate(strategy.edited(changes))
        assert sum(found.values) == pytest.approx(0, abs=1e-12)
        assert found.values[1] + found.values[2] == pytest.approx(-found.values[0])
