"""Reports of how strategies win and lose: a table, numbers as JSON, two pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regretless.core.files import require_writable, write_atomically
from regretless.core.pictures import blank_figure, write_figure
from regretless.core.tables import Column, Table, prose
from regretless.evaluation.entrants import Entrant
from regretless.evaluation.outcomes import Outcomes, outcomes
from regretless.games._state import Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = (
    "strategy",
    "wins",
    "before the board",
    "best hand, of wins",
    "uncalled, of those",
    "best hand, of losses",
    "folds, of losses",
    "folds for the ante, of losses",
)


def table(outcomes: Outcomes) -> Table:
    """One line per strategy, in percent of hands."""
    rows = [(name, *(100 * share for share in outcomes.behaviour(name))) for name in outcomes.mass]
    columns = (prose(COLUMNS[0]), *(Column(name, ".1f") for name in COLUMNS[1:]))
    return Table(f"How hands are won and lost: {outcomes.game}, %", columns, rows)


def write_outcomes(
    game: str | Game, strategies: Sequence[Entrant] | Mapping[str, Entrant], folder: Path
) -> dict[str, Path | None]:
    """Write table, numbers and pictures to a folder; returns their paths."""
    described = outcomes(game, strategies)
    folder.mkdir(parents=True, exist_ok=True)
    paths = {
        "outcomes": folder / "outcomes.md",
        "outcomes_json": folder / "outcomes.json",
        "by_position": folder / "by-position.png",
        "by_card": folder / "by-card.png",
    }
    for path in paths.values():
        require_writable(path)
    made = table(described)
    write_atomically(paths["outcomes"], f"# {made.title}\n\n{made.markdown()}".encode())
    write_atomically(paths["outcomes_json"], json.dumps(described.facts(), indent=1).encode())
    payoffs_by_position(described, paths["by_position"])
    payoffs_by_card(described, paths["by_card"])
    return dict(paths)


PANEL_INCHES = (3.6, 3.4)
WIDEST = 0.85  # of a column: the most frequent payoff
LABELLED = 0.45  # of a column: wider bars have room for a percentage
PANELS = 3  # side by side


def payoffs_by_position(outcomes: Outcomes, path: str | Path | None = None) -> Figure:
    """Figures 6.1 and 6.2."""
    panels = {name: outcomes.by_position(name) for name in outcomes.mass}
    return _drawn(outcomes, panels, "position", path)


def payoffs_by_card(outcomes: Outcomes, path: str | Path | None = None) -> Figure:
    """Figures 6.3 and 6.4."""
    return _drawn(outcomes, {name: outcomes.by_card(name) for name in outcomes.mass}, "card", path)


def _drawn(
    outcomes: Outcomes,
    panels: dict[str, dict[str, dict[float, float]]],
    what: str,
    path: str | Path | None,
) -> Figure:
    rows = -(-len(panels) // PANELS)
    columns = min(PANELS, len(panels))
    figure = blank_figure((PANEL_INCHES[0] * columns, PANEL_INCHES[1] * rows + 0.4))
    axes = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    for axis, (name, shares) in zip(axes, panels.items(), strict=False):
        _panel(axis, name, shares, outcomes.mean(name))
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    for axis in axes[::columns]:
        axis.set_ylabel("payoff, chips")
    for axis in axes[: len(panels)]:
        axis.set_xlabel(what)
    points = "red: mean of the column, green: mean of the strategy"
    figure.suptitle(f"{outcomes.game}: payoffs by {what} ({points})", fontsize=11)
    return write_figure(figure, path, dpi=110)


def _panel(axis: Axes, name: str, shares: dict[str, dict[float, float]], overall: float) -> None:
    largest = max(share for row in shares.values() for share in row.values())
    for place, row in enumerate(shares.values()):
        widths = [WIDEST * share / largest for share in row.values()]
        lefts = [place - width / 2 for width in widths]
        axis.barh(list(row), widths, left=lefts, height=0.6, color="#8aa7c7")
        for (payoff, share), left, width in zip(row.items(), lefts, widths, strict=True):
            if width > LABELLED:  # at the left end: means are drawn in the middle
                text = f"{100 * share:.0f} %"
                axis.text(left + 0.02, payoff, text, ha="left", va="center", size=6.5)
        mean = sum(payoff * share for payoff, share in row.items())
        axis.plot(place, mean, "o", color="#c0392b", markersize=5, zorder=3)
    axis.axhline(overall, color="#2e8b57", linewidth=0.8, linestyle=":", zorder=1)
    axis.plot(len(shares) - 0.45, overall, "o", color="#2e8b57", markersize=6, zorder=3)
    axis.set_title(name, fontsize=10)
    axis.set_xlim(-0.55, len(shares) - 0.35)
    axis.set_xticks(range(len(shares)), [text.removeprefix("position ") for text in shares])
    axis.spines[["top", "right"]].set_visible(False)
