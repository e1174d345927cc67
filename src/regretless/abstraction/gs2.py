"""GS2 (Gilpin & Sandholm 2007): clusters by strength, shared out by an integer program.

Round by round from the first: the hands of every bucket are clustered by E[HS], the chance of
winning with ties counted half, optimally on a line and for every number of clusters. An integer
program then decides how many children each bucket gets, so that the expected error is least. With
`squared` the strength is E[HS²]: these are the expectation-based abstractions EB and EB² that
Gilpin & Sandholm 2008 compared with potential-aware ones. Perfect recall.

`rounds/gs2.py` does the same for decks of any size, on rounded strengths."""

from __future__ import annotations

from regretless.abstraction._allocation import top_down
from regretless.abstraction._grouping import Line
from regretless.abstraction._maps import CardMap
from regretless.abstraction._signals import Signals, maps_by, per_round
from regretless.core.arrays import Indices, Ints
from regretless.forms.form import Form


def make(
    form: Form, *, buckets: tuple[int, ...] = (3,), squared: bool = False
) -> tuple[CardMap, ...]:
    """`buckets` in all, per round, such as 15/225/900; one number k is k, k², k³, …"""
    totals = per_round(form, buckets, nested=True)

    def labelled(signals: Signals) -> list[Indices]:
        def choices(round: int, hands: Ints, most: int) -> Line:
            return Line(signals.strengths[round][hands], signals.weights[round][hands], most)

        return top_down(signals, totals, choices)

    return maps_by(form, labelled, power=2 if squared else 1)
