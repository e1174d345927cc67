"""A strategy in 16 bits per number, converted to floats only on demand."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.strategy import compact
from regretless.strategy.strategy import Strategy


class PackedStrategy(Strategy):
    """The solution of a large spot: as floats it would take more memory than its solver."""

    numbers: np.ndarray  # of all players: proportions at every decision

    def __init__(self, form: Form, numbers: np.ndarray) -> None:
        object.__setattr__(self, "form", form)
        object.__setattr__(self, "numbers", numbers)

    @cached_property
    def behaviour(self) -> Floats:
        return compact.unpacked(self.form, (self.numbers,))

    def parts(self) -> tuple[np.ndarray, ...]:
        """The numbers of every player."""
        return compact.by_player(self.form, self.numbers)
