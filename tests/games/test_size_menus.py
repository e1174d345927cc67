"""Bet sizes of a whole hand as one text."""

import pytest

import regretless as rl
from regretless.games._sizing import NAMED


def totals(sizes, betting="", *, stack=2500):
    """The raises listed after a betting."""
    moves = rl.load(f"holdem_nolimit:stack={stack},sizes={sizes}").rules.replay(betting).moves
    return [move.total for move in moves if move.letter == "r"]


def test_sizes_by_round_and_raise():
    sizes = "2x+3x-100%-a/50%+100%-2x-a/a"
    assert totals(sizes) == [200, 300, 2500]
    assert totals(sizes, "r300") == [900, 2500]  # the pot after a call is 600
    assert totals(sizes, "r300r900") == [2500]
    assert totals(sizes, "r300r900r2500") == []
    assert totals(sizes, "r300c/") == [600, 900, 2500]
    assert totals(sizes, "r300c/r600") == [900, 2500]  # twice the bet of 300
    assert totals(sizes, "r300c/r600r900") == [2500]
    assert totals(sizes, "r300c/cc/") == totals(sizes, "r300c/cc/cc/") == [2500]


def test_sizes_are_legal_and_limited_by_the_stack():
    assert totals("1%") == [200, 2500]  # a raise is at least a big blind
    assert totals("1%", "cc/") == [200, 2500]
    assert totals("5000%") == [2500]
    assert totals("a") == [2500]


def test_any_size_is_the_default():
    game = rl.load("holdem_nolimit:sizes=any")
    assert game.spec == "holdem_nolimit"
    assert game.rules.sizing is None


def test_the_menu_nyx_has_2513_betting_sequences_and_up_to_five_sizes():
    """Moravčík 2014, section 5.1.2: 25 big blinds, up to five sizes, all-in always."""
    tree = rl.research.BettingTree(rl.load("holdem_nolimit:stack=2500,sizes=nyx").rules)
    assert tree.sequences == 2513
    sizes = [[move.total for move in one.moves if move.letter == "r"] for one in tree.decisions]
    assert max(map(len, sizes)) == 5
    assert all(found[-1] == 2500 for found in sizes if found)
    # A player who cannot raise faces an all-in.
    assert all(
        max(one.betting.spent) == 2500
        for one in tree.decisions
        if len(one.moves) == 2 and one.moves[0].letter == "f"
    )
    spelled = rl.load(f"holdem_nolimit:stack=2500,sizes={NAMED['nyx']}").rules
    assert spelled.sizing == tree.rules.sizing


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ("50%//a", "a part is empty"),
        ("50%-", "a part is empty"),
        ("50", "'50' is not a size"),
        ("50%/2x", "multiplies a bet faced, but there is none"),
        ("a/a/a/a/a", "5 rounds, the game has 4"),
    ],
)
def test_bad_menus_are_refused(sizes, message):
    with pytest.raises(rl.RegretlessError, match=message):
        rl.load(f"holdem_nolimit:sizes={sizes}")


def test_sizes_are_written_as_by_versions_whose_files_have_a_fingerprint_of_this_text():
    """Fingerprints of strategies in files of versions 0.1 and 0.2 depend on these texts."""
    menu = rl.load("holdem_nolimit:sizes=2x+50%-a/a").rules.sizing
    pot, faced, all_in = (
        "Size(unit=<Unit.POT: '%'>, number=0.5)",
        "Size(unit=<Unit.BET_FACED: 'x'>, number=2.0)",
        "Size(unit=<Unit.ALL_IN: 'a'>, number=0.0)",
    )
    assert repr(menu) == (
        f"SizeMenu(sizes=((({faced}, {pot}), ({all_in},)), (({all_in},),)), streets=(4, 3, 2, 1))"
    )
    made = rl.spot(
        board="Td9d6hQc",
        pot=200,
        stack=900,
        ranges={"oop": "AA", "ip": "KK"},
        bets={"all": "a", "ip": "50%"},
        raises="2x",
        donks={"river": "50%"},
        tree={"merge": 0.1},
    )
    bets, raises = f"(({all_in},), ({pot},))", f"(({faced},), ({faced},))"
    assert repr(made.rules.sizing) == (
        f"SpotSizing(bets=({bets}, {bets}), raises=({raises}, {raises}), "
        f"donks=((None, None), (({pot},), None)), streets=(2, 1), "
        "min_bet=1, add_allin=0.0, force_allin=0.0, merge=0.1)"
    )
