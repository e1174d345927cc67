"""Indexing of hands up to suit isomorphism, and its inverse (Waugh 2013).

The cards of a suit, round by round, are a history of sets of ranks. The number of cards it gets
in each round is its **code**; histories are numbered within a code. The codes of all suits, in
descending order, are a **configuration**. Within a configuration, suits of equal codes can be
exchanged, so their numbers form a multiset, which has a colexicographic number in turn. Differs
from Waugh: codes are sorted, instead of looking up configurations by suit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.kernels.compiled import kernel, lean


class IndexTables(NamedTuple):
    """Everything that depends only on the deck and the cards per round."""

    deck: Ints  # ranks, suits
    rounds: Ints  # [round] cards dealt
    suit: Indices  # [card]
    rank: Indices  # [card] as a set
    sizes: Indices  # [set of ranks] its size
    numbers: Indices  # [set of ranks] colexicographic number among sets of that size
    sets: Indices  # [first set of that size + number] the set of ranks
    firsts: Ints  # [size] first set of that size
    choose: Ints  # [n, k] binomial coefficients
    counts: Ints  # [code, round] cards of the suit
    spans: Ints  # [code] histories
    found: Ints  # [codes of all suits but the last, as one number] configuration, or -1
    codes: Ints  # [configuration, suit] in descending order
    offsets: Ints  # [configuration] first number, then their total


@lean
def _without(chosen: int, used: int) -> int:
    """A set of ranks, numbered among the unused ranks."""
    while used:
        below = (used & -used) - 1
        chosen = (chosen & below) | ((chosen >> 1) & ~below)
        used = (used >> 1) & ~below
    return chosen


@lean
def _beside(chosen: int, used: int) -> int:
    """The inverse."""
    while used:
        below = (used & -used) - 1
        chosen = (chosen & below) | ((chosen & ~below) << 1)
        used &= used - 1
    return chosen


@lean
def choose(n: int, k: int) -> int:
    """Binomial coefficient for k up to 4 and any n; divisions by constants are cheap."""
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    return n * (n - 1) * (n - 2) * (n - 3) // 24


@lean
def fill_sets(tables: IndexTables, cards: Any, begin: int, sets: Ints) -> None:
    """Ranks per round and suit, from round `begin` on; `cards` are those of these rounds."""
    column = 0
    for r in range(begin, tables.rounds.size):
        for suit in range(tables.deck[1]):
            sets[r, suit] = 0
        for _ in range(tables.rounds[r]):
            card = cards[column]
            sets[r, tables.suit[card]] |= tables.rank[card]
            column += 1


@lean
def suit_history(tables: IndexTables, sets: Ints, suit: int) -> tuple[int, int]:
    """Code and number of a suit's history."""
    ranks = tables.deck[0]
    code, number, used, span, taken = 0, 0, 0, 1, 0
    for r in range(tables.rounds.size):
        held = sets[r, suit]
        code *= tables.rounds[r] + 1
        if held:
            size = tables.sizes[held]
            number += span * tables.numbers[_without(held, used)]
            span *= tables.choose[ranks - taken, size]
            code += size
            used |= held
            taken += size
    return code, number


@lean
def sort_suits(code: Ints, number: Ints) -> None:
    """Sort suits by code and number, in descending order."""
    for end in range(1, code.size):
        for at in range(end, 0, -1):
            less = code[at] < code[at - 1]
            if less or (code[at] == code[at - 1] and number[at] <= number[at - 1]):
                break
            code[at], code[at - 1] = code[at - 1], code[at]
            number[at], number[at - 1] = number[at - 1], number[at]


@lean
def number_of_suits(tables: IndexTables, code: Ints, number: Ints) -> Any:
    """The number of a hand, given the sorted histories of its suits."""
    suits, codes = tables.deck[1], tables.spans.size
    key = 0
    for suit in range(suits - 1):
        key = key * codes + code[suit]
    total, times, begin = 0, 1, 0
    while begin < suits:
        end = begin + 1
        while end < suits and code[end] == code[begin]:
            end += 1
        for suit in range(begin, end):
            total += times * choose(number[suit] + end - suit - 1, end - suit)
        times *= choose(tables.spans[code[begin]] + end - begin - 1, end - begin)
        begin = end
    return tables.offsets[tables.found[key]] + total


