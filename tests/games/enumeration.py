"""The sizes of a game by visiting all of it: the slow twin of `Game.count`."""

from __future__ import annotations

import pytest

from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State


def enumerated(game: Game) -> Sizes:
    """Count, and check on the way what every state must promise."""
    nodes = terminals = 0
    widths: list[dict[str, int]] = [{} for _ in range(game.players)]
    stack: list[State] = [game.root]
    while stack:
        state = stack.pop()
        nodes += 1
        actions = state.actions
        assert len(set(actions)) == len(actions)
        if state.player == TERMINAL:
            terminals += 1
            assert not actions
            assert len(state.payoff) == game.players
        elif state.player == CHANCE:
            assert sum(state.chances) == pytest.approx(1)
            assert len(state.chances) == len(actions)
        else:
            view = state.view(state.player)
            assert "\n" not in view
            assert widths[state.player].setdefault(view, len(actions)) == len(actions)
        stack += [state.child(index) for index in range(len(actions))]
    points = tuple(len(own) for own in widths)
    return Sizes(nodes, terminals, points, tuple(1 + sum(own.values()) for own in widths))
