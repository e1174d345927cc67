"""A person at a screen, or a function that answers for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regretless.play.agents import _agent
from regretless.play.rules import Playable
from regretless.play.table import View


class Agent(_agent.Agent):
    """Plays what `ask` answers, as ACPC text."""

    def __init__(self, game: Playable, *, ask: Callable[[View], Any], seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.ask = ask

    def act(self, view: View) -> str:
        answer = self.ask(view)
        # The function may be a user's: what is not a text is refused at the table.
        return answer.strip() if isinstance(answer, str) else answer
