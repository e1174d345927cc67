"""A blueprint as a strategy of a form: small games can then be evaluated exactly."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._maps import CardMap
from regretless.blueprints.blueprint import Blueprint
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.strategy.strategy import Strategy, part


def lifted(blueprint: Blueprint, form: Form) -> Strategy:
    """The same probabilities at every decision point; the form must be of the same rules."""
    blueprint.map.require(form)
    if isinstance(form, PublicForm):
        abstraction = blueprint.map.abstraction(form)
        return abstraction.lift(_by_bucket(blueprint, abstraction))
    strategy = Strategy.uniform(form)
    for player in range(form.players):
        mine = strategy.behaviour[part(form, player)]
        for point in form.points(player):
            cards, _, betting = point.label.partition(":")
            hand, *board = cards.split("/")
            mine[point.sequences] = blueprint.probabilities(betting, hand, "".join(board))
    return strategy


def _by_bucket(blueprint: Blueprint, abstraction: Abstraction) -> Strategy:
    """The strategy of the abstract game, whose cells are the buckets: far fewer than hands."""
    form, deals = abstraction.form(), abstraction.deals
    strategy = Strategy.uniform(form)
    for player in range(form.players):
        mine, cells = strategy.behaviour[part(form, player)], abstraction.maps[player]
        assert isinstance(cells, CardMap)
        for round in deals.rounds:
            texts = deals.texts(player, round)
            hands = [texts[lane] for lane in np.unique(cells.rows[round], return_index=True)[1]]
            for decision in blueprint.tree.decisions:
                if (decision.round, decision.player) != (round, player):
                    continue
                betting = decision.betting.history
                for cards in hands:
                    point = form.find(player, f"{cards}:{betting}")
                    assert point is not None, cards
                    hand, *board = cards.split("/")
                    mine[point.sequences] = blueprint.probabilities(betting, hand, "".join(board))
    return strategy
