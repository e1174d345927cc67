"""How the winnings per hand of a match have developed, with 95 % bands.

Sums are kept at evenly spaced points, at most `MOST` of them: with more, every second one is
dropped. In a duplicate match the hands of one deal are one sample."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.core.pictures import panels, write_figure
from regretless.evaluation.statistics import CONFIDENCE_95
from regretless.play.match import arrangements
from regretless.play.records import Hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from regretless.core.arrays import Floats

MOST = 400


class Course(NamedTuple):
    """Cumulative winnings per hand of every seat."""

    hands: Floats  # [point]
    means: Floats  # [point, seat] chips per hand
    halves: Floats  # [point, seat] half the 95 % interval; nan before there are two samples


class WinRates:
    """Counts the hands of a match in their order."""

    def __init__(self, players: int, *, rotate: bool = True, duplicate: bool = False) -> None:
        self._seats = arrangements(players, rotate=rotate, duplicate=duplicate)
        self._times = players if duplicate else 1
        self._deal = np.zeros(players)  # of the deal that is being played
        self._sums, self._squares = np.zeros(players), np.zeros(players)
        self._hands = 0
        self._every = 1  # samples between points
        self._points: list[tuple[int, Floats, Floats]] = []  # samples, sums, squares

    def add(self, hand: Hand) -> None:
        """Count the next hand; hands come in order, from number 0."""
        seats = self._seats[self._hands % len(self._seats)]
        for seat, won in zip(seats, hand.payoffs, strict=True):
            self._deal[seat] += won
        self._hands += 1
        if self._hands % self._times:
            return
        self._sums += self._deal
        self._squares += self._deal**2
        self._deal[:] = 0.0
        samples = self._hands // self._times
        if samples % self._every == 0:
            self._points.append((samples, self._sums.copy(), self._squares.copy()))
            if len(self._points) > MOST:
                self._points, self._every = self._points[1::2], 2 * self._every

    def course(self) -> Course:
        """The curve so far."""
        n = np.array([samples for samples, _, _ in self._points], dtype=np.float64)[:, None]
        shape = (len(self._points), len(self._sums))
        sums = np.array([sums for _, sums, _ in self._points]).reshape(shape)
        squares = np.array([squares for _, _, squares in self._points]).reshape(shape)
        with np.errstate(invalid="ignore", divide="ignore"):
            variances = np.maximum(squares - sums**2 / n, 0.0) / (n - 1)
            halves = CONFIDENCE_95 * np.sqrt(variances / n) / self._times
        return Course(n[:, 0] * self._times, sums / n / self._times, halves)


def ahead(course: Course, seat: int) -> int | None:
    """After how many hands a seat's interval is above 0 for the rest of the match; None if not."""
    above = course.means[:, seat] - course.halves[:, seat] > 0
    behind = np.flatnonzero(~above)
    first = int(behind[-1]) + 1 if behind.size else 0
    return int(course.hands[first]) if first < len(above) else None


def picture(
    course: Course, names: Sequence[str], title: str, path: str | Path | None = None
) -> Figure:
    """Lines with bands, one per player."""
    figure, (axes,) = panels(1, width=7.0)
    for seat, name in enumerate(names):
        (line,) = axes.plot(course.hands, course.means[:, seat], label=name)
        low, high = (course.means + sign * course.halves for sign in (-1, 1))
        axes.fill_between(
            course.hands,
            low[:, seat],
            high[:, seat],
            color=line.get_color(),
            alpha=0.2,
            linewidth=0,
        )
    axes.axhline(0.0, color="#888888", linewidth=0.8)
    if len(course.hands):
        # The first hands swing so much that the rest would be a flat line.
        settled = course.means[len(course.hands) // 20 :]
        bands = course.halves[len(course.hands) // 20 :]
        reach = float(np.nanmax(np.abs(settled) + np.nan_to_num(bands), initial=1e-9))
        axes.set_ylim(-1.1 * reach, 1.1 * reach)
    axes.set_xlabel("hands")
    axes.set_ylabel("chips per hand so far, 95 % band")
    axes.set_title(title, fontsize=10, loc="left")
    axes.legend(frameon=False)
    return write_figure(figure, path)
