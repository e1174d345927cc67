"""Public chance sampling: unbiased draws of boards, convergence, seeds and files."""

import numpy as np
import pytest

from regretless.core.errors import Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

METHOD = "public-chance-sampling"
GAME = "rhode_island:ranks=3,suits=2,cap=1"


def test_draws_are_unbiased():
    """The mean of sampled gradients, each draw with its probability, is the full gradient."""
    form = public_form(GAME, isomorphic=False)
    running = solver(METHOD, form)
    plan = plan_of(form, behaviour_of(form, np.random.default_rng(0).random(size(form))))
    for player in (0, 1):
        full, mean = np.zeros(size(form)), np.zeros(size(form))
        form.gradient(player, plan, full)
        for site in running.ends.tolist():
            sites, at = {}, site
            while at >= 0:
                sites[at] = 1 / running.chances[at]
                at = form.parent_of(at)
            part = np.zeros(size(form))
            form.gradient(player, plan, part, sites)
            mean += running.chances[site] * part
        mine = own(form, player)
        np.testing.assert_allclose(mean[mine], full[mine], atol=1e-12)


def test_sites_are_drawn_as_often_as_chance_leads_there():
    running = solver(METHOD, public_form(GAME), seed=5)
    drawn = np.zeros(len(running.chances))
    for _ in range(4000):
        for site, factor in running.drawn().items():
            assert factor == pytest.approx(1 / running.chances[site])
            drawn[site] += 1
    np.testing.assert_allclose(drawn / 4000, running.chances, atol=0.04)


@pytest.mark.parametrize("plus", ["false", "true"])
def test_it_converges(plus):
    form = public_form(GAME)
    running = solver(f"{METHOD}:plus={plus}", form, seed=1)
    running.step(200)
    early = evaluate(Strategy(form, running.behaviour())).exploitability
    running.step(2800)
    late = evaluate(Strategy(form, running.behaviour())).exploitability
    assert late < early / 2
    assert late < 0.6


def test_same_seed_same_bytes_also_after_a_restart():
    form = public_form(GAME)
    whole, parts, other = (solver(METHOD, form, seed=seed) for seed in (3, 3, 4))
    whole.step(60)
    parts.step(25)
    other.step(60)
    resumed = solver(METHOD, form, seed=9)
    resumed.restore(parts.state())
    resumed.step(35)
    for name, vector in whole.state().items():
        assert np.array_equal(vector, resumed.state()[name]), name
    assert not np.array_equal(whole.behaviour(), other.behaviour())


def test_it_needs_boards():
    with pytest.raises(Unsuitable, match="public form of poker; external-sampling"):
        solver(METHOD, sequence_form("kuhn"))


def test_regrets_of_plus_never_fall_below_zero_and_later_iterations_count_more():
    form = public_form(GAME)
    plain, plus = solver(METHOD, form, seed=2), solver(f"{METHOD}:plus=true", form, seed=2)
    for running in (plain, plus):
        running.step(1)
        first = running.memory.average.copy()
        running.step(30)
        # Sums of 1, 2, …, 31 where every iteration comes along: at the first decision.
        at = slice(1, 1 + int(form.plex.blocks[0, 1] * form.plex.blocks[0, 2]))
        assert running.memory.average[at].sum() == pytest.approx(496 * first[at].sum())
    assert plain.memory.regret.min() < 0
    assert plus.memory.regret.min() == 0
