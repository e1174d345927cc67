"""A strategy estimated from played hands, of people or programs.

GS2 (Gilpin & Sandholm 2007) counts, for every betting and every strength of a hand, how often
each action was taken. Decisions that were never observed are uniform; a few pseudo-observations
keep rare ones from being certain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, whole, within
from regretless.forms.form import own, size
from regretless.games._poker import Deck, Kinds
from regretless.games._state import Game
from regretless.play.following import Follower
from regretless.play.records import Hand
from regretless.strategy.strategy import Strategy


def strategy_of_play(
    game: str | Game, hands: Iterable[Hand], *, strengths: int = 5, made_up: float = 1.0
) -> Strategy:
    """What was done in these hands, by betting and hand strength, as a strategy.

    Hands must show all cards, as in a log of the dealer. Hands fall into `strengths` classes of
    equal width, by how often they win a showdown against any other; `made_up` pseudo-observations
    of every action are added."""
    whole("strengths", strengths, 1, 1000)
    within("made_up", made_up, 1e-9, 1e9)
    follower = Follower(game)
    form, deck = follower.tree.form, follower.deck
    seen = _counted(follower, hands)
    behaviour = np.ones(size(form))
    for player in range(form.players):
        groups: dict[tuple[str, int], list[np.ndarray]] = defaultdict(list)
        for point in form.points(player):
            hand, _, betting = point.label.partition(":")
            share = _winning(deck, hand)
            groups[betting, min(int(share * strengths), strengths - 1)].append(point.sequences)
        mine, counts = behaviour[own(form, player)], seen[own(form, player)]
        for sequences in groups.values():
            total = sum(counts[each] for each in sequences) + made_up
            for each in sequences:
                mine[each] = total / total.sum()
    return Strategy(form, behaviour)


def _counted(follower: Follower, hands: Iterable[Hand]) -> Floats:
    """[sequence] how often its last action was taken."""
    form = follower.tree.form
    ends: dict[int, int] = defaultdict(int)
    for hand in hands:
        if not all(hand.holes):
            raise BadInput(f"hand {hand.number}: some hole cards are hidden: all are needed")
        ends[follower.end(hand)] += 1
    counts = np.zeros(size(form))
    for end, times in ends.items():
        counts[form.sequences[end]] += times
    # What was done later was done after the earlier actions.
    for first, actions, lanes, point in form.plex.blocks[::-1]:
        done = counts[first : first + actions * lanes].reshape(actions, lanes).sum(axis=0)
        np.add.at(counts, form.plex.parents[point : point + lanes], done)
    return counts


def _winning(deck: Deck, cards: str) -> float:
    """How often a hand, with the board so far, wins a showdown against any other hand."""
    hole, *board = cards.split("/")
    texts = iter(board)
    shown = [deck.read(next(texts)) if n else () for n in deck.rules.board[: _begun(deck, board)]]
    return _equity(deck, deck.read(hole), tuple(shown))


def _begun(deck: Deck, board: list[str]) -> int:
    """The number of rounds whose board is known."""
    dealt = 0
    for number, count in enumerate(deck.rules.board):
        if count:
            dealt += 1
            if dealt > len(board):
                return number
    return len(deck.rules.board)


@cache
def _equity(deck: Deck, hole: Kinds, board: tuple[Kinds, ...]) -> float:
    if len(board) < len(deck.rules.board):
        left = deck.without((hole, *board))
        ways = deck.deal(left, deck.rules.board[len(board)])
        return sum(chance * _equity(deck, hole, (*board, cards)) for cards, chance, _ in ways)
    flat = tuple(kind for cards in board for kind in cards)
    mine = deck.strength(tuple(sorted(hole + flat)))
    won = 0.0
    for other, chance, _ in deck.deal(deck.without((hole, *board)), deck.rules.hole):
        theirs = deck.strength(tuple(sorted(other + flat)))
        won += chance * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return won
