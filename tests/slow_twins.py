"""The obvious versions of what the kernels do, written on states and dictionaries."""

from __future__ import annotations

from collections import defaultdict
from math import exp, sqrt

from regretless.games._state import CHANCE, TERMINAL


def as_table(strategy):
    """(player from 0, view) -> probabilities."""
    return {(d.player - 1, d.label): list(d.probabilities) for d in strategy.decisions()}


def expected_values(state, table, players):
    if state.player == TERMINAL:
        return list(state.payoff)
    if state.player == CHANCE:
        weights = state.chances
    else:
        weights = table[state.player, state.view(state.player)]
    total = [0.0] * players
    for index, weight in enumerate(weights):
        below = expected_values(state.child(index), table, players)
        total = [a + weight * b for a, b in zip(total, below, strict=True)]
    return total


def best_response_value(root, table, player):
    """Value of a best response: decide at every information set, the deepest first."""
    members = defaultdict(list)  # view -> [(state, reach of everybody else)]

    def collect(state, reach, depth):
        if state.player == TERMINAL:
            return
        weights = state.chances if state.player == CHANCE else None
        if state.player == player:
            members[depth, state.view(player)].append((state, reach))
            weights = [1.0] * len(state.actions)
        elif weights is None:
            weights = table[state.player, state.view(state.player)]
        for index, weight in enumerate(weights):
            collect(state.child(index), reach * weight, depth + 1)

    choices = {}

    def value(state):
        if state.player == TERMINAL:
            return state.payoff[player]
        if state.player == player:
            return value(state.child(choices[state.view(player)]))
        own = state.player == CHANCE
        weights = state.chances if own else table[state.player, state.view(state.player)]
        return sum(w * value(state.child(i)) for i, w in enumerate(weights) if w)

    collect(root, 1.0, 0)
    for depth, view in sorted(members, reverse=True):
        states = members[depth, view]
        worth = [
            sum(reach * value(state.child(index)) for state, reach in states)
            for index in range(len(states[0][0].actions))
        ]
        choices[view] = worth.index(max(worth))
    return value(root)


def gradient(game, table, player):
    """What every (view, action) of the player earns by itself: terminals whose last own action it
    is, times what chance and the others do. None: nothing was done before the end."""
    found = defaultdict(float)

    def walk(state, others, last):
        if state.player == TERMINAL:
            found[last] += others * state.payoff[player]
            return
        if state.player == player:
            for index in range(len(state.actions)):
                walk(state.child(index), others, (state.view(player), index))
            return
        own = state.player == CHANCE
        weights = state.chances if own else table[state.player, state.view(state.player)]
        for index, weight in enumerate(weights):
            if weight:
                walk(state.child(index), others * weight, last)

    walk(game.root, 1.0, None)
    return found


def action_values(game, table, player):
    """What every (view, action) earns if all go on as they play, times what chance and the others
    do before."""
    found = defaultdict(float)

    def walk(state, others):
        if state.player == TERMINAL:
            return state.payoff[player]
        if state.player == CHANCE:
            weights = state.chances
        else:
            weights = table[state.player, state.view(state.player)]
        mine = state.player == player
        values = [
            walk(state.child(i), others if mine else others * w) for i, w in enumerate(weights)
        ]
        if mine:
            for index, value in enumerate(values):
                found[state.view(player), index] += others * value
        return sum(w * value for w, value in zip(weights, values, strict=True))

    walk(game.root, 1.0)
    return found


def match_regrets(wanted, tiny):
    """Probabilities proportional to what is above rounding; alike if nothing is."""
    kept = [w if w > tiny else 0.0 for w in wanted]
    total = sum(kept)
    return [k / total for k in kept] if total > 0 else [1 / len(kept)] * len(kept)


def add_regrets(regret, q, value, *, positive, negative, prediction):
    """Regrets after an iteration, and those that are predicted for the next."""
    after, predicted = [], []
    for R, earned in zip(regret, q, strict=True):
        summed = R + earned - value
        after.append(summed * (positive if summed > 0 else negative))
        predicted.append(after[-1] + prediction * (earned - value))
    return after, predicted


def softmax(gains):
    """Probabilities proportional to the exponentials."""
    shares = [exp(gain - max(gains)) for gain in gains]
    return [share / sum(shares) for share in shares]


