"""What every solver is: something that makes progress on a form, step by step.

A solver owns its state and nothing else: `state()` holds all that the next step depends
on, so a solver restored from it continues bit for bit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Unsuitable
from regretless.forms.form import Form


class Iterate(StrEnum):
    """Which strategy of an iterative solver is meant."""

    AVERAGE = "average"  # the weighted average over all iterations
    CURRENT = "current"  # what the next iteration will play
    LAST = "last"  # what the last iteration played


class Solver(ABC):
    """Contract of the solvers; parameters are keyword-only arguments of `__init__`."""

    is_exact = False  # it ends by itself, with an equilibrium
    needs: tuple[str, ...] = ()  # of a game, in the words of `_needs`
    iterates: tuple[Iterate, ...] = tuple(Iterate)  # the strategies it can show

    def __init__(self, form: Form) -> None:
        self.form = form
        self.iteration = 0
        self.rng = np.random.default_rng(0)  # replaced by the catalogue: its seed is the run's

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        """The form that it needs with these parameters, sequence or public; empty: any."""
        return ""

    @property
    def finished(self) -> bool:
        """An exact solver has found what it looks for."""
        return False

    @property
    def proved(self) -> bool:
        """What a finished solver has found is what it looked for, not only near it."""
        return True

    def news(self) -> str:
        """What there is to tell beside exploitability while it runs."""
        return ""

    def details(self) -> dict[str, Any]:
        """What the method knows about its work, as JSON can say it."""
        return {}

    def remarks(self) -> list[tuple[str, str]]:
        """The same for people: names and texts."""
        return []

    @classmethod
    def memory_bytes(cls, form: Form) -> int:
        """Memory that it takes beside the form."""
        return 3 * 8 * sum(form.sizes.sequences)

    def kept(self, which: Iterate) -> Iterate:
        """The iterate that is asked for, if this solver keeps it."""
        if which not in self.iterates:
            has = " and the ".join(self.iterates)
            raise Unsuitable(f"strategy={which}: here the method keeps the {has} strategy only")
        return Iterate(which)

    @abstractmethod
    def step(self, count: int = 1) -> None:
        """Make this many iterations; none at all still compiles what they need."""

    def settle(self) -> None:  # noqa: B027, nothing to do for most
        """The run ends here: end what goes on beside it, and keep what that has found."""

    @abstractmethod
    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        """The strategy found so far."""

    def judged(self, which: Iterate = Iterate.AVERAGE) -> list[tuple[float, float]] | None:
        """What every player earns by that strategy and by a best response, if this can be told
        without writing the strategy out."""
        return None

    def proportions(self, *, final: bool) -> np.ndarray | None:
        """The average as whole numbers, if the solver keeps 16 bits per number: those of a hand
        at a decision are proportions. They are the solver's own, not a copy; `final`: it makes
        no more steps, and frees what only they would need."""
        return None

    @abstractmethod
    def state(self) -> dict[str, np.ndarray]:
        """All that the next step depends on; the vectors are the solver's own, not copies."""

    @abstractmethod
    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from a saved state."""


def saved_rng(rng: np.random.Generator) -> np.ndarray:
    """A PCG64 generator as numbers that a file can hold."""
    found: Any = rng.bit_generator.state
    whole = [found["state"]["state"], found["state"]["inc"]]
    words = [number >> shift & 0xFFFFFFFFFFFFFFFF for number in whole for shift in (0, 64)]
    return np.array([*words, found["has_uint32"], found["uinteger"]], dtype=np.uint64)


def restored_rng(words: np.ndarray) -> np.random.Generator:
    """The generator that `saved_rng` wrote down."""
    if words.shape != (6,) or words.dtype != np.uint64:
        raise BadInput(f"saved state has a random generator of {words.size} numbers: needed are 6")
    low, high, inc_low, inc_high, has, last = (int(word) for word in words)
    bits = np.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": inc_high << 64 | inc_low},
        "has_uint32": has,
        "uinteger": last,
    }
    return np.random.Generator(bits)


def checked(state: Mapping[str, Any], name: str, like: np.ndarray) -> np.ndarray:
    """A vector out of a saved state, if it is of the size and kind that is needed."""
    found = state.get(name)
    if found is None or found.shape != like.shape or found.dtype != like.dtype:
        raise BadInput(f"saved state has no vector {name!r} of {like.size} numbers ({like.dtype})")
    return np.array(found)
