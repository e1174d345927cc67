"""Rules of addition: what they add on Leduc, action by action, and a rule of one's own."""

import numpy as np
import pytest

from regretless.core.errors import UnknownName, Unsuitable
from regretless.forms.form import size
from regretless.forms.labels import read_label
from regretless.forms.sequence import sequence_form
from regretless.games._betting import PokerRules
from regretless.games._catalog import load
from regretless.games._efg import parse_efg, to_efg
from regretless.games._poker import poker_game
from regretless.solvers._catalog import solver
from regretless.solvers.additions import _addition
from regretless.solvers.additions._addition import ADDITIONS, Addition, addition

BEFORE_THE_BOARD = ["cc", "crc", "crrc", "rc", "rrc"]  # betting that leads to the second round
# Algorithm 6: check first with every card; bet on the board with the same card or a higher one.
CHECKS = {("Q:", "check"), ("K:", "check"), ("A:", "check")}
BETS = {
    (f"{cards}:{betting}/", "bet")
    for cards in ("Q/Q", "K/Q", "K/K", "A/Q", "A/K", "A/A")
    for betting in BEFORE_THE_BOARD
}
# What leads to these bets: `rc` is my bet, `crc` my check and my call, and so on.
ON_THE_WAY = {
    (f"{card}:{betting}", action)
    for card in "QKA"
    for betting, action in (("", "bet"), ("cr", "call"), ("cr", "raise"), ("rr", "call"))
}
# Algorithm 7: half of the highest value, 3, is less than a king (2), not less than a queen (1).
REPLIES = {("Q:c", "check"), ("K:c", "bet"), ("A:c", "bet")}


@pytest.fixture(scope="module")
def leduc():
    return sequence_form(load("leduc"))


def chosen(form, player, flags):
    """Flags as pairs of a label and an action."""
    root = form.plex.roots[player]
    return {
        (point.label, name)
        for point in form.points(player)
        for name, sequence in zip(point.actions, point.sequences, strict=True)
        if flags[root + sequence]
    }


def flagged(form, player, pairs):
    """A vector that holds the pairs of a label and an action, and the empty sequence."""
    flags = np.zeros(size(form), np.uint8)
    flags[form.plex.roots[player]] = 1
    for label, name in pairs:
        point = form.find(player, label)
        sequence = point.sequences[point.actions.index(name)]
        flags[form.plex.roots[player] + sequence] = 1
    return flags


def added(rule, player, pairs):
    form = rule.form
    return chosen(form, player, rule.add(player, flagged(form, player, pairs)))


def test_rules_have_the_names_of_their_files():
    assert ADDITIONS.names() == ("best-response", "both", "first-action", "second-round")


def test_the_plain_rule_adds_nothing(leduc):
    pairs = {("K:", "bet"), ("K/Q:rc/", "check")}
    assert added(addition("best-response", leduc), 0, pairs) == pairs


def test_first_actions_of_player_1_are_those_of_algorithm_6(leduc):
    assert added(addition("first-action", leduc), 0, set()) == CHECKS | BETS | ON_THE_WAY


def test_first_actions_of_player_2_are_those_of_algorithm_7(leduc):
    assert added(addition("first-action", leduc), 1, set()) == REPLIES


@pytest.mark.parametrize(
    ("ranks", "bold"), [(2, "A"), (3, "KA"), (4, "KA"), (5, "QKA"), (6, "QKA"), (13, "89TJQKA")]
)
def test_the_better_half_of_the_cards_bets(ranks, bold):
    rule = addition("first-action", sequence_form(load(f"leduc:ranks={ranks},cap=1")))
    found = added(rule, 1, set())
    assert {label[0] for label, action in found if action == "bet"} == set(bold)
    assert len(found) == ranks


def test_blinds_are_called_not_folded():
    """Where blinds differ, the first to act has something to call."""
    rules = PokerRules(
        players=2,
        ranks=3,
        suits=2,
        hole=1,
        board=(0, 1),
        blinds=(1, 2),
        first=(0, 0),
        caps=(2, 2),
        raises=(2, 4),
    )
    form = sequence_form(poker_game("blinds", rules))
    assert form.find(0, "Q:").actions == ("fold", "call", "raise")
    found = added(addition("first-action", form), 0, set())
    assert {(f"{card}:", "call") for card in "QKA"} <= found
    assert not {label for label, action in found if action == "fold"}


def test_second_rounds_are_copied_as_algorithm_8_says(leduc):
    rule = addition("second-round", leduc)
    played = {("K:", "check"), ("K:cr", "call"), ("K/Q:crc/", "check"), ("K/Q:crc/cr", "raise")}
    behind = {
        (f"K/Q:{betting}/{rest}", action)
        for betting in BEFORE_THE_BOARD
        for rest, action in (("", "check"), ("cr", "raise"))
    }
    way = {pair for pair in ON_THE_WAY if pair[0][0] == "K"} | {("K:", "check")}
    assert added(rule, 0, played) == played | behind | way


