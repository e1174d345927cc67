"""How strategies win and lose: against a slow walk, against leagues, and as files."""

import json
from itertools import combinations, permutations

import numpy as np
import pytest
from brute_force import joined, random_strategy

import regretless as rl
from regretless.core.errors import BadInput, Unsuitable
from regretless.evaluation.league import league
from regretless.evaluation.outcomes import outcomes
from regretless.evaluation.outcomes_report import (
    payoffs_by_card,
    payoffs_by_position,
    write_outcomes,
)

KUHN = "kuhn:players=3"
SIMPLE = ("random", "aggressive", "always-call", "always-fold")


@pytest.fixture(scope="module")
def found():
    return outcomes(KUHN, SIMPLE)


def slow_shares(name):
    """Hand by hand: cards, then the tree, with plain loops."""
    order = "JQKA"
    tally = dict.fromkeys(
        ("hands", "wins", "best", "uncalled", "losses", "lost best", "folds"), 0.0
    )

    def choices(who, actions):
        if who == "random":
            return {action: 1 / len(actions) for action in actions}
        wanted = {"aggressive": ("bet", "call"), "always-call": ("check", "call")}
        wish = wanted.get(who, ("check", "fold"))
        return {action: float(action in wish) for action in actions}

    def walk(state, seating, chance):
        if chance == 0:
            return
        if state.player == rl.TERMINAL:
            here = seating.index(name)
            cards = [state.view(i).partition(":")[0] for i in range(3)]
            best = order.index(cards[here]) == max(map(order.index, cards))
            won, folded = state.payoff[here], state.betting.folded
            tally["hands"] += chance
            if won > 0:
                tally["wins"] += chance
                tally["best"] += chance * best
                tally["uncalled"] += chance * (best and sum(folded) == 2)
            elif won < 0:
                tally["losses"] += chance
                tally["lost best"] += chance * best
                tally["folds"] += chance * folded[here]
            return
        if state.player == rl.CHANCE:
            for index, probability in enumerate(state.chances):
                walk(state.child(index), seating, chance * probability)
            return
        taken = choices(seating[state.player], state.actions)
        for action, probability in taken.items():
            walk(state.play(action), seating, chance * probability)

    for table in combinations(SIMPLE, 3):
        if name in table:
            for seating in permutations(table):
                walk(rl.load(KUHN).root, seating, 1.0)
    return tally


@pytest.mark.parametrize("name", SIMPLE)
def test_shares_agree_with_a_slow_walk(found, name):
    tally, shares = slow_shares(name), found.behaviour(name)
    assert shares.wins == pytest.approx(tally["wins"] / tally["hands"])
    assert shares.best_hand_wins == pytest.approx(tally["best"] / tally["wins"])
    assert shares.best_hand_wins_uncalled == pytest.approx(tally["uncalled"] / tally["best"])
    assert shares.best_hand_losses == pytest.approx(tally["lost best"] / tally["losses"])
    assert shares.folds == pytest.approx(tally["folds"] / tally["losses"])
    assert shares.ante_folds == pytest.approx(shares.folds)  # in Kuhn, folding costs the ante


def test_means_are_those_of_the_league(found):
    played = league(KUHN, SIMPLE, duplicates=False)
    for name in SIMPLE:
        assert 1000 * found.mean(name) == pytest.approx(played.overall[name].mean)
        for position, cell in enumerate(played.positions[name]):
            assert 1000 * found.mean(name, position + 1) == pytest.approx(cell.mean)
        for shares in (found.by_position(name), found.by_card(name)):
            assert all(sum(row.values()) == pytest.approx(1) for row in shares.values())
        cards = found.by_card(name)
        assert list(cards) == ["J", "Q", "K", "A"]
        means = [sum(p * share for p, share in row.items()) for row in cards.values()]
        assert np.mean(means) == pytest.approx(found.mean(name))


def test_leduc_knows_rounds_and_boards():
    found = outcomes("leduc", ("random", "aggressive"))
    shares = found.behaviour("aggressive")
    assert 0 < shares.first_round_wins < shares.wins
    assert found.behaviour("random").ante_folds < found.behaviour("random").folds


def test_leduc_counts_what_can_be_said_by_hand():
    folding = outcomes("leduc", ("always-fold", "aggressive"))
    shares = folding.behaviour("aggressive")
    assert shares.wins == shares.first_round_wins == pytest.approx(1)
    assert folding.behaviour("always-fold").ante_folds == pytest.approx(1)
    assert folding.ends.ante == 1
    calling = outcomes("leduc", ("always-call", "aggressive")).behaviour("aggressive")
    assert calling.first_round_wins == calling.best_hand_losses == 0
    assert calling.best_hand_wins == pytest.approx(1)
    # Against someone who always bets, only folding at once loses no more than the ante.
    mixed = outcomes("leduc", ("random", "aggressive"))
    losses = list(mixed.by_position("random").values())
    lost = np.mean([sum(share for won, share in row.items() if won < 0) for row in losses])
    assert mixed.behaviour("random").ante_folds * lost == pytest.approx(
        np.mean([row[-1.0] for row in losses])
    )


def test_pictures_have_a_column_per_position_or_card(found):
    for draw, ticks in ((payoffs_by_position, "123"), (payoffs_by_card, "JQKA")):
        panel = draw(found).axes[0]
        assert "".join(text.get_text() for text in panel.get_xticklabels()) == ticks
        means = [line.get_ydata()[0] for line in panel.lines if len(line.get_ydata()) == 1]
        assert means[-1] == pytest.approx(found.mean(SIMPLE[0]))


def test_files(found, tmp_path):
    paths = write_outcomes(KUHN, SIMPLE, tmp_path / "deep" / "er")
    facts = json.loads(paths["outcomes_json"].read_text())
    assert facts["random"]["wins"] == pytest.approx(found.behaviour("random").wins)
    assert "| random  " in paths["outcomes"].read_text()
    for name in ("by_position", "by_card"):
        assert paths[name].read_bytes().startswith(b"\x89PNG")


def test_bad_input():
    with pytest.raises(Unsuitable, match="not a poker game"):
        outcomes("rps", ("random",))
    with pytest.raises(BadInput, match="expected 3"):
        outcomes(KUHN, SIMPLE, tables=[("random", "aggressive")])
    with pytest.raises(BadInput, match="at no table"):
        outcomes(KUHN, SIMPLE, tables=[SIMPLE[:3]])


def test_seatings_count_once_each_also_with_a_strategy_twice_at_the_table():
    form = rl.sequence_form(KUHN)
    known = {name: random_strategy(form, seed) for seed, name in enumerate("abc")}
    tables = [("a", "a", "b"), ("a", "b", "c")]
    found = outcomes(KUHN, known, tables=tables)
    seatings = [seating for table in tables for seating in sorted(set(permutations(table)))]
    assert len(seatings) == 3 + 6
    for position in range(3):
        earned = [
            rl.expected_values(joined(form, [known[name] for name in seating]))[position]
            for seating in seatings
            if seating[position] == "a"
        ]
        assert found.mean("a", position + 1) == pytest.approx(np.mean(earned), abs=1e-12)
