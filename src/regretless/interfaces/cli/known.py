"""`histories --known`: variance-reduced winnings (AIVAT), given the strategies of some players."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from regretless.core.errors import BadFile, BadInput, BadParameter, RegretlessError
from regretless.core.tables import Column, Table
from regretless.evaluation.entrants import simple_names
from regretless.evaluation.statistics import Estimate
from regretless.games._catalog import load
from regretless.games._poker import poker_game
from regretless.games._state import Game
from regretless.interfaces.cli.history_tables import unit_name
from regretless.play.agents._catalog import require_named
from regretless.play.histories.reading import Recorded
from regretless.play.histories.summary import Summary, Unit
from regretless.play.variance_reduction import Recount
from regretless.runs.opening import on_its_form
from regretless.strategy.strategy import Strategy

EVERY = 2_000  # hands processed at a time
DOUBT = 4.0  # standard errors between the plain and the corrected mean
LARGE = 200_000  # nodes of a game whose enumeration is announced


class Known:
    """Variance-reduced winnings, given the strategies of some players."""

    def __init__(self, texts: Sequence[str], game: str | None) -> None:
        self.players = _read(texts, game)
        self.game = _game(self.players, game)
        self._recount: Recount | None = None
        self._source, self._waiting = "", 0
        self.estimates: dict[str, Estimate] = {}

    def add(self, recorded: Recorded) -> None:
        """Count a hand; errors name the file that the hand is from."""
        if self._recount is None:
            game = self.game or _game_of(recorded)
            if game.count is not None and game.count().nodes > LARGE and sys.stderr.isatty():
                sys.stderr.write(f"enumerating {game.spec} …\n")
            self._recount = Recount(game, self.players)
        if recorded.source != self._source or self._waiting >= EVERY:
            self._settle()
            self._source = recorded.source
        self._recount.add(recorded.hand)
        self._waiting += 1

    def finish(self) -> None:
        """Process the remaining hands, and estimate."""
        if self._recount is not None:
            self._settle()
            self.estimates = self._recount.estimates()
            self._doubt()

    def facts(self, name: str, unit: Unit | None) -> dict[str, Any] | None:
        """The numbers of a player, as plain values."""
        if name not in self.estimates:
            return None
        estimate, scale = self.estimates[name], 1000 / unit[1] if unit else None
        return {
            "known": name in self.players,
            "chips_per_hand": estimate.mean,
            "chips_per_hand_half_width": estimate.half_width,
            "milli_units_per_hand": estimate.mean * scale if scale else None,
            "milli_units_per_hand_half_width": estimate.half_width * scale if scale else None,
            "times_smaller": estimate.gain if isfinite(estimate.gain) else None,
        }

    def tables(self, summary: Summary) -> Iterator[Table]:
        """One table, with the players in the same order as in the others."""
        unit = summary.unit
        one = len(self.players) == 1
        who = f"{'strategy' if one else 'strategies'} of {' and '.join(self.players)}"
        title = f"variance-reduced (AIVAT), given the {who}"
        chips = [Column("chips/hand", "+z,.4f"), Column("±", ",.4f")]
        milli = [Column(unit_name(unit), "+z,.1f"), Column("±", ",.1f")] if unit else []
        rows = []
        for name in [name for name, _, _ in summary.players() if name in self.estimates]:
            estimate = self.estimates[name]
            scales = (1.0, *([1000 / unit[1]] if unit else []))
            numbers = [n * scale for scale in scales for n in (estimate.mean, estimate.half_width)]
            rows.append((name, *numbers, estimate.gain if isfinite(estimate.gain) else "exact"))
        yield Table(title, ("player", *chips, *milli, Column("times smaller", ",.1f")), rows)

    def _doubt(self) -> None:
        """Warn if the plain and the corrected mean are implausibly far apart."""
        for name, estimate in self.estimates.items():
            far = DOUBT * (estimate.standard_error + estimate.plain_standard_error)
            if abs(estimate.mean - estimate.plain_mean) > far:
                sys.stderr.write(
                    f"regretless: {name} won {estimate.plain_mean:+.4f} chips per hand, but "
                    f"{estimate.mean:+.4f} was expected: are these the strategies that "
                    "were played?\n"
                )
                return

    def _settle(self) -> None:
        assert self._recount is not None
        self._waiting = 0
        try:
            self._recount.settle()
        except BadFile:
            raise
        except RegretlessError as error:
            raise BadInput(f"{self._source}: {error}" if self._source else str(error)) from error


def _read(texts: Sequence[str], game: str | None) -> dict[str, str | Strategy]:
    """Strategies by name, from NAME=FILE."""
    strategies: dict[str, str | Strategy] = {}
    for text in texts:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise BadParameter(f"--known {text!r}: must be NAME=FILE, e.g. ann=leduc.strategy")
        if name in strategies:
            raise BadParameter(f"--known {text!r}: {name} is given twice")
        require_named(file)
        strategies[name] = file if file in simple_names() else on_its_form(file, game=game)
    return strategies


def _game(players: dict[str, str | Strategy], game: str | None) -> Game | None:
    """The given game, or that of the first strategy."""
    specs = [one.form.spec for one in players.values() if isinstance(one, Strategy)]
    return load(game or specs[0]) if game or specs else None


def _game_of(recorded: Recorded) -> Game:
    """The game of a log, if no strategy names it."""
    if recorded.rules is None:
        raise BadInput(f"--known: {recorded.source} does not name its game: add --game")
    return poker_game(f"of {recorded.source}", recorded.rules)
