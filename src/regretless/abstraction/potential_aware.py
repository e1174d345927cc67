"""Potential-aware buckets by earth mover's distance (Ganzfried & Sandholm 2014).

From the last round up: there buckets are clusters of strengths, or with `opponents` of strengths
against that many clusters of the rival's starting hands (OCHS). In every earlier round a hand is
the histogram of the buckets of the next round that it leads to, and hands are clustered by
the earth mover's distance between histograms, with the distances between the next round's centres
as ground distance. Over buckets on a line it is exact, otherwise the paper's fast heuristic.

Without `recall`, as in the paper, all hands of a round are clustered together, and players forget
their earlier buckets; with it each bucket is split separately in the next round.

Differs from `rounds/potential.py` on purpose: all hands are clustered, the best of several starts
is taken, and hands of the round before the last are compared by the buckets of the last round
instead of equal intervals of strength."""

from __future__ import annotations

from math import prod

from regretless.abstraction._maps import CardMap
from regretless.abstraction._potential import clusters, potential_features
from regretless.abstraction._signals import Signals, maps_by, per_round
from regretless.core.arrays import Indices, Ints
from regretless.core.errors import within
from regretless.forms.form import Form


def make(
    form: Form, *, buckets: tuple[int, ...] = (3,), recall: bool = True, opponents: int = 0
) -> tuple[CardMap, ...]:
    """`buckets` per round, such as 5/10/20, or one number for all rounds; with `recall` that many
    per bucket of the previous round. `opponents` 0: the last round is by strength alone."""
    within("opponents", opponents, 0, 1000)
    counts = per_round(form, buckets, nested=False)
    totals = [prod(counts[: k + 1]) if recall else counts[k] for k in range(len(counts))]

    def labelled(signals: Signals) -> list[Indices]:
        features = potential_features(signals, totals)

        def parts(round: int, groups: list[Ints]) -> list[Indices]:
            given = features[round], signals.weights[round]
            return [clusters(*given, hands, counts[round]).own for hands in groups]

        return signals.split(parts, recall=recall)

    return maps_by(form, labelled, opponents=opponents)
