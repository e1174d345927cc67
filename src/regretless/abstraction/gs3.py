"""GS3 (Gilpin, Sandholm & Sørensen 2007): potential-aware, shared out by an integer program.

Hands are alike if they lead to the same buckets of the next round with the same
probabilities. Round by round from the first: for every bucket a pass from the last round up, over
the hands that continue it, finds temporary buckets of the next round; the bucket's hands are
clustered (L1) by their histograms over these. An integer program decides how many children each
bucket gets; the error is the sum of L2 distances to the means, weighted by the chance of each
hand. In the last round nothing is left but strength, as in GS2; with `ties` hands are then compared
by their chances of winning and of tying: enough buckets then give GameShrink's classes. Perfect
recall.

`rounds/gs3.py`, for decks of any size, differs on purpose: its temporary buckets are made once
for all hands, and large rounds are clustered on a sample."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._allocation import Choices, top_down
from regretless.abstraction._grouping import Line, Vectors
from regretless.abstraction._maps import CardMap
from regretless.abstraction._potential import bottom_up
from regretless.abstraction._signals import Signals, maps_by, per_round
from regretless.abstraction._strength import DIGITS
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import within
from regretless.forms.form import Form

L1 = "manhattan"


def make(
    form: Form, *, buckets: tuple[int, ...] = (3,), temporary: int = 50, ties: bool = False
) -> tuple[CardMap, ...]:
    """`buckets` in all, per round, such as 20/800/4800/28800; one number k is k, k², k³, …;
    `temporary` is the number of buckets per round in the passes from the last round up."""
    totals = per_round(form, buckets, nested=True)
    within("temporary", temporary, 1, 10**5)

    def labelled(signals: Signals) -> list[Indices]:
        def choices(round: int, hands: Ints, most: int) -> Choices:
            weights = signals.weights[round][hands]
            if round == signals.rounds - 1:
                if ties:
                    return Vectors(_chances(signals, hands), weights, metric=L1, most=most)
                return Line(signals.strengths[round][hands], weights, most)
            later = signals.below(round, hands)
            following = bottom_up(later, temporary)
            rows = later.histograms(0, following, hands.size).toarray()
            return Vectors(rows, weights, metric=L1, most=most)

        return top_down(signals, totals, choices)

    return maps_by(form, labelled)


def _chances(signals: Signals, hands: Ints) -> Floats:
    """[hand] chances of winning and of tying at the end."""
    tied = signals.ties[hands]
    return np.stack([signals.strengths[-1][hands] - tied / 2, tied], axis=1).round(DIGITS)
