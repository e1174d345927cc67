"""Solutions as tables and pictures."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from regretless.core.errors import BadFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from regretless.runs.solution import Solution


def rows(solution: Solution) -> list[tuple[str, str]]:
    """The facts about a solution, for people."""
    sizes = ", ".join(f"{len(plex.labels):,}" for plex in solution.form.treeplexes)
    values = ", ".join(f"{value + 0.0:.9f}" for value in solution.values)
    fraction = f"  (player 1: {solution.value_fraction})" if solution.value_fraction else ""
    told = [
        ("game", solution.game),
        ("decision points", sizes),
        ("method", f"{solution.method}, {solution.iterate} strategy"),
        ("iterations", f"{solution.iterations:,} in {solution.seconds:.3g} s"),
        ("stopped", str(solution.stop)),
        ("exploitability", f"{solution.exploitability:.3e}"),
        ("values", values + fraction),
    ]
    if solution.bounds is not None:
        low, high = solution.bounds
        gap = max(high - low, 0.0)
        told.append(("certificate", f"value in [{low:.9f}, {high:.9f}], gap {gap:.1e}"))
    if solution.out:
        told.append(("written", solution.out))
    return told


def summary(solution: Solution) -> Table:
    """A table for the terminal."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows(solution):
        table.add_row(name, text)
    return table


def html(solution: Solution) -> str:
    """A table for a notebook."""
    lines = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in rows(solution)
    )
    return f"<table>{lines}</table>"


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
