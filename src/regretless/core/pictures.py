"""Pictures need Matplotlib, which is an extra because of its size. The ending of a file's name
chooses its format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from regretless.core.errors import BadFile, BadInput
from regretless.core.files import require_writable, write_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def blank_figure(inches: tuple[float, float]) -> Figure:
    """A figure to draw on; if Matplotlib is missing, the error says how to install it."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("pictures need Matplotlib: pip install 'regretless[pictures]'") from None
    figure = Figure(figsize=inches, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def require_matplotlib() -> None:
    """Say that it is missing before any work is done."""
    blank_figure((1, 1))


def require_picture(path: str | Path) -> str:
    """The format of a picture; refuse an unsupported one before any work is done."""
    require_writable(path)
    kinds = blank_figure((1, 1)).canvas.get_supported_filetypes()
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in kinds:
        raise BadFile(path, f"ends in {Path(path).suffix!r}: must be .{', .'.join(sorted(kinds))}")
    return kind


def write_figure(figure: Figure, path: str | Path | None, *, dpi: int = 150) -> Figure:
    """Write a picture, whole or not at all, if a file is named; returns it."""
    if path is not None:
        kind = require_picture(path)
        write_with(path, lambda beside: figure.savefig(beside, dpi=dpi, format=kind))
    return figure


def panels(
    count: int, *, width: float = 5.0, height: float = 4.2
) -> tuple[Figure, tuple[Axes, ...]]:
    """A figure with panels side by side; width and height are of a panel, in inches."""
    figure = blank_figure((width * count, height))
    axes = figure.subplots(1, count, squeeze=False)[0]
    for panel in axes:
        panel.grid(alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
    return figure, tuple(axes)
