"""Percentile buckets of hands by expected strength, E[HS] or E[HS²] (Johanson 2007, chapter 2).

The strength of a hand on the last board is the chance to beat a random hand, ties counted half.
Before that it is the mean over the boards to come, or the mean of its square, which values
hands that may improve. Buckets are filled with equally many deals, as far as equal hands allow.

With `recall` the hands of every bucket are split anew in the next round, so that nothing is
forgotten; without it all hands of a round are, and players forget what they had before."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import by_share
from regretless.abstraction._maps import CardMap, Deals
from regretless.abstraction._strength import expected_strengths
from regretless.core.arrays import Indices
from regretless.core.errors import BadParameter, within
from regretless.forms.form import Form


def make(
    form: Form, *, buckets: tuple[int, ...] = (3,), squared: bool = False, recall: bool = True
) -> tuple[CardMap, ...]:
    """`buckets` of every round, such as 5/10/20, or one number for all rounds; with `recall`
    that many for each bucket of the round before."""
    deals = Deals(form)
    rounds = list(deals.rounds)
    if len(buckets) not in (1, len(rounds)):
        raise BadParameter(
            f"buckets={'/'.join(map(str, buckets))}: must be 1 number, or {len(rounds)} for the "
            f"rounds of {form.spec}"
        )
    for count in buckets:
        within("buckets", count, 1, 10**6)
    counts = buckets * len(rounds) if len(buckets) == 1 else buckets
    maps = []
    for player in range(form.players):
        strengths = expected_strengths(deals, player, 2 if squared else 1)
        found: list[Indices] = []
        for round, count in zip(rounds, counts, strict=True):
            before = np.zeros(deals.count(player, round), dtype=np.int32)
            if recall and found:
                before = found[-1][deals.above(player, round)]
            weights = deals.weights(player, round)
            found.append(_split(strengths[round - rounds[0]], weights, before, count))
        keys: list[list[object]] = [list(rows) for rows in found]
        maps.append(deals.map_of(player, keys))
    return tuple(maps)


def _split(strength: np.ndarray, weights: np.ndarray, before: Indices, count: int) -> Indices:
    """Buckets within every bucket of the round before."""
    found = np.zeros(before.size, dtype=np.int32)
    following = 0
    for cell in range(int(before.max(initial=0)) + 1):
        mine = np.flatnonzero(before == cell)
        labels = by_share(strength[mine], weights[mine], count)
        found[mine] = following + labels
        following += int(labels.max(initial=-1)) + 1
    return found
