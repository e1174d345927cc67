"""The contract of every solver: it makes progress on a form, step by step.

A solver owns its state and nothing else: `state()` holds everything the next step depends
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
from regretless.forms.sequence import SequenceForm

ROUNDING = 1e-15  # times the largest payoff: numbers have no more digits
LEAST_PAID = 1e-30  # to divide by where nobody can win anything; payoffs may be tiny
EXACT = 1e-9  # times the range of payoffs: what a player could gain below this is rounding


class Iterate(StrEnum):
    """Which strategy of an iterative solver to use."""

    AVERAGE = "average"  # the weighted average over all iterations
    CURRENT = "current"  # what the next iteration will play
    LAST = "last"  # what the last iteration played


def payoff_spread(form: Form) -> float:
    """The difference of a player's payoffs, by which "exactly" is judged: a constant that is added
    to them changes nothing. Where terminals are not listed, the largest payoff."""
    if isinstance(form, SequenceForm):
        return float(np.ptp(form.payoffs, axis=0).max(initial=0.0))
    return form.largest_payoff


class Solver(ABC):
    """Contract of the solvers; parameters are keyword-only arguments of `__init__`."""

    is_exact = False  # it terminates on its own, with an equilibrium
    needs: tuple[str, ...] = ()  # of a game, in the words of `_needs`
    iterates: tuple[Iterate, ...] = tuple(Iterate)  # the strategies it keeps

    def __init__(self, form: Form) -> None:
        self.form = form
        self.iteration = 0
        self.rng = np.random.default_rng(0)  # replaced by the catalogue: its seed is the run's

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        """The form it needs with these parameters, sequence or public; empty if any will do."""
        return ""

    @property
    def finished(self) -> bool:
        """Whether an exact solver is done."""
        return False

    def proved(self, exploitability: float) -> bool:
        """Whether a finished solver's result is proved, not just close: by default, that nobody
        gains more than rounding."""
        rounding = ROUNDING * self.form.largest_payoff
        return exploitability <= EXACT * payoff_spread(self.form) + rounding

    def news(self) -> str:
        """What to show in addition to exploitability while it runs."""
        return ""

    def details(self) -> dict[str, Any]:
        """Facts about the method's work as JSON-compatible data."""
        return {}

    def remarks(self) -> list[tuple[str, str]]:
        """The same as text: pairs of name and value."""
        return []

    @classmethod
    def memory_bytes(cls, form: Form) -> int:
        """Memory that it needs in addition to the form."""
        return 3 * 8 * sum(form.sizes.sequences)

    def kept(self, which: Iterate) -> Iterate:
        """The requested iterate, if this solver keeps it."""
        if which not in self.iterates:
            has = " and the ".join(self.iterates)
            raise Unsuitable(f"strategy={which}: here the method keeps the {has} strategy only")
        return Iterate(which)

    @abstractmethod
    def step(self, count: int = 1) -> None:
        """Run this many iterations; 0 only compiles what they need."""

    def settle(self) -> None:  # noqa: B027, nothing to do for most
        """The run ends here: stop background work, and keep what it has found."""

    @abstractmethod
    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        """The strategy found so far."""

    def judged(self, which: Iterate = Iterate.AVERAGE) -> list[tuple[float, float]] | None:
        """What every player earns by that strategy and by a best response, if this can be
        computed without copying the strategy."""
        return None

    def proportions(self, *, final: bool) -> np.ndarray | None:
        """The average as whole numbers, if the solver keeps 16 bits per number: those of a hand
        at a decision are proportions. They are the solver's own, not a copy; `final`: it makes
        no more steps, and frees what only they would need."""
        return None

    @abstractmethod
    def state(self) -> dict[str, np.ndarray]:
        """Everything the next step depends on; the vectors are the solver's own, not copies."""

    @abstractmethod
    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from a saved state."""


def saved_rng(rng: np.random.Generator) -> np.ndarray:
    """A PCG64 generator as numbers that a file can hold."""
    state: Any = rng.bit_generator.state
    whole = [state["state"]["state"], state["state"]["inc"]]
    words = [number >> shift & 0xFFFFFFFFFFFFFFFF for number in whole for shift in (0, 64)]
    return np.array([*words, state["has_uint32"], state["uinteger"]], dtype=np.uint64)


def restored_rng(words: np.ndarray) -> np.random.Generator:
    """The generator that `saved_rng` saved."""
    if words.shape != (6,) or words.dtype != np.uint64:
        raise BadInput(f"saved state has a random generator of {words.size} numbers: must be 6")
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
    """A vector from a saved state, if its size and type match."""
    vector = state.get(name)
    if vector is None or vector.shape != like.shape or vector.dtype != like.dtype:
        raise BadInput(f"saved state has no vector {name!r} of {like.size} numbers ({like.dtype})")
    return np.array(vector)
