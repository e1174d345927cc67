"""Counts at buckets of a blueprint, from hands of an opponent that may be hidden.

Expectation maximisation as in hidden_cards.py, for tables over buckets: every observation has the
opponent's actions and the hands that it may have had, each with its bucket in every round. In the E
step an observation is shared among its hands in proportion to how likely they play these actions.
Entry (bucket b, column c) of a table that begins at t and has w columns is number t + b w + c."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel
from regretless.kernels.hand_buckets import BucketTables, bucket_board

TREMBLE = 1e-4  # as in hidden_cards.py
CLOSE, PASSES = 1e-6, 200  # of `tilted`


class Acts(NamedTuple):
    """All actions of all observations."""

    starts: Ints  # [observation] its first action, then their number
    entry: Ints  # [action] its number in the row of bucket 0
    width: Ints  # [action] columns of its table
    round: Ints  # [action]


@kernel
def bucket_hands(
    tables: BucketTables,
    hands: Any,
    starts: Ints,
    boards: Any,
    reached: Any,
    buckets: Indices,
    before: Indices,
) -> None:
    """[hand] its bucket on the board of its observation, if that reached this round; -1 if it
    shares a card with the board. `before` has those of the previous round."""
    for k in range(starts.size - 1):
        part = slice(starts[k], starts[k + 1])
        if reached[k]:
            numbers = np.empty(starts[k + 1] - starts[k], np.int64)
            out = np.empty(numbers.size, np.int32)
            bucket_board(tables, hands[part], boards[k], before[part], numbers, out)
            buckets[part] = out


@kernel
def shared_among_hands(
    acts: Acts, starts: Ints, buckets: Indices, behaviour: Any, counts: Any
) -> None:
    """Add to [entry] counts how often every action was taken, in expectation.

    `buckets` [round, hand] are negative for hands that cannot have been held."""
    for k in range(acts.starts.size - 1):
        first, last = acts.starts[k], acts.starts[k + 1]
        likely, total = np.zeros(starts[k + 1] - starts[k]), 0.0
        for place in range(likely.size):
            hand, weight = starts[k] + place, 1.0
            for act in range(first, last):
                bucket = buckets[acts.round[act], hand]
                if bucket < 0:
                    weight = 0.0
                    break
                weight *= behaviour[acts.entry[act] + bucket * acts.width[act]] + TREMBLE
            likely[place] = weight
            total += weight
        if total == 0.0:
            continue
        for place in range(likely.size):
            if likely[place] == 0.0:
                continue
            for act in range(first, last):
                bucket = np.int64(buckets[acts.round[act], starts[k] + place])
                counts[acts.entry[act] + bucket * acts.width[act]] += likely[place] / total


@kernel
def tilted(prior: Floats, weights: Floats, wanted: Floats) -> Floats:
    """[row, action] the strategy nearest to the prior, by relative entropy, that on average over
    rows with these weights takes every action as often as wanted.

    It is prior × one factor per action, in proportion (iterative proportional fitting)."""
    held = np.flatnonzero(weights > 0)
    actions = prior.shape[1]
    factors, mean, now = np.ones(actions), np.empty(actions), np.empty(actions)
    total = weights.sum()
    for _ in range(PASSES):
        mean[:] = 0.0
        for row in held:
            now[:] = prior[row] * factors
            mean += weights[row] / total / now.sum() * now
        if np.abs(mean - wanted).max() < CLOSE:
            break
        factors *= wanted / mean
        factors /= factors.max()
    out = prior * factors
    for one in range(prior.shape[0]):
        out[one] /= out[one].sum()
    return out
