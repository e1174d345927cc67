"""All hands of a deck on a board, as numbers that compare like the hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regretless.cards.deck_hands import DeckHands
from regretless.cards.evaluator import ranks
from regretless.core.arrays import Ints
from regretless.games._betting import Ranking
from regretless.kernels.hands import BLOCKED


def hand_strengths(deck: DeckHands, ranking: Ranking, board: Sequence[int]) -> Ints:
    """[hand] its strength on a whole board, or `BLOCKED`."""
    free = deck.free(tuple(board))
    shown = np.tile(np.array(board, np.int64), (len(free), 1))
    rows = deck.full[np.column_stack([deck.hands, shown])[free]]
    strengths = np.full(len(free), BLOCKED, np.int64)
    if ranking is Ranking.BEST_FIVE and 5 <= rows.shape[1] <= 7:
        strengths[free] = ranks(rows.astype(np.uint8))
        return strengths
    known = [ranking.strength([divmod(card, 4) for card in row]) for row in rows.tolist()]
    places = {each: place for place, each in enumerate(sorted(set(known)))}
    strengths[free] = [places[each] for each in known]
    return strengths
