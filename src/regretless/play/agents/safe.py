"""Exploits one opponent without risking more than it has received (Ganzfried & Sandholm 2015).

    safe                                  risks the gifts received so far, by its own model
    safe:by=exploit-when-possible         another of the safe algorithms
    safe:base=dbbr                        plays like another agent as far as the gifts allow

In two-player zero-sum games that can be enumerated. In expectation it loses no more than an
equilibrium, whatever the opponent does: gifts are counted over both positions, and where cards were
not shown, the opponent is taken to play as well as what was seen allows. An agent that is wrapped
is followed exactly as long as what it risks was received; otherwise its strategy is mixed with an
equilibrium.

It learns: what it plays depends on the hands before. A resumed match shows them again."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Unsuitable, number, whole
from regretless.exploitation import safe
from regretless.exploitation.equilibrium import equilibrium
from regretless.exploitation.evidence import Evidence
from regretless.exploitation.model import learned
from regretless.exploitation.safe._algorithm import MOST_HANDS, Seen
from regretless.exploitation.safety import Safety
from regretless.forms.form import behaviour_of, plan_of, uniform
from regretless.games._state import Game
from regretless.play.agents import _saved
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.agents._tilted import started, whole_game
from regretless.play.observing import Watcher
from regretless.play.records import Hand
from regretless.play.rules import Playable
from regretless.play.table import View
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

BY = "risk-gifts"


class Agent(MixingAgent):
    """A bank of gifts for both positions, and an algorithm for each."""

    answers_at_once = False

    def __init__(
        self,
        game: Playable,
        *,
        by: str = "",
        base: str = "",
        hands: int = 1000,
        strength: float = 5.0,
        seed: int = 0,
    ) -> None:
        """`by`: the algorithm (default: risk-gifts), or `base`: strategy file or agent to make
        safe; `hands`: length of the match, for algorithms that plan ahead; `strength` of the
        model's prior, in observations."""
        super().__init__(game, seed=seed)
        if by and base:
            raise BadParameter(f"agent safe: by={by} and base={base}: must be one of them")
        if not number("strength", strength) > 0:
            raise BadParameter(f"strength={strength}: must be positive")
        self.hands, self.strength = whole("hands", hands, 1, MOST_HANDS), strength
        self.watcher = Watcher(_enumerated(game))
        self.form = self.watcher.form
        self.safeties = tuple(Safety(self.form, player + 1) for player in (0, 1))
        self.algorithms = [safe.algorithm(by or BY, one, self.hands) for one in self.safeties]
        self.wrapped = started(game, base, seed) if base else None
        self.prior = equilibrium(self.form)
        self.watcher.suppose(self.prior)
        self._playing = _saved.Agent(
            game, strategy=Strategy(self.form, uniform(self.form)), seed=seed
        )
        self.begin()

    def begin(self) -> None:
        self.states = [algorithm.start() for algorithm in self.algorithms]
        self._evidence = Evidence(self.form)
        self._model: Floats | None = None
        self._plans: dict[int, Floats] = {}  # of the coming hand, by position
        if self.wrapped is not None:
            self.wrapped.begin()

    @property
    def bank(self) -> float:
        """What it has received so far above the value of the game, and may risk."""
        return self.states[0].bank

    def mixture(self, view: View) -> Mixture:
        behaviour = np.zeros(len(self.prior.behaviour))
        mine = self.safeties[view.position].mine
        behaviour[mine] = self._plan(view.position)
        return self._playing.drawn(view, behaviour_of(self.form, behaviour))

    def saw(self, hand: Hand, position: int) -> None:
        safety, plan = self.safeties[position], self._plan(position)
        # The opponent's cards may be hidden; the own ones and the betting are known.
        ends = self.watcher.follower.ends(hand)
        own_end, *_ = self.form.sequences[ends, position] - safety.mine.start
        theirs = np.unique(self.form.sequences[ends, safety.other]) - safety.theirs.start
        seen = Seen(int(own_end), tuple(theirs.tolist()), hand.payoffs[position])
        model = self._modelled()[safety.theirs]
        state = self.algorithms[position].after(self.states[position], plan, seen, model)
        self.states[position] = state
        other = self.states[safety.other]
        self.states[safety.other] = other._replace(played=state.played, bank=state.bank)
        if self.wrapped is not None:
            self.wrapped.saw(hand, position)
        else:
            self._evidence.add(self.watcher.observation(hand, safety.other))
        self._model = None
        self._plans.clear()

    def _plan(self, position: int) -> Floats:
        """How it plays the coming hand in this position."""
        if position not in self._plans:
            safety, state = self.safeties[position], self.states[position]
            if self.wrapped is not None:
                wanted = on_form(self.wrapped, self.form, player=position)
                followed = plan_of(self.form, wanted.behaviour)
                plan = safety.limited(followed[safety.mine], max(state.bank, 0.0))
            else:
                model = self._modelled()[safety.theirs]
                plan = self.algorithms[position].plan(state, model)
            self._plans[position] = plan
        return self._plans[position]

    def _modelled(self) -> Floats:
        """Plans of the opponent in both positions, as modelled."""
        if self._model is None:
            found = learned(self._evidence, self.prior, strength=self.strength)
            self._model = plan_of(self.form, found.behaviour)
        return self._model


def _enumerated(game: Playable) -> Game:
    """The game, if it is small enough for safe play."""
    try:
        return whole_game(game)
    except Unsuitable as error:
        problem = str(error).partition(";")[0]
        raise Unsuitable(f"{problem}; agents for larger games: nyx, phases") from None
