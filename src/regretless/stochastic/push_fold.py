"""Push or fold: equilibrium charts of one hand before the flop, in chips or in prizes.

What a player could still gain is measured against the result itself: with exact card removal of
two and three players, and in the model of `dealt_in_turn` with more."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from regretless.cards.holdings import class_names
from regretless.cards.orders import MOST_IN
from regretless.cards.showdowns import holdem_showdowns
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, one_of
from regretless.core.files import write_atomically
from regretless.core.interrupts import interrupted, interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Column, Shown, Table, csv_text
from regretless.forms.dealt_in_turn import TWO, DealtInTurn, dealt_in_turn
from regretless.forms.form import plan_of, uniform
from regretless.forms.jam_fold import JamFoldForm, chips_won, jam_fold_form
from regretless.games._icm import icm_utility
from regretless.games._jam_fold import FOLD, JAM, JamFold
from regretless.solvers._catalog import solver
from regretless.stochastic.in_turn import Reached, play_in_turn
from regretless.stochastic.inner import fictitious_play

CLOSE = 1e-6  # what a player may still gain, as a share of the largest payoff
MOST_ITERATIONS = 1_000
CLOSER, ROUND, MOST_ROUNDS = 3e-9, 200, 25  # of two players
RECENCY = 4.0
JAMS = 1  # of the actions
CLOSE_IN_TURN, MOST_WALKS = 5e-5, 20  # of four and more players
LONG_S = 0.5  # between two reports of progress
MODEL = """Card removal is exact among the at most three players in a pot; folded cards are taken to
be in the deck. After three players are in, the others fold. Epsilon is what a best response
would add in this model."""


@dataclass(frozen=True, eq=False)
class PushFold(Shown):
    """Charts of every position, and what the hand is worth."""

    rules: JamFold
    form: JamFoldForm
    played: Reached
    payouts: tuple[float, ...]  # empty: payoffs are chips
    stopped: bool = False  # by Ctrl-C; what there is has been measured

    @property
    def values(self) -> tuple[float, ...]:
        """[position] chips won, or the expected prize."""
        return tuple(self.played.values.tolist())

    @property
    def gains(self) -> tuple[float, ...]:
        """[position] what a best response would add."""
        return tuple(np.maximum(self.played.gains, 0.0).tolist())

    @cached_property
    def values_bb(self) -> tuple[float, ...]:
        """[position] chips won, in big blinds."""
        return tuple((self.played.chips / self.rules.blinds[1]).tolist())

    @property
    def model(self) -> str:
        """What is exact about the cards, in words."""
        return MODEL if self.rules.players > MOST_IN else "exact card removal"

    def chart(self, position: str, after: str = "") -> Floats:
        """[class] how often a position jams, or calls, after the others' actions, as `fj`."""
        one_of("position", position, self.rules.positions)
        player = self.rules.positions.index(position)
        one_of(f"history before {position}", after, self.rules.decisions[player])
        history = self.rules.decisions[player].index(after)
        plan = self.played.plan[self.form.stage.own(player)]
        jams: Floats = plan[1:].reshape(2, len(self.rules.decisions[player]), -1)[JAMS, history]
        return jams

    def percent(self, position: str, after: str = "") -> float:
        """How often the position jams there, over all hands it may be dealt."""
        return float(100 * self.chart(position, after) @ self.form.stage.showdowns.alone)

    @cached_property
    def decisions(self) -> tuple[tuple[str, str], ...]:
        """All decisions: position, and what was done before."""
        return tuple(
            (position, after)
            for position, histories in zip(self.rules.positions, self.rules.decisions, strict=True)
            for after in histories
        )

    @property
    def drawn(self) -> tuple[tuple[str, str], ...]:
        """Decisions that are drawn: of more than three players those of the first one in."""
        few = self.rules.players <= MOST_IN
        return tuple(one for one in self.decisions if few or set(one[1]) <= {FOLD})

    def told(self, position: str, after: str) -> str:
        """A decision in words."""
        named = zip(self.rules.positions, after, strict=False)
        inside = [name for name, letter in named if letter != FOLD]
        return f"{position} calls {' and '.join(inside)}" if inside else f"{position} jams"

    def facts(self) -> dict[str, Any]:
        """As JSON-compatible data; what the small blind does if folded to, and the big blind."""
        small, big = self.rules.positions[-2:]
        folds = FOLD * (self.rules.players - 2)
        known = {
            "jam_percent": (small, folds),
            "call_percent": (big, folds + JAM),
        }
        shown = {
            name: self.percent(*one) if one in self.decisions else None
            for name, one in known.items()
        }
        return {
            "positions": self.rules.positions,
            "stacks": self.rules.stacks,
            "values": self.values,
            "values_bb": self.values_bb,
            "value_bb": self.values_bb[-2],
            "gains": self.gains,
            **shown,
            "iterations": self.played.iterations,
            "model": self.model,
            "stopped": self.stopped,
            "charts": [
                {
                    "position": position,
                    "after": after,
                    "percent": self.percent(position, after),
                    "jams": dict(
                        zip(class_names(), self.chart(position, after).tolist(), strict=True)
                    ),
                }
                for position, after in self.decisions
            ],
        }

    def tables(self) -> list[Table]:
        """What the hand is worth, and how often each decision jams."""
        unit = "prize" if self.payouts else "chips won"
        rows = [
            (name, stack, value, big, gain)
            for name, stack, value, big, gain in zip(
                self.rules.positions,
                self.rules.stacks,
                self.values,
                self.values_bb,
                self.gains,
                strict=True,
            )
        ]
        columns = (
            "position",
            Column("stack", ",g"),
            Column(unit, "z.5f"),
            Column("bb won", "z.5f"),
            Column("epsilon", ".1e"),
        )
        charts = [(self.told(*one), self.percent(*one)) for one in self.decisions]
        return [
            Table("", columns, rows, MODEL if self.rules.players > MOST_IN else ""),
            Table("", ("decision", Column("hands", ".3f")), charts, "hands in per cent"),
        ]

    def write_csv(self, path: str | Path) -> None:
        """One row per decision and class."""
        rows = [
            (position, after, name, frequency)
            for position, after in self.decisions
            for name, frequency in zip(
                class_names(), self.chart(position, after).tolist(), strict=True
            )
        ]
        text = csv_text(("position", "after", "hand", "jams"), rows)
        write_atomically(path, text.encode())


