"""Games that behave as other games do, apart from what a test changes."""

from dataclasses import replace

from regretless.games._state import State


class Wrapped(State):
    """A state that asks another one; `moved` makes the next of its kind."""

    def __init__(self, inner):
        self.inner = inner

    @property
    def player(self):
        return self.inner.player

    @property
    def actions(self):
        return self.inner.actions

    @property
    def chances(self):
        return self.inner.chances

    @property
    def payoff(self):
        return self.inner.payoff

    def child(self, index):
        return type(self)(self.inner.child(index))

    def view(self, player):
        return self.inner.view(player)


def wrapped(game, kind):
    """A game of wrapped states: nothing else about it is known."""
    return replace(game, root=kind(game.root), rules=None, count=None)
