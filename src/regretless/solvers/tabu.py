"""Tabu best-response search (Sureka & Wurman 2005): a pure equilibrium, any number of players.

Payoffs are queried one profile at a time, and no table of them is built. Differs from the
paper: the tabu list never forgets. Profiles ruled out as equilibria are not visited again,
so the search ends, with an equilibrium or with a proof that no pure one exists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from regretless.core import memory
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, TooLarge, Unsolved, shown, within
from regretless.forms.form import Form, behaviour_of, plan_of, uniform
from regretless.solvers._needs import (
    PURE,
    explicit_form,
    learners,
    pure_strategies,
    require_normal_form,
)
from regretless.solvers._solver import Iterate, Solver, restored_rng, saved_rng

Profile: TypeAlias = tuple[int, ...]  # one pure strategy for every player
Ask: TypeAlias = Callable[[Profile], Sequence[float]]

TIE = 1e-12  # payoffs this close, relative to their size, are equally good
MOST_PROFILES = 2**62  # their codes are 64-bit integers in files
TRIES = 64  # random profiles before the first remaining one is taken


class Move(NamedTuple):
    """What a player could do at a profile."""

    best: list[Profile]
    gains: bool


class Search:
    """Walks from profile to profile; `out` are codes of those ruled out as equilibria."""

    def __init__(self, ask: Ask, choices: Sequence[int]) -> None:
        self.ask, self.choices = ask, tuple(choices)
        self.total = prod(self.choices)
        self.at: Profile | None = None
        self.turn = 0
        self.out: set[int] = set()
        self.asked: dict[Profile, Sequence[float]] = {}
        self.done = False

    def code(self, profile: Profile) -> int:
        """The number of a profile."""
        number = 0
        for choice, count in zip(profile, self.choices, strict=True):
            number = number * count + choice
        return number

    def profile(self, code: int) -> Profile:
        """The profile of a number."""
        choices = []
        for count in reversed(self.choices):
            code, choice = divmod(code, count)
            choices.append(choice)
        return tuple(reversed(choices))

    def step(self, rng: np.random.Generator) -> None:
        """Ask the players in turn for a better reply, and move to the first one found."""
        if self.at is None:
            self.at = self._somewhere(rng)
        players = len(self.choices)
        for k in range(players):
            player = (self.turn + k) % players
            move = self._options(player, self.at)
            if move.gains:
                self.turn = (player + 1) % players
                open_ = [one for one in move.best if self.code(one) not in self.out]
                self.at = open_[0] if open_ else self._nearby(player, self.at, rng)
                return
        self.done = True

    def _options(self, player: int, at: Profile) -> Move:
        """Best replies of a player; all worse ones are ruled out."""
        profiles = [
            (*at[:player], choice, *at[player + 1 :]) for choice in range(self.choices[player])
        ]
        earned = np.array([self._payoffs(one)[player] for one in profiles])
        slack = TIE * float(np.abs(earned).max())
        is_best = earned >= earned.max() - slack
        self.out.update(
            self.code(one) for one, best in zip(profiles, is_best, strict=True) if not best
        )
        best = [one for one, good in zip(profiles, is_best, strict=True) if good]
        return Move(best, not is_best[at[player]])

    def _payoffs(self, profile: Profile) -> Sequence[float]:
        if profile not in self.asked:
            paid = self.ask(profile)
            if len(paid) != len(self.choices) or not np.isfinite(paid).all():
                wanted = f"{len(self.choices)} finite numbers, one per player"
                raise BadInput(f"payoffs {shown(paid)} of profile {profile}: must be {wanted}")
            self.asked[profile] = paid
        return self.asked[profile]

    def _nearby(self, player: int, at: Profile, rng: np.random.Generator) -> Profile:
        """The best reply is tabu: let another player move away from it, or restart elsewhere."""
        best = max(
            ((*at[:player], c, *at[player + 1 :]) for c in range(self.choices[player])),
            key=lambda one: self._payoffs(one)[player],
        )
        others = [k for k in range(len(self.choices)) if k != player]
        near = [(*best[:k], c, *best[k + 1 :]) for k in others for c in range(self.choices[k])]
        open_ = [one for one in near if self.code(one) not in self.out]
        return open_[int(rng.integers(len(open_)))] if open_ else self._somewhere(rng)

    def _somewhere(self, rng: np.random.Generator) -> Profile:
        if len(self.out) == self.total:
            raise Unsolved(
                f"there is no pure equilibrium: all {self.total:,} profiles are ruled out; "
                "use a method that finds mixed ones"
            )
        for _ in range(TRIES):
            profile = tuple(int(rng.integers(count)) for count in self.choices)
            if self.code(profile) not in self.out:
                return profile
        code = next(code for code in range(self.total) if code not in self.out)
        return self.profile(code)


def pure_equilibrium(
    ask: Ask, choices: Sequence[int], *, seed: int = 0, steps: int | None = None
) -> Profile | None:
    """A pure equilibrium of a black-box game: `ask((0, 2))` returns what each player earns.

    `choices` counts the pure strategies of every player. None if no pure equilibrium exists, or
    none was found within the given steps."""
    for player, count in enumerate(choices):
        within(f"choices of player {player + 1}", count, 1, 2**31)
    search, rng = Search(ask, choices), np.random.default_rng(seed)
    try:
        while not search.done and steps != 0:
            search.step(rng)
            steps = None if steps is None else steps - 1
    except Unsolved:
        return None
    return search.at if search.done else None


class Method(Solver):
    """A step is one move to a best reply that is not tabu."""

    needs = (PURE,)

    def __init__(self, form: Form) -> None:
        self.explicit = explicit_form(self, form)
        super().__init__(form)
        require_normal_form(self.explicit, lambda *_: 0)
        choices = [len(plans) for plans in self.pure]
        if prod(choices) > MOST_PROFILES:
            raise TooLarge(
                f"{form.spec} has {prod(choices):.1e} profiles: must be at most 2^62; "
                f"methods without a normal form: {learners()}"
            )
        self.search = Search(self._payoffs, choices)

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "sequence"

    @cached_property
    def pure(self) -> tuple[Floats, ...]:
        """Plans of the pure strategies of every player."""
        return pure_strategies(self.explicit)

    def _payoffs(self, profile: Profile) -> tuple[float, ...]:
        plan = self._plan(profile)
        reach = self.explicit.chance * plan[self.explicit.sequences].prod(axis=1)
        return tuple(map(float, reach @ self.explicit.payoffs))

    def _plan(self, profile: Profile) -> Floats:
        return np.concatenate([own[choice] for own, choice in zip(self.pure, profile, strict=True)])

    @property
    def finished(self) -> bool:
        return self.search.done

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            if self.finished:
                return
            self.search.step(self.rng)
            memory.keep(f"the method on {self.form.spec}")
            self.iteration += 1

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        if self.search.at is None:
            return uniform(self.form)
        plan = plan_of(self.form, behaviour_of(self.form, self._plan(self.search.at)))
        return behaviour_of(self.form, plan)

    def news(self) -> str:
        asked, out = len(self.search.asked), len(self.search.out)
        return f"{asked:,} payoffs queried, {out:,} of {self.search.total:,} profiles ruled out"

    def details(self) -> dict[str, Any]:
        return {
            "profiles": self.search.total,
            "asked": len(self.search.asked),
            "ruled_out": len(self.search.out),
        }

    def state(self) -> dict[str, np.ndarray]:
        search = self.search
        at = 0 if search.at is None else 1 + search.code(search.at)
        numbers = {
            "at": [self.iteration, at, search.turn, int(search.done)],
            "choices": search.choices,
            "out": sorted(search.out),
            "asked": sorted(map(search.code, search.asked)),
        }
        return {
            **{name: np.array(found, dtype=np.uint64) for name, found in numbers.items()},
            "rng": saved_rng(self.rng),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        choices = state.get("choices", np.empty(0))
        if not np.array_equal(choices, self.search.choices) or state.get("at", choices).size != 4:
            raise BadInput(f"saved state is not of a search among {self.search.choices} strategies")
        codes = [state.get(name, np.empty(0, np.uint64)) for name in ("out", "asked")]
        if any(one.dtype != np.uint64 or (one >= self.search.total).any() for one in codes):
            raise BadInput(f"saved state is damaged: profiles are 0 to {self.search.total - 1}")
        self.rng = restored_rng(state.get("rng", np.empty(0)))
        search = self.search
        self.iteration, at, search.turn, done = map(int, state["at"])
        within("place of a saved search", at, 0, search.total)
        search.at = None if at == 0 else search.profile(at - 1)
        search.done = bool(done)
        search.out = set(map(int, codes[0]))
        search.asked = {
            search.profile(int(code)): self._payoffs(search.profile(int(code))) for code in codes[1]
        }
