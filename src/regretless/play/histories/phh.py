"""Hands in the open poker hand history format (PHH): TOML, one table per hand.

`.phh` has one hand, `.phhs` several, each below a heading such as `[1]`. Hold'em only. A PHH
amount is what a player has put in during this round, ours is the total of the hand. Pots are
split into fractions as by the ACPC dealer, and `_payoffs` keeps them; other programs give
the odd chip to one player."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from regretless.core.errors import BadInput
from regretless.games._betting import NO_LIMIT_STACK, Betting, PokerRules
from regretless.play.histories._check import Checker
from regretless.play.histories._holdem import fields_of
from regretless.play.histories.acpc_log import chips
from regretless.play.records import Hand

UNKNOWN = "????"


def to_phh(hand: Hand, rules: PokerRules) -> str:
    """The text of a `.phh` file."""
    return PhhWriter(rules).write(hand)


def to_phhs(hands: Iterable[Hand], rules: PokerRules) -> Iterator[str]:
    """The text of a `.phhs` file, one piece per hand."""
    writer = PhhWriter(rules)
    for number, hand in enumerate(hands, start=1):
        yield f"[{number}]\n{writer.write(hand)}\n"


class PhhWriter:
    """Writes hands of one table."""

    def __init__(self, rules: PokerRules) -> None:
        self.rules = rules
        self._checker = Checker(rules)
        fields = fields_of(rules)
        low, high = fields.bets
        lines = [f'variant = "{fields.variant}"', f"antes = {_array(['0'] * rules.players)}"]
        blinds = [*fields.blinds, *(0,) * (rules.players - 2)]
        lines.append(f"blinds_or_straddles = {_array(map(str, blinds))}")
        if fields.variant == "FT":
            lines += [f"small_bet = {low}", f"big_bet = {high}"]
        else:
            lines.append(f"min_bet = {low}")
        lines.append(f"starting_stacks = {_array(map(_stack, fields.stacks))}")
        self._table = "\n".join(lines)

    def write(self, hand: Hand) -> str:
        """The text of one hand; every line has its end."""
        if wrong := self._checker.difference(hand):
            raise BadInput(wrong)
        streets = "".join(f"    {', '.join(map(_text, street))},\n" for street in self._acts(hand))
        text = f"{self._table}\nactions = [\n{streets}]\n"
        text += f"hand = {hand.number}\nplayers = {_array(map(_text, hand.names))}\n"
        if NO_LIMIT_STACK not in self.rules.stacks:
            pairs = zip(self.rules.stacks, hand.payoffs, strict=True)
            text += f"finishing_stacks = {_array(chips(stack + won) for stack, won in pairs)}\n"
        return text + f"_payoffs = {_array(map(chips, hand.payoffs))}\n"

    def _acts(self, hand: Hand) -> list[list[str]]:
        """The actions: one list for the dealing, one per round, and one for the showdown."""
        betting, base = self.rules.start(), 0
        deals = [f"d dh p{p} {cards or UNKNOWN}" for p, cards in enumerate(hand.holes, start=1)]
        streets: list[list[str]] = [deals, []]
        for token in re.findall(r"r[0-9]*|[fc]", hand.betting):
            position, before = betting.actor, betting
            betting = betting.act(token)
            streets[-1].append(f"p{position + 1} {_act(token, betting, position, base)}")
            if betting.round > before.round:
                base = max(betting.spent)
                dealt = hand.boards[before.round : betting.round]
                streets += [[f"d db {cards}"] for cards in dealt]
        live = [p for p in range(self.rules.players) if not betting.folded[p]]
        if len(live) > 1:
            streets.append([f"p{p + 1} sm {hand.holes[p]}".strip() for p in live])
        return [street for street in streets if street]


def _act(token: str, after: Betting, position: int, base: int) -> str:
    if token[0] == "r":
        return f"cbr {after.spent[position] - base}"
    return {"f": "f", "c": "cc"}[token]


def _stack(chips_: int) -> str:
    return "inf" if chips_ == NO_LIMIT_STACK else str(chips_)


def _array(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _text(value: str) -> str:
    # A TOML string is a JSON string, except for one character that TOML escapes differently.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
