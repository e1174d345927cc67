"""Random small games of poker: hole cards, boards, stacks, side pots, caps, sizes of bets."""

from __future__ import annotations

import numpy as np
from both_forms import game
from hypothesis import assume
from hypothesis import strategies as st

from regretless.games._betting import Menu, PokerRules
from regretless.games._settling import Rake
from regretless.games._state import Game

MOST_TERMINALS = 6_000  # of a game that is walked


@st.composite
def random_rules(draw: st.DrawFn) -> PokerRules:
    """Two players with any stacks, or three with equal ones."""
    players = draw(st.sampled_from([2, 2, 2, 3]))
    hole = draw(st.integers(1, 2)) if players == 2 else 1
    rounds = draw(st.integers(1, 3))
    board = tuple(draw(st.integers(0, 2)) if r else draw(st.integers(0, 1)) for r in range(rounds))
    ranks, suits = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    assume(players * hole + sum(board) <= ranks * suits)
    blinds = tuple(draw(st.integers(0, 2)) for _ in range(players))
    kind = draw(st.sampled_from(["limit", "no-limit", "menus"]))
    stacks: tuple[int, ...] = ()
    if kind != "limit" or draw(st.booleans()):
        least = max(*blinds, 1)
        stacks = tuple(draw(st.integers(least, 5)) for _ in range(players))
        stacks = stacks if players == 2 else (stacks[0],) * players
    caps = tuple(draw(st.integers(0, 2)) for _ in range(rounds))
    dead = draw(st.integers(0, 2))
    assume(any(blinds) or any(caps) or dead)
    sizes = st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True).map(tuple)
    return PokerRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hole=hole,
        board=board,
        blinds=blinds,
        first=tuple(draw(st.integers(0, players - 1)) for _ in range(rounds)),
        caps=caps,
        raises=tuple(draw(st.integers(1, 3)) for _ in range(rounds)) if kind == "limit" else None,
        stacks=stacks,
        menus=tuple(Menu(draw(sizes), draw(sizes)) for _ in range(rounds))
        if kind == "menus"
        else (),
        dead=dead,
        rake=draw(st.sampled_from([None, None, Rake(0.1), Rake(0.2, cap=0.5)])),
    )


@st.composite
def random_poker(draw: st.DrawFn) -> Game:
    """A game of random rules that is small enough to be walked; some have ranges."""
    rules = draw(random_rules())
    # The public form of two-card games always names suits.
    found = game(rules, suits_distinct=rules.hole > 1 or draw(st.booleans()))
    start = found.root.betting
    assume(not start.over)
    deck = found.root.deck
    if rules.players == 2 and not rules.board[0] and draw(st.booleans()):
        rng = np.random.default_rng(draw(st.integers(0, 999)))
        shape = (2, len(deck.hands))
        weights = tuple(np.round(rng.random(shape), 2) * (rng.random(shape) > 0.3))
        assume(_compatible(found, weights))
        found = game(rules, suits_distinct=deck.copies == 1, weights=weights)
    assume(found.count().terminals <= MOST_TERMINALS)
    return found


def _compatible(of: Game, weights: tuple[np.ndarray, ...]) -> bool:
    """Whether any pair of hands can be dealt."""
    deck = of.root.deck
    return any(
        all((one + two).count(kind) <= deck.copies for kind in one + two)
        for one, mine in zip(deck.hands, weights[0], strict=True)
        for two, other in zip(deck.hands, weights[1], strict=True)
        if mine * other > 0
    )
