"""Probabilities in 16 bits, and what the first bytes of a file say about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.array_files import Kind, has_format
from regretless.core.arrays import Floats

if TYPE_CHECKING:
    from regretless.forms.form import Form

FORMAT = "regretless strategy 2"
COMPACT = "regretless strategy 3"
BLUEPRINT = "regretless blueprint 1"  # tables over buckets, see blueprints/files.py
WITHOUT_CHECKSUM = "regretless strategy 1"  # written by version 0.1
STRATEGY = Kind(
    "strategy file",
    (FORMAT, COMPACT, WITHOUT_CHECKSUM),
    needed={"game": str, "fingerprint": str, "method": str},
    unchecked=(WITHOUT_CHECKSUM,),
)
WHOLE = 65_535  # represents probability one
AT_ONCE = 2**22  # numbers packed at a time


def packed(form: Form, behaviour: Floats) -> tuple[np.ndarray, ...]:
    """Every player's probabilities in 16 bits."""
    numbers = []
    for mine in by_player(form, behaviour):
        whole = np.empty(mine.size, np.uint16)
        for start in range(0, mine.size, AT_ONCE):
            part = slice(start, start + AT_ONCE)
            whole[part] = np.rint(np.clip(mine[part], 0, 1) * WHOLE)
        numbers.append(whole)
    return tuple(numbers)


def by_player(form: Form, vector: np.ndarray) -> tuple[np.ndarray, ...]:
    """Every player's part of a vector of sequences."""
    return tuple(np.split(vector, form.blocks.roots[1:-1].tolist()))


def unpacked(form: Form, numbers: tuple[np.ndarray, ...]) -> Floats:
    """The behaviour, rescaled so that probabilities sum to one."""
    behaviour = np.concatenate(numbers).astype(form.real)
    plex = form.blocks
    for first, actions, lanes, _ in plex.blocks.tolist():
        rows = behaviour[first : first + actions * lanes].reshape(actions, lanes)
        rows[:] = normalised(rows)
    behaviour[plex.roots[:-1]] = 1.0
    return behaviour


def normalised(rows: np.ndarray) -> Floats:
    """[action, lane] whole numbers as probabilities; uniform if all of them are 0."""
    rows = rows.astype(np.float64)
    rows[:, rows.sum(axis=0) <= 0] = 1.0
    probabilities: Floats = rows / rows.sum(axis=0)
    return probabilities


def is_compact(path: str | Path) -> bool:
    """Whether a file has 16 bits per number, according to its first bytes."""
    return has_format(path, COMPACT)


def is_blueprint(path: str | Path) -> bool:
    """Whether this is the file of a blueprint, according to its first bytes."""
    return has_format(path, BLUEPRINT)
