"""Starts at an equilibrium, models its opponents, and answers the model.

Deviation-based best response (Ganzfried & Sandholm 2011): every `every` hands the opponents are
modelled again from what this position saw of them, and the agent plays a best response, or another
response of `by`. For two or more players, in games that can be enumerated.

It learns: what it plays depends on the hands before. A resumed match shows them again, so it goes
on as it would have; with `limit_ms` that depends on the clock and no longer holds."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from regretless.core.errors import BadParameter, number, whole
from regretless.exploitation import models, responses
from regretless.exploitation.evidence import Evidence
from regretless.exploitation.model import Model, learned
from regretless.forms.form import own
from regretless.play.agents import _saved
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.agents._tilted import started, strategy_of, whole_game
from regretless.play.observing import Watcher
from regretless.play.records import Hand
from regretless.play.rules import Playable
from regretless.play.table import View
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

Names = tuple[str, ...]


class Agent(MixingAgent):
    """Answers what it has learned of each opponent."""

    answers_at_once = False

    def __init__(
        self,
        game: Playable,
        *,
        base: str = "",
        model: str = "posterior",
        by: str = "best-response",
        strength: float = 5.0,
        every: int = 50,
        after: int = 0,
        limit_ms: float = 0.0,
        seed: int = 0,
    ) -> None:
        """`base`: strategy file (default: an equilibrium); `model`: posterior, shifting, l1 or l2;
        `by`: response; `strength` of the prior; a new model every `every` hands, but not before
        `after`; `limit_ms`: time per hand on average, 0 for no limit."""
        super().__init__(game, seed=seed)
        whole("every", every, 1, 10**9)
        whole("after", after, 0, 10**12)
        if not number("limit_ms", limit_ms) >= 0:
            raise BadParameter(f"limit_ms={limit_ms}: must be 0 or more")
        self.every, self.after, self.limit_ms = every, after, limit_ms
        self.model, self.strength = model, strength
        models.MODELS.module(model)
        self.response = responses.RESPONSES.parsed(by)
        self.watcher = Watcher(whole_game(game, "dbbr needs a game that can be enumerated"))
        self.prior: Strategy = on_form(strategy_of(started(game, base, seed)), self.watcher.form)
        self.watcher.suppose(self.prior)
        self._playing = _saved.Agent(game, strategy=self.prior, seed=seed)
        self.begin()

    def begin(self) -> None:
        self.hands = 0
        self._due = max(self.every, self.after)  # number of hands before the next model
        self._fresh: list[tuple[str, Hand, int]] = []  # since the last model
        self._evidence: dict[str, Evidence] = {}
        self._models: dict[str, Model] = {}
        self._answers: dict[tuple[Names, int], np.ndarray] = {}
        self._last: Names = ()  # who sat where in the last hand

    def saw(self, hand: Hand, position: int) -> None:
        self.hands += 1
        self._last, self._mine = hand.names, hand.names[position]
        # A dealer's client calls all others the same: they are then one opponent.
        numbered = hand._replace(names=tuple(map(str, range(len(hand.names)))))
        self._fresh += [
            (name, numbered, other) for other, name in enumerate(hand.names) if other != position
        ]
        if self.hands >= self._due:
            started_at = time.perf_counter()
            self._remodel()
            self._due = self.hands + max(self.every, self._needed(started_at))

    def _needed(self, started_at: float) -> int:
        """Hands until as much time may be taken again; 0 without a limit."""
        if not self.limit_ms:
            return 0
        return int(1000 * (time.perf_counter() - started_at) / self.limit_ms) + 1

    def _remodel(self) -> None:
        for name, hand, position in self._fresh:
            evidence = self._evidence.setdefault(name, Evidence(self.watcher.form))
            evidence.add(self.watcher.observation(hand, position))
        self._fresh.clear()
        self._models.clear()
        self._answers.clear()

    def mixture(self, view: View) -> Mixture:
        if not self._evidence:
            return self._playing.mixture(view)
        return self._playing.drawn(view, self._answer(view.position))

    def opponent(self, name: str) -> Model:
        """The current model of an opponent."""
        if name not in self._models:
            evidence = self._evidence[name]
            made = learned(evidence, self.prior, by=self.model, strength=self.strength)
            self._models[name] = replace(made, name=name)
        return self._models[name]

    def _answer(self, position: int) -> np.ndarray:
        names = self._seated(position)
        key = names, position
        if key not in self._answers:
            others = {p: name for p, name in enumerate(names) if p != position}
            mixed = self.opponent(next(iter(others.values())))
            behaviour, counts = mixed.behaviour.copy(), mixed.counts.copy()
            for p, name in others.items():
                mine, one = own(mixed.form, p), self.opponent(name)
                behaviour[mine], counts[mine] = one.behaviour[mine], one.counts[mine]
            together = replace(mixed, behaviour=behaviour, counts=counts)
            self._answers[key] = responses.respond(self.response, together, position + 1)
        return self._answers[key]

    def _seated(self, position: int) -> Names:
        """Who sits where in a hand that this agent plays in this position: the order stays."""
        moved = (self._last.index(self._mine) - position) % len(self._last)
        return (*self._last[moved:], *self._last[:moved])
