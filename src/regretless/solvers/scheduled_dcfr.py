"""Discounted CFR whose discounts fade (after Zhang, McAleer & Sandholm 2024).

With a fixed α of DCFR either early regrets are remembered for too long or late ones are forgotten
too fast. Here α rises with the iteration, from `alpha` towards `alpha` + `rise`.

Differs from the paper: its schedules end at an iteration that must be known in advance. Ours
has no end, and its constants are the best of a few dozen on Rhode Island hold'em
(docs/measurements/discounts.md)."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.solvers import dcfr


class Method(dcfr.Method):
    """DCFR with α = alpha + rise · t / (t + half)."""

    def __init__(
        self,
        form: Form,
        *,
        alpha: float = 1.0,
        rise: float = 4.0,
        half: float = 600.0,
        beta: float = -0.3,
        gamma: float = 4.0,
        simultaneous: bool = False,
    ) -> None:
        """`half`: the iteration at which half of the rise is reached."""
        super().__init__(form, alpha=alpha, beta=beta, gamma=gamma, simultaneous=simultaneous)
        within("rise", rise, 0, 20)
        within("half", half, 0, 10**9)
        self.rise, self.half = rise, half

    def positive(self, t: Floats) -> Floats:
        return dcfr.faded(t, self.alpha + self.rise * t / (t + self.half))
