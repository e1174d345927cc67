"""Both forms agree on random rules of poker."""

import numpy as np
from both_forms import Both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_rules import random_poker

from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form, terminal_kinds
from regretless.solvers._catalog import solver

EXAMPLES = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@EXAMPLES
@given(game=random_poker(), data=st.data())
def test_both_forms_are_the_same_game(game, data):
    """Sizes, gradients, values, best responses, the first iterations."""
    rules = game.rules
    runouts = rules.players == rules.hole == 2 and data.draw(st.booleans())
    alone = bool(game.root.deck.weights)
    kinds = [k for k in terminal_kinds(rules) if k != "joint" or not alone or rules.players > 2]
    Both.of(
        game,
        runouts=runouts,
        isomorphic=data.draw(st.booleans()),
        terminal=data.draw(st.sampled_from(kinds)),
    ).check(iterations=3, methods=(data.draw(st.sampled_from(["cfr", "dcfr", "pcfr+"])),))


@settings(EXAMPLES, max_examples=15)
@given(game=random_poker())
def test_all_ways_to_evaluate_terminals_agree(game):
    """And threads change no bit of any."""
    kinds = [k for k in terminal_kinds(game.rules) if k != "joint" or game.players > 2]
    forms = [public_form(game, terminal=kind, runouts=False) for kind in kinds]
    forms.append(public_form(game, threads=3, runouts=False))
    plan = plan_of(
        forms[0], behaviour_of(forms[0], np.random.default_rng(0).random(size(forms[0])))
    )
    for player in range(game.players):
        found = []
        for form in forms:
            out = np.zeros(size(form))
            form.gradient(player, plan, out)
            found.append(out[own(form, player)])
        for other in found[1:]:
            np.testing.assert_allclose(other, found[0], atol=1e-12)
        assert np.array_equal(found[0], found[-1])


@settings(EXAMPLES, max_examples=15)
@given(game=random_poker(), first=st.integers(0, 4))
def test_pauses_change_no_bit(game, first):
    form = public_form(game)
    whole, part, resumed = (solver("dcfr", form) for _ in range(3))
    whole.step(5)
    part.step(first)
    resumed.restore(part.state())
    resumed.step(5 - first)
    for which in whole.iterates:
        assert np.array_equal(whole.behaviour(which), resumed.behaviour(which))
