"""Certificates of three players recomputed deal by deal: five classes, every state enumerated.

The twin shares nothing with the package but the rules of a hand in `jam_fold_twin`: who is out, who
sits where, what is paid and what a deviation earns are written down once more, in plain loops."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from regretless.games._state import CHANCE, TERMINAL
from regretless.stochastic.certificate import certified
from regretless.stochastic.tournament import Blinds, TournamentRules, tournament
from regretless.stochastic.values import uniform_profile
from tests.jam_fold_twin import small_showdowns, twin

PRIZES = [50.0, 30.0, 20.0]
TOTAL = 5


def endings(stacks):
    """[(chance, [(player, label, action)], final stacks)] of one hand."""
    found = Counter()
    root = twin(stacks, (1, 2), tuple, ranks=5, copies=2).root
    stack = [(root, 1.0, ())]
    while stack:
        state, chance, moves = stack.pop()
        if state.player == TERMINAL:
            found[moves, state.payoff] += chance
        elif state.player == CHANCE:
            cards = Counter(state.deck)
            for card, copies in cards.items():
                after = state.child(state.deck.index(card))
                stack.append((after, chance * copies / len(state.deck), moves))
        else:
            for index, action in enumerate(state.actions):
                free = len(state.actions) > 1
                move = ((state.player, state.view(state.player), action),) if free else ()
                stack.append((state.child(index), chance, moves + move))
    return [(chance, moves, final) for (moves, final), chance in found.items()]


def afterwards(stacks, final, player):
    """What the player is paid, and (stacks, place) where it goes on, if it does."""
    left = [p for p in range(len(stacks)) if final[p] > 0]
    if player in left and len(left) == 1:
        return PRIZES[0], None
    if player not in left:
        better = sum(1 for p in range(len(stacks)) if p in left or stacks[p] > stacks[player])
        same = [p for p in range(len(stacks)) if p not in left and stacks[p] == stacks[player]]
        return sum(PRIZES[better : better + len(same)]) / len(same), None
    turned = left[1:] + left[:1]
    return 0.0, (tuple(final[p] for p in turned), turned.index(player))


def corners(final):
    """Stacks that are whole, with their chances: only halves and thirds of a chip are split."""
    sums, total = np.cumsum(final)[:-1], sum(final)
    low = np.floor(sums + 1e-9)
    over = np.where(sums - low > 1e-9, sums - low, 0.0)
    for cut in sorted({0.0, *over}):
        higher = [one for one in {*over, 1.0} if one > cut]
        cumulated = [0, *(low + (over > cut)), total]
        yield min(higher) - cut, tuple(float(d) for d in np.diff(cumulated))


class SlowTournament:
    def __init__(self):
        whole = range(1, TOTAL)
        self.stacks = [(a, TOTAL - a) for a in whole] + [
            (a, b, TOTAL - a - b) for a in whole for b in whole if a + b < TOTAL
        ]
        self.hands = {stacks: endings(stacks) for stacks in self.stacks}

    def expected(self, strategy, deviator, worth):
        """One hand in every seat: the profile, or the best the deviator can do against it."""
        after = {}
        for stacks, hand in self.hands.items():
            for me in range(len(stacks)):
                earned = defaultdict(float)
                for chance, moves, final in hand:
                    mine, reach = ("", ""), chance
                    for player, label, action in moves:
                        if player == me and deviator:
                            mine = (label, action)
                        else:
                            reach *= strategy[stacks, player, label, action]
                    for share, corner in corners(final):
                        paid, goes = afterwards(stacks, corner, me)
                        earned[mine] += reach * share * (paid + (worth[goes] if goes else 0.0))
                best = earned.pop(("", ""), 0.0)
                labels = {label for label, _ in earned}
                best += sum(max(earned[label, a] for a in ("fold", "jam")) for label in labels)
                after[tuple(map(float, stacks)), me] = best
        return after

    def values(self, strategy, deviator):
        """From nothing up, until nothing changes: the smallest solution."""
        worth = defaultdict(float)
        for _ in range(400):
            after = self.expected(strategy, deviator, worth)
            change = max(abs(after[seat] - worth[seat]) for seat in after)
            worth = after
            if change < 1e-8:
                return worth
        raise AssertionError("has not converged")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_certificate_is_that_of_the_twin(seed):
    rules = TournamentRules(tuple(PRIZES), TOTAL, 3, (Blinds(1, 2),))
    game = tournament(rules, 1.0, small_showdowns(5, 2))
    rng = np.random.default_rng(seed)
    slow, strategy = SlowTournament(), {}
    profile = uniform_profile(game)
    for s, (_, stacks) in enumerate(game.keys):
        stage = game.states[s].stage
        for player, plex in enumerate(stage.treeplexes):
            mine = profile[s][stage.own(player)]
            for label, names, sequences in zip(
                plex.labels, plex.actions, plex.sequences, strict=True
            ):
                mine[sequences] = rng.dirichlet([0.5, 0.5])
                for name, sequence in zip(names, sequences, strict=True):
                    strategy[stacks, player, label, name] = mine[sequence]
    found = certified(game, profile)
    values, best = slow.values(strategy, False), slow.values(strategy, True)
    for s, (_, stacks) in enumerate(game.keys):
        for place in range(len(stacks)):
            seat = game.seats[s] + place
            here = (tuple(map(float, stacks)), place)
            assert found.values[seat] == pytest.approx(values[here], abs=1e-6)
            assert found.best[seat] == pytest.approx(best[here], abs=1e-6)
    assert found.epsilon > 0.1
