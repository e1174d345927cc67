"""Reports of how strategies win and lose: a Markdown table, numbers as JSON, two pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from regretless.core.files import require_writable, write_atomically
from regretless.evaluation.entrants import Entrant
from regretless.evaluation.outcomes import Outcomes, outcomes
from regretless.evaluation.outcomes_picture import payoffs_by_card, payoffs_by_position
from regretless.games._state import Game

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


def markdown(found: Outcomes) -> str:
    """One line per strategy, in percent of hands."""
    lines = [f"# How hands are won and lost: {found.game}, %", "", f"| {' | '.join(COLUMNS)} |"]
    lines.append("|---" + "|---:" * (len(COLUMNS) - 1) + "|")
    for name in found.mass:
        shares = [
            "–" if share != share else f"{100 * share:.1f}" for share in found.behaviour(name)
        ]
        lines.append(f"| {name} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


def write_outcomes(
    game: str | Game, strategies: Sequence[Entrant] | Mapping[str, Entrant], folder: Path
) -> dict[str, Path | None]:
    """Write table, numbers and pictures to a folder; returns their paths."""
    found = outcomes(game, strategies)
    folder.mkdir(parents=True, exist_ok=True)
    paths = {
        "outcomes": folder / "outcomes.md",
        "outcomes_json": folder / "outcomes.json",
        "by_position": folder / "by-position.png",
        "by_card": folder / "by-card.png",
    }
    for path in paths.values():
        require_writable(path)
    write_atomically(paths["outcomes"], markdown(found).encode())
    write_atomically(paths["outcomes_json"], json.dumps(found.facts(), indent=1).encode())
    payoffs_by_position(found, paths["by_position"])
    payoffs_by_card(found, paths["by_card"])
    return dict(paths)
