"""A decision of a solved spot as tables: by hand, by class of 169, by range.

They are written as CSV, Parquet or JSON; unknown numbers, such as the EV of a hand that
blocks the whole opposing range, are left empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regretless.cards.holdings import CLASSES, card_name, class_names, class_of, hand_names
from regretless.cards.pair_equity import Equity
from regretless.cards.ranges import read_range
from regretless.core.arrays import Floats
from regretless.core.errors import BadFile
from regretless.core.files import write_atomically, write_with
from regretless.core.parquet import arrow
from regretless.core.progress import Listener, nobody
from regretless.core.tables import csv_text, plain
from regretless.evaluation.spot_values import Node
from regretless.games._spot_tables import PLAYERS

LETTERS = {"fold": "F", "check": "C", "call": "C", "allin": "A"}


@dataclass(frozen=True, eq=False)
class Classes:
    """The 169 classes of the acting player; nan for classes it never holds."""

    weight: Floats  # [class] mean weight of its hands that the board allows
    strategy: Floats  # [class, action]
    ev: Floats


def by_class(node: Node) -> Classes:
    """Means over the hands of every class, weighted by the range."""
    acting, cells = node.acting, class_of()
    share = acting.weight * acting.met
    share = share if share.any() else acting.weight
    possible = np.isfinite(node.strategy[:, 0])
    counts = np.bincount(cells, possible, CLASSES)
    total = np.bincount(cells, share, CLASSES)

    def mean(values: Floats) -> Floats:
        return np.bincount(cells, share * np.nan_to_num(values), CLASSES) / total

    with np.errstate(invalid="ignore", divide="ignore"):
        return Classes(
            np.bincount(cells, acting.weight, CLASSES) / counts,
            np.stack([mean(column) for column in node.strategy.T], axis=1),
            mean(acting.ev),
        )


def letters(actions: tuple[str, ...]) -> tuple[str, ...]:
    """One letter per action: F, C, A for all-in, and sizes 1, 2, … from small to large."""
    sizes = iter("123456789BDEGHIJKLMNOPQRSTUVWXYZ" + "?" * len(actions))
    return tuple(LETTERS.get(action) or next(sizes) for action in actions)


def rows(node: Node, equities: Equity | None, wanted: str = "random") -> Iterator[dict[str, Any]]:
    """One row per hand and player, the acting player first; numbers or None."""
    chosen = read_range(wanted) > 0
    for player in (node.player, 1 - node.player):
        held = node.held[player]
        acts = player == node.player
        for hand in np.flatnonzero((held.weight > 0) & chosen)[::-1].tolist():
            row: dict[str, Any] = {
                "player": PLAYERS[player],
                "hand": hand_names()[hand],
                "class": class_names()[int(class_of()[hand])],
                "weight": float(held.weight[hand]),
                "reach": float(held.reach[hand]),
                "ev": plain(held.ev[hand]),
                "equity": plain(equities.by_hand[player][hand]) if equities else None,
            }
            for a, action in enumerate(node.actions):
                row[action] = plain(node.strategy[hand, a]) if acts else None
                row[f"{action}_ev"] = plain(node.action_ev[hand, a]) if acts else None
            yield row


def summary(node: Node, equities: Equity | None) -> dict[str, Any]:
    """The decision and both ranges."""
    shares = (equities.first, equities.second) if equities else (None, None)
    acting = node.acting
    return {
        "line": node.line,
        "board": "".join(map(card_name, node.board)),
        "player": PLAYERS[node.player],
        "pot": node.pot,
        "reach": node.reach,
        "taken": node.is_taken,
        "ranges": {
            PLAYERS[p]: {
                "combos": float(node.held[p].weight.sum()),
                "ev": plain(node.ev[p]),
                "equity": shares[p],
            }
            for p in range(2)
        },
        "actions": [
            {
                "action": action,
                "frequency": plain(node.frequencies[a]),
                "ev": plain(_mean_of_action(node, a)),
                "combos": float(np.nansum(acting.weight * node.strategy[:, a])),
            }
            for a, action in enumerate(node.actions)
        ],
    }


def facts(node: Node, *, hands: str = "random", listen: Listener = nobody) -> dict[str, Any]:
    """All tables as JSON-compatible data."""
    equities = node.equities(listen)
    return {**summary(node, equities), "hands": list(rows(node, equities, hands))}


def write_csv(node: Node, path: Path, equities: Equity | None, hands: str = "random") -> int:
    """Write one row per hand; returns the number of rows."""
    listed = list(rows(node, equities, hands))
    names = columns(node)
    text = csv_text(names, [[row[name] for name in names] for row in listed])
    write_atomically(path, text.encode())
    return len(listed)


def write_parquet(node: Node, path: Path, equities: Equity | None, hands: str = "random") -> int:
    """Write the table by hand as Parquet."""
    pa, pq = arrow()
    listed = list(rows(node, equities, hands))
    names = columns(node)
    texts = {"player", "hand", "class"}
    schema = pa.schema([(n, pa.string() if n in texts else pa.float64()) for n in names])
    table = pa.table({name: [row[name] for row in listed] for name in names}, schema=schema)
    try:
        write_with(path, lambda beside: pq.write_table(table, str(beside), compression="zstd"))
    except pa.ArrowException as error:
        raise BadFile(path, f"cannot be written: {error}") from None
    return len(listed)


def columns(node: Node) -> list[str]:
    """Column names of the table by hand."""
    actions = [name for action in node.actions for name in (action, f"{action}_ev")]
    return ["player", "hand", "class", "weight", "reach", "ev", "equity", *actions]


def _mean_of_action(node: Node, action: int) -> float:
    """EV of an action over the hands that take it."""
    taken = node.acting.share * np.nan_to_num(node.strategy[:, action])
    kept = taken > 0
    if not kept.any():
        return float("nan")
    return float(taken[kept] @ node.action_ev[kept, action] / taken.sum())
