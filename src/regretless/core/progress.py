"""What long work reports while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a run: what it is doing, how far it is, how long it will take."""

    stage: str
    iteration: int = 0
    exploitability: float | None = None  # as of the last check
    speed: float = 0.0  # iterations per second
    done: float = 0.0  # estimated share of the work
    seconds_left: float | None = None
    news: str = ""  # what the method itself reports
    notice: bool = False  # the stage is worth a line that stays, also without a terminal


Listener: TypeAlias = Callable[[Progress], None]


def nobody(_: Progress) -> None:
    """A listener that ignores everything."""
