"""Betting nodes for dealer and clients, looked up by their text, as bytes.

A match reaches the same nodes again and again, so the successors of a node are cached with
it. Limit games have few; in no-limit the cache is cleared once it is too large."""

from __future__ import annotations

from regretless.core.errors import IllegalMove, shown
from regretless.games._betting import Betting, PokerRules

MOST_NODES = 30_000  # about 100 MB in no-limit, where few recur


class BettingNode:
    """A betting node, its text, and its successors seen so far."""

    __slots__ = (
        "acting",
        "actor",
        "after",
        "betting",
        "fold",
        "over",
        "raises",
        "replies",
        "round",
        "showdown",
        "text",
    )

    def __init__(self, betting: Betting) -> None:
        self.betting = betting
        self.text = betting.history.encode()
        self.actor, self.over, self.round = betting.actor, betting.over, betting.round
        self.acting = str(self.actor).encode()  # as a state spells it
        self.showdown = self.over and sum(betting.folded) < len(betting.folded) - 1
        self.raises = betting.raise_range()  # smallest and largest total
        self.fold = not self.over and betting.spent[self.actor] < max(betting.spent)
        self.after: dict[str, BettingNode] = {}
        self.replies: dict[bytes, BettingNode] = {}  # the same, by what clients write after a state


class BettingNodes:
    """All betting nodes of a game seen so far."""

    def __init__(self, rules: PokerRules) -> None:
        self.rules = rules
        self.root = BettingNode(rules.start())
        self._found: dict[bytes, BettingNode] = {self.root.text: self.root}
        self._count = 1

    def act(self, node: BettingNode, action: str) -> BettingNode:
        """The node after an action; IllegalMove says what is legal."""
        if not isinstance(action, str):
            raise IllegalMove(f"{shown(action)}: must be a text such as 'c' or 'r300'")
        after = node.after.get(action)
        if after is None:
            after = BettingNode(node.betting.act(action))
            node.after[action] = after
            node.replies[f":{action}\r\n".encode()] = after
            node.replies[f":{action}\n".encode()] = after
            self._count += 1
        return after

    def find(self, text: bytes) -> BettingNode:
        """The node with this text; IllegalMove says what is wrong with it."""
        node = self._found.get(text)
        if node is None:
            node = self._found[text] = self._parsed(text)
        return node

    def begin(self) -> BettingNode:
        """The first node of a new hand; clears the cache if it is too large."""
        if self._count > MOST_NODES or len(self._found) > MOST_NODES:
            self.root = BettingNode(self.rules.start())
            self._found = {self.root.text: self.root}
            self._count = 1
        return self.root

    def _parsed(self, text: bytes) -> BettingNode:
        # Usually the node before was seen a moment ago.
        played = text.rstrip(b"/")
        last = max(played.rfind(letter) for letter in (b"f", b"c", b"r"))
        before = self._found.get(played[: max(last, 0)])
        if before is not None and last >= 0:
            after = self.act(before, played[last:].decode("ascii", "replace"))
            if after.text == text:
                return after
        return BettingNode(self.rules.replay(text.decode("ascii", "replace")))
