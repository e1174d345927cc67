"""What every position earns in every seating: computed over all deals, or played.

Computed: what player i's sequences earn against given opponents is one gradient, shared by
all of i's strategies; its product with i's plan is the value.
Played: every deal is played in every seating. Errors come from sums over batches of deals,
so they hold for any mean over seatings, although these are dependent."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import within
from regretless.core.interrupts import heard
from regretless.core.memory import require
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.seatings import Mix, Places
from regretless.evaluation.statistics import CONFIDENCE_95, batch_error
from regretless.forms.form import Form, own, plan_of
from regretless.forms.tree import GameTree
from regretless.kernels import sampling as kernels

MOST_BATCHES = 1024  # the standard error of 1024 batch means is itself known to 2 %
MOST_CELLS = 1 << 24  # numbers kept for all batches
LEAST_BATCHES = 32
CHUNK_S = 0.2  # between checks of the clock and of Ctrl-C
MOST_DEALS = 10**10  # a batch is one call, which Ctrl-C cannot interrupt
LARGEST_SEED = 2**63 - 1


class Cell(NamedTuple):
    """A mean payoff and half of its 95 % interval; `plain`: with independent deals."""

    mean: float
    half_width: float = 0.0
    plain: float = 0.0


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Mean payoffs [seating, position], and the sums behind their errors."""

    means: Floats
    sizes: Ints  # deals in every batch; none where payoffs were computed
    sums: Floats  # [batch, seating, position]
    squares: Floats  # [seating, position]

    @property
    def deals(self) -> int:
        return int(self.sizes.sum())

    def mean(self, mix: Mix) -> Cell:
        """A mean over seatings and positions, with its error."""
        value = float(self.means.ravel()[mix.places] @ mix.weights)
        if not self.deals:
            return Cell(value)
        by_batch = self.sums.reshape(len(self.sizes), -1)[:, mix.places] @ mix.weights
        error = float(batch_error(by_batch, self.sizes))
        # A place may occur in several of the combined means: add its weights before squaring.
        places, where = np.unique(mix.places, return_inverse=True)
        weights = np.bincount(where, mix.weights)
        variances = self.squares.ravel()[places] / self.deals - self.means.ravel()[places] ** 2
        plain = np.sqrt(np.sum(weights**2 * np.maximum(variances, 0.0)) / max(self.deals - 1, 1))
        return Cell(value, CONFIDENCE_95 * error, CONFIDENCE_95 * float(plain))


def computed(
    form: Form,
    behaviours: Sequence[Floats],
    seatings: Sequence[Places],
    *,
    listen: Listener = nobody,
) -> Payoffs:
    """Expected payoffs over all deals."""
    plans = [plan_of(form, np.asarray(behaviour, dtype=np.float64)) for behaviour in behaviours]
    means = np.empty((len(seatings), form.players))
    # In a zero-sum game the last position earns what the others lose.
    counted = form.players - 1 if form.zero_sum else form.players
    joint, gradient = np.empty_like(plans[0]), np.empty_like(plans[0])
    for player in range(counted):
        against: dict[Places, list[int]] = {}
        for number, places in enumerate(seatings):
            against.setdefault(places[:player] + places[player + 1 :], []).append(number)
        mine = own(form, player)
        for done, numbers in enumerate(against.values()):
            listen(Progress("evaluating", done=(player + done / len(against)) / counted))
            for rival in range(form.players):
                there = own(form, rival)
                joint[there] = plans[seatings[numbers[0]][rival]][there]
            form.gradient(player, joint, gradient)
            for number in numbers:
                means[number, player] = plans[seatings[number][player]][mine] @ gradient[mine]
    if form.zero_sum:
        means[:, -1] = -means[:, :-1].sum(axis=1)
    return Payoffs(means, np.zeros(0, np.int64), np.empty(0), np.empty(0))


def played(
    tree: GameTree,
    behaviours: Sequence[Floats],
    seatings: Sequence[Places],
    *,
    deals: int,
    seed: int = 0,
    listen: Listener = nobody,
) -> Payoffs:
    """Payoffs of played hands, every deal in every seating.

    Ctrl-C stops after the deals done so far. The result depends only on the seed and the
    number of deals."""
    within("seed", seed, 0, LARGEST_SEED)
    choices = np.stack([tree.running_sums(behaviour) for behaviour in behaviours])
    places = np.array(seatings, dtype=np.int32)

    def play(bounds: Ints, sums: Floats, squares: Floats) -> None:
        # Without the compiler, NumPy would warn of every product that overflows 64 bits.
        with np.errstate(over="ignore"):
            kernels.play_batches(tree.tree, choices, places, seed, bounds, sums, squares)

    return in_batches(play, (len(seatings), tree.form.players), deals, listen)


def in_batches(
    play: Callable[[Ints, Floats, Floats], None],
    shape: tuple[int, int],
    deals: int,
    listen: Listener,
) -> Payoffs:
    """Payoffs of this shape, [seating, position], of deals that are played in batches.

    `play(bounds, sums, squares)` plays the next ones: batch b has the deals from bounds[b] on, and
    its payoffs are added to sums[b] and squares[b]. Ctrl-C ends it with those that are done."""
    within("hands", deals, 2, MOST_DEALS)
    cells = prod(shape)
    batches = min(deals, MOST_BATCHES, max(LEAST_BATCHES, MOST_CELLS // cells))
    require(2 * 8 * batches * cells, f"{shape[0]:,} seatings in {batches} batches")
    bounds = np.array([batch * deals // batches for batch in range(batches + 1)])
    sums = np.zeros((batches, *shape))
    squares = np.zeros_like(sums)
    done, step, started = 0, 1, time.perf_counter()
    try:
        while done < batches:
            before, end = time.perf_counter(), min(done + step, batches)
            play(bounds[done : end + 1], sums[done:end], squares[done:end])
            done = end
            if time.perf_counter() - before < CHUNK_S / 2:
                step *= 2
            share, spent = done / batches, time.perf_counter() - started
            speed, left = int(bounds[done]) * shape[0] / spent, spent * (1 - share) / share
            listen(Progress("playing", speed=speed, done=share, seconds_left=left))
    except KeyboardInterrupt:
        if done < 2:
            raise
        heard()
    return Payoffs(
        means=sums[:done].sum(axis=0) / bounds[done],
        sizes=np.diff(bounds[: done + 1]),
        sums=sums[:done],
        squares=squares[:done].sum(axis=0),
    )
