"""Trees that end early with given values, and sweeps over some of the boards only."""

from itertools import product

import numpy as np
import pytest
from both_forms import close, game, one_card, random_range, two_cards

from regretless.core.errors import BadParameter, Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.continuations import continuation_values
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.games._betting_tree import Kind
from regretless.games._icm import IndependentChipModel
from regretless.games._settling import Rake
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

THREE_ROUNDS = {"board": (0, 1, 1), "first": (0, 0, 0), "caps": (1, 1, 1), "raises": (1, 2, 2)}
FEW = tuple(random_range(28, seed) * (np.arange(28) % 3 == seed - 3) for seed in (3, 4))
PAIRS = (random_range(15, 3), random_range(15, 4))
TREES = {
    "one card": (game(one_card(), suits_distinct=False), 0),
    "suits": (game(one_card()), 0),
    "ranges": (game(one_card(), weights=(random_range(6, 1), random_range(6, 2))), 0),
    "three rounds, ends with the first": (game(one_card(**THREE_ROUNDS)), 0),
    "three rounds, ends with the second": (game(one_card(**THREE_ROUNDS)), 1),
    "two cards, sizes and rake": (game(two_cards(rake=Rake(0.05)), weights=PAIRS), 0),
    "two cards, suits": (game(two_cards(raises=(1, 2), stacks=(), caps=(1, 1))), 0),
    "from a later round": (
        game(
            two_cards(**THREE_ROUNDS | {"first": (1, 0, 0)}, ranks=4, stacks=()),
            history="cc/",
            board=((), (2,)),
            weights=FEW,
        ),
        1,
    ),
}


def moved(trunk, form, behaviour):
    """What a behaviour of a form plays before its leaves."""
    given = np.ones(size(trunk))
    for player in range(2):
        for point in trunk.points(player):
            other = form.find(player, point.label)
            mine, theirs = own(trunk, player).start, own(form, player).start
            given[mine + point.sequences] = behaviour[theirs + other.sequences]
    return given


@pytest.mark.parametrize("name", TREES)
def test_a_tree_with_leaves_earns_what_the_whole_one_does(name):
    """Also where the trunk is played in another way than the leaves were made for."""
    of, after = TREES[name]
    form = public_form(of, runouts=False)
    rng = np.random.default_rng(3)
    made_for, other = (behaviour_of(form, rng.random(size(form))) for _ in range(2))
    leaves = continuation_values(form, made_for, after)
    trunk = public_form(of, leaves=leaves)
    assert trunk.layout.rounds[-1] == after
    assert sum(trunk.sizes.sequences) < sum(form.sizes.sequences)
    mixed = made_for.copy()
    for player in range(2):
        for point in form.points(player):
            if trunk.find(player, point.label) is not None:
                here = own(form, player).start + point.sequences
                mixed[here] = other[here]
    for player in range(2):
        for whole in (made_for, mixed):
            value = form.respond(player, whole)[0]
            assert trunk.respond(player, moved(trunk, form, whole))[0] == pytest.approx(
                value, abs=1e-12
            )


@pytest.mark.parametrize("name", ["one card", "three rounds, ends with the second"])
def test_leaves_of_a_solution_reproduce_it(name):
    """Values of an equilibrium: the trunk's best responses cannot beat the value of the game."""
    of, after = TREES[name]
    form = public_form(of)
    exact = solver("lp", form.expanded())
    while not exact.finished:
        exact.step()
    solved = exact.behaviour()  # sequences stand as in the public form
    value = evaluate(Strategy(form, solved)).values[0]
    trunk = public_form(of, leaves=continuation_values(form, solved, after))
    found = evaluate(Strategy(trunk, moved(trunk, form, solved)))
    assert found.values[0] == pytest.approx(value, abs=1e-9)
    assert found.nash_conv == pytest.approx(0, abs=1e-7)
    running = solver("cfr+", trunk)
    running.step(3000)
    again = evaluate(Strategy(trunk, running.behaviour()))
    assert again.nash_conv < 2e-3
    assert again.values[0] == pytest.approx(value, abs=2e-3)


def test_leaves_are_for_a_round_that_is_followed():
    form = public_form("leduc")
    uniform = behaviour_of(form, np.zeros(size(form)))
    with pytest.raises(BadParameter, match="round before the leaves"):
        continuation_values(form, uniform, 1)
    three = public_form("kuhn:players=3")
    with pytest.raises(Unsuitable, match="two players"):
        continuation_values(three, behaviour_of(three, np.zeros(size(three))), 0)
    leaves = continuation_values(form, uniform, 0)
    with pytest.raises(Unsuitable, match="no leaves"):
        public_form("leduc", leaves=leaves, terminal="joint")
    with pytest.raises(Unsuitable, match="cannot be enumerated"):
        public_form("leduc", leaves=leaves).expanded()
    prints = {public_form("leduc").fingerprint(), public_form("leduc", leaves=leaves).fingerprint()}
    assert len(prints) == 2


