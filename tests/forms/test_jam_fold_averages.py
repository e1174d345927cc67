"""Averages of three players that follow small changes agree with the stage, asked anew."""

import numpy as np
import pytest

from regretless.forms.jam_fold import jam_fold_stage
from regretless.forms.stage import PlainAverages
from regretless.games._jam_fold import JamFold
from tests.jam_fold_twin import small_showdowns

STACKS = [
    (14, 10, 5),
    (2, 9, 9),
    (9, 1, 9),  # the small blind has no choice
    (9, 9, 1),  # the big blind has none
    (9, 1, 2),
    (1, 9, 9),
]


def random_plan(stage, rng, *, pure=False):
    plan = np.ones(int(stage.plex.roots[-1]))
    for player in range(3):
        mine = plan[stage.own(player)]
        jams = rng.random((len(mine) - 1) // 2)
        jams = (jams > 0.5).astype(float) if pure else jams
        mine[1:] = np.concatenate([1 - jams, jams])
    return plan


@pytest.mark.parametrize("stacks", STACKS)
def test_averages_that_follow_agree_with_the_stage(stacks):
    stage = jam_fold_stage(JamFold(stacks, (1, 2), ante=int(stacks[0] == 1)), small_showdowns())
    rng = np.random.default_rng(sum(stacks))
    plan = random_plan(stage, rng)
    kept, plain = stage.averages(plan), PlainAverages(stage, plan)
    for turn in range(4):
        for player in range(3):
            found, wanted = kept.chances(player), stage.chances(player, plain.plan)
            assert np.allclose(found, wanted, atol=1e-6)
        response = random_plan(stage, rng, pure=turn > 0)
        for player in (turn % 3, 2):  # not all of them move
            for one in (kept, plain):
                one.move(player, response[stage.own(player)], 1 / (1 + turn))
            assert np.allclose(kept.plan, plain.plan, atol=1e-12)
