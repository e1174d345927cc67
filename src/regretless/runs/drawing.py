"""Solutions as tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.core.amounts import amount
from regretless.core.memory import size_text
from regretless.core.pictures import blank_figure, write_figure
from regretless.runs.limits import Stop

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from regretless.runs.solution import CurvePoint, Solution

TINY = 1e-3  # payoffs below this are not shown with nine decimals
ROUNDING = 1e-14  # of the largest payoff


def rows(solution: Solution) -> list[tuple[str, str]]:
    """The facts about a solution, for people."""
    sizes = ", ".join(f"{count:,}" for count in solution.form.sizes.decision_points)
    scale = solution.form.largest_payoff
    values = ", ".join(number(value, scale) for value in solution.values)
    fraction = f"  (player 1: {solution.value_fraction})" if solution.value_fraction else ""
    exact = solution.stop is Stop.EXACT
    facts = [
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
        facts += _spot_rows(solution, spot)
    else:
        facts.append(("exploitability", f"{solution.exploitability:.3e}"))
        facts.append(("values", values + fraction))
    if spot:
        pass
    elif solution.bounds is not None:
        low, high = solution.bounds
        gap = max(high - low, 0.0)
        facts.append(
            (
                "certificate",
                f"value in [{number(low, scale)}, {number(high, scale)}], gap {gap:.1e}",
            )
        )
    else:
        facts.append(("epsilon", ", ".join(f"{gain:.3e}" for gain in solution.evaluation.epsilon)))
    facts += solution.remarks
    if solution.out:
        facts.append(("written", solution.out))
    return facts


def _spot_rows(solution: Solution, spot: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What poker players ask for: chips and percentages, out of position first."""
    unit, whole, percent = spot["unit"], spot["percent_of"], spot["exploitability_percent"]
    facts = [
        ("exploitability", f"{amount(solution.exploitability, unit)}, {percent:.3g} % of {whole}")
    ]
    wanted = solution.limits.get("target")
    if wanted is not None:
        part = percent * wanted / solution.exploitability if solution.exploitability else 0.0
        facts.append(("target", f"{amount(wanted, unit)}, {part:.3g} % of {whole}"))
    first, second = spot["ev"]
    facts.append(("EV", f"out of position {first:.3f}, in position {second:.3f} {unit}"))
    first, second = spot["equity"]
    facts.append(("equity", f"out of position {first:.2%}, in position {second:.2%}"))
    if "tree" in spot:
        nodes, entries = spot["tree"]["nodes"], spot["tree"]["action_entries"]
        facts.append(("tree", f"{nodes:,} nodes, {entries:,} action entries"))
    facts.append(("memory", size_text(spot["memory_bytes"])))
    return facts


def number(value: float, scale: float = 1.0) -> str:
    """Nine decimals, and no minus before a zero; with tiny payoffs ten digits."""
    if 0.0 < scale < TINY:
        return f"{value:.9e}" if abs(value) > ROUNDING * scale else "0"
    text = f"{value:.9f}"
    return text.lstrip("-") if float(text) == 0 else text


def convergence(solution: Solution, path: str | Path | None = None) -> Figure:
    """Exploitability over iterations, both logarithmic."""

    figure = blank_figure((7, 4.2))
    axes = figure.add_subplot()
    points = [point for point in solution.trace if point.exploitability > 0]
    axes.loglog(
        [point.iteration for point in points],
        [point.exploitability for point in points],
        color="#1f5fa8",
        linewidth=1.8,
        marker="o" if len(points) < 40 else None,
        markersize=3,
    )
    axes.set_title(f"{solution.game}, {solution.method}: {solution.exploitability:.1e}")
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability (chips per hand)")
    axes.grid(which="major", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    return write_figure(figure, path)


def curves(
    game: str, traces: Mapping[str, Sequence[CurvePoint]], path: str | Path | None = None
) -> Figure:
    """Exploitability of several methods against iterations and against seconds."""

    figure = blank_figure((10, 4.2))
    by_iteration, by_time = figure.subplots(1, 2, sharey=True)
    for method, trace in traces.items():
        points = [point for point in trace if point.exploitability > 0 and point.seconds > 0]
        height = [point.exploitability for point in points]
        marker = "o" if len(points) < 3 else None
        for axes, place in (
            (by_iteration, [float(point.iteration) for point in points]),
            (by_time, [point.seconds for point in points]),
        ):
            axes.loglog(place, height, label=method, linewidth=1.6, marker=marker, markersize=4)
    by_iteration.set_xlabel("iterations")
    by_iteration.set_ylabel("exploitability (chips per hand)")
    by_time.set_xlabel("seconds")
    by_time.legend(frameon=False)
    for axes in (by_iteration, by_time):
        axes.grid(which="major", color="#dddddd")
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(game)
    return write_figure(figure, path)