# All-in on a sampled board with cards to come. With prizes a tie is worth more than the mean of
# win and loss.
ALL_IN = THREE_ROUNDS | {"raises": None, "first": (1, 0, 0)}
RUN_OUTS = game(two_cards(**ALL_IN, rake=Rake(0.1, cap=0.5)))
PRIZES = game(two_cards(**ALL_IN, utility=IndependentChipModel((5.0, 3.0, 1.0), (6.0,))))
SAMPLED = {
    "one card": (game(one_card(), suits_distinct=False), {}),
    "one card by matrix": (game(one_card(), suits_distinct=False), {"terminal": "matrix"}),
    "suits": (game(one_card()), {"isomorphic": False}),
    "three rounds": (game(one_card(**THREE_ROUNDS)), {}),
    "two cards, ranges": (game(two_cards(rake=Rake(0.1)), weights=PAIRS), {"runouts": False}),
    "two cards, run-outs": (RUN_OUTS, {"runouts": True}),
    "two cards, no run-outs": (RUN_OUTS, {"runouts": False}),
    "two cards, run-outs for prizes": (PRIZES, {"runouts": True}),
    "two cards, run-outs by matrix": (RUN_OUTS, {"runouts": True, "terminal": "matrix"}),
    "three players": (game(one_card(players=3, blinds=(1, 1, 1))), {}),
}


def chains(layout, site):
    """Every way to draw one site of each round below a site, with its probability: (sites,
    probability of the sites of each round)."""
    children = list(layout.children[site])
    if not children:
        return [(1.0, {site: 1.0})]
    weights = np.arange(1.0, len(children) + 1)  # no draw is fair: factors must say so
    weights /= weights.sum()
    found = []
    for child, weight in zip(children, weights, strict=True):
        for chance, factors in chains(layout, child):
            below = {s: factor / weight for s, factor in factors.items()}
            found.append((chance * weight, {site: 1.0} | below))
    return found


@pytest.mark.parametrize("name", SAMPLED)
def test_sampled_gradients_are_right_on_average(name, monkeypatch):
    """Summed over all samples with their probabilities it is the full gradient, exactly."""
    monkeypatch.setattr("regretless.forms.public_layout.MOST_LANES", 1)  # a board is a site
    of, options = SAMPLED[name]
    form = public_form(of, **options)
    layout = form.layout
    assert len(layout.sites) > len(layout.round_sites[0]) + 1
    if options.get("runouts"):
        assert any(n.kind is Kind.RUNOUT for s in layout.stages if s.round for n in s.nodes)
    assert_right_on_average(form)


def assert_right_on_average(form):
    plan = plan_of(form, behaviour_of(form, np.random.default_rng(0).random(size(form))))
    draws = [chains(form.layout, site) for site in form.layout.round_sites[0]]
    for player in range(form.players):
        full, mean, one = (np.zeros(size(form)) for _ in range(3))
        form.gradient(player, plan, full)
        total = 0.0
        for drawn in product(*draws):
            chance = float(np.prod([p for p, _ in drawn]))
            sites = {site: factor for _, factors in drawn for site, factor in factors.items()}
            form.gradient(player, plan, one, sites=sites)
            mean += chance * one
            total += chance
        assert total == pytest.approx(1)
        mine = own(form, player)
        close(full[mine], mean[mine], 1e-12)


@pytest.mark.parametrize("hole", [one_card, two_cards])
def test_sampled_sites_with_leaves_are_right_on_average(hole, monkeypatch):
    monkeypatch.setattr("regretless.forms.public_layout.MOST_LANES", 1)  # a board is a site
    of = game(hole(**THREE_ROUNDS | {"first": (1, 0, 0)}, ranks=3))
    form = public_form(of, runouts=False)
    behaviour = behaviour_of(form, np.random.default_rng(1).random(size(form)))
    trunk = public_form(of, leaves=continuation_values(form, behaviour, 1))
    assert len(trunk.layout.round_sites[1]) > 1
    assert_right_on_average(trunk)


def test_sampled_sweeps_learn_from_what_they_see(monkeypatch):
    """All sites with factor 1 are an iteration like any other; one board moves its own lanes."""
    monkeypatch.setattr("regretless.forms.public_layout.MOST_LANES", 1)  # a board is a site
    form = public_form(SAMPLED["suits"][0], isomorphic=False)
    whole, sampled, part = (solver("cfr", form) for _ in range(3))
    weights = whole.weights(np.ones(1), np.ones(1))
    every = dict.fromkeys(range(len(form.layout.sites)), 1.0)
    form.sweep(whole.learner, whole.memory, weights, False)
    form.sweep(sampled.learner, sampled.memory, weights, False, sites=every)
    close(whole.memory.regret, sampled.memory.regret, 0)
    some = {site: factor for site, factor in every.items() if site < 2}
    form.sweep(part.learner, part.memory, weights, False, sites=some)
    moved_here = np.count_nonzero(part.memory.regret)
    assert 0 < moved_here < np.count_nonzero(whole.memory.regret)
