"""Push/fold charts in the terminal: a 13×13 grid of classes."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from regretless.cards.holdings import class_names
from regretless.evaluation.spot_tables import SIDE, grid_place
from regretless.stochastic.push_fold import PushFold

ALWAYS, NEVER = 0.9995, 0.0005
WIDTH = 7


def grids(found: PushFold) -> Iterator[Text]:
    """Drawn decisions: hands that always jam in bold, mixed ones with a percentage."""
    for position, after in found.drawn:
        lines = [[Text() for _ in range(SIDE)] for _ in range(SIDE)]
        chart = found.chart(position, after).tolist()
        for cell, (name, often) in enumerate(zip(class_names(), chart, strict=True)):
            row, column = grid_place(cell)
            lines[row][column] = _cell(name, often)
        told = f"{found.told(position, after)}: {found.percent(position, after):.3f} %"
        yield Text("\n" + told, style="bold")
        for line in lines:
            yield Text("").join(line)


def _cell(name: str, often: float) -> Text:
    if often >= ALWAYS:
        return Text(name.ljust(WIDTH), style="bold green")
    if often <= NEVER:
        return Text("·".ljust(WIDTH), style="dim")
    return Text(f"{name}:{min(99, max(1, round(100 * often)))}".ljust(WIDTH), style="yellow")
