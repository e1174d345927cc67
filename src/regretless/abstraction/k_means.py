"""k-means on the payoffs of deals, the baseline that Carminati et al. 2020 gave up for binning.

A deal is a pair of private cards, its subtree's payoffs (averaged over boards) are a vector, and
k-means puts similar deals together. A player must not tell apart what is in one group, so private
cards that occur in the same group of deals share a cell, and so do those that are connected by
further groups. With few groups everything is connected, and all cards become one: this is the
loss of information sets that the source reports. Boards are seen as they are."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import of_vectors
from regretless.abstraction._maps import CardMap, Deals
from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable, within
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm


def make(form: Form, *, groups: int = 3) -> tuple[CardMap, ...]:
    """`groups` of deals, by which cards of both players are connected."""
    within("groups", groups, 1, 10**6)
    deals = Deals(form)
    if not isinstance(form, SequenceForm) or form.players != 2:
        raise Unsuitable(f"k-means: needs a sequence form of two players, not that of {form.spec}")
    pairs, vectors, chance = deal_payoffs(form)
    labels = of_vectors(vectors, chance, groups)
    maps = []
    for player in range(2):
        component = _connected(pairs[:, player], labels)
        text = deals.layout.deck.text
        keys: list[list[object]] = [
            [(component[text(hand)], board) for hand, board in deals.lanes(player, round)]
            for round in deals.rounds
        ]
        maps.append(deals.map_of(player, keys))
    return tuple(maps)


def deal_payoffs(form: SequenceForm) -> tuple[np.ndarray, Floats, Floats]:
    """Private cards of every deal, its payoffs to player 1 per end of the betting, its chance."""
    named = []  # of both players: private cards and betting of every sequence
    for plex in form.treeplexes:
        names = [("", "")] * plex.size
        for label, actions, sequences in zip(
            plex.labels, plex.actions, plex.sequences, strict=True
        ):
            cards, _, betting = label.partition(":")
            for action, sequence in zip(actions, sequences, strict=True):
                names[sequence] = cards.partition("/")[0], f"{betting} {action}"
        named.append(names)
    own = (form.sequences - form.plex.roots[:-1]).tolist()
    deals: dict[tuple[str, str], int] = {}
    ends: dict[tuple[str, str], int] = {}
    at = np.zeros((len(own), 2), dtype=np.int64)
    for row, (first, second) in enumerate(own):
        (one, after), (two, then) = named[0][first], named[1][second]
        at[row] = (
            deals.setdefault((one, two), len(deals)),
            ends.setdefault((after, then), len(ends)),
        )
    shape = len(deals), len(ends)
    chance, paid = np.zeros(shape), np.zeros(shape)
    np.add.at(chance, tuple(at.T), form.chance)
    np.add.at(paid, tuple(at.T), form.chance * form.payoffs[:, 0])
    means = np.divide(paid, chance, out=np.zeros(shape), where=chance > 0)
    return np.array(list(deals)), np.asarray(np.round(means, 9), float), chance.max(axis=1)


def _connected(cards: np.ndarray, groups: np.ndarray) -> dict[str, int]:
    """The number of every card's component; cards in one group are connected."""
    leader = {card: card for card in cards.tolist()}

    def find(card: str) -> str:
        while leader[card] != card:
            card = leader[card]
        return card

    first: dict[int, str] = {}
    for card, group in zip(cards.tolist(), groups.tolist(), strict=True):
        leader[find(card)] = find(first.setdefault(group, card))
    numbers = {root: n for n, root in enumerate(dict.fromkeys(map(find, leader)))}
    return {card: numbers[find(card)] for card in leader}
