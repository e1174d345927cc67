"""How many children each bucket gets: the integer program of Gilpin & Sandholm 2007 (GS2, GS3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from regretless.abstraction._signals import Signals
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadParameter
from regretless.core.progress import Listener, Progress, nobody
from regretless.programs.highs import model, solved

SCALE = 1e3  # the errors of the coarsest choices sum to this: HiGHS's tolerances are absolute
GAP = 1e-6  # of the optimum


class Choices(Protocol):
    """The ways to split one bucket."""

    @property
    def counts(self) -> Ints:
        """The numbers of children to choose from, ascending from 1."""

    @property
    def errors(self) -> Floats:
        """The error of each."""

    def labels(self, count: int) -> Indices:
        """The child of every hand of the bucket."""


def share_out(buckets: Sequence[Choices], total: int, *, listen: Listener = nobody) -> Ints:
    """[bucket] its number of children: the least sum of errors with at most `total` children."""
    if total < len(buckets):
        raise BadParameter(
            f"buckets={total}: must be at least the {len(buckets)} of the previous round"
        )
    most_children = np.array([int(one.counts[-1]) for one in buckets])
    if most_children.sum() <= total:
        return most_children
    shares, gap = by_slopes(buckets, total)
    return shares if gap <= GAP else _by_program(buckets, total, listen)


class _Step(NamedTuple):
    """More children for a bucket, along the lower hull of its errors."""

    saved: float  # error per child
    bucket: int
    children: int


def by_slopes(buckets: Sequence[Choices], total: int) -> tuple[Ints, float]:
    """Shares by the linear relaxation, and how far they may be from the optimum, relatively.

    The relaxation takes steps along lower hulls, those that save most per child first, and only
    the last one in part. Where errors are convex, as on a line, steps are single children, and
    nothing is lost."""
    steps = [step for number, one in enumerate(buckets) for step in _steps_of(number, one)]
    steps.sort(key=lambda step: -step.saved)  # stable: the steps of a bucket stay in order
    shares: Ints = np.array([int(one.counts[0]) for one in buckets])
    error = sum(float(one.errors[0]) for one in buckets)
    spare, bound, closed = total - int(shares.sum()), None, set[int]()
    for saved, bucket, children in steps:
        if children <= spare and bucket not in closed:
            shares[bucket] += children
            spare, error = spare - children, error - saved * children
            continue
        if bound is None:  # here the relaxation ends
            bound = error - saved * spare
        closed.add(bucket)
    return shares, 0.0 if bound is None else (error - bound) / max(error, 1e-300)


def _steps_of(bucket: int, one: Choices) -> list[_Step]:
    """Steps that save less and less per child, as long as they save anything."""
    corners, steps = [(int(one.counts[0]), float(one.errors[0]))], list[_Step]()
    for count, error in zip(one.counts[1:].tolist(), one.errors[1:].tolist(), strict=True):
        while True:
            few, high = corners[-1]
            step = _Step((high - error) / (count - few), bucket, count - few)
            if not steps or steps[-1].saved > step.saved:
                break
            steps.pop()
            corners.pop()
        if step.saved > 0:
            steps.append(step)
            corners.append((count, error))
    return steps


def _by_program(buckets: Sequence[Choices], total: int, listen: Listener) -> Ints:
    """[bucket] its number of children, by one column per bucket and number of children, which says
    whether it is chosen."""
    from scipy import sparse

    sizes = [one.counts.size for one in buckets]
    counts = np.concatenate([one.counts for one in buckets]).astype(np.float64)
    errors = np.concatenate([one.errors for one in buckets])
    bucket = np.repeat(np.arange(len(buckets)), sizes)
    columns = np.arange(counts.size)
    matrix = sparse.csc_matrix(
        (
            np.concatenate([np.ones(counts.size), counts]),
            (
                np.concatenate([bucket, np.full(counts.size, len(buckets))]),
                np.concatenate([columns, columns]),
            ),
        )
    )
    most = sum(float(one.errors.max()) for one in buckets)
    ones = np.ones(counts.size)
    each = np.ones(len(buckets))
    program = model(
        matrix,
        -errors * (SCALE / max(most, 1e-300)),
        (0 * ones, ones),
        (np.append(each, 0.0), np.append(each, float(total))),
        ones,
    )
    running = solved(
        program,
        "the integer program of a round",
        options={"mip_rel_gap": GAP, "mip_abs_gap": 0.0},
        listen=lambda news: listen(Progress("sharing out buckets", news=news)),
    )
    chosen = np.array(running.highs.getSolution().col_value)
    ends = np.cumsum(sizes)
    best = [int(np.argmax(chosen[end - size : end])) for end, size in zip(ends, sizes, strict=True)]
    return np.array([int(one.counts[k]) for one, k in zip(buckets, best, strict=True)])


# Ways to split hands of a round: round, hands, the numbers of children to choose from at most.
Split = Callable[[int, Ints, int], Choices]


def top_down(signals: Signals, totals: Sequence[int], split: Split) -> list[Indices]:
    """[round][hand] its bucket; at most `totals` buckets per round, and perfect recall."""

    def parts(round: int, groups: list[Ints]) -> list[Indices]:
        spare = max(totals[round] - len(groups), 0) + 1
        return children([split(round, hands, spare) for hands in groups], totals[round])

    return signals.split(parts)


def children(choices: Sequence[Choices], total: int, *, listen: Listener = nobody) -> list[Indices]:
    """[bucket][hand] its child, at most `total` in all; a single bucket gets all of them."""
    shares = share_out(choices, total, listen=listen).tolist() if len(choices) > 1 else [total]
    return [one.labels(share) for one, share in zip(choices, shares, strict=True)]


def error_within(values: Floats, weights: Floats, labels: Indices) -> float:
    """Weighted mean of squared distances to the means of the buckets."""
    mass = np.bincount(labels, weights)
    means = np.bincount(labels, weights * values) / np.maximum(mass, 1e-300)
    return float((weights * (values - means[labels]) ** 2).sum() / weights.sum())
