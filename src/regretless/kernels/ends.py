"""Terminal values of a site: one contract, compiled into the sweep over the public tree.

How terminals are evaluated depends on the game: `sorted_lanes.py` or `hand_lanes.py` for one hole
card, `hand_rows.py` for two or more, `joint_hands.py` for more than two players. Each has a
NamedTuple of tables and a function `evaluate`. One that has time for it also takes `ahead`: numbers
that are needed next, which it fetches into the cache. Leaves are `leaf_values.py`."""

from __future__ import annotations

from typing import Any

from regretless.kernels.contracts import by_type


@by_type
def evaluate(
    ends: Any, tree: Any, site: int, how: Any, work: Any, factor: float, ahead: Any
) -> None:
    """work.value at every terminal of the site: what how.player earns, times a factor."""


@by_type
def evaluate_leaves(
    leaves: Any, tree: Any, site: int, player: int, work: Any, factor: float
) -> None:
    """work.value at every leaf of the site, if there are any."""