def test_second_rounds_of_player_2_are_copied_too(leduc):
    rule = addition("second-round", leduc)
    played = {("A:r", "raise"), ("A/K:rrc/c", "bet")}
    behind = {(f"A/K:{betting}/c", "bet") for betting in BEFORE_THE_BOARD}
    way = {("A:c", "check"), ("A:c", "bet"), ("A:crr", "call"), ("A:r", "call"), ("A:r", "raise")}
    assert added(rule, 1, played) == behind | way


def test_a_first_round_alone_is_copied_nowhere(leduc):
    pairs = {("K:", "bet"), ("Q:", "check"), ("Q:cr", "call")}
    assert added(addition("second-round", leduc), 0, pairs) == pairs


def test_sizes_are_copied_by_their_place_not_by_their_total():
    """After a small bet of 2 or a large one of 3, the small bet on the board adds 2 more."""
    form = sequence_form(load("generic_poker:cap=1"))
    rule = addition("second-round", form)
    found = added(rule, 0, {("K:", "check"), ("K/Q:cc/", "bet 3")})
    bets = {pair for pair in found if "/" in pair[0]}
    assert bets == {
        ("K/Q:cc/", "bet 3"),
        ("K/Q:cr2c/", "bet 4"),
        ("K/Q:cr3c/", "bet 5"),
        ("K/Q:r2c/", "bet 4"),
        ("K/Q:r3c/", "bet 5"),
    }
    answers = added(rule, 1, {("K:c", "check"), ("K/Q:cc/r3", "call")})
    assert {label for label, _ in answers if "/" in label} == {
        f"K/Q:{betting}" for betting in ("cc/r3", "cr2c/r4", "cr3c/r5", "r2c/r4", "r3c/r5")
    }


def test_both_rules_add_what_either_adds(leduc):
    played = {("K:", "check"), ("K/Q:cc/", "check")}
    one, two, both = (
        added(addition(name, leduc), 0, played) for name in ("first-action", "second-round", "both")
    )
    assert both == one | two


@pytest.mark.parametrize("name", ADDITIONS.names())
def test_what_is_added_is_closed_and_the_player_s_own(leduc, name):
    rng = np.random.default_rng(5)
    rule = addition(name, leduc)
    for player in range(2):
        part = slice(leduc.plex.roots[player], leduc.plex.roots[player + 1])
        response = np.zeros(size(leduc), np.uint8)
        response[part] = rng.random(part.stop - part.start) < 0.1
        response = rule.closed(player, response)
        response[leduc.plex.roots[player]] = 1
        found = rule.add(player, response.copy())
        assert np.all(found >= response)
        assert np.array_equal(rule.closed(player, found.copy()), found)
        others = np.delete(found, np.arange(part.start, part.stop))
        assert not others.any()


@pytest.mark.parametrize("name", ["first-action", "second-round", "both"])
@pytest.mark.parametrize("game", ["goofspiel:cards=3", "rps", "liars_dice:faces=2"])
def test_hints_for_poker_are_refused_elsewhere(name, game):
    form = sequence_form(load(game))
    with pytest.raises(Unsuitable, match="is not a poker decision"):
        addition(name, form)
    with pytest.raises(Unsuitable, match="is not a poker decision"):
        solver(f"double-oracle:add={name}", form)


def test_unknown_rules_are_named(leduc):
    with pytest.raises(UnknownName, match=r"unknown rule of addition 'first'.*first-action"):
        solver("double-oracle:add=first", leduc)


def test_poker_out_of_a_file_is_poker_too(leduc):
    form = sequence_form(parse_efg(to_efg(load("leduc")), "leduc.efg"))
    assert added(addition("first-action", form), 1, set()) == REPLIES


def test_labels_come_apart():
    label = read_label("K/Q:rc/cr")
    assert (label.hole, label.board, label.betting, label.round) == ("K", "Q", ("rc", "cr"), 1)
    assert read_label("A:").round == 0
    for text in ("", "1", "x:y", ":rc"):
        with pytest.raises(Unsuitable):
            read_label(text)


class Everything(Addition):
    """A rule of one's own: whatever is below a sequence of the best response, one level deep."""

    def add(self, player, response):
        grown, root = response.copy(), self.form.plex.roots[player]
        for point in self.form.points(player):
            if response[root + point.parent]:
                grown[root + point.sequences] = 1
        return self.closed(player, grown)


def test_a_rule_of_one_s_own_is_a_few_lines(leduc, monkeypatch):
    """In the package it would be a file `everything.py` with this class as `Rule`."""

    class Registry:
        @staticmethod
        def made(name):
            return {"everything": Everything}[name]

    monkeypatch.setattr(_addition, "ADDITIONS", Registry)
    running = solver("double-oracle:add=everything,rough=0", leduc)
    while not running.finished:
        running.step()
    assert running.low == pytest.approx(running.high, abs=1e-9)
    assert running.low == pytest.approx(-0.0856064241, abs=1e-9)
