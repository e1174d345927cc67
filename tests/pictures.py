"""What a picture must be: one that can be read, with something drawn on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.image import imread


def assert_drawn(path: Path) -> None:
    """A picture in several colours, most of whose height and width is used."""
    pixels = imread(path)[:, :, :3]
    inked = np.abs(pixels - pixels[0, 0]).max(axis=2) > 0.1
    assert inked.any(axis=0).mean() > 0.5
    assert inked.any(axis=1).mean() > 0.5
    assert len(np.unique(np.round(pixels[inked] * 7), axis=0)) > 3
