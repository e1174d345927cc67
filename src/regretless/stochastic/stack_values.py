"""What the stacks of a tournament are worth: three models, deals, and bubble factors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.counts import counted
from regretless.core.errors import BadParameter, number
from regretless.core.tables import Column, Estimated, Shown, Table
from regretless.games._icm import MOST_PLAYERS, expected_prizes, require_prizes, weitzman

SAMPLES = 200_000  # finishing orders, of more players than can be summed
NORMAL_95 = 1.959964  # half the width of a 95 % interval, in standard errors
MOST_BUBBLES = 12  # players: two all-ins per pair are valued
BATCH = 10_000


@dataclass(frozen=True)
class StackValues(Shown):
    """Expected prizes of all players; up to 20 of them are summed exactly."""

    stacks: tuple[float, ...]
    payouts: tuple[float, ...]
    values: tuple[float, ...]  # independent chip model (Malmuth-Harville)
    half_widths: tuple[float, ...]  # of 95 % confidence intervals, if sampled; otherwise empty
    malmuth_weitzman: tuple[float, ...]  # empty if there are too many players

    @cached_property
    def chips(self) -> tuple[float, ...]:
        """All prizes in proportion to the chips."""
        return tuple(stack * sum(self.payouts) / sum(self.stacks) for stack in self.stacks)

    @cached_property
    def chop(self) -> tuple[float, ...]:
        """A deal by chips: everyone gets the lowest prize left, and a share of the rest."""
        players = len(self.stacks)
        least = self.payouts[players - 1] if len(self.payouts) >= players else 0.0
        rest = sum(self.payouts) - players * least
        return tuple(least + stack * rest / sum(self.stacks) for stack in self.stacks)

    @cached_property
    def bubble_factors(self) -> tuple[tuple[float | None, ...], ...]:
        """[player, opponent] what an all-in costs when lost, over what it gains when won."""
        if len(self.stacks) > MOST_BUBBLES:
            return ()
        return tuple(
            tuple(self._bubble(one, other) for other in range(len(self.stacks)))
            for one in range(len(self.stacks))
        )

    def _bubble(self, one: int, other: int) -> float | None:
        if one == other:
            return None
        rows = np.array([self.stacks] * 3)
        risk = min(self.stacks[one], self.stacks[other])
        rows[1, [one, other]] += risk, -risk
        rows[2, [one, other]] += -risk, risk
        now, won, lost = expected_prizes(rows, self.payouts, self.stacks)[:, one].tolist()
        return (now - lost) / (won - now) if won > now else None

    def tables(self) -> list[Table]:
        """One row per player; then the bubble factors."""
        rows = [
            (
                str(player + 1),
                stack,
                stack / sum(self.stacks),
                Estimated(self.values[player], self.half_widths[player])
                if self.half_widths
                else self.values[player],
                self.malmuth_weitzman[player] if self.malmuth_weitzman else None,
                self.chips[player],
                self.chop[player],
            )
            for player, stack in enumerate(self.stacks)
        ]
        columns = (
            "player",
            Column("stack", ",g"),
            Column("chips", ".2%"),
            Column("ICM", ".4f"),
            Column("Malmuth-Weitzman", ".4f"),
            Column("by chips", ".4f"),
            Column("chip chop", ".4f"),
        )
        made = [Table("", columns, rows)]
        if self.bubble_factors:
            names = [str(player + 1) for player in range(len(self.stacks))]
            factors = [(name, *row) for name, row in zip(names, self.bubble_factors, strict=True)]
            against = [Column(f"v. {name}", ".2f") for name in names]
            made.append(Table("bubble factors", ("player", *against), factors))
        return made


def icm(stacks: Sequence[float], payouts: Sequence[float], *, seed: int = 0) -> StackValues:
    """The value of every stack; payouts are largest first, and players beyond them get nothing."""
    held = tuple(number("stack", stack) for stack in stacks)
    paid = tuple(number("payout", payout) for payout in payouts)
    if not held or not all(stack > 0 and isfinite(stack) for stack in held):
        raise BadParameter(f"stacks {_listed(held)}: must be positive, one per player")
    if not paid or len(paid) > len(held):
        raise BadParameter(
            f"payouts {_listed(paid)}: must be 1 to {len(held)}, "
            f"as there are {counted(len(held), 'player')}"
        )
    require_prizes(paid)
    if len(held) <= MOST_PLAYERS:
        values = expected_prizes(np.array([held]), paid)[0]
        return StackValues(
            held, paid, tuple(values.tolist()), (), tuple(weitzman(held, paid).tolist())
        )
    means, halves = _sampled(np.array(held), np.array(paid), np.random.default_rng(seed))
    return StackValues(held, paid, tuple(means.tolist()), tuple(halves.tolist()), ())


def _sampled(stacks: Floats, payouts: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Means of sampled finishing orders, and half the widths of their intervals.

    Exponential times with rates in proportion to the stacks end in the order of the model."""
    total, squares = np.zeros((2, len(stacks)))
    for _ in range(SAMPLES // BATCH):
        times = rng.exponential(size=(BATCH, len(stacks))) / stacks
        first = np.argsort(times, axis=1)[:, : len(payouts)]
        won = np.zeros((BATCH, len(stacks)))
        np.put_along_axis(won, first, payouts[None, :].repeat(BATCH, axis=0), axis=1)
        total += won.sum(axis=0)
        squares += (won**2).sum(axis=0)
    means = total / SAMPLES
    spread = np.sqrt(np.maximum(squares / SAMPLES - means**2, 0.0) / (SAMPLES - 1))
    return means, NORMAL_95 * spread


def _listed(amounts: Sequence[float]) -> str:
    return ",".join(f"{amount:g}" for amount in amounts)
