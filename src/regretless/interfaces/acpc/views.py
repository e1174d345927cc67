"""The lines of one hand, as sent to each seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.betting_nodes import BettingNode
from regretless.play.deals import Deal
from regretless.play.table import cards_text


class Views:
    """The constant parts of the lines of a hand, written once."""

    def __init__(
        self, rules: PokerRules, deal: Deal, number: int, positions: Sequence[int]
    ) -> None:
        self.deal, self.positions = deal, positions
        self._heads = [b"MATCHSTATE:%d:%d:" % (position, number) for position in positions]
        last = rules.players - 1
        self._holes = [
            f":{'|' * position}{''.join(deal.holes[position])}{'|' * (last - position)}".encode()
            for position in positions
        ]
        ends = list(accumulate(rules.board, initial=0))
        rounds = ["".join(deal.board[a:b]) for a, b in pairwise(ends)]
        self._boards = [f"{text}\r\n".encode() for text in accumulate(rounds, "{}/{}".format)]

    def lines(self, node: BettingNode) -> list[bytes]:
        """The line of every seat."""
        text = node.text
        if node.showdown:
            cards = [cards_text(self.deal, node.betting, place) for place in self.positions]
            return [
                b"%s%s:%s\r\n" % (head, text, shown.encode())
                for head, shown in zip(self._heads, cards, strict=True)
            ]
        board = self._boards[node.round]
        return [
            head + text + hole + board for head, hole in zip(self._heads, self._holes, strict=True)
        ]