class SlowRegretMinimiser:
    """CFR as in the papers: a recursion over states, dictionaries of regrets."""

    def __init__(self, game, *, positive, negative, prediction, average, simultaneous):
        self.game, self.simultaneous = game, simultaneous
        self.positive, self.negative = positive, negative
        self.prediction, self.weight = prediction, average
        self.regret = defaultdict(lambda: defaultdict(float))
        self.last = defaultdict(lambda: defaultdict(float))
        self.sums = defaultdict(lambda: defaultdict(float))
        self.t = 0

    def strategy(self, player, view, count):
        regret, last = self.regret[player, view], self.last[player, view]
        wanted = [regret[a] + self.prediction * last[a] for a in range(count)]
        return match_regrets(wanted, 1e-13)  # ties stay ties, as in the kernel

    def iterate(self):
        self.t += 1
        players = range(self.game.players)
        if self.simultaneous:
            frozen = {}
            found = [self._collect(player, frozen) for player in players]
            for player in players:
                self._update(player, found[player])
        else:
            for player in players:
                self._update(player, self._collect(player, {}))

    def average_table(self):
        table = {}
        for key, sums in self.sums.items():
            total = sum(sums.values())
            count = len(sums)
            table[key] = [sums[a] / total if total > 0 else 1 / count for a in range(count)]
        return table

    def _collect(self, player, frozen):
        instant = defaultdict(lambda: defaultdict(float))
        seen = set()

        def walk(state, mine, others):
            if state.player == TERMINAL:
                return state.payoff[player]
            if state.player == CHANCE:
                return sum(
                    p * walk(state.child(i), mine, others * p) for i, p in enumerate(state.chances)
                )
            view = state.view(state.player)
            count = len(state.actions)
            chosen = frozen.setdefault(
                (state.player, view), self.strategy(state.player, view, count)
            )
            if state.player != player:
                return sum(p * walk(state.child(i), mine, others * p) for i, p in enumerate(chosen))
            values = [walk(state.child(i), mine * p, others) for i, p in enumerate(chosen)]
            mean = sum(p * v for p, v in zip(chosen, values, strict=True))
            for action in range(count):
                instant[view][action] += others * (values[action] - mean)
                if view not in seen:
                    self.sums[player, view][action] += self.weight(self.t) * mine * chosen[action]
            seen.add(view)
            return mean

        walk(self.game.root, 1.0, 1.0)
        return instant

    def _update(self, player, instant):
        for view, regrets in instant.items():
            for action, r in regrets.items():
                summed = self.regret[player, view][action] + r
                factor = self.positive(self.t) if summed > 0 else self.negative(self.t)
                self.regret[player, view][action] = summed * factor
                self.last[player, view][action] = r


class SlowHedge(SlowRegretMinimiser):
    """The same with exponential weights; `regret` are gains times the rate of their iteration."""

    def __init__(self, game, *, rate, simultaneous):
        super().__init__(
            game,
            positive=lambda t: 1.0,
            negative=lambda t: 1.0,
            prediction=0.0,
            average=lambda t: 1 / sqrt(t),
            simultaneous=simultaneous,
        )
        self.rate = rate

    def strategy(self, player, view, count):
        return softmax([self.regret[player, view][a] for a in range(count)])

    def _update(self, player, instant):
        for view, gained in instant.items():
            for action, r in gained.items():
                self.regret[player, view][action] += self.rate / sqrt(self.t) * r


class SlowSharedRegrets(SlowRegretMinimiser):
    """CFR on views that may forget: regrets add up over all states of a view, and what was
    played counts as often as the player's own cards and the boards come, and as it gets there."""

    def __init__(self, game):
        super().__init__(
            game,
            positive=lambda t: 1.0,
            negative=lambda t: 1.0,
            prediction=0.0,
            average=lambda t: 1.0,
            simultaneous=False,
        )

    def average_table(self, player):
        """View -> probabilities."""
        found = {}
        for (who, view), sums in self.sums.items():
            total, count = sum(sums.values()), len(sums)
            if who == player:
                found[view] = [sums[a] / total if total > 0 else 1 / count for a in range(count)]
        return found

    def _collect(self, player, frozen):
        instant = defaultdict(lambda: defaultdict(float))
        seen = set()

        def walk(state, mine, others):
            if state.player == TERMINAL:
                return state.payoff[player]
            if state.player == CHANCE:
                return sum(
                    p * walk(state.child(i), mine, others * p) for i, p in enumerate(state.chances)
                )
            view, count = state.view(state.player), len(state.actions)
            chosen = frozen.setdefault(
                (state.player, view), self.strategy(state.player, view, count)
            )
            if state.player != player:
                return sum(p * walk(state.child(i), mine, others * p) for i, p in enumerate(chosen))
            values = [walk(state.child(i), mine * p, others) for i, p in enumerate(chosen)]
            mean = sum(p * v for p, v in zip(chosen, values, strict=True))
            lane = (state.holes[player], state.boards, state.betting.history)
            weights = state.deck.weights
            weight = weights[player][state.deck.numbers[lane[0]]] if weights else 1.0
            for action in range(count):
                instant[view][action] += others * (values[action] - mean)
                if lane not in seen:
                    self.sums[player, view][action] += weight * mine * chosen[action]
            seen.add(lane)
            return mean

        walk(self.game.root, 1.0, 1.0)
        return instant


