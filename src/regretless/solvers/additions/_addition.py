"""The contract of every rule, and the rules by name."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from regretless.core.arrays import Flags, Ints
from regretless.core.folders import Registry
from regretless.forms.form import Form
from regretless.kernels.restriction import close


class Addition(ABC):
    """A rule that turns a best response into sequences to be added."""

    def __init__(self, form: Form) -> None:
        self.form = form

    @abstractmethod
    def add(self, player: int, response: Flags) -> Flags:
        """Flags of the sequences to add, given those that the best response plays.

        Vectors run over the sequences of all players; only the player's own part counts."""

    def closed(self, player: int, chosen: Flags) -> Flags:
        """The chosen sequences and all their ancestors."""
        close(self.form.plex, player, chosen)
        return chosen

    def sequences(self, player: int) -> list[Ints]:
        """Sequences of the actions of every decision point of the player."""
        root = int(self.form.plex.roots[player])
        return [
            root + np.asarray(found, np.int64) for found in self.form.treeplexes[player].sequences
        ]


ADDITIONS: Registry[type[Addition]] = Registry(
    "regretless.solvers.additions", "rule of addition", "Rule"
)


def addition(name: str, form: Form) -> Addition:
    """The rule of this name for a form."""
    return ADDITIONS.made(name)(form)
