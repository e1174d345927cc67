"""Counterfactual regret minimisation (Zinkevich et al. 2007)."""

from __future__ import annotations

from regretless.solvers._regret_minimiser import RegretMinimiser


class Method(RegretMinimiser):
    """All weights are one."""
