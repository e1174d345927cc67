"""A session as a picture: cumulative winnings, and statistics by position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.pictures import blank_figure, write_figure
from regretless.play.histories.session import Session

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 4000  # per line: more than a picture can show
BLUE, GREEN, RED, GREY = "#2b6cb0", "#2f855a", "#c53030", "#4a5568"


def picture(session: Session, player: str, path: str | Path | None = None) -> Figure:
    """Cumulative winnings of a player, and VPIP, PFR and 3-bet by position."""

    session.require(player)
    figure = blank_figure((11, 4.5))
    course, habits = figure.subplots(1, 2, width_ratios=(3, 2))
    won = np.array(session.course, dtype=np.float64)
    shown = np.array(session.course_shown, dtype=bool)
    hands = np.arange(len(won) + 1)
    step = max(1, len(hands) // POINTS)
    for name, colour, part in (
        ("all hands", GREEN, won),
        ("at showdown", BLUE, np.where(shown, won, 0.0)),
        ("without showdown", RED, np.where(shown, 0.0, won)),
    ):
        line = np.concatenate([[0.0], np.cumsum(part)])
        course.plot(hands[::step], line[::step], color=colour, label=name, lw=1.4)
    course.axhline(0, color=GREY, lw=0.6)
    course.set_xlabel("hands")
    course.set_ylabel("big blinds won")
    course.set_title(player)
    course.legend(frameon=False)
    rows = list(session.by_position(player))
    places = np.arange(len(rows))
    for shift, (key, name, colour) in enumerate(
        (("vpip", "VPIP", GREEN), ("pfr", "PFR", BLUE), ("three_bet", "3-bet", RED))
    ):
        shares = [100 * (each.facts()[key] or 0) for _, each in rows]
        habits.bar(places + 0.27 * (shift - 1), shares, 0.25, color=colour, label=name)
    habits.set_xticks(places, [f"{seat}\n{each.hands:,}" for seat, each in rows])
    habits.set_ylabel("% of hands")
    habits.set_title("by position, with hands")
    habits.legend(frameon=False)
    for axes in (course, habits):
        axes.spines[["top", "right"]].set_visible(False)
    if path is not None:
        write_figure(figure, path)
    return figure
