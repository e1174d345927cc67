"""Simpler strategies: purification, thresholding (Ganzfried, Sandholm & Waugh 2012), steps.

**Purification** gives all probability to the most likely action. **Thresholding** sets
probabilities below c to 0 and rescales the others; if all are below c, only the most likely
action is kept. **Steps** are for people who memorise a strategy: probabilities become multiples
of a step such as 25 % by the largest-remainder method, so they still sum to 1.

Ties go to the action that the game lists first. Numbers that differ by less than `SAME` count as
equal, so that rounding in a solver or in a 16-bit file has no effect.

Sandholm's slides call purification thresholding with c = 0.5 and do not say what happens to ties.
Here that threshold keeps two actions of 0.5, and purification takes the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, number, shown, within
from regretless.forms.form import Form

if TYPE_CHECKING:
    from regretless.strategy.strategy import Strategy

SAME = 1e-4
MOST_UNITS = 1000  # the finest step is 0.1 %


@dataclass(frozen=True)
class Rounding:
    """A transformation of the probabilities of a decision point."""

    threshold: float | None = None
    units: int | None = None  # steps that make up a probability of 1

    @classmethod
    def of(cls, threshold: float | None = None, steps: str | float | None = None) -> Rounding:
        """Purification, unless a threshold or a step such as "25%" or 0.25 is given."""
        if threshold is not None and steps is not None:
            raise BadParameter("threshold and steps: choose one")
        if threshold is not None:
            within("threshold", number("threshold", threshold), 0, 1)
        return cls(threshold, None if steps is None else _units(steps))

    def __str__(self) -> str:
        if self.threshold is not None:
            return f"threshold {self.threshold:g}"
        return "purification" if self.units is None else f"steps of {100 / self.units:.4g} %"

    def __call__(self, rows: Floats) -> Floats:
        """[action, lane] the transformed probabilities."""
        if self.threshold is not None:
            return _thresholded(rows, self.threshold)
        return _first(rows) if self.units is None else _stepped(rows, self.units)


def rounded(strategy: Strategy, how: Rounding) -> Floats:
    """The transformed behaviour of a strategy. Locked decisions are unchanged."""
    form, behaviour = strategy.form, strategy.behaviour.copy()
    for first, actions, lanes, _ in form.blocks.blocks.tolist():
        rows = behaviour[first : first + actions * lanes].reshape(actions, lanes)
        rows[:] = how(rows)
    if form.game is not None and form.game.locks:
        locked = _locked(form, strategy.behaviour)
        behaviour[locked] = strategy.behaviour[locked]
    return behaviour


def mixed(form: Form, behaviour: Floats) -> int:
    """Number of decision points at which more than one action is taken."""
    count = 0
    for first, actions, lanes, _ in form.blocks.blocks.tolist():
        rows = behaviour[first : first + actions * lanes].reshape(actions, lanes)
        count += int(np.count_nonzero(rows.max(axis=0) < 1 - SAME))
    return count


def changed(form: Form, before: Floats, after: Floats, *, by: float = SAME) -> int:
    """Number of decision points whose probabilities changed by more than this."""
    count = 0
    for first, actions, lanes, _ in form.blocks.blocks.tolist():
        part = slice(first, first + actions * lanes)
        moved = np.abs(after[part] - before[part]).reshape(actions, lanes).max(axis=0)
        count += int(np.count_nonzero(moved > by))
    return count


def _units(steps: str | float) -> int:
    """How many steps make up a probability of 1."""
    text = str(steps).strip()
    try:
        size = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        units = round(1 / size)
    except (ValueError, ZeroDivisionError, OverflowError):
        units, size = 0, 0.0
    if not 1 <= units <= MOST_UNITS or abs(units * size - 1) > 1e-3:
        raise BadParameter(
            f"steps={shown(steps)}: must divide 100 %, from 0.1% to 100%, such as 25% or 0.25"
        )
    return units


def _first(rows: Floats) -> Floats:
    """1 for the most likely action, the first if tied; 0 for the others."""
    chosen = np.argmax(rows >= rows.max(axis=0) * (1 - SAME), axis=0)
    pure: Floats = (np.arange(len(rows))[:, None] == chosen).astype(rows.dtype)
    return pure


def _thresholded(rows: Floats, c: float) -> Floats:
    kept = np.where(rows < c * (1 - SAME), 0, rows)
    total = kept.sum(axis=0)
    rescaled: Floats = np.where(total > 0, kept / np.where(total > 0, total, 1), _first(rows))
    return rescaled


def _stepped(rows: Floats, units: int) -> Floats:
    """Largest remainders: round down to whole steps, then add one where most was cut off."""
    exact = rows.astype(np.float64) * units
    whole = np.floor(exact)
    rest = exact - whole
    left = units - whole.sum(axis=0)
    for _ in range(len(rows) - 1):
        largest = np.argmax(rest >= rest.max(axis=0) - SAME, axis=0)
        taken = (np.arange(len(rows))[:, None] == largest) & (left > 0)
        whole += taken
        rest -= taken  # at most one more step each
        left -= taken.sum(axis=0)
    stepped: Floats = (whole / whole.sum(axis=0)).astype(rows.dtype)
    return stepped


def _locked(form: Form, behaviour: Floats) -> np.ndarray:
    """The sequences of locked decisions: only there does a best response mix."""
    answer = behaviour.copy()
    for player in range(form.players):
        form.respond(player, behaviour, answer)
    locked = np.zeros(behaviour.size, dtype=bool)
    for first, actions, lanes, _ in form.blocks.blocks.tolist():
        part = slice(first, first + actions * lanes)
        given = answer[part].reshape(actions, lanes).max(axis=0) < 1
        locked[part] = np.tile(given, actions)
    return locked
