"""The complete strategy of an agent that knows its probabilities, on a form of its game.

The agent is asked at every decision point, or for all hands of a board at once if it can tell. If
suits never matter, it is shown the cards of a label in arbitrary suits; an agent whose play depends
on suits there has no strategy of the game."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from regretless.cards.deck import suit_names
from regretless.core.errors import BadInput, Unsuitable
from regretless.forms.form import Form, own, size
from regretless.forms.public import PublicForm
from regretless.forms.public_rows import behaviour_by_hand
from regretless.games._betting import PokerRules
from regretless.games._poker import PokerState
from regretless.games._state import Game
from regretless.play.agents._agent import MixingAgent
from regretless.play.table import View
from regretless.strategy.strategy import Strategy


def strategy_of_agent(agent: MixingAgent, form: Form, game: Game) -> Strategy:
    """What the agent plays, decision point by decision point."""
    root = game.root
    if not isinstance(root, PokerState) or root.deck.rules != agent.rules:
        raise Unsuitable(f"game {game.spec}: the agent plays by other rules")
    chances = agent.by_hand()
    if chances is not None and isinstance(form, PublicForm) and form.layout.deck.copies == 1:
        return Strategy(form, behaviour_by_hand(form, chances))
    behaviour = np.zeros(size(form))
    behaviour[form.plex.roots[:-1]] = 1.0
    rules, width = agent.rules, len(root.deck.names[0])
    for player in range(form.players):
        mine = behaviour[own(form, player)]
        for point in form.points(player):
            view = _view(rules, player, point.label, width)
            actions, below = agent.mixed(view)
            cuts = (0.0, *below, 1.0)
            names = {  # by every spelling that an agent may use
                text: index
                for index, move in enumerate(view.betting.moves)
                for text in (f"{move.letter}{move.total}", move.name, move.letter)
            }
            # A bare letter means the smallest raise, as at a table.
            for index in range(len(view.betting.moves) - 1, -1, -1):
                names[view.betting.moves[index].letter] = index
            for action, (low, high) in zip(actions, pairwise(cuts), strict=True):
                if action not in names:
                    legal = ", ".join(point.actions)
                    raise BadInput(f"agent at {point.label!r}: {action!r}: must be one of {legal}")
                mine[point.sequences[names[action]]] += high - low
    return Strategy(form, behaviour)


def _view(rules: PokerRules, position: int, label: str, width: int) -> View:
    """What the position knows at a decision point with this label, such as `Q/K:cr/r`."""
    cards, _, history = label.partition(":")
    betting = rules.replay(history)
    suits, used, dealt = suit_names(rules.suits), Counter[str](), list[str]()
    for text in cards.split("/"):
        for at in range(0, len(text), width):
            card = text[at : at + width]
            if width == 1:
                used[card] += 1
                card += suits[-used[card]]
            dealt.append(card)
    return View(position, 0, betting, tuple(dealt[: rules.hole]), tuple(dealt[rules.hole :]))
