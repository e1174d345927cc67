"""One player's hands as a tree, round by round, and where hands lead in the next round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.abstraction._grouping import joined, members, on_a_line
from regretless.abstraction._maps import CardMap, Deals
from regretless.abstraction._strength import (
    DIGITS,
    expected_strengths,
    opponent_strengths,
    outcomes,
)
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadParameter, Unsuitable, within
from regretless.forms.form import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scipy import sparse


@dataclass(frozen=True, eq=False)
class Signals:
    """Hands on boards with their shares of all deals, and the hand that each continues."""

    weights: tuple[Floats, ...]  # [round][hand]
    above: tuple[Ints, ...]  # [round][hand] its hand in the previous round; at first 0
    strengths: tuple[Floats, ...]  # [round][hand] E[HS]: chance of winning, ties counted half
    ties: Floats  # [hand of the last round] chance of a tie
    rivals: Floats  # [hand of the last round, cluster of rival hands] strength; maybe no clusters

    @property
    def rounds(self) -> int:
        return len(self.weights)

    def split(
        self, parts: Callable[[int, list[Ints]], Iterable[Indices]], *, recall: bool = True
    ) -> list[Indices]:
        """[round][hand] its bucket, by the parts of some groups of hands of a round: those that
        share a bucket of the previous round; without `recall` all hands are one group."""
        labels: list[Indices] = []
        for round, weights in enumerate(self.weights):
            before = np.zeros(weights.size, np.int32)
            if recall and labels:
                before = labels[-1][self.above[round]]
            groups = members(before)
            labels.append(joined(groups, parts(round, groups)))
        return labels

    def below(self, round: int, hands: Ints) -> Signals:
        """The hands that continue some hands of a round, from the next round on."""
        chosen = np.zeros(self.weights[round].size, bool)
        chosen[hands] = True
        weights, above, strengths = [], [], []
        places = np.cumsum(chosen) - 1
        for later in range(round + 1, self.rounds):
            kept = chosen[self.above[later]]
            weights.append(self.weights[later][kept])
            above.append(places[self.above[later][kept]])
            strengths.append(self.strengths[later][kept])
            chosen, places = kept, np.cumsum(kept) - 1
        last = self.ties[chosen], self.rivals[chosen]
        return Signals(tuple(weights), tuple(above), tuple(strengths), *last)

    def histograms(self, round: int, buckets: Indices, hands: int) -> sparse.csr_matrix:
        """[hand before `round`, bucket of `round`] the share of a hand's continuations; `hands`
        is the number of hands before."""
        return shares_of(self.above[round], buckets, self.weights[round], hands)


def shares_of(above: Ints, buckets: Indices, weights: Floats, hands: int) -> sparse.csr_matrix:
    """[hand, bucket] shares of weight, which sum to 1 in every row."""
    from scipy import sparse

    shape = hands, int(buckets.max(initial=0)) + 1
    counted = sparse.csr_matrix((weights, (above, buckets)), shape=shape)
    counted.sum_duplicates()
    totals = np.repeat(np.asarray(counted.sum(axis=1)).ravel(), np.diff(counted.indptr))
    counted.data = np.round(counted.data / totals, DIGITS)
    return counted


def signals_of(
    deals: Deals, player: int, *, power: int = 1, opponents: int = 0, counted: bool = False
) -> Signals:
    """The hands of a player; with `power` 2 strengths are E[HS²]. With `opponents` also strengths
    against that many clusters of the rival's starting hands, by E[HS]. `counted`: weights are
    numbers of deals, whose sums are exact, instead of shares."""
    weights: list[Floats] = []
    above: list[Ints] = []
    for round in deals.rounds:
        mass = deals.weights(player, round)
        weights.append(mass if counted else mass / mass.sum())
        above.append(deals.above(player, round) if above else np.zeros(mass.size, np.int64))
    strengths = expected_strengths(deals, player, power)
    wins, ties, losses = outcomes(deals, player)
    tied = np.round(ties / np.maximum(wins + ties + losses, 1), DIGITS)
    rivals = np.empty((tied.size, 0))
    if opponents:
        rival = 1 - player
        first = deals.weights(rival, deals.rounds[0])
        clusters = on_a_line(expected_strengths(deals, rival, 1)[0], first, opponents)
        rivals = opponent_strengths(deals, player, clusters)
    return Signals(tuple(weights), tuple(above), tuple(strengths), tied, rivals)


def maps_by(
    form: Form,
    buckets: Callable[[Signals], Sequence[Indices]],
    *,
    opponents: int = 0,
    **options: Any,
) -> tuple[CardMap, ...]:
    """The card maps whose cells are the buckets of every player's hands; players with the same
    hands get the same map. `options` are those of `signals_of`."""
    deals = Deals(form)
    if opponents and form.players != 2:
        raise Unsuitable(f"opponents={opponents}: needs two players, not {form.players}")
    maps: list[CardMap] = []
    for player in range(form.players):
        if player and deals.layout.sides[player] is deals.layout.sides[0]:
            maps.append(maps[0])
            continue
        labels = buckets(signals_of(deals, player, opponents=opponents, **options))
        maps.append(deals.map_of(player, [rows.tolist() for rows in labels]))
    return tuple(maps)


def per_round(form: Form, given: tuple[int, ...], *, nested: bool) -> tuple[int, ...]:
    """Buckets per round; one number is for all rounds, multiplied from round to round if nested."""
    rounds = len(Deals(form).rounds)
    if len(given) not in (1, rounds):
        raise BadParameter(
            f"buckets={'/'.join(map(str, given))}: must be 1 number, or {rounds} for the "
            f"rounds of {form.spec}"
        )
    for count in given:
        within("buckets", count, 1, 10**6)
    if len(given) == rounds:
        return given
    return tuple(given[0] ** (round + 1) if nested else given[0] for round in range(rounds))
