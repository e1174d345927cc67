"""Plays a noisy equilibrium: with probability `much` it folds, calls or raises equally often."""

from regretless.play.agents._agent import legal_letters
from regretless.play.agents._tilted import TiltedAgent, chances
from regretless.play.agents.aggressive import Agent as Aggressive
from regretless.play.rules import Playable
from regretless.play.table import View


class Agent(TiltedAgent):
    """In no-limit the noise raises by the pot."""

    def __init__(self, game: Playable, *, base: str = "", much: float = 0.2, seed: int = 0) -> None:
        """`base`: strategy file or agent (default: an equilibrium); `much`: share of the noise."""
        super().__init__(game, base=base, much=much, seed=seed)
        self._raising = Aggressive(game, seed=seed)

    def fault(self, view: View) -> dict[str, float]:
        letters = legal_letters(view.betting)
        share = 1 / len(letters)
        played = {letter: share for letter in letters if letter != "r"}
        if "r" in letters:
            played |= {move: share * p for move, p in chances(self._raising.mixed(view)).items()}
        return played
