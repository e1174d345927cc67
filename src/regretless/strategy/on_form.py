"""Any strategy as one of a form, which can be evaluated, refined and written as tables."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from regretless.cards.deck_hands import Cards
from regretless.core.arrays import Floats
from regretless.core.errors import WrongGame
from regretless.forms.choice import form_kind
from regretless.forms.form import Form, own, size, uniform
from regretless.forms.public import PublicForm
from regretless.forms.public_rows import behaviour_by_hand
from regretless.games._catalog import load
from regretless.games._poker import Deck, PokerState
from regretless.strategy.face import Face, by_move, hands_of, split
from regretless.strategy.strategy import Strategy

_KEPT = 1024  # decisions on boards


def on_form(given: Face, form: Form, *, player: int | None = None) -> Strategy:
    """The same probabilities at every decision point of a form.

    If one player is named, the others may be anything: agents that learn know one position only.

    If suits never matter, a hand is asked for in any suits: a strategy whose play depends on them
    there has no place on the form."""
    if isinstance(given, Strategy):
        return _same_labels(given, form)
    root = (form.game or load(form.spec)).root
    if not isinstance(root, PokerState) or root.deck.rules != given.rules:
        raise WrongGame(f"game {form.spec}: the strategy plays by other rules")
    if isinstance(form, PublicForm) and root.deck.copies == 1:
        return Strategy(form, behaviour_by_hand(form, by_move(given)))
    players = range(form.players) if player is None else (player,)
    return Strategy(form, _point_by_point(given, form, root.deck, players))


def _point_by_point(given: Face, form: Form, deck: Deck, players: Iterable[int]) -> Floats:
    behaviour = uniform(form)
    numbers, chances = hands_of(deck.rules).hand_numbers, by_move(given)

    @lru_cache(maxsize=_KEPT)
    def rows(history: str, board: Cards) -> Floats:
        betting = deck.rules.replay(history)
        return chances(betting, split(deck.rules, board, betting.round))

    for player in players:
        mine = behaviour[own(form, player)]
        for point in form.points(player):
            cards, _, history = point.label.partition(":")
            hand, *board = map(deck.read, cards.split("/"))
            dealt = _with_suits(deck, (*(kind for part in board for kind in part), *hand))
            shown, held = dealt[: -len(hand)], tuple(sorted(dealt[-len(hand) :]))
            mine[point.sequences] = rows(history, shown)[numbers[held]]
    return behaviour


def _with_suits(deck: Deck, kinds: Cards) -> Cards:
    """Cards of these kinds: equal kinds get different suits, in order."""
    return tuple(kind * deck.copies + kinds[:place].count(kind) for place, kind in enumerate(kinds))


def _same_labels(strategy: Strategy, form: Form) -> Strategy:
    """On another form of the same game, decision point by decision point."""
    if strategy.form is form:
        return strategy
    if strategy.form.fingerprint() == form.fingerprint():
        return Strategy(form, strategy.behaviour)
    if strategy.form.spec != form.spec or strategy.form.players != form.players:
        raise WrongGame(f"a strategy of game {strategy.form.spec} does not fit game {form.spec}")
    behaviour = np.ones(size(form))
    for player in range(form.players):
        mine = behaviour[own(form, player)]
        for point in form.points(player):
            there = strategy.form.find(player, point.label)
            if there is None or there.actions != point.actions:
                made, kind = form_kind(strategy.form), form_kind(form)
                raise WrongGame(
                    f"a strategy on the {made} form of {form.spec} does not cover "
                    f"{point.label!r} of its {kind} form: solve it on that form"
                )
            mine[point.sequences] = list(strategy.at_point(player, there).values())
    return Strategy(form, behaviour)