def pushfold(
    stacks: Sequence[float] | str,
    *,
    blinds: tuple[float, float] | None = None,
    ante: float = 0.0,
    big_blind_ante: float = 0.0,
    payouts: Sequence[float] = (),
    others: Sequence[float] = (),
    listen: Listener = nobody,
) -> PushFold:
    """Charts for stacks in the order in which players act: the small and the big blind are last.

    A text such as `10bb` is one stack for both players heads-up. With payouts, chips are worth what
    the independent chip model says, `others` being the stacks at other tables or not dealt in."""
    given, in_blinds = read_stacks(stacks) if isinstance(stacks, str) else (stacks, False)
    if in_blinds and blinds is not None:
        raise BadParameter("blinds: stacks in big blinds have blinds 0.5 and 1")
    if blinds is None:
        blinds = (0.5, 1.0)
    amounts = [*given] * 2 if len(given) == 1 else [*given]
    rules = JamFold(
        tuple(map(float, amounts)),
        (float(blinds[0]), float(blinds[1])),
        float(ante),
        float(big_blind_ante),
    )
    if others and not payouts:
        raise BadParameter("others: stacks of other players matter only with payouts")
    if len(payouts) > rules.players + len(others):
        raise BadParameter(
            f"{len(payouts)} payouts for {rules.players + len(others)} players: must not be more"
        )
    utility = icm_utility(rules.stacks, payouts, others) if payouts else None
    make = jam_fold_form if rules.players <= MOST_IN else dealt_in_turn
    form = make(rules, holdem_showdowns(min(rules.players, MOST_IN), listen), utility)
    with interrupts() as stopped:
        played = _solved(form, listen)
        return PushFold(rules, form, played, tuple(map(float, payouts)), stopped())


class _Watch:
    """Tells how far it is, and ends it on Ctrl-C."""

    def __init__(self, most: int, listen: Listener) -> None:
        self.most, self.listen, self.told = most, listen, 0.0

    def __call__(self, iteration: int, gain: float) -> bool:
        if time.monotonic() - self.told >= LONG_S:
            self.told = time.monotonic()
            self.listen(Progress("charts", iteration, gain, done=iteration / self.most))
        return interrupted()


def _solved(form: JamFoldForm, listen: Listener) -> Reached:
    """Two players by regret minimisation, which takes no time; more by fictitious play."""
    scale = float(np.ptp(form.utility))
    if isinstance(form, DealtInTurn):
        watch = _Watch(MOST_WALKS, listen)
        return play_in_turn(form, regret=CLOSE_IN_TURN * scale, most=MOST_WALKS, watch=watch)
    if form.players > TWO:
        played = fictitious_play(
            form.stage,
            form.utility,
            uniform(form),
            regret=CLOSE * scale,
            most=MOST_ITERATIONS,
            recency=RECENCY,
            watch=_Watch(MOST_ITERATIONS, listen),
        )
        plan, values, gains, chances, iterations, _ = played
        return Reached(plan, values, gains, iterations, _chips(form, chances))
    learning = solver("scheduled-dcfr", form)
    while True:
        learning.step(ROUND)
        behaviour = learning.behaviour()
        values, best = np.array([form.respond(player, behaviour) for player in range(TWO)]).T
        if (best - values).max() <= CLOSER * scale or learning.iteration >= MOST_ROUNDS * ROUND:
            break
    plan = plan_of(form, behaviour)
    won = _chips(form, form.outcome_chances(plan))
    return Reached(plan, values, best - values, learning.iteration, won)


def _chips(form: JamFoldForm, chances: Floats) -> Floats:
    """[player] chips won on average."""
    won: Floats = chances @ chips_won(form.stage.rules)(form.stage.final_stacks)
    return won


def read_stacks(text: str) -> tuple[list[float], bool]:
    """Stacks such as `10bb`, `10bb,8bb` or `5000,3100`, and whether they are in big blinds."""
    parts = [part.strip() for part in text.split(",")]
    found = [re.fullmatch(r"([0-9]*\.?[0-9]+)(bb)?", part) for part in parts]
    units = {match[2] for match in found if match is not None}
    if None in found or len(units) != 1:
        raise BadParameter(
            f"stacks {text!r}: must be chips such as 5000,3100 or big blinds such as 10bb,8bb"
        )
    return [float(match[1]) for match in found if match is not None], units == {"bb"}
