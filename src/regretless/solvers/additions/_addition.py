"""The contract of every rule, and the rules by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import cast

import numpy as np

from regretless.core import folders
from regretless.core.arrays import Flags, Ints
from regretless.core.errors import UnknownName
from regretless.forms.form import Form
from regretless.kernels.restriction import close

PACKAGE = "regretless.solvers.additions"


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


def addition_names() -> tuple[str, ...]:
    """Names of the rules."""
    return tuple(module.replace("_", "-") for module in folders.listed(PACKAGE))


def addition(name: str, form: Form) -> Addition:
    """The rule of this name for a form."""
    if name not in addition_names():
        raise UnknownName("rule of addition", name, addition_names())
    return cast(Addition, folders.module(PACKAGE, name.replace("-", "_")).Rule(form))
