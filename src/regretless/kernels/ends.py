"""Terminal values of a site: one contract, compiled into the sweep over the public tree.

How terminals are evaluated depends on the game: `sorted_lanes.py` or `hand_lanes.py` for one hole
card, `hand_rows.py` for two or more, `joint_hands.py` for more than two players. Each has a
NamedTuple of tables and a function `evaluate`; the sweep is compiled once per type of tables, and
contains nothing of the others. One that has time for it also takes `ahead`: numbers that are needed
next, which it fetches into the cache."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from numba.extending import overload


def evaluate(
    ends: Any, tree: Any, site: int, how: Any, work: Any, factor: float, ahead: Any
) -> None:
    """work.value at every terminal of the site: what how.player earns, times a factor."""
    function: Any = sys.modules[type(ends).__module__].evaluate
    if _fetches(function):
        function(ends, tree, site, how, work, factor, ahead)
    else:
        function(ends, tree, site, how, work, factor)


def _fetches(function: Any) -> bool:
    return "ahead" in inspect.signature(getattr(function, "py_func", function)).parameters


@overload(evaluate, strict=False)
def _evaluate(ends: Any, tree: Any, site: Any, how: Any, work: Any, factor: Any, ahead: Any) -> Any:
    function: Any = sys.modules[ends.instance_class.__module__].evaluate
    if _fetches(function):
        return lambda ends, tree, site, how, work, factor, ahead: function(
            ends, tree, site, how, work, factor, ahead
        )
    return lambda ends, tree, site, how, work, factor, ahead: function(
        ends, tree, site, how, work, factor
    )
