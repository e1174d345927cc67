"""Hands of a board in groups, for sums over all hands of a group that hold a card.

A group has a row for all its hands, then one for every card that they hold. The value of a hand
against all hands that share no card with it is that of the first row, minus those of its two cards,
plus that of the hand itself, which was subtracted twice. Hands of a bucket, or equally strong hands
of a bucket, hold few cards: so there are fewer rows than hands."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import inlined, lean


class Groups(NamedTuple):
    """[board, grouping, …]: hands grouped by the bucket of every round, and in a last grouping
    by strength and bucket of the last round."""

    counts: Indices  # [0] groups
    begin: Indices  # [group] first place, and the end
    label: Indices  # [group] bucket; in the last grouping its number among those of the last round
    row: Indices  # [group] first row, and the end
    hand: Indices  # [place]; behind the last group those that meet the board
    cards: Indices  # [place, 2] rows of its cards
    card: Indices  # [row] 0: all; otherwise 1 + card
    weight: Floats  # [row] hands, negative for a card
    ties: Indices  # [group] of the last grouping: end of the groups of this strength


class Hands(NamedTuple):
    """The hands of a board."""

    cards: Indices  # [hand, 2]
    buckets: Indices  # [round, hand] -1: no such hand
    strength: Ints  # [hand]
    order: Ints  # hands from weak to strong, without those that meet the board


class Scratch(NamedTuple):
    """Of grouping one board."""

    known: Indices  # [label or card] -1 before and after
    chosen: Indices  # [place] hands
    number: Indices  # [hand] of its group in the last round


@inlined
def grouping(groups: Groups, board: int, number: int) -> Groups:
    """One grouping of one board."""
    return Groups(
        groups.counts[board, number],
        groups.begin[board, number],
        groups.label[board, number],
        groups.row[board, number],
        groups.hand[board, number],
        groups.cards[board, number],
        groups.card[board, number],
        groups.weight[board, number],
        groups.ties[board, number],
    )


@lean
def group_board(hands: Hands, scratch: Scratch, groups: Groups, board: int) -> None:
    """All groupings of a board."""
    last = hands.buckets.shape[0] - 1
    for round in range(last + 1):
        found = 0
        for hand in range(hands.cards.shape[0]):
            if hands.buckets[round, hand] >= 0:
                scratch.chosen[found] = hand
                found += 1
        at = grouping(groups, board, round)
        at.counts[0] = _group(hands, scratch, found, hands.buckets[round], 0, at)
        for hand in range(hands.cards.shape[0]):
            if hands.buckets[round, hand] < 0:
                at.hand[found] = hand
                found += 1
    at = grouping(groups, board, last)
    for number in range(at.counts[0]):
        for place in range(at.begin[number], at.begin[number + 1]):
            scratch.number[at.hand[place]] = number
    _group_ties(hands, scratch, grouping(groups, board, last + 1))


@lean
def _group_ties(hands: Hands, scratch: Scratch, at: Groups) -> None:
    count, place, size = 0, 0, hands.order.size
    while place < size:
        begin, strength = place, hands.strength[hands.order[place]]
        while place < size and hands.strength[hands.order[place]] == strength:
            scratch.chosen[place - begin] = hands.order[place]
            place += 1
        before = count
        count = _group(hands, scratch, place - begin, scratch.number, before, at)
        for number in range(before, count):
            at.ties[number] = count
    at.counts[0] = count


@lean
def _group(
    hands: Hands, scratch: Scratch, chosen: int, labels: Indices, begun: int, at: Groups
) -> int:
    """Append groups of the chosen hands by label to those that exist; returns how many there are.

    They are in order of first occurrence, and so are their hands."""
    known, count = scratch.known, begun
    if not begun:
        at.begin[0] = at.row[0] = 0
    for place in range(chosen):
        label = labels[scratch.chosen[place]]
        if known[label] < 0:
            known[label] = count
            at.label[count] = label
            at.begin[count + 1] = 0
            count += 1
        at.begin[known[label] + 1] += 1
    for number in range(begun, count):  # from sizes to ends
        at.begin[number + 1] += at.begin[number]
    for back in range(chosen):
        hand = scratch.chosen[chosen - 1 - back]
        mine = known[labels[hand]] + 1
        at.begin[mine] -= 1
        at.hand[at.begin[mine]] = hand
    for number in range(begun, count):  # every end has moved to the beginning of its group
        known[at.label[number]] = -1
        at.begin[number] = at.begin[number + 1]
    at.begin[count] = at.begin[begun] + chosen
    for number in range(begun, count):
        _add_rows(hands, known, number, at)
    return count


@lean
def _add_rows(hands: Hands, known: Indices, number: int, at: Groups) -> None:
    begin, end, row = at.begin[number], at.begin[number + 1], at.row[number]
    at.card[row], at.weight[row] = 0, end - begin
    made = row + 1
    for place in range(begin, end):
        for side in range(2):
            card = hands.cards[at.hand[place], side]
            if known[card] < 0:
                known[card] = made
                at.card[made], at.weight[made] = 1 + card, 0
                made += 1
            at.cards[place, side] = known[card]
            at.weight[known[card]] -= 1
    for one in range(row + 1, made):
        known[at.card[one] - 1] = -1
    at.row[number + 1] = made
