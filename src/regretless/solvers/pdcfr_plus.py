"""PDCFR+ (Xu et al. 2024): DCFR+ that predicts that the last regret repeats."""

from __future__ import annotations

from regretless.forms.form import Form
from regretless.solvers import dcfr_plus


class Method(dcfr_plus.Method):
    """DCFR+ with a prediction, and the paper's discounts for it."""

    prediction = 1.0

    def __init__(
        self,
        form: Form,
        *,
        alpha: float = 2.3,
        gamma: float = 5.0,
        simultaneous: bool = False,
    ) -> None:
        super().__init__(form, alpha=alpha, gamma=gamma, simultaneous=simultaneous)
