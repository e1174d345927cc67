"""What rounds of the public tree pass to each other: reach goes down, values come up.

Exits of an item are [hand][board][deal][prefix], or [deal][prefix][hand] if lanes are
[prefix][hand]. Boards pull their reach from the exits of the board above, and push their values
back to where it came from."""

from __future__ import annotations

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import apart, lean
from regretless.kernels.loops import copy
from regretless.kernels.public_arrays import Public


@lean
def deal_place(tree: Public, item: int, player: int, n: int) -> tuple[int, int, int]:
    """Where the lanes of a deal are among the exits of an item: the first run, the length of
    every run, and how far one is from the next."""
    L, stage = tree.item_sides[item, player].lanes, tree.items[item].stage
    if tree.inside:
        return tree.nodes[n].number * L, L, L
    P = tree.stages[stage].prefixes
    return tree.nodes[n].number * P, P, tree.stages[stage].deals * P


@lean
def segment_place(tree: Public, item: int, player: int, segment: int) -> tuple[int, int]:
    """Where a segment begins among the exits of an item, and how far one of its rows is from the
    next: of hands, or of prefixes if lanes are [prefix][hand]."""
    stage, deal = tree.items[item].stage, tree.segments[segment].deal
    P = tree.stages[stage].prefixes
    if tree.inside:
        L = tree.item_sides[item, player].lanes
        return deal * L, L // P
    return deal * P, tree.stages[stage].deals * P


@apart
def write_rows(rows: Floats, stride: int, length: int, given: Floats) -> None:
    """The reach at a deal, to the exits: runs that are `stride` apart."""
    for k in range(given.size // length):
        copy(rows[k * stride : k * stride + length], given[k * length : (k + 1) * length])


@apart
def read_rows(out: Floats, rows: Floats, stride: int, length: int) -> None:
    """What has come back to a deal."""
    for k in range(out.size // length):
        copy(out[k * length : (k + 1) * length], rows[k * stride : k * stride + length])


@apart
def pull(
    exits: Floats,
    sizes: tuple[int, int, int, int],
    hands: Indices,
    boards: Indices,
    reach: Floats,
) -> None:
    """The reach of the exits above, for every lane of [hand][board][prefix]."""
    above, stride, count, P = sizes
    for lane in range(hands.size):
        at = (hands[lane] * above + boards[lane]) * stride
        copy(reach[lane * P : lane * P + count], exits[at : at + count])


@apart
def pull_rows(
    exits: Floats, width: int, count: int, hands: Indices, reach: Floats, to: int
) -> None:
    """The same for lanes of [prefix][hand]."""
    L = hands.size
    for row in range(count):
        out, given = (
            reach[to + row * L : to + (row + 1) * L],
            exits[row * width : (row + 1) * width],
        )
        for h in range(L):
            out[h] = given[hands[h]]


@apart
def push_rows(
    returns: Floats, width: int, count: int, hands: Indices, values: Floats, at: int
) -> None:
    """`push` for lanes of [prefix][hand]."""
    L = hands.size
    for row in range(count):
        out, value = (
            returns[row * width : (row + 1) * width],
            values[at + row * L : at + (row + 1) * L],
        )
        for h in range(L):
            out[hands[h]] += value[h]


@apart
def push(
    returns: Floats,
    sizes: tuple[int, int, int, int],
    hands: Indices,
    boards: Indices,
    values: Floats,
) -> None:
    """Add values to what comes back to the site above, for every lane of [hand][board][prefix]."""
    above, stride, count, P = sizes
    for lane in range(hands.size):
        at = (hands[lane] * above + boards[lane]) * stride
        row, value = returns[at : at + count], values[lane * P : lane * P + count]
        for k in range(count):
            row[k] += value[k]
