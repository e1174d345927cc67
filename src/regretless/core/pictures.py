"""Pictures as files: the ending of the name chooses the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from regretless.core.errors import BadFile
from regretless.core.files import require_writable, write_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def require_picture(path: str | Path) -> str:
    """The format of a picture; refuse an unsupported one before any work is done."""
    from matplotlib.backend_bases import FigureCanvasBase

    require_writable(path)
    kinds = FigureCanvasBase.get_supported_filetypes()
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in kinds:
        raise BadFile(path, f"ends in {Path(path).suffix!r}: must be .{', .'.join(sorted(kinds))}")
    return kind


def write_figure(figure: Figure, path: str | Path, *, dpi: int = 150) -> None:
    """Write a picture, whole or not at all."""
    kind = require_picture(path)
    write_with(path, lambda beside: figure.savefig(beside, dpi=dpi, format=kind))
