"""Agents that play like another one, an equilibrium unless named, but with a fault."""

from __future__ import annotations

from abc import abstractmethod
from itertools import accumulate, pairwise

from regretless.core.errors import BadInput, BadParameter, TooLarge, Unsuitable, within
from regretless.exploitation.equilibrium import equilibrium
from regretless.forms.choice import form_of
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.play.agents import _saved
from regretless.play.agents._agent import MixingAgent, Mixture, legal_letters
from regretless.play.following import can_follow
from regretless.play.rules import Playable
from regretless.play.table import View
from regretless.strategy.strategy import Strategy


def whole_game(game: Playable, instead: str = "name a strategy with base=FILE") -> Game:
    """The game, if it is small enough to be solved by an agent before it plays."""
    loaded = load(game) if isinstance(game, str) else game
    if not isinstance(loaded, Game):
        raise BadInput("this agent needs the game, not only its rules: give a text or a Game")
    if not can_follow(loaded):
        raise Unsuitable(f"game {loaded.spec}: too large to solve before playing; {instead}")
    return loaded


def started(game: Playable, base: str, seed: int) -> MixingAgent:
    """The agent behind a name or a file; without one, an equilibrium of the game."""
    if base:
        from regretless.play.agents._catalog import agent

        made = agent(base, game, seed=seed)
        if not isinstance(made, MixingAgent):
            raise BadParameter(f"base={base}: must be an agent that knows its probabilities")
        return made
    try:
        strategy = equilibrium(form_of(whole_game(game), kind="sequence"))
    except TooLarge as error:
        raise Unsuitable(f"{error}; name a strategy with base=FILE") from None
    return _saved.Agent(game, strategy=strategy, seed=seed)


class TiltedAgent(MixingAgent):
    """Plays like its base, but with probability `much` something else."""

    def __init__(self, game: Playable, *, base: str = "", much: float = 0.5, seed: int = 0) -> None:
        """`base`: strategy file or agent (default: an equilibrium); `much`: share of the fault."""
        super().__init__(game, seed=seed)
        within("much", much, 0, 1)
        self.base, self.much = started(game, base, seed), much

    @abstractmethod
    def fault(self, view: View) -> dict[str, float]:
        """What it plays instead: ACPC text → probability."""

    def mixture(self, view: View) -> Mixture:
        base = chances(self.base.mixed(view))
        return mixed((1 - self.much, base), (self.much, self.fault(view)))


def chances(mixture: Mixture) -> dict[str, float]:
    """Probability of every action."""
    ends = pairwise((0.0, *mixture.below, 1.0))
    return {action: high - low for action, (low, high) in zip(mixture.actions, ends, strict=True)}


def mixed(*parts: tuple[float, dict[str, float]]) -> Mixture:
    """A mixture of several, by their shares. Actions never played are left out."""
    total: dict[str, float] = {}
    for share, played in parts:
        for action, chance in played.items():
            if share * chance > 0:
                total[action] = total.get(action, 0.0) + share * chance
    *sums, whole = accumulate(total.values())
    return Mixture(tuple(total), tuple(part / whole for part in sums))


def passive(view: View) -> str:
    """A fold if that is possible, otherwise a check."""
    return "f" if "f" in legal_letters(view.betting) else "c"


def strategy_of(playing: MixingAgent) -> Strategy:
    """The strategy behind an agent that plays one."""
    if not isinstance(playing, _saved.Agent):
        raise BadParameter("base: must be a strategy file")
    return playing.strategy
