"""OpenSpiel's games behind our contract; its ACPC engine as a judge of ours."""

from __future__ import annotations

import sys

import pytest
from enumeration import enumerated
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadInput, BadParameter, UnknownName, Unsuitable
from regretless.games import kuhn, leduc
from regretless.games._betting import NO_CAP, PokerRules
from regretless.games._openspiel import read_openspiel
from regretless.games._poker import poker_game
from regretless.games._state import TERMINAL, Game, Sizes, State

# --- games we have too


def test_kuhn_and_leduc_are_as_large_as_ours() -> None:
    for text, ours in [
        ("openspiel:kuhn_poker", kuhn.game()),
        ("openspiel:kuhn_poker(players=3)", kuhn.game(players=3)),
        ("openspiel:leduc_poker", leduc.game(suits_distinct=True)),
    ]:
        theirs = read_openspiel(text)
        assert (theirs.spec, theirs.players) == (text, ours.players)
        assert ours.count is not None
        assert enumerated(theirs) == ours.count()


def test_leduc_has_its_published_size() -> None:
    sizes = enumerated(read_openspiel("openspiel:leduc_poker"))
    assert sizes == Sizes(9457, 5520, (468, 468), (1093, 1093))


def assert_same_tree(ours: State, theirs: State) -> None:
    """Same movers, as many moves, and the same payoffs everywhere."""
    stack = [(ours, theirs, "")]
    while stack:
        mine, other, path = stack.pop()
        assert mine.player == other.player, path
        assert len(mine.actions) == len(other.actions), (path, mine.actions, other.actions)
        if mine.player == TERMINAL:
            assert mine.payoff == pytest.approx(other.payoff), path
        stack += [
            (mine.child(index), other.child(index), f"{path} {name}")
            for index, name in enumerate(mine.actions)
        ]


def universal(rules: PokerRules) -> Game:
    """The same rules in OpenSpiel's `universal_poker`, which runs the code of the ACPC dealer."""
    lists = {
        "blind": rules.blinds,
        "firstPlayer": [position + 1 for position in rules.first],
        "maxRaises": rules.caps,
        "numBoardCards": rules.board,
        "stack": rules.stacks,
        "raiseSize": rules.raises or (),
    }
    texts = {name: " ".join(map(str, values)) for name, values in lists.items() if values}
    texts |= {
        "betting": "nolimit" if rules.raises is None else "limit",
        "bettingAbstraction": "fullgame" if rules.raises is None else "fcpa",
        "numPlayers": str(rules.players),
        "numRounds": str(rules.rounds),
        "numSuits": str(rules.suits),
        "numRanks": str(rules.ranks),
        "numHoleCards": str(rules.hole),
    }
    options = ",".join(f"{name}={text}" for name, text in texts.items())
    return read_openspiel(f"openspiel:universal_poker({options})")


@st.composite
def judged_rules(draw: st.DrawFn) -> PokerRules:
    """Rules whose deals are single cards, as OpenSpiel deals them one by one."""
    players, rounds = draw(st.sampled_from([2, 3])), draw(st.sampled_from([2, 2, 3]))
    blinds = tuple(draw(st.integers(0, 2)) for _ in range(players - 1))
    blinds = (*blinds, draw(st.integers(1 if not any(blinds) else 0, 2)))  # OpenSpiel wants one
    # Everybody can act at first: the dealer's code has no end for a hand without an actor.
    stacks = tuple(blind + draw(st.integers(1, 4)) for blind in blinds)
    no_limit = draw(st.booleans())
    return PokerRules(
        players=players,
        ranks=2 if players * rounds > 4 else 3,
        suits=2,
        hole=1,
        board=(0, *(draw(st.integers(0, 1)) for _ in range(rounds - 1)))
        if players == 2
        else (0, 1, 0)[:rounds],
        blinds=blinds,
        first=tuple(draw(st.integers(0, players - 1)) for _ in range(rounds)),
        caps=(
            *(draw(st.sampled_from([0, 1, NO_CAP if no_limit else 2])) for _ in range(rounds - 1)),
            1,
        ),
        raises=None if no_limit else (1, 2, 3)[:rounds],
        stacks=stacks if no_limit else (100,) * players,
    )


@settings(max_examples=40, deadline=None)
@given(judged_rules())
def test_our_rules_are_the_dealers(rules: PokerRules) -> None:
    ours = poker_game("any", rules, suits_distinct=True)
    assert ours.count is not None
    assume(ours.count().nodes <= 6_000)
    assert_same_tree(ours.root, universal(rules).root)


# --- other kinds of games


def test_simultaneous_moves_become_hidden_moves() -> None:
    game = read_openspiel("openspiel:matrix_rps")
    assert enumerated(game) == Sizes(13, 9, (1, 1), (4, 4))
    paper = game.root.play("Rock").play("Paper")
    assert paper.payoff == (-1, 1)
    enumerated(read_openspiel("openspiel:goofspiel(num_cards=3,imp_info=True)"))


def test_payoffs_need_not_cancel() -> None:
    defect = read_openspiel("openspiel:matrix_pd").root.child(1).child(1)
    assert defect.payoff == (1, 1)


def test_spaces_and_the_spec() -> None:
    assert read_openspiel("openspiel: kuhn_poker ").players == 2


# --- what is wrong


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("openspiel:khun_poker", UnknownName, "unknown OpenSpiel game 'khun_poker'; did you mean"),
        ("openspiel:", UnknownName, "unknown OpenSpiel game ''; known: "),
        ("openspiel:kuhn_poker(players=99)", BadParameter, "OpenSpiel reports: .*99"),
        ("openspiel:kuhn_poker(players=many)", BadParameter, "Wrong type for parameter players"),
        ("openspiel:kuhn_poker(cards=3)", BadParameter, "Unknown parameter 'cards'"),
        ("openspiel:kuhn_poker(players=3", BadParameter, "Missing closing bracket"),
        ("openspiel:misere", BadParameter, "Missing parameter game"),
        ("openspiel:nfg_game", BadParameter, "OpenSpiel reports: "),
        ("openspiel:2048", Unsuitable, "does not provide its information states"),
        ("openspiel:bridge_uncontested_bidding", Unsuitable, "no known probabilities"),
        ("openspiel:mfg_crowd_modelling", Unsuitable, "mean field"),
    ],
)
def test_mistakes_are_one_line_of_ours(
    text: str, kind: type[Exception], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(kind, match=message) as caught:
        read_openspiel(text)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_nearest_names_are_told() -> None:
    with pytest.raises(UnknownName, match="kuhn_poker"):
        read_openspiel("openspiel:kuhn_pokr")


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadInput, match=r"pip install regretless\[openspiel\]"):
        read_openspiel("openspiel:kuhn_poker")
