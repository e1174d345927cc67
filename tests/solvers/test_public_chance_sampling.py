"""Public chance sampling: unbiased draws of boards, convergence, seeds and files."""

from itertools import product

import numpy as np
import pytest
from both_forms import game, one_card, two_cards

from regretless.core.errors import Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._settling import Rake
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

METHOD = "public-chance-sampling"
GAME = "rhode_island:ranks=3,suits=2,cap=1"
UNEVEN = "rhode_island:ranks=2,suits=3,cap=1"  # its boards differ in their chances


def test_boards_differ_in_their_chances():
    form = public_form(UNEVEN)
    assert len(np.unique(form.site_chances()[form.layout.round_sites[-1]].round(9))) > 1


@pytest.mark.parametrize("game", [GAME, UNEVEN])
def test_draws_are_unbiased(game):
    """The mean of sampled gradients, each draw with its probability, is the full gradient."""
    form = public_form(game, isomorphic=game == UNEVEN)
    running = solver(METHOD, form)
    plan = plan_of(form, behaviour_of(form, np.random.default_rng(0).random(size(form))))
    for player in (0, 1):
        full, mean = np.zeros(size(form)), np.zeros(size(form))
        form.gradient(player, plan, full)
        for site in running.ends.tolist():
            part = np.zeros(size(form))
            form.gradient(player, plan, part, running.sample_at(site))
            mean += running.chances[site] * part
        mine = own(form, player)
        np.testing.assert_allclose(mean[mine], full[mine], atol=1e-12)


@pytest.mark.parametrize("game", [GAME, UNEVEN])
def test_sites_are_drawn_as_often_as_chance_leads_there(game):
    running = solver(METHOD, public_form(game), seed=5)
    drawn = np.zeros(len(running.chances))
    for _ in range(4000):
        for site, factor in running.sample().items():
            assert factor == pytest.approx(1 / running.chances[site])
            drawn[site] += 1
    np.testing.assert_allclose(drawn / 4000, running.chances, atol=0.04)


@pytest.mark.parametrize("parameters", ["plus=false", "plus=true", "baseline=0.1"])
def test_it_converges(parameters):
    form = public_form(GAME)
    running = solver(f"{METHOD}:{parameters}", form, seed=1)
    running.step(200)
    early = evaluate(Strategy(form, running.behaviour())).exploitability
    running.step(2800)
    late = evaluate(Strategy(form, running.behaviour())).exploitability
    assert late < early / 2
    assert late < 0.6


@pytest.mark.parametrize("plus", [True, False])
def test_with_plus_no_regret_is_negative(plus):
    running = solver(f"{METHOD}:plus={str(plus).lower()}", public_form(GAME), seed=1)
    running.step(20)
    assert (running.memory.regret.min() >= 0) == plus


@pytest.mark.parametrize("method", [METHOD, f"{METHOD}:baseline=0.1"])
def test_same_seed_same_bytes_also_after_a_restart(method):
    form = public_form(GAME)
    whole, parts, other = (solver(method, form, seed=seed) for seed in (3, 3, 4))
    whole.step(60)
    parts.step(25)
    other.step(60)
    resumed = solver(method, form, seed=9)
    resumed.restore(parts.state())
    resumed.step(35)
    for name, vector in whole.state().items():
        assert np.array_equal(vector, resumed.state()[name]), name
    assert not np.array_equal(whole.behaviour(), other.behaviour())


BASELINES = {
    "one card, three rounds": (GAME, {}),
    "suits kept apart": (GAME, {"isomorphic": False}),
    "two threads": (GAME, {"threads": 2}),  # other steps: values are kept and added later
    "two cards": (game(two_cards(raises=(1, 2), stacks=(), caps=(1, 1))), {"runouts": False}),
    "two cards, run-outs": (
        game(two_cards(board=(0, 1, 1), first=(1, 0, 0), caps=(1, 1, 1), rake=Rake(0.1, 0.5))),
        {"runouts": True},
    ),
    "three players": (game(one_card(players=3, blinds=(1, 1, 1))), {}),
}


