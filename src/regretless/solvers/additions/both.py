"""Poker: the hints for first actions, and the second round after any first one."""

from __future__ import annotations

from regretless.core.arrays import Flags
from regretless.forms.form import Form
from regretless.solvers.additions import first_action, second_round
from regretless.solvers.additions._addition import Addition


class Rule(Addition):
    """Both rules of Münch 2015 together."""

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.rules = [first_action.Rule(form), second_round.Rule(form)]

    def add(self, player: int, response: Flags) -> Flags:
        first, second = (rule.add(player, response) for rule in self.rules)
        return first | second
