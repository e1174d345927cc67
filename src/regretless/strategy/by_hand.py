"""The strategy of a form, board by board: all hands at one decision."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regretless.cards.deck_hands import Cards
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Unsuitable
from regretless.forms.form import own
from regretless.forms.public import PublicForm
from regretless.forms.public_rows import hand_rows
from regretless.games._betting import Betting
from regretless.games._catalog import load
from regretless.games._poker import Deck, PokerState
from regretless.strategy.face import Play, hands_of, place, split, text_of
from regretless.strategy.strategy import Strategy


def deck_of(strategy: Strategy) -> Deck:
    """The deck of the strategy's game, which must be poker."""
    form = strategy.form
    root = (form.game or load(form.spec)).root
    if not isinstance(root, PokerState):
        raise Unsuitable(
            f"game {form.spec} has no hands and boards: ask for probabilities(LABEL) instead"
        )
    return root.deck


def play(strategy: Strategy, betting: str | Betting, board: str | Sequence[int]) -> Play:
    """What a strategy plays after a betting, with every hand on a board."""
    deck, form = deck_of(strategy), strategy.form
    node, cards = place(deck.rules, betting, board)
    if isinstance(form, PublicForm) and deck.copies == 1:
        if node.history not in form.lookup.histories:
            raise BadParameter(f"betting {node.history!r}: not in the tree of {form.spec}")
        dealt = split(deck.rules, cards, node.round)
        chances = np.nan_to_num(hand_rows(form, node, dealt, strategy.behaviour))
    else:
        chances = _looked_up(strategy, deck, node, cards)
    actions = tuple(text_of(move, deck.rules) for move in node.choices)
    return Play(actions, chances, hands_of(deck.rules))


def _looked_up(strategy: Strategy, deck: Deck, betting: Betting, board: Cards) -> Floats:
    """[hand, action] by the labels of decision points."""
    form, player, hands = strategy.form, betting.actor, hands_of(deck.rules)
    mine = strategy.behaviour[own(form, player)]
    dealt = split(deck.rules, board, betting.round)
    shown = "".join("/" + text(deck, cards) for cards in dealt if cards)
    chances = np.zeros((len(hands.hands), len(betting.choices)))
    known = False
    for hand in np.flatnonzero(hands.free(board)).tolist():
        held = text(deck, tuple(hands.hands[hand].tolist()))
        point = form.find(player, f"{held}{shown}:{betting.history}")
        if point is not None:  # otherwise the hand is not in the player's range
            chances[hand], known = mine[point.sequences], True
    if not known:
        raise BadParameter(f"betting {betting.history!r}: not in the tree of {form.spec}")
    return chances


def text(deck: Deck, cards: Cards) -> str:
    """Cards as labels name them: sorted, and without suits if those never matter."""
    return deck.text(tuple(sorted(card // deck.copies for card in cards)))
