"""Scheduled DCFR with a steeper link: play is proportional to the power of 1.5 of positive regrets.

Regret matching with polynomial link functions: Greenwald, Li & Marks 2006 ("Bounds for
Regret-Matching Algorithms"), whose bounds hold for every power. Actions that are hardly
better than nothing are played less. Long runs gain most: on Rhode Island hold'em exploitability
falls faster the longer a run is (docs/measurements/rhode-island-accuracy.md).

Differs from the paper: regrets are counterfactual and discounted as in `scheduled-dcfr`."""

from __future__ import annotations

from regretless.solvers import scheduled_dcfr


class Method(scheduled_dcfr.Method):
    """Scheduled DCFR with play in proportion to max(R, 0)^1.5."""

    steep = True
