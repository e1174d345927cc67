"""Strategies to and from tables: dictionaries, pandas, CSV; and as text and HTML."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import (
    BadFile,
    BadInput,
    BadParameter,
    UnknownName,
    number,
    one_of,
    shown,
    whole,
)
from regretless.core.files import reading, require_writable, write_atomically
from regretless.core.tables import Column, Table, csv_text, prose
from regretless.forms.form import own
from regretless.forms.treeplex import Point
from regretless.strategy.strategy import Decision, Strategy

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("player", "decision", "action", "probability", "reach")
SHOWN_ROWS = 30  # of a printed strategy; HTML has ten times as many
MISSING = ("refuse", "uniform")
SUM_SLACK = 1e-6  # typed probabilities need not sum to 1 exactly
ROUNDING = 1e-12

Probabilities = Mapping[Any, Any]  # label → action → probability, or player → such a table


def filled(start: Strategy, table: Probabilities, *, missing: str) -> Floats:
    """The behaviour of `start` with the probabilities in the table; `keep` allows omissions."""
    if missing != "keep":
        one_of("missing", missing, MISSING)
    behaviour = np.array(start.behaviour, dtype=np.float64)
    given = np.zeros(behaviour.size, dtype=bool)
    for player, label, chosen in _entries(table, start.form.players):
        i, point = start.find(label, player)
        mine = own(start.form, i)
        behaviour[mine][point.sequences] = _probabilities(label, point, chosen)
        given[mine][point.sequences] = True
    if missing == "refuse":
        _require_all(start, given)
    return behaviour


def _entries(table: Probabilities, players: int) -> Iterator[tuple[int | None, str, Any]]:
    """Player (or None if the label determines it), label, and probabilities."""
    if not isinstance(table, Mapping):
        raise BadInput(f"{shown(table)}: must be a dictionary such as {{'K:': {{'bet': 1}}}}")
    for key, value in table.items():
        if not isinstance(value, Mapping):
            raise BadInput(f"{key!r}: must be a dictionary of actions, got {shown(value)}")
        if isinstance(key, str):
            yield None, key, value
            continue
        player = whole("player", key, 1, players)
        for label, chosen in value.items():
            yield player, label, chosen


def _probabilities(label: str, point: Point, chosen: Any) -> list[float]:
    if not isinstance(chosen, Mapping):
        raise BadInput(f"{label!r}: must be a dictionary of actions, got {shown(chosen)}")
    for action in chosen:
        if action not in point.actions:
            raise UnknownName(f"action at {label!r}", str(action), point.actions)
    probabilities = [
        number(f"{label} {action}", chosen.get(action, 0.0)) for action in point.actions
    ]
    total = sum(probabilities)
    if not (min(probabilities) >= 0 and abs(total - 1) <= SUM_SLACK):
        texts = ", ".join(f"{p:g}" for p in probabilities)
        raise BadInput(f"probabilities at {label!r} are {texts}: must be ≥ 0 and sum to 1")
    # Rounding errors are kept, so that an exported strategy is read back bit for bit.
    return [p / total for p in probabilities] if abs(total - 1) > ROUNDING else probabilities


def _require_all(start: Strategy, given: np.ndarray) -> None:
    form = start.form
    left = [
        point.label
        for i in range(form.players)
        for point in form.points(i)
        if not given[own(form, i)][point.sequences[0]]
    ]
    if left:
        count = f"{len(left):,} decision point{'s' if left[1:] else ''}"
        raise BadInput(
            f'{count} without probabilities, e.g. {left[0]!r}: add them, or pass missing="uniform"'
        )


def rows(decisions: Iterable[Decision]) -> Iterator[tuple[int, str, str, float, float]]:
    """One row per action, in the order of COLUMNS."""
    for player, label, actions, chosen, reach in decisions:
        for action, probability in zip(actions, chosen, strict=True):
            yield player, label, action, probability, reach


def write_csv(decisions: Iterable[Decision], path: str | Path) -> None:
    """A CSV file, one row per action."""
    require_writable(path)
    write_atomically(path, csv_text(COLUMNS, rows(decisions)).encode())


def table_of_csv(path: str | Path) -> dict[Any, Any]:
    """Player → label → action → probability, from a CSV file."""
    with reading(path, "a CSV file", newline="") as stream:
        reader = csv.DictReader(stream)
        try:
            _require_columns(reader.fieldnames or (), path)
            return _gathered(enumerate(reader, start=2), path)
        except csv.Error as error:
            raise BadFile(path, f"not a CSV file: {error}") from None


def frame(decisions: Iterable[Decision]) -> pd.DataFrame:
    """A pandas table, one row per action."""
    return _pandas().DataFrame(list(rows(decisions)), columns=list(COLUMNS))


def table_of_frame(given: pd.DataFrame) -> dict[Any, Any]:
    """Player → label → action → probability, from a pandas table."""
    if not isinstance(given, _pandas().DataFrame):
        raise BadParameter(f"frame={shown(given)}: must be a pandas DataFrame")
    _require_columns(map(str, given.columns), "the DataFrame")
    return _gathered(enumerate(given.to_dict("records"), start=1), "the DataFrame")


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise BadInput("needs pandas: pip install pandas") from None
    return pd


def _require_columns(columns: Iterable[str], source: str | Path) -> None:
    there = set(columns)
    lacking = [name for name in COLUMNS[1:4] if name not in there]
    if lacking:
        raise BadFile(source, f"has no column {lacking[0]}: must have {', '.join(COLUMNS[:4])}")


def _gathered(lines: Iterable[tuple[int, Mapping[Any, Any]]], source: str | Path) -> dict[Any, Any]:
    table: dict[Any, Any] = {}
    for line, row in lines:
        try:
            player, probability = row.get("player"), float(row["probability"])
            player = None if player in (None, "") else int(player)
        except (TypeError, ValueError):
            raise BadFile(source, "player and probability must be numbers", line=line) from None
        inner = table if player is None else table.setdefault(player, {})
        chosen = inner.setdefault(str(row["decision"]), {})
        if str(row["action"]) in chosen:
            raise BadFile(source, f"{row['action']} appears twice", line=line)
        chosen[str(row["action"])] = probability
    return table


def table(strategy: Strategy, most: int) -> Table:
    """The first decision points, one per line."""
    columns = (
        Column("player", align="left"),
        prose("decision point"),
        Column("reach", ".4f", align="left"),
        prose("probabilities"),
    )
    shown_rows = [
        (d.player, d.label, d.reach, probabilities_text(d))
        for d in islice(strategy.decisions(), most)
    ]
    more = sum(strategy.form.sizes.decision_points) - len(shown_rows)
    return Table(repr(strategy), columns, shown_rows, f"… {more:,} more" if more else "")


def probabilities_text(decision: Decision) -> str:
    """Actions with their probabilities, on one line."""
    pairs = zip(decision.actions, decision.probabilities, strict=True)
    return "  ".join(f"{action} {probability:.4f}" for action, probability in pairs)
