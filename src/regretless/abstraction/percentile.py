"""Percentile buckets of hands by expected strength, E[HS] or E[HS²] (Johanson 2007, chapter 2).

The strength of a hand on the last board is the chance of beating a random hand, ties counted half.
Before that it is the mean over the boards to come, or the mean of its square, which favours
hands that may improve. Buckets have equal numbers of deals, as far as equal hands allow.

With `recall` each bucket is split separately in the next round, so that nothing is forgotten;
without it all hands of a round are bucketed together, and players forget their earlier buckets."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import by_share, joined, members
from regretless.abstraction._maps import CardMap, Deals
from regretless.abstraction._signals import per_round
from regretless.abstraction._strength import expected_strengths
from regretless.core.arrays import Indices
from regretless.forms.form import Form


def make(
    form: Form, *, buckets: tuple[int, ...] = (3,), squared: bool = False, recall: bool = True
) -> tuple[CardMap, ...]:
    """`buckets` per round, such as 5/10/20, or one number for all rounds; with `recall`
    that many per bucket of the previous round."""
    deals, counts = Deals(form), per_round(form, buckets, nested=False)
    maps = []
    for player in range(form.players):
        strengths = expected_strengths(deals, player, 2 if squared else 1)
        labels: list[Indices] = []
        for round, values, count in zip(deals.rounds, strengths, counts, strict=True):
            weights = deals.weights(player, round)
            before = np.zeros(weights.size, np.int32)
            if recall and labels:
                before = labels[-1][deals.above(player, round)]
            groups = members(before)
            parts = [by_share(values[hands], weights[hands], count) for hands in groups]
            labels.append(joined(groups, parts))
        maps.append(deals.map_of(player, [rows.tolist() for rows in labels]))
    return tuple(maps)
