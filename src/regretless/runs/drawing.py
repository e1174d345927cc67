"""Solutions as tables and pictures."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from regretless.core.errors import BadFile
from regretless.core.memory import size_text
from regretless.runs.limits import Stop

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from regretless.runs.solution import Solution


def rows(solution: Solution) -> list[tuple[str, str]]:
    """The facts about a solution, for people."""
    sizes = ", ".join(f"{count:,}" for count in solution.form.sizes.decision_points)
    values = ", ".join(map(number, solution.values))
    fraction = f"  (player 1: {solution.value_fraction})" if solution.value_fraction else ""
    exact = solution.stop is Stop.EXACT
    told = [
        ("game", solution.game),
        ("decision points", sizes),
        ("method", solution.method + ("" if exact else f", {solution.iterate} strategy")),
        ("iterations", f"{solution.iterations:,} in {solution.seconds:.3g} s"),
        (
            "stopped",
            f"{solution.stop}: {solution.failure}" if solution.failure else str(solution.stop),
        ),
    ]
    spot = solution.spot_facts()
    if spot:
        told += _spot_rows(solution, spot)
    else:
        told.append(("exploitability", f"{solution.exploitability:.3e}"))
        told.append(("values", values + fraction))
    if spot:
        pass
    elif solution.bounds is not None:
        low, high = solution.bounds
        gap = max(high - low, 0.0)
        told.append(("certificate", f"value in [{number(low)}, {number(high)}], gap {gap:.1e}"))
    else:
        told.append(("epsilons", ", ".join(f"{gain:.3e}" for gain in solution.evaluation.epsilon)))
    told += solution.remarks
    if solution.out:
        told.append(("written", solution.out))
    return told


def _spot_rows(solution: Solution, spot: dict[str, Any]) -> list[tuple[str, str]]:
    """What players of poker ask for: chips and per cent, out of position first."""
    unit, percent = spot["unit"], spot["exploitability_percent"]
    exploitability = (
        f"{solution.exploitability:.4g} {unit}, {percent:.3g} % of {spot['percent_of']}"
    )
    told = [("exploitability", exploitability)]
    wanted = solution.limits.get("target")
    if wanted is not None:
        part = percent * wanted / solution.exploitability if solution.exploitability else 0.0
        told.append(("target", f"{wanted:.4g} {unit}, {part:.3g} % of {spot['percent_of']}"))
    first, second = spot["ev"]
    told.append(("EV", f"out of position {first:.3f}, in position {second:.3f} {unit}"))
    first, second = spot["equity"]
    told.append(("equity", f"out of position {first:.2%}, in position {second:.2%}"))
    if "tree" in spot:
        nodes, entries = spot["tree"]["nodes"], spot["tree"]["action_entries"]
        told.append(("tree", f"{nodes:,} nodes, {entries:,} action entries"))
    told.append(("memory", size_text(spot["memory_bytes"])))
    return told


def number(value: float) -> str:
    """Nine decimals, and no minus before a zero."""
    text = f"{value:.9f}"
    return text.lstrip("-") if float(text) == 0 else text


def summary(solution: Solution) -> Table:
    """A table for the terminal."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows(solution):
        table.add_row(name, Text(text))
    return table


def html(solution: Solution) -> str:
    """A table for a notebook."""
    lines = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in rows(solution)
    )
    return f"<table>{lines}</table>"


def require_picture(path: str | Path) -> None:
    """Refuse a picture of a kind that cannot be drawn, before any work is done."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes()
    if Path(path).suffix.lstrip(".") not in kinds:
        raise BadFile(
            path, f"ends in {Path(path).suffix!r}: allowed is .{', .'.join(sorted(kinds))}"
        )


def convergence(solution: Solution, path: str | Path | None = None) -> Figure:
    """Exploitability over iterations, both logarithmic."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    looks = [look for look in solution.trace if look.exploitability > 0]
    axes.loglog(
        [look.iteration for look in looks],
        [look.exploitability for look in looks],
        color="#1f5fa8",
        linewidth=1.8,
        marker="o" if len(looks) < 40 else None,
        markersize=3,
    )
    axes.set_title(f"{solution.game}, {solution.method}: {solution.exploitability:.1e}")
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability (chips per hand)")
    axes.grid(which="major", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    if path is not None:
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as error:
            raise BadFile(path, f"plot cannot be written: {error}") from None
    return figure
