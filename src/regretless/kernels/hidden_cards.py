"""Behaviour from observations that leave open which sequence was played.

Expectation maximisation with a Dirichlet prior: every observation is a set of sequences, one of
which the player has played to the end, with relative chances of the cards. In the E step an
observation is shared among them in proportion to chance and plan; in the M step actions are
counted. Sequences are numbered parents first, so one loop walks a treeplex in either direction."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import kernel

# Added to probabilities in the E step. With a prior that never takes an action, a hand that has
# taken it would otherwise never be considered.
TREMBLE = 1e-4


class Decisions(NamedTuple):
    """All sequences of a form."""

    above: Ints  # [sequence] the sequence before its decision point; -1 for empty sequences
    owner: Ints  # [sequence] its decision point; -1 for empty sequences


class Observations(NamedTuple):
    """Sets of sequences, each observed a number of times."""

    starts: Ints  # [set] its first entry, then the number of entries
    sequences: Ints  # [entry]
    chances: Floats  # [entry] relative chance of the cards
    times: Floats  # [set] how often it was observed


@kernel
def shared_counts(
    decisions: Decisions,
    observations: Observations,
    behaviour: Floats,
    plan: Floats,
    counts: Floats,
) -> None:
    """The E step: how often every sequence was played, in expectation; `plan` is scratch space."""
    above = decisions.above
    starts, sequences, chances, times = observations
    for s in range(above.size):
        counts[s] = 0.0
        plan[s] = 1.0 if above[s] < 0 else plan[above[s]] * (behaviour[s] + TREMBLE)
    for k in range(times.size):
        total = 0.0
        for entry in range(starts[k], starts[k + 1]):
            total += chances[entry] * plan[sequences[entry]]
        for entry in range(starts[k], starts[k + 1]):
            s = sequences[entry]
            counts[s] += times[k] * chances[entry] * plan[s] / total
    for s in range(above.size - 1, -1, -1):
        if above[s] >= 0:
            counts[above[s]] += counts[s]


@kernel
def posterior_mean(
    decisions: Decisions, prior: Floats, strength: float, counts: Floats, behaviour: Floats
) -> float:
    """The M step: (N p + c) / (N + n) of every action; returns the largest change."""
    owner = decisions.owner
    seen = behaviour * 0.0  # by decision point; there are fewer than sequences
    for s in range(owner.size):
        if owner[s] >= 0:
            seen[owner[s]] += counts[s]
    change = 0.0
    for s in range(owner.size):
        if owner[s] >= 0:
            mean = (strength * prior[s] + counts[s]) / (strength + seen[owner[s]])
            change = max(change, abs(mean - behaviour[s]))
            behaviour[s] = mean
    return change
