"""Lines: places in the tree of a spot, by text, such as `check bet120 / 2s / check`.

Actions are check, call, fold, allin, bet and raise; the amount of a bet or raise is what the
player then has in on this street. Cards of a later street stand between slashes; without them
a line applies to every card."""

from __future__ import annotations

import re
from typing import NamedTuple

from regretless.cards.holdings import read_cards
from regretless.core.errors import BadParameter
from regretless.games._betting import Betting, Move, PokerRules

_TOKEN = re.compile(r"/|[^\s/]+")
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])+", re.IGNORECASE)
_AMOUNT = re.compile(r"(bet|raise)([0-9]{1,10})")
_JOINED = re.compile(r"\b(bet|raise)\s+(?=[0-9])", re.IGNORECASE)


class Line(NamedTuple):
    """A place in the betting, and the cards of later rounds as far as they are named."""

    betting: Betting
    cards: tuple[tuple[int, ...], ...]

    def meets(self, other: Line) -> bool:
        """Whether both can be the same decision: same betting and compatible cards."""
        pairs = zip(self.cards, other.cards, strict=False)
        agree = all(not a or not b or set(a) == set(b) for a, b in pairs)
        return self.betting.history == other.betting.history and agree


def move_name(betting: Betting, move: Move) -> str:
    """The name of a move in a line: `bet120`, `raise300`, `allin`, `call`."""
    if move.letter != "r":
        return move.name
    if move.total == min(betting.rules.stacks):
        return "allin"
    word = "raise" if betting.raised or max(betting.spent) > betting.base else "bet"
    return f"{word}{move.total - betting.base}"


def move_names(betting: Betting) -> tuple[str, ...]:
    """Names of all moves here, in order."""
    return tuple(move_name(betting, move) for move in betting.choices)


def find_move(betting: Betting, name: str) -> int:
    """The index of the move of this name; the amount of an all-in works as well."""
    wanted = name.lower().replace("all-in", "allin").replace(" ", "")
    names = list(move_names(betting))
    amount = _AMOUNT.fullmatch(wanted)
    if amount and int(amount[2]) + betting.base == min(betting.rules.stacks):
        wanted = "allin"
    if wanted in names:
        return names.index(wanted)
    sized = [n for n, one in enumerate(names) if wanted in ("bet", "raise") and wanted in one]
    if len(sized) == 1:
        return sized[0]
    raise BadParameter(f"{name!r} is not possible here: expected one of {', '.join(names)}")


def read_line(rules: PokerRules, board: tuple[int, ...], text: str) -> Line:
    """The place that a text describes, from the start of a spot with this board."""
    betting = rules.start()
    cards: list[tuple[int, ...]] = [()] * (rules.rounds - 1)
    text = _JOINED.sub(r"\1", text)
    for found in _TOKEN.finditer(text):
        token, place = found[0], f"line {text!r}, character {found.start() + 1}"
        opens = betting.round > 0 and betting.taken == 0
        if betting.over:
            raise BadParameter(f"{place}: the hand is over before {token!r}")
        if token == "/":
            if not opens:
                raise BadParameter(f"{place}: the street is not over yet")
        elif _CARDS.fullmatch(token):
            new = rules.board[betting.round]
            dealt = read_cards(token, what="cards")
            if not opens or cards[betting.round - 1] or len(dealt) != new:
                raise BadParameter(f"{place}: {token} cannot be dealt here")
            seen = {*board, *(card for earlier in cards for card in earlier)}
            if seen & set(dealt):
                raise BadParameter(f"{place}: {token} has already been dealt")
            cards[betting.round - 1] = dealt
        else:
            try:
                betting = betting.children[find_move(betting, token)]
            except BadParameter as error:
                raise BadParameter(f"{place}: {error}") from None
    return Line(betting, tuple(cards))
