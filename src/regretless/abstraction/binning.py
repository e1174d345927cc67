"""Card binning (Carminati, Costa Cañones & Chinga 2020): cards of similar strength become one card.

The strength of a card is the expected value of player 1's subtrees with that private card, when
both players play uniformly at random (the source does not say under which play). Ranks are
clustered by strength, optimally on the line, and every card is then seen as its bin: the private
card, and the board as well. Payoffs and chances of merged deals are averaged.

`see_board` is ours: the board is seen exactly, and only the private card is binned."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import on_a_line
from regretless.abstraction._maps import CardMap, Deals
from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable, within
from regretless.forms.form import Form, own, plan_of, uniform


def make(form: Form, *, bins: int = 3, see_board: bool = False) -> tuple[CardMap, ...]:
    """Both players get the same bins."""
    within("bins", bins, 1, 52)
    deals = Deals(form)
    deck = deals.layout.deck
    if deck.rules.hole != 1:
        raise Unsuitable(f"binning: needs a game with one hole card, not {form.spec}")
    strength = card_strengths(form)
    bin_of = on_a_line(strength, np.ones(strength.size), bins).tolist()
    suits = deck.kinds // deck.rules.ranks

    def key(player: int, round: int) -> list[object]:
        seen: list[object] = []
        for (card,), board in deals.lanes(player, round):
            shown = board
            if not see_board:
                shown = tuple(tuple(sorted(bin_of[c // suits] for c in new)) for new in board)
            seen.append((bin_of[card // suits], shown))
        return seen

    return tuple(
        deals.map_of(player, [key(player, round) for round in deals.rounds])
        for player in range(form.players)
    )


def card_strengths(form: Form) -> Floats:
    """[rank] what player 1 wins with a private card of this rank under uniform play."""
    deck = Deals(form).layout.deck
    plan = plan_of(form, uniform(form))
    gradient = np.zeros_like(plan)
    form.gradient(0, plan, gradient)
    won = (plan * gradient)[own(form, 0)]
    total = np.zeros(deck.kinds)
    for point in form.points(0):
        card = deck.read(point.label.partition(":")[0].partition("/")[0])[0]
        total[card] += won[point.sequences].sum()
    return np.asarray(total.reshape(deck.rules.ranks, -1).sum(axis=1) * deck.rules.ranks)
