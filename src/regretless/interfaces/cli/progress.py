"""A progress bar on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, Task, TextColumn
from rich.progress import Progress as RichProgress
from rich.progress_bar import ProgressBar

from regretless.core.errors import BadFile, printable
from regretless.core.progress import Progress
from regretless.runs.limits import Stop

if TYPE_CHECKING:
    from regretless.runs.solution import Solution

EVERY_S = 2.0  # between two counts of hands
MUCH = 60  # characters of facts that leave no room for a bar in 80 columns


class Bar:
    """Stage, bar, iteration, exploitability, speed and time left."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self.rich = RichProgress(
            TextColumn("{task.description}", markup=False),
            _RoomyBar(bar_width=24),
            TextColumn("{task.fields[facts]}", markup=False),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self.task = self.rich.add_task("starting", total=1.0, facts="")
        self.said: set[str] = set()

    def __enter__(self) -> Self:
        self.rich.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.rich.stop()

    def show(self, progress: Progress) -> None:
        """Draw the state of the run. Without a terminal only compilation and notices are shown."""
        if progress.notice:
            self.console.print(printable(progress.stage), markup=False, highlight=False)
            return
        if not self.console.is_terminal:
            if progress.stage.startswith("compiling") and not self.said:
                self.said.add(progress.stage)
                self.console.print("compiling kernels, once per machine …", highlight=False)
            return
        facts = []
        if progress.iteration:
            word = "it." if progress.news else "iterations"
            facts.append(f"{progress.iteration:,} {word}")
        if progress.news:
            facts.append(progress.news)
        elif progress.exploitability is not None:
            facts.append(f"exploitability {progress.exploitability:.2e}")
        if progress.speed and not progress.news:
            facts.append(f"{progress.speed:,.0f}/s")
        if progress.seconds_left is not None and not progress.news:
            facts.append(f"{_span(progress.seconds_left)} left")
        self.rich.update(
            self.task,
            description=printable(progress.stage),
            completed=progress.done,
            facts="  ".join(facts),
        )


class Count:
    """How many hands so far, on a terminal only, and only if that takes long."""

    def __init__(self) -> None:
        self.wanted = sys.stderr.isatty()
        self._started = self._told = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def show(self, hands: int, expected: int = 0) -> None:
        now = time.monotonic()
        if self.wanted and now - self._told > EVERY_S:
            self._told = now
            of = f" of {expected:,}" if expected >= hands else ""
            self._tell(f"\r{hands:,}{of} hands  {hands / (now - self._started):,.0f}/s ")

    def __exit__(self, *_: object) -> None:
        if self._told > self._started:
            self._tell("\r\x1b[K")

    def _tell(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a match continues even if nobody reads this
            sys.stderr.write(text)
            sys.stderr.flush()


class _RoomyBar(BarColumn):
    """A bar that disappears when the facts need its room."""

    def render(self, task: Task) -> ProgressBar:
        bar = super().render(task)
        if len(task.fields["facts"]) > MUCH:
            bar.width = 1
        return bar


def kept(solution: Solution) -> Solution:
    """Save an unfinished run even without --out, under the name of the game."""
    if solution.stop not in (Stop.INTERRUPTED, Stop.FAILED) or solution.out is not None:
        return solution
    stem = Path(solution.game.partition(":")[0]).name or "solution"
    path = Path(f"{stem}.strategy")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"{stem}.{number}.strategy")
    try:
        solution.save(path)
    except BadFile as error:  # a read-only folder: the result is still shown
        sys.stderr.write(f"{solution.stop}: the run could not be saved: {error}\n")
        return solution
    if solution.stop is Stop.FAILED:
        sys.stderr.write(f"{solution.stop}: continue with `regretless solve --resume {path}`\n")
    return replace(solution, out=str(path))


def _span(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 1e6 else "days"
