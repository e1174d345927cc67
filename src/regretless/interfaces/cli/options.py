"""Options and arguments that several commands share, each declared once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="print the result as one JSON object")]
StrategyFile = Annotated[Path, typer.Argument(help="strategy file")]
GameOfFile = Annotated[
    str | None, typer.Option("--game", help="the game, if its file has moved or is a Python file")
]
StrategyOut = Annotated[Path | None, typer.Option("--out", help="strategy file to write")]
Force = Annotated[bool, typer.Option("--force", help="replace --out if it exists")]
Method = Annotated[
    str | None,
    typer.Option(help="algorithm with parameters, e.g. dcfr:alpha=2; see `regretless methods`"),
]
Form = Annotated[str, typer.Option(help="game representation: auto, sequence or public")]
Threads = Annotated[int, typer.Option(help="number of threads (public forms and blueprints)")]
Target = Annotated[
    str | None,
    typer.Option(help="stop at this exploitability; for spots also in % of the pot: 0.5%"),
]
Iterations = Annotated[int | None, typer.Option(help="stop after this many iterations")]
Seconds = Annotated[float | None, typer.Option(help="stop after this many seconds")]
SamplingSeed = Annotated[
    int | None, typer.Option("--seed", help="random seed, for sampling methods (default: 0)")
]
Fixed = Annotated[
    bool, typer.Option("-f", "--fixed", help="seats keep their positions; by default they rotate")
]
Log = Annotated[Path | None, typer.Option(help="write all hands to this log, in ACPC format")]
Continue = Annotated[
    bool, typer.Option("--continue", help="continue what the log holds; more hands extend it")
]
Translation = Annotated[
    str, typer.Option(help="how to map off-tree bets: pseudo-harmonic or geometric")
]
Board = Annotated[str, typer.Argument(help="0, 3, 4 or 5 cards, e.g. Td9d6h")]


def require_new(out: Path | None, *, force: bool, resumed: Path | None = None) -> None:
    """Refuse to replace a file that holds somebody's work."""
    from regretless.core.errors import BadParameter

    if out is not None and not force and out != resumed and out.is_file():
        raise BadParameter(f"--out {out}: exists already; add --force to replace it")


def require_outputs(
    outputs: Mapping[str, Path | None], inputs: Mapping[str, str | Path | None]
) -> None:
    """Refuse, before any work, outputs that cannot be written or are also inputs.

    Outputs are named by their options, inputs by what they are."""
    from regretless.core.files import require_distinct, require_writable
    from regretless.core.pictures import require_picture

    require_distinct(outputs, inputs)
    for option, path in outputs.items():
        if path is not None:
            require_picture(path) if option.startswith("--plot") else require_writable(path)