def named_sequences(form):
    """For every sequence of a form: the player and its decisions, (view, action) after another."""
    names = []
    for player, plex in enumerate(form.treeplexes):
        paths = {0: ()}
        for label, parent, sequences in zip(plex.labels, plex.parents, plex.sequences, strict=True):
            for action, sequence in enumerate(sequences):
                paths[int(sequence)] = (*paths[int(parent)], (label, action))
        names += [(player, paths[sequence]) for sequence in range(plex.size)]
    return names


class SlowRestriction:
    """A restricted game as in Bošanský et al. 2014, by walks of the states.

    `included` holds the players' sequences, each a tuple of (view, action)."""

    def __init__(self, game, included, *, last=False):
        self.game, self.included, self.last = game, included, last

    def default(self, state):
        return len(state.actions) - 1 if self.last else 0

    def extended_entries(self):
        """What pairs of restricted sequences pay player 1 when both go on by default."""
        found = defaultdict(float)

        def walk(state, reach, taken):
            if state.player == TERMINAL:
                found[taken] += reach * state.payoff[0]
            elif state.player == CHANCE:
                for index, chance in enumerate(state.chances):
                    walk(state.child(index), reach * chance, taken)
            else:
                for index in self._extended(state, taken):
                    walk(state.child(index), reach, self._after(state, taken, index))

        walk(self.game.root, 1.0, ((), ()))
        return dict(found)

    def leaf_entries(self):
        """The same with temporary leaves where the player to move has no sequence left."""
        found = defaultdict(float)

        def walk(state, reach, taken):
            if state.player == TERMINAL:
                found[taken] += reach * state.payoff[0]
            elif state.player == CHANCE:
                for index, chance in enumerate(state.chances):
                    walk(state.child(index), reach * chance, taken)
            elif actions := self._actions(state, taken):
                for index in actions:
                    walk(state.child(index), reach, self._after(state, taken, index))
            else:
                found[taken] += reach * self.stuck(state, state.player)

        walk(self.game.root, 1.0, ((), ()))
        return dict(found)

    def stuck(self, state, player):
        """What player 1 earns if `player` plays its default, the other its best, seeing all."""
        if state.player == TERMINAL:
            return state.payoff[0]
        if state.player == player:
            return self.stuck(state.child(self.default(state)), player)
        below = [self.stuck(state.child(index), player) for index in range(len(state.actions))]
        if state.player == CHANCE:
            return sum(p * value for p, value in zip(state.chances, below, strict=True))
        return min(below) if player == 0 else max(below)

    def extended_plan(self, player, plan):
        """Definition 14: a plan of restricted sequences as one of all (view, action)."""
        found = {(): 1.0}

        def walk(state, here, whole):
            if state.player == TERMINAL:
                return
            for index in range(len(state.actions)):
                below, after = here, whole
                if state.player == player:
                    view = state.view(player)
                    after = (*whole, (view, index))
                    below = self._stand_in(here, state, index)
                    found[after] = plan[below] if below is not None else 0.0
                walk(state.child(index), below, after)

        walk(self.game.root, (), ())
        return found

    def _stand_in(self, here, state, index):
        """Restricted sequence that an action's probability is taken from; None: never taken."""
        if here is None:
            return None
        taken = ((), here) if state.player else (here, ())
        if index not in self._extended(state, taken):
            return None
        return self._after(state, taken, index)[state.player]

    def _actions(self, state, taken):
        view, mine = state.view(state.player), taken[state.player]
        included = self.included[state.player]
        return [i for i in range(len(state.actions)) if (*mine, (view, i)) in included]

    def _extended(self, state, taken):
        return self._actions(state, taken) or [self.default(state)]

    def _after(self, state, taken, index):
        """The players' last restricted sequences after an action."""
        mine = (*taken[state.player], (state.view(state.player), index))
        if mine not in self.included[state.player]:
            return taken
        return (mine, taken[1]) if state.player == 0 else (taken[0], mine)
