"""Measurements as a table, on the screen and as a Markdown file.

A benchmark module has `measure() -> list[Row]`. It may also have `table(rows)`, if it has a table
of its own (the first line is the header), and `draw(rows, folder)`, if it has a picture."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from regretless.core.tables import Column, Table

NOT_INSTALLED = math.nan  # in place of the number of a peer that could not be measured
PACKAGES = (
    "regretless",
    "numpy",
    "scipy",
    "numba",
    "llvmlite",
    "highspy",
    "open_spiel",
    "LiteEFG",
    "nashpy",
    "phevaluator",
)
# Other units have no ratio.
LARGER_IS_BETTER = {"iterations/s": True, "hands/s": True, "s": False, "ms": False}
ROUNDED = {*LARGER_IS_BETTER, "minutes", "million/s", "%", "% of the distance"}


@dataclass(frozen=True, slots=True)
class Row:
    """One quantity: ours, the peers', and the target."""

    what: str
    ours: float
    unit: str
    peers: dict[str, float] = field(default_factory=dict)
    target: str = ""
    ok: bool | None = None  # None without a target, or if a peer is missing


def faster(unit: str, ours: float, peer: float) -> float:
    """How many times faster ours is than the peer."""
    return ours / peer if LARGER_IS_BETTER[unit] else peer / ours


def table(rows: Sequence[Row]) -> list[list[str]]:
    """Header and lines; a peer's number is followed by how many times faster ours is."""
    peers = list(dict.fromkeys(name for row in rows for name in row.peers))
    aimed = any(row.target for row in rows)
    lines = [["quantity", "unit", "ours", *peers, *(["target", "result"] if aimed else [])]]
    for row in rows:
        line = [row.what, row.unit, number(row.ours, row.unit)]
        line += [_peer(row, name) for name in peers]
        lines.append([*line, row.target, _result(row)] if aimed else line)
    return lines


def number(value: float, unit: str) -> str:
    """Three digits for times and shares, ten for computed values."""
    if unit not in ROUNDED:
        return f"{value:,.10g}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _peer(row: Row, name: str) -> str:
    value = row.peers.get(name)
    if value is None:
        return ""
    if math.isnan(value):
        return "not installed"
    shown = number(value, row.unit)
    if row.unit not in LARGER_IS_BETTER:
        return shown
    return f"{shown} ({number(faster(row.unit, row.ours, value), 's')}×)"


def _result(row: Row) -> str:
    if row.ok is None:
        return "not measured" if row.target else ""
    return "met" if row.ok else "MISSED"


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table: words to the left, numbers to the right."""
    columns = [
        Column(name, align="right" if _is_numeric(cells) else "left")
        for name, *cells in zip(*lines, strict=True)
    ]
    return Table("", columns, lines[1:]).markdown().rstrip()


def _is_numeric(cells: Sequence[str]) -> bool:
    return all(cell[:1].isdigit() or cell[:1] in ("*", "") for cell in cells)


def document(title: str, about: str, shown: str, command: str, taken_s: float) -> str:
    """The Markdown file of one benchmark."""
    facts = "\n".join(f"- {name}: {value}" for name, value in machine().items())
    return (
        f"# {title}\n\n{about}\n\n{shown}\n\n"
        f"Written by `{command}` in {taken_s:.0f} s.\n\n{facts}\n"
    )


def machine() -> dict[str, str]:
    """Facts that affect speed; nothing that identifies the host."""
    facts = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        platform.python_implementation(): platform.python_version(),
    }
    for package in PACKAGES:
        try:
            facts[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"