@pytest.mark.parametrize("name", BASELINES)
def test_draws_with_baselines_are_unbiased(name):
    """Regrets that all draws add, each with its probability, are those of a full sweep: with
    learned regrets and guesses, and with any other guesses too."""
    of, options = BASELINES[name]
    form = public_form(of, **options)
    running = solver(f"{METHOD}:baseline=0.5", form, seed=1)
    running.step(40)
    weights = running.weights(np.ones(1), -np.ones(1))
    before, learned = running.memory.regret.copy(), running.baselines
    full = copied(running.memory)
    form.sweep(running.learner, full, weights, True)
    rng = np.random.default_rng(2)
    drawn = rng.normal(size=learned.guesses.size)
    other = learned._replace(guesses=drawn, sums=summed(form, drawn))
    for guessed in (learned, other):
        mean = np.zeros(size(form))
        for site in running.ends.tolist():
            one, used = copied(running.memory), copied(guessed)
            form.sweep(running.learner, one, weights, True, running.sample_at(site), used)
            mean += running.chances[site] * (one.regret - before)
        np.testing.assert_allclose(mean, full.regret - before, atol=1e-11)


def copied(vectors):
    """A named tuple with arrays of its own."""
    fields = vectors._asdict().items()
    return vectors._replace(**{n: v.copy() for n, v in fields if isinstance(v, np.ndarray)})


def summed(form, guesses):
    """What guesses add up to at the ends of the sites above: site by site, lane by lane."""
    layout, tree = form.layout, form._sweeper(np.float64).tree
    found = np.zeros(form.baselines(1.0).sums.size)
    for site, row in enumerate(layout.sites):
        if row.parent < 0:
            continue
        for item in np.flatnonzero(layout.site_of_item == site):
            stage = tree.stages[tree.items[item].stage]
            prefixes = int(stage.prefixes)
            for segment in tree.segments[stage.segment : stage.segment_end]:
                source, deal, count, start = segment.tolist()
                above = (
                    layout.sites[row.parent].first_item + source - tree.firsts[row.round_number - 1]
                )
                for player in range(form.players):
                    at, to = tree.item_sides[item, player], tree.item_sides[above, player]
                    first = layout.site_sides[site, player].lane
                    lanes = int(at.lanes) // prefixes
                    for lane, p in product(range(lanes), range(count)):
                        hand = int(tree.side.above[first + lane])
                        board = int(tree.side.parent[first + lane])
                        if tree.inside:
                            hands = layout.site_sides[row.parent, player].hands
                            here = (start + p) * lanes + lane
                            there = deal * to.lanes + p * hands + hand
                        else:
                            from_stage = tree.stages[source]
                            here = lane * prefixes + start + p
                            there = hand * layout.sites[row.parent].boards + board
                            there = there * from_stage.deals * from_stage.prefixes
                            there += deal * from_stage.prefixes + p
                        found[to.summed + there] += guesses[at.guessed + here]
    return found


@pytest.mark.parametrize("name", ["one card, three rounds", "two cards"])
def test_sums_of_baselines_stay_sums_and_guesses_approach_values(name):
    of, options = BASELINES[name]
    form = public_form(of, **options)
    running = solver(f"{METHOD}:baseline=0.2", form, seed=4)
    running.step(300)
    np.testing.assert_allclose(
        running.baselines.sums, summed(form, running.baselines.guesses), atol=1e-12
    )
    assert np.abs(running.baselines.guesses).max() > 0


def test_baselines_lower_the_variance():
    form = public_form(GAME)
    squares = []
    for guessing in (True, False):
        running = solver(f"{METHOD}:baseline=0.1", form, seed=1)
        running.step(2000)
        weights = running.weights(np.ones(1), -np.ones(1))
        before, full = running.memory.regret.copy(), copied(running.memory)
        form.sweep(running.learner, full, weights, True)
        at = slice(1, 1 + int(form.plex.blocks[0, 1] * form.plex.blocks[0, 2]))
        square = 0.0
        for site in running.ends.tolist():
            one, guesses = copied(running.memory), copied(running.baselines)
            drawn = running.sample_at(site)
            form.sweep(running.learner, one, weights, True, drawn, guesses if guessing else None)
            off = (one.regret - before - (full.regret - before))[at]
            square += running.chances[site] * float(off @ off)
        squares.append(square)
    assert squares[0] < squares[1] / 2


def test_any_number_of_threads_gives_the_same_bytes():
    states = []
    for threads in (1, 2, 3):
        running = solver(f"{METHOD}:baseline=0.1", public_form(GAME, threads=threads), seed=3)
        running.step(50)
        states.append(running.state())
    for name, vector in states[0].items():
        for other in states[1:]:
            assert np.array_equal(vector, other[name]), name


def test_it_needs_boards():
    with pytest.raises(Unsuitable, match="public form of a poker game; external-sampling"):
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
