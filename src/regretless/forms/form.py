"""A solver's view of a game: decisions, and their values.

The sequences of all players form one vector, player by player; `roots[i]` is the empty
sequence of player i. A plan is such a vector (root = 1, children sum to their parent), a
behaviour holds the probability of every action at the same position."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadParameter, shown
from regretless.forms.treeplex import Point, Treeplex
from regretless.games._state import Game, Sizes
from regretless.kernels import treeplex as kernels
from regretless.kernels.treeplex import Plex


class Form(Protocol):
    """The contract between games and solvers. Frozen once built."""

    @property
    def spec(self) -> str: ...
    @property
    def game(self) -> Game | None: ...  # from which it was built
    @property
    def players(self) -> int: ...
    @property
    def zero_sum(self) -> bool: ...
    @property
    def treeplexes(self) -> tuple[Treeplex, ...]: ...
    @property
    def plex(self) -> Plex: ...
    @property
    def blocks(self) -> Plex: ...  # the same, possibly without parents: cheap
    @property
    def sizes(self) -> Sizes: ...

    def points(self, player: int) -> Iterable[Point]:
        """The player's decision points, one by one: there may be millions."""

    def find(self, player: int, label: str) -> Point | None:
        """The player's decision point with this label, if there is one."""

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        """out[s] for the player's own sequences s: the value of s against the others' plans."""

    def respond(self, player: int, behaviour: Floats, answer: Floats = ...) -> tuple[float, float]:
        """Value of the player's behaviour and of its best response to the others.

        The best response is written to `answer`, if that is a vector of sequences."""

    def sweep(self, learner: Any, memory: Any, weights: Floats, simultaneous: bool) -> None:
        """One iteration for every row of weights: a learner, whose memory is the caller's, plays
        and observes at every decision point (kernels/learner.py)."""

    def fingerprint(self) -> str:
        """Digest of the decisions and payoffs: equal for equal games."""

    @property
    def largest_payoff(self) -> float: ...
    @property
    def real(self) -> type[np.floating[Any]]: ...  # numbers that a sweep computes in
    @property
    def number_bytes(self) -> int: ...  # of a number that a learner keeps
    @property
    def memory_bytes(self) -> int: ...  # of the form and its scratch vectors


def size(form: Form) -> int:
    """Number of sequences of all players."""
    return int(form.blocks.roots[-1])


def own(form: Form, player: int) -> slice:
    """The player's part of a vector of sequences."""
    return slice(int(form.blocks.roots[player]), int(form.blocks.roots[player + 1]))


def uniform(form: Form) -> Floats:
    """The behaviour that takes every action with equal probability."""
    return behaviour_of(form, np.zeros(size(form)))


def require_kernel_arguments(
    roots: Ints,
    player: object,
    *vectors: object,
    whole: type[np.unsignedinteger[Any]] | None = None,
) -> None:
    """Refuse input that would make a kernel leave its arrays: kernels check no bounds.

    `whole`: whole numbers of this type are allowed beside floats."""
    if not isinstance(player, Integral) or not 0 <= int(player) < len(roots) - 1:
        raise BadParameter(f"player={shown(player)}: must be 0 to {len(roots) - 2}")
    needed = int(roots[-1])
    for vector in vectors:
        if not isinstance(vector, np.ndarray):
            raise BadParameter(f"{shown(vector)}: must be an array, one number per sequence")
        is_number = vector.dtype.kind == "f" or (whole is not None and vector.dtype == whole)
        fits = vector.shape == (needed,) and is_number and vector.dtype.isnative
        if not (fits and vector.flags.c_contiguous):
            raise BadParameter(
                f"array of {vector.dtype} of shape {vector.shape}: must be {needed:,} "
                "contiguous floats, one per sequence"
            )


def require_written(*vectors: np.ndarray) -> None:
    """Refuse vectors that a kernel cannot write to."""
    for vector in vectors:
        if not vector.flags.writeable:
            raise BadParameter(f"array of {vector.dtype} of shape {vector.shape}: is read-only")


def require_memory(roots: Ints, learner: Any, memory: Any) -> None:
    """Refuse a memory that is not as long as a sweep believes it to be."""
    size = int(roots[-1])
    for name, vector in memory._asdict().items():
        sizes = [size] if name in ("average", "regret") else [0, size]
        if name.endswith("_scale"):  # one number for a run of sequences
            sizes = [(size >> learner.shift) + 1]
        is_vector = isinstance(vector, np.ndarray) and vector.ndim == 1
        if not (is_vector and vector.size in sizes and vector.flags.c_contiguous):
            got = f"shape {vector.shape}" if isinstance(vector, np.ndarray) else shown(vector)
            raise BadParameter(f"{name} of {got}: must be {sizes[-1]:,} contiguous numbers")
        require_written(vector)


def plan_of(form: Form, behaviour: Floats) -> Floats:
    """The realization plan of a behaviour."""
    require_kernel_arguments(form.blocks.roots, 0, behaviour)
    plan = np.empty_like(behaviour)
    for player in range(form.players):
        kernels.behaviour_to_plan(form.plex, player, behaviour, plan)
    return plan


def behaviour_of(form: Form, plan: Floats) -> Floats:
    """The behaviour of a realization plan, uniform at decision points it never reaches."""
    require_kernel_arguments(form.blocks.roots, 0, plan)
    behaviour = np.empty_like(plan)
    for player in range(form.players):
        kernels.plan_to_behaviour(form.blocks, player, plan, behaviour)
    return behaviour
