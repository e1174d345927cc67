"""Pictures as files: formats that matplotlib knows, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from regretless.core.errors import BadFile
from regretless.core.files import require_writable, write_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 150


def require_picture(path: str | Path) -> None:
    """Refuse an unsupported picture format before any work is done."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes()
    if Path(path).suffix.lstrip(".") not in kinds:
        raise BadFile(path, f"ends in {Path(path).suffix!r}: must be .{', .'.join(sorted(kinds))}")


def write_figure(figure: Figure, path: str | Path) -> None:
    """Write a picture."""
    require_writable(path)
    require_picture(path)
    kind = Path(path).suffix.lstrip(".")
    write_with(path, lambda beside: figure.savefig(beside, dpi=DOTS_PER_INCH, format=kind))
