"""What the algorithms share: they go on from a profile and the values of all states."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Interrupted, within
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.threads import threaded
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.inner import Played, Seen, fictitious_play
from regretless.stochastic.values import (
    Profile,
    outcome_chances,
    profile_values,
    uniform_profile,
)


class OuterLoop:
    """Any game; `values` are [seat], what seats are believed to be worth."""

    name: str

    def __init__(
        self,
        game: StochasticGame,
        *,
        values: Floats | None = None,
        profile: Profile | None = None,
        threads: int = 1,
        listen: Listener = nobody,
    ) -> None:
        within("threads", threads, 1, 1024)
        self.game, self.threads, self.listen = game, threads, listen
        shape = (int(game.seats[-1]),)
        self.values = np.zeros(shape) if values is None else np.array(values, dtype=np.float64)
        if self.values.shape != shape:
            raise BadInput(f"values of shape {self.values.shape}: must be {shape}")
        self.profile = uniform_profile(game) if profile is None else [p.copy() for p in profile]
        self.iteration = 0
        self.change = np.inf  # of values, in the last iteration

    @abstractmethod
    def iterate(self) -> tuple[Profile, Floats]:
        """The next profile and values."""

    def step(self) -> None:
        """One iteration; a Ctrl-C during it leaves everything as it was before."""
        profile, values = self.iterate()
        self.change = float(np.abs(values - self.values).max())
        self.profile, self.values = profile, values
        self.iteration += 1

    def state(self) -> dict[str, np.ndarray]:
        """Everything that the next iteration depends on."""
        counts = np.array([self.iteration, *self.counters()], dtype=np.float64)
        return {"values": self.values, "profile": np.concatenate(self.profile), "counts": counts}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Go on from what `state` returned."""
        sizes = [len(plan) for plan in self.profile]
        if len(state["profile"]) != sum(sizes) or state["values"].shape != self.values.shape:
            raise BadInput("a saved run of another game: must be one of this game")
        self.values = state["values"].copy()
        self.profile = np.split(state["profile"].copy(), np.cumsum(sizes)[:-1])
        iteration, *counters = state["counts"].tolist()
        self.iteration = int(iteration)
        self.count(counters)

    def counters(self) -> Iterable[float]:
        """What else `state` must hold."""
        return ()

    def count(self, counters: Iterable[float]) -> None:
        """Set what `counters` returned."""


class InnerPlay(OuterLoop):
    """Fictitious play in every state, given values; then new values of the states.

    The regret that is allowed within a state falls by `sharper` in every iteration down to
    `regret`: early values are not worth more precision. The plans of the iteration before are
    where play begins, and count as `weight` iterations; `recency` is that of fictitious play."""

    def __init__(
        self,
        game: StochasticGame,
        *,
        regret: float,
        first_regret: float | None = None,
        sharper: float = 0.25,
        most: int = 2_000,
        weight: float = 4,
        recency: float = 0,
        values: Floats | None = None,
        profile: Profile | None = None,
        threads: int = 1,
        listen: Listener = nobody,
    ) -> None:
        within("regret", regret, 0, np.inf)
        within("sharper", sharper, 0, 1)
        within("most", most, 1, 10**9)
        within("weight", weight, 0, 10**6)
        within("recency", recency, 0, 100)
        super().__init__(game, values=values, profile=profile, threads=threads, listen=listen)
        self.regret, self.most, self.sharper = regret, most, sharper
        self.weight, self.recency = weight, recency
        self.allowed = max(regret, regret if first_regret is None else first_regret)
        self.inner_iterations = 0
        self.seen: list[Seen | None] = [None] * len(game.states)

    def iterate(self) -> tuple[Profile, Floats]:
        played = self.play()
        self.allowed = max(self.regret, self.allowed * self.sharper)
        self.inner_iterations += sum(one.iterations for one in played)
        self.seen = [one.seen for one in played]
        return [one.plan for one in played], self.valued(played)

    @abstractmethod
    def valued(self, played: list[Played]) -> Floats:
        """The values of all states from what was played there."""

    def play(self) -> list[Played]:
        """Fictitious play in all states; threads share them."""
        utilities = self.game.utilities(self.values)
        weight = self.weight if self.iteration else 1
        count, played = len(utilities), []

        def work(s: int) -> Played | None:
            if interrupted():
                return None
            return fictitious_play(
                self.game.states[s].stage,
                utilities[s],
                self.profile[s],
                regret=self.allowed,
                most=self.most,
                weight=weight,
                recency=self.recency,
                seen=self.seen[s],
            )

        with threaded(self.threads) as run:
            for s, one in enumerate(run(work, range(count))):
                if one is None or interrupted():
                    raise Interrupted(f"{self.name}: an iteration was not complete")
                played.append(one)
                news = f"iteration {self.iteration + 1}, state {s + 1} of {count}"
                self.listen(Progress(self.name, self.iteration, done=(s + 1) / count, news=news))
        return played

    def counters(self) -> Iterable[float]:
        return (self.allowed, self.inner_iterations)

    def count(self, counters: Iterable[float]) -> None:
        allowed, inner_iterations = counters
        self.allowed, self.inner_iterations = allowed, int(inner_iterations)


class OuterPlay(OuterLoop):
    """Fictitious play of whole policies: everybody's best policy joins its average."""

    def iterate(self) -> tuple[Profile, Floats]:
        self.listen(Progress(self.name, self.iteration, news=f"iteration {self.iteration + 1}"))
        step = 1.0 / (self.iteration + 2)
        best = self.best()
        following = [
            plan + step * (own - plan) for plan, own in zip(self.profile, best, strict=True)
        ]
        if interrupted():
            raise Interrupted(f"{self.name}: an iteration was not complete")
        return following, profile_values(self.game, outcome_chances(self.game, following))

    @abstractmethod
    def best(self) -> Profile:
        """Best policies of all players against the others' averages."""
