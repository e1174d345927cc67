"""Jam/fold forms against the same game walked deal by deal."""

from __future__ import annotations

import numpy as np
import pytest

from regretless.core.errors import BadInput, BadParameter
from regretless.forms.form import plan_of, size
from regretless.forms.jam_fold import jam_fold_form, jam_fold_stage
from regretless.forms.sequence import sequence_form
from regretless.games._jam_fold import JamFold
from regretless.solvers._catalog import solver as solver_of
from tests.jam_fold_twin import small_showdowns, twin

CASES = [
    # stacks, blinds, ante, big-blind ante
    ((10, 10), (1, 2), 0, 0),
    ((7, 20), (1, 2), 1, 0),
    ((1, 20), (1, 2), 0, 0),  # the small blind is all-in, so nobody chooses
    ((9, 1), (1, 2), 0, 0),  # the big blind is all-in for no more than the small blind
    ((9, 2), (1, 2), 0, 0),
    ((2, 20), (1, 2), 0, 0),  # the big blind has nothing to call
    ((10, 12, 14), (1, 2), 0, 0),
    ((14, 10, 5), (1, 2), 1, 0),
    ((8, 20, 11), (1, 2), 0, 2),
    ((2, 9, 9), (1, 2), 0, 0),
    ((9, 1, 9), (1, 2), 0, 0),
    ((9, 9, 1), (1, 2), 0, 0),
    ((9, 9, 2), (1, 2), 0, 2),  # nothing is left for the blind
    ((1, 9, 9), (1, 2), 1, 0),  # all-in by the ante
    ((9, 1, 2), (1, 2), 0, 0),
]


def worth(stacks):
    """A utility that is not zero-sum, nor linear, and different for every player."""
    total = sum(stacks)
    return [
        float((p + 1) * (stack / total) ** 0.5 + 0.1 * stack * (stacks[p - 1] > 0))
        for p, stack in enumerate(stacks)
    ]


def worths(stacks):
    return np.array([worth(list(row)) for row in stacks])


def pair(stacks, blinds, ante, big_ante, *, ranks=3, copies=2):
    rules = JamFold(stacks, blinds, ante, big_ante)
    form = jam_fold_form(rules, small_showdowns(ranks, copies, len(stacks)), worths)
    other = sequence_form(
        twin(stacks, blinds, worth, ante=ante, big_ante=big_ante, ranks=ranks, copies=copies)
    )
    return form, other


def by_label(form, player, vector):
    """{label: {action: number}}, and the empty sequence."""
    root = int(form.blocks.roots[player])
    found = {"": {"": vector[root]}}
    for point in form.points(player):
        values = vector[root + point.sequences]
        found[point.label] = dict(zip(point.actions, values, strict=True))
    return found


def behaviours(form, other, seed):
    """The same random behaviour on both forms."""
    rng = np.random.default_rng(seed)
    mine, theirs = np.ones(size(form)), np.ones(size(other))
    for player in range(form.players):
        for point in other.points(player):
            if point.actions == ("fold", "jam"):
                play = rng.dirichlet((1, 1))
                mine[form.plex.roots[player] + form.find(player, point.label).sequences] = play
                theirs[other.plex.roots[player] + point.sequences] = play
    return mine, theirs


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_and_best_responses_as_when_walked(case):
    form, other = pair(*case)
    mine, theirs = behaviours(form, other, seed=1)
    for player in range(form.players):
        assert form.respond(player, mine) == pytest.approx(other.respond(player, theirs), abs=1e-12)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradients_as_when_walked(case):
    form, other = pair(*case)
    mine, theirs = behaviours(form, other, seed=2)
    for player in range(form.players):
        ours, walked = np.zeros(size(form)), np.zeros(size(other))
        form.gradient(player, plan_of(form, mine), ours)
        other.gradient(player, plan_of(other, theirs), walked)
        expected = by_label(other, player, walked)
        for label, values in by_label(form, player, ours).items():
            if label:
                assert values == pytest.approx(expected[label], abs=1e-12)


@pytest.mark.parametrize("case", [CASES[1], CASES[7], CASES[10]], ids=str)
def test_chances_of_outcomes(case):
    """As counted by each player, they sum to one, and pay what the form says."""
    form, other = pair(*case)
    mine, _ = behaviours(form, other, seed=3)
    plan, stage = plan_of(form, mine), form.stage
    chances = form.outcome_chances(plan)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    for player in range(form.players):
        counted = stage.chances(player, plan) @ plan[stage.own(player)]
        assert counted == pytest.approx(chances, abs=1e-12)
        assert form.respond(player, mine)[0] == pytest.approx(chances @ form.utility[:, player])


def test_another_utility_on_the_same_decisions():
    form, _ = pair(*CASES[7])
    paid = form.paying(lambda stacks: stacks**2)
    assert paid.stage is form.stage
    assert np.array_equal(paid.utility, form.stage.final_stacks**2)
    assert not paid.zero_sum
    assert paid.largest_payoff == 29**2
    assert form.paying(form.stage.final_stacks - [14, 10, 5]).zero_sum


@pytest.mark.parametrize("shape", [(3, 2), (5, 3)])
def test_utilities_of_a_wrong_shape_are_refused(shape):
    form, _ = pair(*CASES[0])
    with pytest.raises(BadInput, match=r"one number per outcome and player, \(5, 2\)"):
        form.paying(np.zeros(shape))
    with pytest.raises(BadInput, match="finite"):
        form.paying(np.full((5, 2), np.nan))


@pytest.mark.parametrize("method", ["cfr", "cfr+", "fictitious-play", "smoothed-fictitious-play"])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_solvers_as_on_the_walked_form(method, simultaneous):
    """The same iterations on both forms, so the same averages."""
    form, other = pair(*CASES[6])
    found = []
    for one in (form, other):
        solver = solver_of(f"{method}:simultaneous={str(simultaneous).lower()}", one)
        solver.step(7)
        behaviour = solver.behaviour()
        found.append([by_label(one, player, behaviour) for player in range(3)])
    for ours, walked in zip(*found, strict=True):
        for label, values in ours.items():
            assert values == pytest.approx(walked[label], abs=1e-9)


def test_three_players_need_showdowns_of_three():
    rules = JamFold((9, 9, 9), (1, 2))
    with pytest.raises(BadParameter, match="three or more players"):
        jam_fold_stage(rules, small_showdowns(hands=2))
