"""Reports of how strategies win and lose: a table, numbers as JSON, two pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from regretless.core.files import require_writable, write_atomically
from regretless.core.tables import Column, Table, prose
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
