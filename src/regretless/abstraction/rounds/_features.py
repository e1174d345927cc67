"""What makers know about the hands of a round: strengths and their distributions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._rivers import river_strengths
from regretless.abstraction.rounds._small_decks import outcomes
from regretless.cards.hand_index import HandIndex
from regretless.cards.holdings import class_of, number_of
from regretless.cards.strengths import StrengthTable, preflop_strengths, strength_table
from regretless.core.arrays import Floats, Ints
from regretless.kernels.hand_strengths import HALVES

DIGITS = 10  # strengths equal to this many digits are equal: the rest is summation order
CHUNK = 1 << 20


class Scores(NamedTuple):
    """One number per hand, as a code: there are far fewer numbers than hands."""

    codes: npt.NDArray[Any]  # [hand] position in `values`
    values: Floats  # ascending
    mass: Floats  # [value] actual hands and boards


def hand_weights(index: HandIndex, context: Context | None = None) -> npt.NDArray[np.uint8]:
    """[hand] how many actual hands and boards share its number; progress goes to the context."""
    weights = np.empty(index.size, np.uint8)
    for begin in range(0, index.size, CHUNK):
        part = slice(begin, min(begin + CHUNK, index.size))
        weights[part] = index.weights_from(begin, part.stop - begin)
        if context is not None:
            context.report("weights of hands", begin / index.size)
    return weights


def scores(context: Context, *, squared: bool) -> Scores:
    """E[HS], or E[HS²], of every hand of the round."""
    if context.deal.is_holdem and context.is_last:
        halves, mass = river_strengths(context)
        values = np.arange(mass.size) / HALVES
        return Scores(halves, values**2 if squared else values, mass)
    weights = hand_weights(context.index, context)
    context.report("distinct strengths", 0.0)
    return coded(means(context)[:, int(squared)], weights)


def coded(given: npt.NDArray[Any], weights: npt.NDArray[Any]) -> Scores:
    """Numbers as codes."""
    values, codes = np.unique(given, return_inverse=True)
    mass = np.bincount(codes, weights, values.size).astype(np.float64)
    return Scores(codes.astype(np.int32), values.astype(float), mass)


def means(context: Context) -> npt.NDArray[Any]:
    """[hand, 2] E[HS] and E[HS²], on any round but the river of hold'em."""
    if not context.deal.is_holdem:
        sums = outcomes(context.deal, context.round).sums
        return np.asarray(np.round(sums[:, :2] / np.maximum(sums[:, 2:], 1), DIGITS))
    if context.round == 0:
        sums = preflop_strengths(context.listen)[0][_cells(context)].astype(float)
        return sums[:, :2] / sums[:, 2:] / (HALVES, HALVES**2)
    return _table(context).means


def histograms(context: Context) -> npt.NDArray[Any]:
    """[hand, bin] share of the boards to come, or their number if it is the same for all hands."""
    if not context.deal.is_holdem:
        boards = outcomes(context.deal, context.round).histograms
        return np.asarray(boards / np.maximum(boards.sum(axis=1), 1)[:, None], np.float32)
    if context.round == 0:
        counts: Ints = preflop_strengths(context.listen)[1][_cells(context)]
        return np.asarray(counts / counts.sum(axis=1)[:, None], np.float32)
    return _table(context).histograms


def _cells(context: Context) -> Ints:
    """[number in `HandIndex`] its class of the 169."""
    cards = context.index.cards(np.arange(context.index.size)).astype(int).tolist()
    return np.asarray(class_of()[[number_of(*pair) for pair in cards]])


def _table(context: Context) -> StrengthTable:
    table = strength_table(
        context.deal.shown(context.round), threads=context.threads, listen=context.listen
    )
    context.check()
    return table