@lean
def _histories(tables: IndexTables, cards: Any, state: Ints) -> None:
    """Code and number of every suit's history, sorted in descending order, into `state`."""
    code, number, sets = state[0], state[1], state[2:]
    fill_sets(tables, cards, 0, sets)
    for suit in range(code.size):
        code[suit], number[suit] = suit_history(tables, sets, suit)
    sort_suits(code, number)


@kernel
def new_state(tables: IndexTables) -> Ints:
    """Scratch for one hand: codes, numbers, and sets of every round, by suit."""
    return np.empty((tables.rounds.size + 2, tables.deck[1]), np.int64)


@lean
def number_of_hand(tables: IndexTables, cards: Any, state: Ints) -> Any:
    """The number of one hand; `state` is scratch."""
    _histories(tables, cards, state)
    return number_of_suits(tables, state[0], state[1])


@kernel
def index_hands(tables: IndexTables, cards: Any, out: Ints) -> None:
    """The number of every row of cards, which are in order of rounds."""
    state = new_state(tables)
    for hand in range(cards.shape[0]):
        out[hand] = number_of_hand(tables, cards[hand], state)


@lean
def _ways(suits: int, code: Ints, number: Ints) -> int:
    """The ways to name suits with these histories; equal ones are adjacent."""
    ways, equal = 1, 1
    for suit in range(suits):
        alike = suit > 0 and code[suit] == code[suit - 1] and number[suit] == number[suit - 1]
        equal = equal + 1 if alike else 1
        ways = ways * (suit + 1) // equal
    return ways


@kernel
def hand_weights(tables: IndexTables, cards: Any, out: Ints) -> None:
    """For every row of cards, how many hands share its number."""
    suits = tables.deck[1]
    state = new_state(tables)
    code, number = state[0], state[1]
    for hand in range(cards.shape[0]):
        _histories(tables, cards[hand], state)
        out[hand] = _ways(suits, code, number)


@lean
def _multiset(index: int, members: int, span: int, out: Ints) -> None:
    """The descending numbers below `span` whose multiset has this index."""
    for place in range(members):
        k = members - place
        low, high = 0, span  # the largest a with C(a + k - 1, k) <= index
        while high - low > 1:
            middle = (low + high) // 2
            if choose(middle + k - 1, k) <= index:
                low = middle
            else:
                high = middle
        out[place] = low
        index -= choose(low + k - 1, k)


@lean
def _suits_of(tables: IndexTables, index: int, number: Ints) -> int:
    """The numbers of the suits' histories, descending where codes are equal; returns the
    configuration."""
    kind = int(np.searchsorted(tables.offsets, index, side="right")) - 1
    rest, code = index - tables.offsets[kind], tables.codes[kind]
    begin = 0
    while begin < code.size:
        end = begin + 1
        while end < code.size and code[end] == code[begin]:
            end += 1
        span = tables.spans[code[begin]]
        ways = choose(span + end - begin - 1, end - begin)
        _multiset(rest % ways, end - begin, span, number[begin:end])
        rest //= ways
        begin = end
    return kind


@kernel
def weigh_numbers(tables: IndexTables, first: int, out: Any) -> None:
    """For every number from `first` on, how many hands share it."""
    suits = tables.deck[1]
    number = np.empty(suits, np.int64)
    for hand in range(out.size):
        code = tables.codes[_suits_of(tables, first + hand, number)]
        out[hand] = _ways(suits, code, number)


@kernel
def list_hands(tables: IndexTables, indices: Ints, out: Any) -> None:
    """One hand per number, with the cards of a round in ascending order."""
    ranks, suits = tables.deck[0], tables.deck[1]
    number = np.empty(suits, np.int64)
    dealt = np.empty((suits, tables.rounds.size), np.int64)
    for hand in range(indices.size):
        code = tables.codes[_suits_of(tables, indices[hand], number)]
        for suit in range(suits):
            used, taken = 0, 0
            for r in range(tables.rounds.size):
                size = tables.counts[code[suit], r]
                ways = tables.choose[ranks - taken, size]
                chosen = tables.sets[tables.firsts[size] + number[suit] % ways]
                number[suit] //= ways
                dealt[suit, r] = _beside(chosen, used)
                used |= dealt[suit, r]
                taken += size
        column = 0
        for r in range(tables.rounds.size):
            for card in range(ranks * suits):
                if dealt[card % suits, r] >> (card // suits) & 1:
                    out[hand, column] = card
                    column += 1
