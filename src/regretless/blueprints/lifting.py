"""A blueprint as a strategy of a form: small games can then be evaluated exactly."""

from __future__ import annotations

from regretless.blueprints.blueprint import Blueprint
from regretless.evaluation.bucket_play import by_hand
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.forms.public_rows import behaviour_by_hand
from regretless.strategy.strategy import Strategy, part


def lifted(blueprint: Blueprint, form: Form) -> Strategy:
    """The same probabilities at every decision point; the form must be of the same rules."""
    blueprint.map.require(form)
    if isinstance(form, PublicForm):
        return Strategy(form, behaviour_by_hand(form, by_hand(blueprint)))
    strategy = Strategy.uniform(form)
    for player in range(form.players):
        mine = strategy.behaviour[part(form, player)]
        for point in form.points(player):
            cards, _, betting = point.label.partition(":")
            hand, *board = cards.split("/")
            mine[point.sequences] = blueprint.probabilities(betting, hand, "".join(board))
    return strategy
