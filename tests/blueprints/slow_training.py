"""The slow, obvious twin of the kernel: one board, all pairs of hands, a recursive betting."""

from math import comb

import numpy as np

from regretless.blueprints.blueprint import shares


class SlowTrainer:
    """Regrets and sums of strategies as tables of the betting tree."""

    def __init__(self, tree, map, cards, prune=-np.inf):
        self.prune, self.floor, self.skipped = prune, 1.03 * prune, 0
        self.tree, self.map, self.cards = tree, map, cards
        sizes = [
            [(count, width) for width in two]
            for count, two in zip(map.counts, tree.widths, strict=True)
        ]
        self.regrets = [[np.zeros(size) for size in two] for two in sizes]
        self.sums = [[np.zeros(size) for size in two] for two in sizes]

    def play(self, dealt, players=(0, 1)):
        self.buckets = self.map.buckets(dealt)
        hands = self.cards.hands
        self.apart = ~(hands[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
        strength = self.cards.strengths(tuple(card for part in dealt for card in part))
        self.sign = np.sign(strength[:, None] - strength[None, :])
        for p in players:
            self.gained = [[np.zeros_like(regret) for regret in two] for two in self.regrets]
            self._value(self.tree.rules.start(), 0, p, np.ones(len(hands)))
            for round, (mine, gained) in enumerate(zip(self.regrets, self.gained, strict=True)):
                seen = np.unique(self.buckets[round][self.buckets[round] >= 0])
                mine[p][seen] = np.maximum(mine[p] + gained[p], self.floor)[seen]

    def _strategy(self, decision):
        regret = self.regrets[decision.round][decision.player][:, decision.columns]
        return shares(np.maximum(regret, 0))

    def _pruned(self, decision):
        """[bucket, action] not followed: before the last round, if something else is played."""
        regret = self.regrets[decision.round][decision.player][:, decision.columns]
        found = (regret < self.prune) & (regret > 0).any(axis=1)[:, None]
        if decision.round == self.tree.rules.rounds - 1:
            found[:] = False
        if decision.moves[0].name == "fold":
            found[:, 0] = False
        return found

    def _value(self, betting, round, p, reach, kept=None):
        """[hand] what p earns, given the reach of the other player's hands.

        `kept` are the buckets of p that follow this line; a round that none enters is skipped."""
        live = self.buckets[round] >= 0
        if kept is None:
            kept = np.ones(self.map.counts[round], bool)
        reach = np.where(live, reach, 0.0)
        if any(betting.folded):
            chips = -betting.spent[p] if betting.folded[p] else betting.spent[1 - p]
            return live * chips * self.scale(round) * (self.apart @ reach)
        if betting.round > round or (betting.over and round < self.tree.rules.rounds - 1):
            if not kept[np.unique(self.buckets[round][live])].any():
                self.skipped += 1
                return np.zeros(len(live))
            return live * self._value(betting, round + 1, p, reach)
        if betting.over:
            return live * betting.spent[p] * self.scale(round) * ((self.apart * self.sign) @ reach)
        decision = self.tree.find(betting)
        mine = np.where(live, self.buckets[round], 0)
        played = self._strategy(decision)[mine]
        if decision.player != p:
            np.add.at(
                self.sums[round][decision.player][:, decision.columns],
                mine[live],
                (reach[:, None] * played)[live],
            )
            return sum(
                self._value(child, round, p, reach * played[:, a], kept)
                for a, child in enumerate(betting.children)
            )
        followed = kept[:, None] & ~self._pruned(decision)
        values = np.stack(
            [
                self._value(child, round, p, reach, followed[:, a])
                for a, child in enumerate(betting.children)
            ],
            axis=1,
        )
        value = (values * played).sum(axis=1)
        gained = self.gained[round][p][:, decision.columns]
        np.add.at(gained, mine[live], ((values - value[:, None]) * followed[mine])[live])
        return value

    def scale(self, round):
        """One over: pairs of hands, times the share of boards that do not meet a pair."""
        cards = self.cards.deck
        found = 1 / (comb(cards, 2) * comb(cards - 2, 2))
        shown = 0
        for count in self.tree.rules.board[: round + 1]:
            found *= comb(cards - shown, count) / comb(cards - shown - 4, count)
            shown += count
        return found
