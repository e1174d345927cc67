"""Finished hands of any poker rules, dealt and played at random; texts broken at random."""

import random

from regretless.cards.deck import rank_names, suit_names
from regretless.games._betting import NO_CAP, PokerRules
from regretless.games._poker import PokerState
from regretless.play.histories._check import Checker
from regretless.play.records import Hand


def rules_of(spec):
    """The rules of a game of poker."""
    from regretless.games._catalog import load

    root = load(spec).root
    assert isinstance(root, PokerState)
    return root.deck.rules


def holdem(stacks, *, small=50, limit=False):
    """Hold'em with these stacks, which may differ."""
    players = len(stacks)
    big = 2 * small
    return PokerRules(
        players=players,
        ranks=13,
        suits=4,
        hole=2,
        board=(0, 3, 1, 1),
        blinds=(big, small) if players == 2 else (small, big, *(0,) * (players - 2)),
        first=(1 if players == 2 else 2 % players, 0, 0, 0),
        caps=(3, 4, 4, 4) if limit else (NO_CAP,) * 4,
        raises=(big, big, 2 * big, 2 * big) if limit else None,
        stacks=tuple(stacks),
    )


def play(rules, seed, *, number=0, raising=0.4, folding=0.15, house=False):
    """One hand. With the rules of a `house` nobody raises again after an all-in below the
    minimum, nor where nobody has the chips to answer."""
    rng = random.Random(seed)
    deck = [r + s for r in rank_names(rules.ranks) for s in suit_names(rules.suits)]
    rng.shuffle(deck)
    betting, short = rules.start(), False
    while not betting.over:
        before, limits, chance = betting, betting.raise_range(), rng.random()
        pointless = house and not answerable(betting)
        if limits and chance < raising and not short and not pointless:
            low, high = limits
            to = rng.choice((low, min(high, 2 * low), min(high, 3 * low), high))
            betting = betting.act(f"r{to}" if rules.raises is None else "r")
            least = before.min_to if rules.raises is None else max(before.spent) + 1
            short = house and to < least
        elif chance > 1 - folding and max(betting.spent) > betting.spent[betting.actor]:
            betting = betting.act("f")
        else:
            betting = betting.act("c")
        short = short and betting.round == before.round
    holes = ["".join(deck.pop() for _ in range(rules.hole)) for _ in range(rules.players)]
    boards = ["".join(deck.pop() for _ in range(n)) for n in rules.board[: betting.round + 1]]
    cards = "|".join(holes) + "/".join(boards)
    names = tuple(f"p{(p + number) % rules.players + 1}" for p in range(rules.players))
    hand = Hand(number, betting.history, cards, (0.0,) * rules.players, names)
    payoffs = Checker(rules).payoffs(hand)
    return hand._replace(payoffs=tuple(round(won, 6) + 0.0 for won in payoffs))


def answerable(betting):
    """Is there somebody who could put in more than the bet to call?"""
    able = [p for p in range(betting.rules.players) if p != betting.actor and betting.can_act(p)]
    return any(betting.rules.stacks[p] > max(betting.spent) for p in able)


def mutated(text, rng):
    """A few characters dropped, doubled, exchanged or replaced."""
    out = list(text)
    for _ in range(rng.randrange(4)):
        if not out:
            break
        i = rng.randrange(len(out))
        choice = rng.randrange(4)
        if choice == 0:
            del out[i : i + rng.randrange(1, 9)]
        elif choice == 1:
            out[i:i] = out[i : i + rng.randrange(1, 40)]
        elif choice == 2:
            out[i] = chr(
                rng.choice((0, 10, 13, 47, 48, 57, 58, 124, 99, 114, 178, 0x661, 0x10FFFF))
            )
        else:
            j = rng.randrange(len(out))
            out[i], out[j] = out[j], out[i]
    return "".join(out)
