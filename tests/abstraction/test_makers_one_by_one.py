"""Each maker against its definition: slow twins, and published numbers."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import regretless as rl
from regretless.abstraction._grouping import by_share, of_vectors, on_a_line
from regretless.abstraction._maps import Deals
from regretless.abstraction._strength import expected_strengths
from regretless.abstraction.binning import card_strengths
from regretless.abstraction.gameshrink import SignalTree
from regretless.abstraction.k_means import deal_payoffs
from regretless.core.errors import BadInput, Unsuitable
from regretless.games._locked import locked
from regretless.games._state import CHANCE, TERMINAL


def cost_on_a_line(values, weights, labels):
    total = 0.0
    for cluster in set(labels):
        mine = labels == cluster
        mean = np.average(values[mine], weights=weights[mine])
        total += (weights[mine] * (values[mine] - mean) ** 2).sum()
    return total


@settings(deadline=None)  # the first call may compile a kernel
@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 4)), min_size=1, max_size=8),
    st.integers(1, 4),
)
def test_no_other_clusters_on_a_line_are_better(pairs, k):
    values, weights = np.array(pairs, dtype=float).T
    labels = on_a_line(values, weights, k)
    points = np.unique(values)
    assert len(set(labels)) == min(k, points.size)
    assert (np.diff(labels[np.argsort(values)]) >= 0).all()
    best = np.inf
    for cuts in combinations(range(1, points.size), min(k, points.size) - 1):
        split = np.searchsorted(points[list(cuts)], values, side="right")
        best = min(best, cost_on_a_line(values, weights, split))
    assert cost_on_a_line(values, weights, labels) == pytest.approx(best, abs=1e-9)


def test_of_evenly_spaced_numbers_the_small_ones_are_put_together():
    values = np.arange(5) * 0.1
    assert on_a_line(values, np.ones(5), 4).tolist() == [0, 0, 1, 2, 3]
    assert on_a_line(values, np.ones(5), 3).tolist() == [0, 0, 1, 1, 2]


def test_buckets_have_equal_shares_and_keep_equal_hands_together():
    assert by_share(np.array([3.0, 1, 2, 4]), np.ones(4), 2).tolist() == [1, 0, 0, 1]
    assert by_share(np.array([1.0, 1, 1, 2]), np.ones(4), 4).tolist() == [0, 0, 0, 1]
    assert by_share(np.array([1.0, 2, 3]), np.array([6.0, 1, 1]), 2).tolist() == [0, 1, 1]


def test_k_means_finds_clusters_that_are_far_apart():
    vectors = np.array([[0.0, 0], [9, 9], [0.1, 0], [9, 8.9], [0, 9]])
    labels = of_vectors(vectors, np.ones(5), 3)
    assert labels[0] == labels[2] != labels[1] == labels[3]
    assert labels[4] not in (labels[0], labels[1])
    assert len(set(of_vectors(vectors, np.ones(5), 99))) == 5


def uniform_values(state):
    """What everybody wins if all play uniformly, by recursion over states."""
    if state.player == TERMINAL:
        return np.array(state.payoff)
    count = len(state.actions)
    chances = state.chances if state.player == CHANCE else [1 / count] * count
    return sum(c * uniform_values(state.child(i)) for i, c in enumerate(chances))


def test_the_strength_of_a_card_is_the_value_of_its_subtrees():
    game = rl.load("leduc")
    strengths = card_strengths(rl.sequence_form(game))
    for index, card in enumerate(game.root.actions):
        value = uniform_values(game.root.child(index))[0]
        assert strengths[index] == pytest.approx(value), card
    distinct = card_strengths(rl.sequence_form("leduc:suits_distinct=true"))
    assert distinct == pytest.approx(strengths)


def test_binning_puts_the_weakest_cards_of_leduc_together():
    abstraction = rl.abstract("leduc", "binning:bins=2")
    assert "Q|K:" in abstraction.form().treeplexes[0].labels  # as in the source: J and Q, K alone
    assert "Q/K|Q/Q|K/Q|K/K:cc/" in abstraction.form().treeplexes[0].labels
    seen = rl.abstract("leduc", "binning:bins=2,see_board=true")
    assert seen.classes == ((2, 6), (2, 6))
    assert "Q/Q|K/Q:cc/" in seen.form().treeplexes[0].labels


def slow_strength(game, cards):
    """Chance to beat a random hand at the end, over all deals that fit."""
    hole, *boards = cards.split("/")
    total = won = 0.0
    stack = [(game.root, 1.0)]
    while stack:
        state, chance = stack.pop()
        if state.player == TERMINAL:
            view = state.view(0).partition(":")[0]
            if view.split("/")[: 1 + len(boards)] == [hole, *boards]:
                total += chance
                won += chance * (np.sign(state.payoff[0]) + 1) / 2
        elif state.player == CHANCE:
            stack += [(state.child(i), chance * c) for i, c in enumerate(state.chances)]
        else:
            names = list(state.actions)
            called = names.index("check") if "check" in names else names.index("call")
            stack.append((state.child(called), chance))
    return won / total


@pytest.mark.parametrize("spec", ["leduc:ranks=4", "rhode_island:ranks=3,suits=2,cap=1"])
def test_expected_strength_is_that_of_dealing_everything(spec):
    game = rl.load(spec)
    deals = Deals(rl.sequence_form(game))
    found = expected_strengths(deals, 0, 1)
    squares = expected_strengths(deals, 0, 2)
    for round in deals.rounds:
        texts = deals.texts(0, round)
        for lane in range(0, len(texts), 5):
            assert found[round][lane] == pytest.approx(slow_strength(game, texts[lane]))
        assert (squares[round] >= found[round] ** 2 - 1e-9).all()
    assert squares[-1] == pytest.approx(found[-1] ** 2)


def test_percentiles_are_split_by_recall_or_forgotten():
    kept = rl.abstract("leduc:ranks=6", "percentile:buckets=3/2")
    assert kept.classes == ((3, 6), (3, 6))
    assert kept.has_perfect_recall
    forgot = rl.abstract("leduc:ranks=6", "percentile:buckets=3/2,recall=false")
    assert forgot.classes == ((3, 2), (3, 2))
    assert not forgot.has_perfect_recall
    with pytest.raises(BadInput, match=r"buckets=3/2/1: must be 1 number, or 2 for the rounds"):
        rl.abstract("leduc", "percentile:buckets=3/2/1")
    # Squares value a hand that may improve: the order of two hands can change.
    small = rl.sequence_form("rhode_island:ranks=4,suits=2,cap=1")
    one = rl.abstract(small, "percentile:buckets=1/20/1")
    two = rl.abstract(small, "percentile:buckets=1/20/1,squared=true")
    assert one.form().fingerprint() != two.form().fingerprint()


def test_k_means_on_payoffs_connects_all_cards():
    pairs, vectors, chance = deal_payoffs(rl.sequence_form("leduc"))
    assert len(pairs) == 9
    assert chance.sum() == pytest.approx(1)
    # Three kinds of deals: the first card is better, worse or equal, as in the source.
    better = {
        tuple(vectors[k]) for k, (a, b) in enumerate(pairs) if "QKA".index(a) > "QKA".index(b)
    }
    assert len(better) == 1
    assert rl.abstract("leduc", "k-means:groups=3").classes == ((1, 3), (1, 3))


def test_k_means_needs_a_sequence_form_of_two():
    with pytest.raises(Unsuitable, match="k-means: needs a sequence form of two players"):
        rl.abstract("kuhn:players=3", "k-means")


def isomorphic(tree, level, one, two):
    """The definition: leaves by outcomes, inner nodes by a perfect matching of children."""
    if level == len(tree.rounds) - 1:
        return np.array_equal(tree.outcomes[one], tree.outcomes[two])
    mine, theirs = (tree.children_of(level, node) for node in (one, two))
    if len(mine) != len(theirs):
        return False
    fits = np.array([[isomorphic(tree, level + 1, a, b) for b in theirs] for a in mine])
    return bool(fits[linear_sum_assignment(~fits)].all())


class SlowTree:
    """The signal tree with every actual card, found by listing deals."""

    def __init__(self, spec):
        game = rl.load(spec)
        deck, rules = game.root.deck, game.root.deck.rules
        assert deck.copies == 1
        cards = range(deck.kinds)
        self.rounds = list(range(rules.rounds))
        self.nodes, self.outcomes = [], {}
        for round in self.rounds:
            count = 1 + sum(rules.board[: round + 1])
            self.nodes.append(
                [n for n in np.ndindex((deck.kinds,) * count) if len(set(n)) == count]
            )
        for node in self.nodes[-1]:
            mine = deck.strength(tuple(sorted(node)))
            rivals = [
                deck.strength(tuple(sorted((card, *node[1:]))))
                for card in cards
                if card not in node
            ]
            self.outcomes[node] = np.array(
                [sum(r < mine for r in rivals), sum(r == mine for r in rivals)]
            )

    def children_of(self, level, node):
        return [n for n in self.nodes[level + 1] if n[: len(node)] == node]

    def classes(self):
        """Siblings that are isomorphic are merged, from the top down."""
        found, parents = [], {(): 0}
        for level in self.rounds:
            cells, leaders = {}, []
            for node in self.nodes[level]:
                above = parents[node[:-1]]
                for cell, (other, parent) in enumerate(leaders):
                    if parent == above and isomorphic(self, level, node, other):
                        cells[node] = cell
                        break
                else:
                    cells[node] = len(leaders)
                    leaders.append((node, above))
            found.append(len(leaders))
            parents = cells
        return tuple(found)


@pytest.mark.parametrize(
    "spec", ["rhode_island:ranks=2,suits=2,cap=1", "rhode_island:ranks=3,suits=2,cap=1"]
)
def test_gameshrink_is_matching_on_the_signal_tree(spec):
    twin = SlowTree(spec)
    classes = twin.classes()
    assert rl.abstract(spec, "gameshrink").classes == (classes, classes)


def test_gameshrink_of_rhode_island_has_the_published_classes():
    full = rl.forms.public_form("rhode_island")
    abstraction = rl.abstract(full, "gameshrink")
    assert abstraction.classes == ((13, 205, 1774),) * 2  # Gilpin & Sandholm 2007
    assert abstraction.has_perfect_recall
    points = 4 * 13 + 28 * 205 + 196 * 1774
    sequences = 1 + 10 * 13 + 70 * 205 + 490 * 1774
    assert abstraction.sizes[1].decision_points == (points, points)
    assert abstraction.sizes[1].sequences == (sequences, sequences)
    assert points + 1 + sequences == 1_237_238
    # The hands of a class meet different classes of rivals: something is lost.
    assert abstraction.is_lossless is False
    lossless = rl.abstract(full, "lossless")
    assert lossless.classes == ((13, 325, 7969),) * 2
    assert lossless.is_lossless


def test_a_threshold_merges_more_and_more():
    spec = "rhode_island:ranks=3,suits=2,cap=1"
    sizes = [
        sum(rl.abstract(spec, f"gameshrink:threshold={t}").classes[0]) for t in (0, 0.05, 0.3, 1)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 3  # one class a round
    assert len(set(sizes)) > 2


def test_the_penalty_of_a_matching():
    tree = SignalTree(Deals(rl.sequence_form("leduc")), 0)
    low, high = int(tree.kinds[0][0]), int(tree.kinds[0][2])
    # Q and A: on a board Q the one has a pair, on a board A the other; in between they differ.
    assert tree.distance(0, min(low, high), max(low, high)) > 0
    assert tree.distance(0, low, low) == 0
    leaves = tree.leaves
    expected = np.abs(leaves[0] - leaves[1]).sum() / 2
    assert tree.distance(1, 0, 1) == pytest.approx(expected)
    for one, two in combinations(range(len(tree.children[0])), 2):
        least = np.abs(tree.means[0][one] - tree.means[0][two]).sum() / 2
        assert tree.distance(0, one, two) >= least - 1e-12


def test_gameshrink_refuses_what_is_not_ordered():
    game = rl.load("leduc")
    with pytest.raises(Unsuitable, match="gameshrink: leduc has locks"):
        rl.abstract(locked(game, lock_of(game)), "gameshrink")


def lock_of(game):
    from regretless.games._locked import HandLock

    return HandLock("", np.full((3, 2), 0.5))


def slowly_refined(spec):
    """Classes of every round by colour refinement, with multisets instead of hashes."""
    game = rl.load(spec)
    deck, rules = game.root.deck, game.root.deck.rules
    nodes = []
    for round in range(rules.rounds):
        count = 1 + sum(rules.board[: round + 1])
        nodes.append([n for n in np.ndindex((deck.kinds,) * count) if len(set(n)) == count])
    strength = {n: deck.strength(tuple(sorted(n))) for n in nodes[-1]}
    colour = {n: 0 for level in nodes for n in level}
    while True:
        key = {}
        for level in nodes:
            for n in level:
                rivals = [(card, *n[1:]) for card in range(deck.kinds) if card not in n]
                result = [
                    (strength[n] > strength[r]) - (strength[n] < strength[r])
                    if n in strength
                    else 0
                    for r in rivals
                ]
                met = Counter(zip((colour[r] for r in rivals), result, strict=True))
                led = Counter(colour[m] for m in colour if len(m) == len(n) + 1 and m[:-1] == n)
                above = colour.get(n[:-1], 0)
                key[n] = len(n), above, colour[n], frozenset(met.items()), frozenset(led.items())
        numbers = {k: i for i, k in enumerate(dict.fromkeys(key.values()))}
        finer = {n: numbers[k] for n, k in key.items()}
        if len(set(finer.values())) == len(set(colour.values())):
            return tuple(len({colour[n] for n in level}) for level in nodes)
        colour = finer


def test_the_lossless_partition_is_colour_refinement():
    spec = "rhode_island:ranks=3,suits=2,cap=1"
    classes = slowly_refined(spec)
    assert rl.abstract(spec, "lossless").classes == (classes, classes)


def test_strategy_based_cells_are_played_alike(tmp_path):
    full = rl.sequence_form("leduc")
    table = rl.Strategy.uniform(full).edited({1: {"K:": {"check": 1}, "A:": {"check": 1}}})
    table.save(tmp_path / "x.strategy")
    abstraction = rl.abstract(full, f"strategy-based:cells=2,strategy={tmp_path}/x.strategy")
    labels = abstraction.form().treeplexes[0].labels
    assert "K|A:" in labels
    assert "Q:" in labels
    assert abstraction.has_perfect_recall
    one = rl.abstract(full, "strategy-based:cells=1")
    assert one.form().sizes.decision_points == (18, 18)  # the betting alone
    with pytest.raises(Unsuitable, match="needs the sequence form"):
        rl.abstract(rl.forms.public_form("leduc"), "strategy-based")
