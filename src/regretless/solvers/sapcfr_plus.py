"""Simplified asymmetric PCFR+ (Meng et al. 2025): a third of the prediction of PCFR+."""

from __future__ import annotations

from regretless.solvers import pcfr_plus


class Method(pcfr_plus.Method):
    """PCFR+ that trusts its prediction less."""

    prediction = 1 / 3
