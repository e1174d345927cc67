"""A match from its description to its result, with an optional log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from regretless.core.errors import BadInput, BadParameter, WrongGame, shown, within
from regretless.core.interrupts import heard
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.entrants import simple_names
from regretless.evaluation.statistics import Estimate
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.kernels.compiled import announced
from regretless.play.agents import _saved
from regretless.play.agents._agent import Agent
from regretless.play.agents._catalog import Seatable, agents, called, text_of
from regretless.play.deals import MOST_SEED
from regretless.play.fixture import Fixture
from regretless.play.following import can_follow
from regretless.play.histories.acpc_log import check_name, read_log, write_hand
from regretless.play.match import play_match, require_distinct
from regretless.play.match_log import MatchLog
from regretless.play.records import Hand
from regretless.play.rules import rules_of
from regretless.play.score import Score, unit
from regretless.play.variance_reduction import Recount
from regretless.play.win_rates import WinRates, picture
from regretless.strategy.strategy import Strategy

_GLIMPSE = 256  # hands between progress reports


class Stop(StrEnum):
    """Why a match ended."""

    COMPLETE = "all hands played"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, kw_only=True)
class Match:
    """Everything that the hands of a match depend on. Agents and names are by seat.

    An agent is a name, a file, a Strategy or an Agent; a game is a spec or a Game."""

    game: str | Game
    agents: tuple[Seatable, ...]
    hands: int
    seed: int = 0
    rotate: bool = True
    duplicate: bool = False
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what, given in (("agents", self.agents), ("names", self.names)):
            if not isinstance(given, tuple | list):
                raise BadParameter(f"{what}={shown(given)}: must be a tuple, one per seat")
            object.__setattr__(self, what, tuple(given))
        if not self.names:
            object.__setattr__(self, "names", tuple(called(self.agents)))
        if not isinstance(self.game, str | Game):
            raise BadParameter(f"game={shown(self.game)}: must be a text or a Game")
        within("seed", self.seed, 0, MOST_SEED)
        for name in self.names:
            check_name(name)
        require_distinct(self.names)

    @property
    def spec(self) -> str:
        """The game, as named in a log."""
        return self.game if isinstance(self.game, str) else self.game.spec

    @property
    def way(self) -> str:
        """How seats and deals are combined, in one word."""
        return "duplicate" if self.duplicate else "rotating" if self.rotate else "fixed"

    def fixture(self) -> Fixture:
        """The match without its agents."""
        agents_ = " ".join(map(text_of, self.agents))
        return Fixture(
            name="-vs-".join(self.names),
            game=self.spec,
            rules=rules_of(self.game),
            hands=self.hands,
            seed=self.seed,
            names=self.names,
            rotate=self.rotate,
            duplicate=self.duplicate,
            comments=(f"agents {agents_}", f"seats {self.way} {'|'.join(self.names)}"),
        )

    def run(
        self,
        *,
        log: str | Path | None = None,
        resume: bool = False,
        aivat: bool = False,
        listen: Listener = nobody,
    ) -> Result:
        """Play it, or what is missing in its log. Ctrl-C ends it early and keeps the log.

        `aivat` adds a variance-reduced result, if the strategy of an agent is known, the game is
        small enough to enumerate, and the match is not duplicate."""
        started = time.perf_counter()
        if resume and log is None:
            raise BadInput("a match can only be resumed from its log: no log is given")
        rules = rules_of(self.game)
        ways: dict[str, Any] = {"rotate": self.rotate, "duplicate": self.duplicate}
        score = Score(rules.players, **ways)
        with announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))):
            seated = agents(self.agents, self.game, seed=self.seed)
            play = partial(play_match, rules, seated, seed=self.seed, names=self.names, **ways)
            play(hands=self.hands)  # reports errors before a log is created
            opened = None
            if log is not None:
                opened = MatchLog(Path(log), self.fixture(), resume=resume)
                score = opened.score
            rates = WinRates(rules.players, rotate=self.rotate, duplicate=self.duplicate)
            with opened or nullcontext():
                recount = self._recount(seated) if aivat else None
                stop = self._play(play, score, opened, _counting(recount, rates), listen)
            seconds = time.perf_counter() - started
            # After Ctrl-C nothing long begins, and this may compile kernels.
            wanted = recount if score.hands > 1 and stop is Stop.COMPLETE else None
            corrected = _corrected(wanted, listen) if wanted is not None else {}
        name, chips = unit(rules)
        return Result(self, score, stop, seconds, name, chips, log, corrected, rates)

    def _recount(self, seated: Sequence[Agent]) -> Recount | None:
        """Collects hands for AIVAT, if the strategy of an agent is known."""
        given = zip(self.names, self.agents, seated, strict=True)
        known: dict[str, str | Strategy] = {
            name: agent.strategy if isinstance(agent, _saved.Agent) else str(told)
            for name, told, agent in given
            if isinstance(agent, _saved.Agent) or told in simple_names()
        }
        game = load(self.game) if isinstance(self.game, str) else self.game
        return Recount(game, known) if known and not self.duplicate and can_follow(game) else None

    def _play(
        self,
        play: Callable[..., Iterator[Hand]],
        score: Score,
        log: MatchLog | None,
        count: Callable[[Hand], None],
        listen: Listener,
    ) -> Stop:
        try:
            hands = play(hands=self.hands) if log is None else self._take_up(play, log, count)
            first, started = score.hands, time.perf_counter()
            for hand in hands:
                if log is not None:
                    log.write(write_hand(hand) + "\n")
                score.add(hand)
                count(hand)
                if score.hands % _GLIMPSE == 0:
                    listen(self._progress(score.hands, first, time.perf_counter() - started))
            if log is not None:
                log.finish(score)
        except KeyboardInterrupt:
            heard()
            return Stop.INTERRUPTED
        return Stop.COMPLETE

    def _take_up(
        self,
        play: Callable[..., Iterator[Hand]],
        log: MatchLog,
        count: Callable[[Hand], None],
    ) -> Iterator[Hand]:
        """Count the hands of a log, and return those that follow.

        The last is played again: the agents must be the same, and must have learned the same."""
        last = None
        for last in log.hands():
            count(last)
        if last is None:
            log.begin()
            return play(hands=self.hands)
        done = log.score.hands
        before = islice(read_log(log.path), done - 1)
        hands = play(hands=max(self.hands, done), first=done - 1, before=before)
        again = next(hands)
        if write_hand(again) != write_hand(last):
            raise BadInput(
                f"{log.path}: hand {last.number} was {write_hand(last)!r} and is now "
                f"{write_hand(again)!r}: agents have changed"
            )
        log.begin()
        return hands

    def _progress(self, hands: int, first: int, seconds: float) -> Progress:
        speed = (hands - first) / max(seconds, 1e-9)
        left = (self.hands - hands) / speed
        stage = f"{hands:,} of {self.hands:,} hands"
        return Progress(stage, speed=speed, done=hands / self.hands, seconds_left=left)


@dataclass(frozen=True)
class Result:
    """The winnings. Results are in thousandths of `unit`, which is `unit_chips` chips."""

    match: Match
    score: Score
    stop: Stop
    seconds: float
    unit: str
    unit_chips: int
    log: str | Path | None
    aivat: dict[str, Estimate]  # by name; empty if it was not computed
    rates: WinRates

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw how the winnings per hand have developed, with 95 % bands."""
        title = f"{self.match.spec}, {self.score.hands:,} hands"
        return picture(self.rates.course(), self.match.names, title, path)

    def facts(self) -> dict[str, Any]:
        """Everything, as plain values."""
        match, score = self.match, self.score
        told = [text_of(one) for one in match.agents]
        rows = zip(match.names, told, score.totals(), score.means(), score.intervals(), strict=True)
        return {
            "game": match.spec,
            "hands": score.hands,
            "of_hands": match.hands,
            "samples": score.samples,
            "seed": match.seed,
            "seats": match.way,
            "stop": str(self.stop),
            "seconds": self.seconds,
            "unit": f"milli-{self.unit}",
            "players": [
                {
                    "seat": seat,
                    "name": name,
                    "agent": agent,
                    "chips": chips,
                    "chips_per_hand": mean,
                    "chips_per_hand_half_width": half,
                    "milli_per_hand": self._milli(mean),
                    "milli_per_hand_half_width": self._milli(half),
                    "aivat": self._corrected(name),
                }
                for seat, (name, agent, chips, mean, half) in enumerate(rows, start=1)
            ],
            "log": str(self.log) if self.log is not None else None,
        }

    def _corrected(self, name: str) -> dict[str, float | None] | None:
        if name not in self.aivat:
            return None
        estimate = self.aivat[name]
        return {
            "chips_per_hand": estimate.mean,
            "chips_per_hand_half_width": estimate.half_width,
            "milli_per_hand": self._milli(estimate.mean),
            "milli_per_hand_half_width": self._milli(estimate.half_width),
            "times_smaller": estimate.gain if isfinite(estimate.gain) else None,
        }

    def _milli(self, chips: float | None) -> float | None:
        return None if chips is None else 1000 * chips / self.unit_chips


def _counting(recount: Recount | None, rates: WinRates) -> Callable[[Hand], None]:
    """What is done with every hand besides the score."""

    def count(hand: Hand) -> None:
        rates.add(hand)
        if recount is not None:
            recount.add(hand)

    return count


def _corrected(recount: Recount, listen: Listener) -> dict[str, Estimate]:
    """The variance-reduced result. Ctrl-C skips it: the match itself is over."""
    listen(Progress("reducing variance (AIVAT)", done=1.0))
    try:
        return recount.estimates()
    except (KeyboardInterrupt, WrongGame):  # or strategies whose games name cards differently
        heard()
        return {}
