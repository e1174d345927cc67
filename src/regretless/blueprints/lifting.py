"""A blueprint as a strategy of a form: small games can then be evaluated exactly."""

from __future__ import annotations

from regretless.blueprints.blueprint import Blueprint
from regretless.forms.form import Form
from regretless.strategy.strategy import Strategy, part


def lifted(blueprint: Blueprint, form: Form) -> Strategy:
    """The same probabilities at every decision point; the form must be of the same rules."""
    blueprint.map.require(form)
    strategy = Strategy.uniform(form)
    for player in range(form.players):
        mine = strategy.behaviour[part(form, player)]
        for point in form.points(player):
            cards, _, betting = point.label.partition(":")
            hand, *board = cards.split("/")
            mine[point.sequences] = blueprint.probabilities(betting, hand, "".join(board))
    return strategy
