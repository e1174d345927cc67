"""Session statistics by player, position and opponent.

VPIP   hands with money put in voluntarily before the flop, of those with a decision there
PFR    hands raised before the flop, of the same
3-bet  re-raises of a first raise, of the hands that met one before raising themselves
AF     bets and raises per call, after the flop
WTSD   showdowns, of the hands that saw the flop
W$SD   showdowns that won a part of the pot, of those whose result is known
bb/100 big blinds won per hundred hands, of the hands whose result is known

Hands whose winner is hidden do not count in the winnings."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretless.core.errors import UnknownName
from regretless.core.pictures import blank_figure, write_figure
from regretless.play.histories.seen import CENT, SeenHand
from regretless.play.histories.summary import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Note(NamedTuple):
    """What one player did in one hand."""

    decided: int = 0  # had a decision before the flop
    entered: int = 0  # put money in voluntarily
    raised: int = 0  # before the flop
    faced: int = 0  # a first raise, with the option to re-raise
    three_bet: int = 0
    aggressive: int = 0  # bets and raises after the flop
    calls: int = 0  # after the flop
    saw_flop: int = 0
    showdown: int = 0
    won_showdown: int = 0
    blinds_won: float | None = None  # big blinds; None if unknown


def notes(seen: SeenHand) -> list[Note]:
    """What every player did, by position."""
    count = len(seen.names)
    decided, entered, raised = [False] * count, [False] * count, [False] * count
    faced, three_bet = [False] * count, [False] * count
    raises = 0
    for p, letter, _, owed in seen.rounds[0]:
        decided[p] = True
        if raises == 1 and not raised[p]:
            faced[p] = True
            three_bet[p] = three_bet[p] or letter == "r"
        entered[p] = entered[p] or letter == "r" or (letter == "c" and owed > 0)
        if letter == "r":
            raised[p] = True
            raises += 1
    aggressive, calls = Counter[int](), Counter[int]()
    for acts in seen.rounds[1:]:
        for p, letter, _, owed in acts:
            aggressive[p] += letter == "r"
            calls[p] += letter == "c" and owed > 0
    early = {act.position for act in seen.rounds[0] if act.letter == "f"}
    flop, shown, won = bool(seen.boards), seen.showdown, seen.won
    # An uncalled bet that comes back is no part of the pot.
    paid = [chips - back for chips, back in zip(seen.spent, seen.uncalled, strict=True)]
    noted = []
    for p in range(count):
        there = flop and p not in early
        last = there and shown and not seen.folded[p]
        noted.append(
            Note(
                decided=decided[p],
                entered=entered[p],
                raised=raised[p],
                faced=faced[p],
                three_bet=three_bet[p],
                aggressive=aggressive[p],
                calls=calls[p],
                saw_flop=there,
                showdown=last,
                won_showdown=last and won is not None and won[p] + paid[p] > CENT,
                blinds_won=None if won is None else won[p] / seen.posts.big_blind,
            )
        )
    return noted


class Habits:
    """Notes of many hands, summed."""

    def __init__(self) -> None:
        self.hands = self.showdowns_known = 0
        self.won = Tally()  # big blinds, in the hands whose result is known
        self._sums = [0] * len(Note._fields[:-1])

    def add(self, note: Note) -> None:
        self.hands += 1
        self._sums = [before + now for before, now in zip(self._sums, note[:-1], strict=True)]
        if note.blinds_won is not None:
            self.won.add(note.blinds_won)
            self.showdowns_known += note.showdown

    def facts(self) -> dict[str, float | int | None]:
        """Shares are None if there was no opportunity."""
        of = Note(*self._sums)
        known, interval = self.won.hands, self.won.interval
        return {
            "hands": self.hands,
            "vpip": _share(of.entered, of.decided),
            "pfr": _share(of.raised, of.decided),
            "three_bet": _share(of.three_bet, of.faced),
            "aggression": _share(of.aggressive, of.calls),
            "wtsd": _share(of.showdown, of.saw_flop),
            "won_at_showdown": _share(of.won_showdown, self.showdowns_known),
            "bb_per_100": 100 * self.won.mean if known else None,
            "bb_per_100_half_width": None if interval is None else 100 * interval,
            "hands_with_known_result": known,
        }


class Session:
    """Counts hands one by one; for one player also by position and opponent."""

    def __init__(self, player: str | None = None) -> None:
        self.player = player
        self.players: dict[str, Habits] = {}
        self.seats: dict[tuple[str, str], Habits] = {}  # by name and position
        self.opponents: dict[str, Habits] = {}  # of the player, in hands with these opponents
        self.heroes: Counter[str] = Counter()
        self.course = array("f")  # of the player: big blinds won, hand by hand
        self.course_shown = array("b")  # whether that was at a showdown

    def add(self, seen: SeenHand) -> None:
        """Count a hand."""
        if seen.hero >= 0:
            self.heroes[seen.names[seen.hero]] += 1
        noted = notes(seen)
        for p, (name, note) in enumerate(zip(seen.names, noted, strict=True)):
            self._at(self.players, name).add(note)
            self._at(self.seats, (name, seen.seat(p))).add(note)
        if self.player in seen.names:
            own = noted[seen.names.index(self.player)]
            for name in seen.names:
                if name != self.player:
                    self._at(self.opponents, name).add(own)
            if own.blinds_won is not None:
                self.course.append(own.blinds_won)
                self.course_shown.append(own.showdown)

    @staticmethod
    def _at(counted: dict[Any, Habits], key: object) -> Habits:
        habits = counted.get(key)
        if habits is None:
            habits = counted[key] = Habits()
        return habits

    def ranked(self) -> list[str]:
        """Names, by descending number of hands."""
        return sorted(self.players, key=lambda name: (-self.players[name].hands, name))

    def by_position(self, player: str) -> Iterator[tuple[str, Habits]]:
        """Positions of a player, from the small blind to the button."""
        order = ("SB", "BB", "UTG", "UTG+1", "UTG+2", "MP", "MP+1", "HJ", "CO", "BTN")
        for seat in order:
            if (player, seat) in self.seats:
                yield seat, self.seats[player, seat]

    def require(self, player: str) -> None:
        """Refuse a player who has not played."""
        if player not in self.players:
            raise UnknownName("player", player, self.players)

    def facts(self) -> dict[str, Any]:
        """Everything, as plain values."""
        told: dict[str, Any] = {
            "players": {name: self.players[name].facts() for name in self.ranked()},
            "positions": {
                name: {seat: habits.facts() for seat, habits in self.by_position(name)}
                for name in self.ranked()
            },
        }
        if self.player is not None:
            told["player"] = self.player
            told["opponents"] = {
                name: habits.facts()
                for name, habits in sorted(
                    self.opponents.items(), key=lambda pair: (-pair[1].hands, pair[0])
                )
            }
        return told


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


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
    return write_figure(figure, path)
