"""Percentile buckets of hands by expected strength, E[HS] or E[HS²] (Johanson 2007, chapter 2).

The strength of a hand on the last board is the chance of beating a random hand, ties counted half.
Before that it is the mean over the boards to come, or the mean of its square, which favours
hands that may improve. Buckets have equal numbers of deals, as far as equal hands allow.

With `recall` each bucket is split separately in the next round, so that nothing is forgotten;
without it all hands of a round are bucketed together, and players forget their earlier buckets.
For decks of any size these are `rounds/history.py` and `rounds/percentile.py`."""

from __future__ import annotations

from regretless.abstraction._grouping import by_share
from regretless.abstraction._maps import CardMap
from regretless.abstraction._signals import Signals, maps_by, per_round
from regretless.core.arrays import Indices, Ints
from regretless.forms.form import Form


def make(
    form: Form, *, buckets: tuple[int, ...] = (3,), squared: bool = False, recall: bool = True
) -> tuple[CardMap, ...]:
    """`buckets` per round, such as 5/10/20, or one number for all rounds; with `recall`
    that many per bucket of the previous round."""
    counts = per_round(form, buckets, nested=False)

    def labelled(signals: Signals) -> list[Indices]:
        def parts(round: int, groups: list[Ints]) -> list[Indices]:
            strengths, weights = signals.strengths[round], signals.weights[round]
            return [by_share(strengths[one], weights[one], counts[round]) for one in groups]

        return signals.split(parts, recall=recall)

    return maps_by(form, labelled, power=2 if squared else 1, counted=True)
