"""Rivers answered by qualitative models: `nyx:river=qualitative`.

Models are for one size and one raise per player. A size that was really bet takes the place of the
menu's. What fits no model, or fits it badly, is solved as other endgames are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from regretless.cards.deck import DECK
from regretless.continuous.river import river_of, solve_river
from regretless.core.errors import Unsuitable
from regretless.forms.public_rows import behaviour_by_hand
from regretless.games._betting import PokerRules
from regretless.games._sizing import Sizing, read_sizes
from regretless.play.agents._endgames import Cards, Endgame, Ranges, form_of, trimmed

BET, RAISE = read_sizes("75%"), read_sizes("100%")
USUAL = (BET, RAISE, ())  # by raises so far: no second raise
# [player] the menu's sizes, or in one place the bet that was really made instead.
MENUS = (
    (USUAL, USUAL),
    *((own, USUAL) for own in (((), RAISE, ()), (BET, (), ()))),
    *((USUAL, own) for own in (((), RAISE, ()), (BET, (), ()))),
)
MOST_REGRET = 0.02  # of the pot
MOST_TIED = 0.25  # of a player's hands


def by_models(
    rules: PokerRules,
    line: str,
    start: str,
    dealt: Sequence[Cards],
    ranges: Ranges,
) -> Endgame | None:
    """The river after `start`, whose tree contains `line`; None if no model fits well."""
    board = [card for part in dealt for card in part]
    if rules.ranks * rules.suits != DECK or len(board) != sum(rules.board):
        return None
    kept = (trimmed(ranges[0], board, rules), trimmed(ranges[1], board, rules))
    for menu in (None,) if rules.raises is not None or rules.listed else MENUS:
        sized = rules
        if menu is not None:
            sized = replace(rules, sizing=Sizing(sizes=(menu,), rounds=rules.rounds, line=line))
        root = sized.replay(start)
        try:
            river = river_of(root, board, kept)
        except Unsuitable:
            continue
        if river.largest_class > MOST_TIED:
            return None
        found = solve_river(river)
        form = form_of(sized, root, dealt, kept)
        if form is None or found.regret > MOST_REGRET * root.pot:
            return None
        behaviour = np.asarray(behaviour_by_hand(form, found.chances), dtype=np.float64)
        return Endgame(sized, root, form, behaviour, kept, 0)
    return None
