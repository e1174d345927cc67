"""A person at a screen, or a function that answers for one."""

from __future__ import annotations

from collections.abc import Callable

from regretless.play.agents import _agent
from regretless.play.rules import Playable
from regretless.play.table import View


class Agent(_agent.Agent):
    """Plays what `ask` answers, as ACPC text."""

    def __init__(self, game: Playable, *, ask: Callable[[View], str], seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.ask = ask

    def act(self, view: View) -> str:
        return self.ask(view).strip()
