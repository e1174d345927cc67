"""Sampled hands of an enumerated game.

Every random number is a function of the seed, the hand and the count of numbers drawn in that
hand, so the result does not depend on how hands are split into batches. The function is the
finaliser of SplitMix64 (Steele, Lea & Flood 2014) on a counter. Chance has its own numbers,
shared by all seatings of a hand: all of them play the same deal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import lean

CHANCE, TERMINAL = -1, -2
STEP = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: SplitMix64's counter step
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
TO_FRACTION = np.uint64(11)  # the upper 53 bits make a number below 1
UNIT = 2.0**-53
LINEAR = 8  # up to this many options linear search, beyond it bisection


class Tree(NamedTuple):
    """A game for kernels; the children of a node are adjacent."""

    nodes: Indices  # [node, (player, first child, children, slot)]
    chances: Floats  # by slot of a chance node: probability of this outcome or an earlier one
    payoffs: Floats  # [slot of a terminal, player]


@lean
def mixed(x: np.uint64) -> np.uint64:
    """A pseudo-random number."""
    x = (x ^ (x >> SHIFT_1)) * FIRST
    x = (x ^ (x >> SHIFT_2)) * SECOND
    return np.uint64(x ^ (x >> SHIFT_3))


@lean
def chosen(sums: Floats, first: int, count: int, u: float) -> int:
    """The option for a random number below 1, given running sums of probabilities."""
    if count <= LINEAR:
        for option in range(count - 1):
            if u < sums[first + option]:
                return option
        return count - 1
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if u < sums[first + middle]:
            high = middle
        else:
            low = middle + 1
    return low


@lean
def play_hand(
    tree: Tree, choices: Floats, seating: Indices, deal: np.uint64, acts: np.uint64
) -> int:
    """The slot of the terminal that one hand reaches.

    `choices` holds running sums of probabilities, [strategy, slot of a decision]."""
    node = 0
    while True:
        player, first = tree.nodes[node, 0], tree.nodes[node, 1]
        count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
        if player == TERMINAL:
            return int(slot)
        if player == CHANCE:
            deal += STEP
            u = np.float64(mixed(deal) >> TO_FRACTION) * UNIT
            node = first + chosen(tree.chances, slot, count, u)
        else:
            acts += STEP
            u = np.float64(mixed(acts) >> TO_FRACTION) * UNIT
            node = first + chosen(choices[seating[player]], slot, count, u)


@lean
def play_batches(
    tree: Tree,
    choices: Floats,
    seatings: Indices,
    seed: int,
    bounds: Ints,
    sums: Floats,
    squares: Floats,
) -> None:
    """Play every hand of some batches in every seating.

    bounds: first hand of every batch, then the end. Payoffs are added to
    sums[batch, seating, player], their squares to the same place of squares."""
    key = mixed(np.uint64(seed) + STEP)
    for batch in range(bounds.size - 1):
        for hand in range(bounds[batch], bounds[batch + 1]):
            deal = mixed(key ^ mixed(np.uint64(hand) + STEP))
            acts = mixed(deal)
            for s in range(seatings.shape[0]):
                # Mix once more per seating, so that the counters of two seatings never coincide.
                acts = mixed(acts + STEP)
                end = play_hand(tree, choices, seatings[s], deal, acts)
                for player in range(seatings.shape[1]):
                    won = tree.payoffs[end, player]
                    sums[batch, s, player] += won
                    squares[batch, s, player] += won * won


@lean
def play_terminals(
    tree: Tree, choices: Floats, seating: Indices, seed: int, first: int, ends: Ints
) -> None:
    """Record the terminal that every hand of one seating reaches, from hand `first` on."""
    key = mixed(np.uint64(seed) + STEP)
    for place in range(ends.size):
        deal = mixed(key ^ mixed(np.uint64(first + place) + STEP))
        ends[place] = play_hand(tree, choices, seating, deal, mixed(mixed(deal) + STEP))
