"""Public buckets of boards, and private buckets of hands within each (Moravčík 2014, chapter 4).

`public:20x50` has 20 public buckets of 50 private ones. Boards are clustered around medoids by the
earth mover's distance between the sets of their hands. The distance of two hands is that of their
distributions of strength, in all rounds so far (`by=history`, which the document uses) or in this
one (`by=distribution`, which it found to be poor). `by=transitions` compares transition tables
instead (Waugh et al. 2009). Private buckets are those of `distribution`, for every public bucket by
itself. Nothing of earlier rounds is remembered."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._board_distances import VERSION, board_distances
from regretless.abstraction._board_sets import board_numbers, hand_sets
from regretless.abstraction._clustering import k_means
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction._medoids import k_medoids
from regretless.abstraction.rounds._board_tables import transition_tables
from regretless.abstraction.rounds._clusters import by_strength, distinct, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms
from regretless.cards.hand_index import HandIndex
from regretless.cards.strengths import BINS
from regretless.core.arrays import Indices, Ints
from regretless.core.caches import cache_folder
from regretless.core.errors import BadParameter, Unsuitable, within
from regretless.core.progress import Progress

WAYS = ("history", "distribution", "transitions")
MOST_BOARDS = 3000  # their square is the number of distances
STARTS = 20  # of k-medoids and of k-means over transition tables


def make(
    context: Context,
    *,
    publics: int,
    privates: int,
    by: str = "history",
    spread: float = 0.3,
    strengths: int = 10,
    starts: int = 3,
    iterations: int = 50,
) -> RoundMap:
    """`spread` is how far a hand may be from its type when boards are compared, in bins and per
    round; `strengths` are the buckets of a transition table per round."""
    within("publics", publics, 1, MOST_BOARDS)
    within("privates", privates, 1, 10**6)
    within("spread", spread, 0.0, float(BINS))
    within("strengths", strengths, 1, 1000)
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    if by not in WAYS:
        raise BadParameter(f"by={by}: must be {', '.join(WAYS[:-1])} or {WAYS[-1]}")
    hands = _Hands(context, ordered=by != "distribution")
    if by == "transitions":
        own = _by_transitions(hands, min(publics, hands.boards.size), strengths)
    else:
        own = _by_distances(hands, min(publics, hands.boards.size), by, spread)
    labels, count = _private(hands, own[hands.board], privates, starts, iterations)
    return RoundMap(hands.index, count, labels.astype(label_type(count)))


class _Hands:
    """The hands of a round, and their boards."""

    def __init__(self, context: Context, *, ordered: bool) -> None:
        deal, round = context.deal, context.round
        if not deal.shown(round):
            raise Unsuitable(f"{context.name}=public: there is no board yet")
        self.context = context
        self.index = deal.index(round, ordered=ordered)
        boards = HandIndex(self.index.rounds[1:], deal.ranks, deal.suits)
        if boards.size > MOST_BOARDS:
            raise Unsuitable(
                f"{context.name}=public: {boards.size:,} boards, must be at most {MOST_BOARDS:,}"
            )
        self.cards = self.index.cards(np.arange(self.index.size))
        self.boards, self.board, self.weights = board_numbers(self.index, deal.hole)

    @property
    def board_weights(self) -> Ints:
        """[board] actual boards."""
        return self.boards.weights(self.boards.cards(np.arange(self.boards.size)))

    def rows(self, round: int) -> Ints:
        """[hand] its number in the index of a round so far, whose board is a set of cards."""
        deal = self.context.deal
        return deal.index(round).index(self.cards[:, : deal.hole + deal.shown(round)])


def _by_distances(hands: _Hands, count: int, by: str, spread: float) -> Indices:
    """[board] public bucket, around medoids."""
    context, deal = hands.context, hands.context.deal
    rounds = range(0 if by == "history" else context.round, context.round + 1)
    parts = [(histograms(replace(context, round=one)), hands.rows(one)) for one in rounds]
    sets = hand_sets(hands.index, deal.hole, parts)
    spread = spread * len(rounds)
    found = board_distances(
        sets,
        folder=_folder(context, f"{by}-{spread:g}"),
        spread=spread,
        threads=context.threads,
        listen=partial(_tell, context),
    )
    chosen = k_medoids(
        found.between,
        count,
        weights=hands.board_weights,
        starts=STARTS,
        seed=context.seed,
        listen=partial(_tell, context),
    )
    context.check()
    return chosen.own


def _folder(context: Context, name: str) -> Path:
    """Where distances are kept: those of hold'em serve all maps of a machine."""
    deal, shown = context.deal, context.deal.shown(context.round)
    home = cache_folder() if deal.is_holdem else context.folder
    return home / f"boards-{deal.ranks}x{deal.suits}-{shown}-{name}-{VERSION}"


def _by_transitions(hands: _Hands, count: int, strengths: int) -> Indices:
    """[board] public bucket, by k-means of transition tables."""
    context = hands.context
    if not context.round:
        raise Unsuitable(f"{context.name}=public: by=transitions needs an earlier round")
    weights = hands.board_weights
    tables = transition_tables(
        context,
        (hands.rows(context.round - 1), hands.rows(context.round)),
        hands.board,
        hands.weights,
        hands.weights * weights[hands.board],
        strengths,
    )
    found = k_means(
        tables,
        count,
        weights=weights.astype(np.float32),
        starts=STARTS,
        seed=context.seed,
        threads=context.threads,
        listen=partial(_tell, context),
    )
    context.check()
    return np.unique(found.own, return_inverse=True)[1].astype(np.int32)  # none is empty


def _private(
    hands: _Hands, public: Indices, count: int, starts: int, iterations: int
) -> tuple[npt.NDArray[Any], int]:
    """[hand] bucket: private buckets from weak to strong, one public bucket after another."""
    context = hands.context
    shares, row = histograms(context), hands.rows(context.round)
    total = hands.weights * hands.board_weights[hands.board]
    labels, used = np.empty(public.size, np.int64), 0
    publics = int(public.max()) + 1
    for one in range(publics):
        mine = np.flatnonzero(public == one)
        merged = distinct(np.ascontiguousarray(shares[row[mine]]), total[mine])
        found = k_means(
            merged.rows,
            min(count, len(merged.rows)),
            weights=merged.mass,
            metric="emd",
            starts=starts,
            iterations=iterations,
            seed=context.seed,
            threads=context.threads,
        )
        strength = merged.rows @ np.arange(merged.rows.shape[1]) / merged.rows.sum(axis=1)
        own, size = by_strength(found.own, strength, merged.mass)
        labels[mine] = used + own[merged.own]
        used += size
        context.report("private buckets", (one + 1) / publics)
    return labels, used


def _tell(context: Context, one: Progress) -> None:
    context.listen(Progress(f"{context.name}: {one.stage}", done=one.done, news=one.news))
