"""Every game of the package keeps the contract of a game. A new file inherits this."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core import specs
from regretless.core.errors import IllegalMove
from regretless.evaluation.exploitability import evaluate
from regretless.forms.sequence import game_sizes, sequence_form
from regretless.games._catalog import GAMES as REGISTRY
from regretless.games._catalog import game_names, load
from regretless.games._efg import parse_efg, to_efg
from regretless.games._state import CHANCE, TERMINAL
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

SMALLER = {  # where the default takes a second to walk
    "liars_dice": "liars_dice:faces=3",
    "pursuit": "pursuit:steps=3",
    "rhode_island": "rhode_island:ranks=3,suits=2,cap=1",
}
LARGE = ["holdem_limit", "holdem_nolimit"]  # cannot be walked at all
EXTRA = ["kuhn:players=3", "leduc:players=3,ranks=2,cap=1", "leduc:ranks=4,bets=1/3,ante=2"]
GAMES = [SMALLER.get(name, name) for name in game_names() if name not in LARGE] + EXTRA
NOT_ZERO_SUM = {"prisoners_dilemma", "battle_of_the_sexes"}


def walk(state):
    stack = [state]
    while stack:
        here = stack.pop()
        yield here
        if here.player != TERMINAL:
            stack += [here.child(i) for i in range(len(here.actions))]


@pytest.mark.parametrize("spec", GAMES)
def test_states_keep_the_contract(spec):
    game = load(spec)
    for state in walk(game.root):
        if state.player == TERMINAL:
            assert len(state.payoff) == game.players
            assert not list(state.actions)
            continue
        actions = list(state.actions)
        assert actions
        assert len(set(actions)) == len(actions)
        if state.player == CHANCE:
            assert sum(state.chances) == pytest.approx(1, abs=1e-12)
            assert len(state.chances) == len(actions)
            assert all(chance > 0 for chance in state.chances)
        else:
            assert 0 <= state.player < game.players
            assert state.view(state.player) == state.view(state.player)


@pytest.mark.parametrize("spec", GAMES)
def test_counts_are_what_a_walk_finds(spec):
    game = load(spec)
    form = sequence_form(game)  # checks perfect recall
    counted = game_sizes(game)
    assert counted.nodes == form.nodes
    assert counted.terminals == form.terminals
    assert counted.decision_points == tuple(len(plex.labels) for plex in form.treeplexes)
    assert counted.sequences == tuple(plex.size for plex in form.treeplexes)


@pytest.mark.parametrize("spec", GAMES)
def test_zero_sum_is_found_out(spec):
    assert sequence_form(load(spec)).zero_sum == (spec not in NOT_ZERO_SUM)


@pytest.mark.parametrize("spec", GAMES)
def test_a_spec_loads_the_same_game_again(spec):
    game = load(spec)
    again = load(game.spec)
    assert again.spec == game.spec
    assert sequence_form(again).fingerprint() == sequence_form(game).fingerprint()


@pytest.mark.parametrize("spec", GAMES)
def test_written_as_efg_it_is_the_same_game(spec):
    form = sequence_form(load(spec))
    again = sequence_form(parse_efg(to_efg(load(spec)), "x.efg"))
    assert again.nodes == form.nodes
    assert again.terminals == form.terminals
    assert [len(p.labels) for p in again.treeplexes] == [len(p.labels) for p in form.treeplexes]


@pytest.mark.parametrize("spec", GAMES)
def test_illegal_moves_say_what_is_legal(spec):
    state = load(spec).root
    with pytest.raises(IllegalMove, match="legal actions are"):
        state.play("no such move")
    name = next(iter(state.actions))
    assert type(state.play(name)) is type(state)


@pytest.mark.parametrize(  # a state lists all its raises, one per chip
    "spec", ["holdem_limit", "holdem_nolimit:stack=1500", "rhode_island", "holdem_limit:players=6"]
)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_large_games_can_be_played(spec, data):
    """Random hands end, and pay what the losers lose."""
    game = load(spec)
    state, steps = game.root, 0
    while state.player != TERMINAL and steps < 400:
        betting = state.player >= 0 and state.betting.raise_range()
        few = 3 if betting else len(state.actions)
        state = state.child(data.draw(st.integers(0, min(few, len(state.actions)) - 1)))
        steps += 1
    assert state.player == TERMINAL
    assert sum(state.payoff) == pytest.approx(0)


@pytest.mark.parametrize("name", game_names())
def test_parameters_are_documented_by_their_kind(name):
    for parameter in specs.parameters(REGISTRY.made(name)).values():
        assert parameter.default is not parameter.empty
        assert parameter.annotation is not parameter.empty


@pytest.mark.parametrize("deck", ["ranks=2,suits=2", "ranks=3,suits=2", "ranks=2,suits=3"])
def test_folding_suits_changes_no_number(deck):
    """Every CFR iterate is the same with and without suits: the folding is exact."""
    folded = sequence_form(load(f"leduc:{deck}"))
    distinct = sequence_form(load(f"leduc:{deck},suits_distinct=true"))
    assert folded.nodes < distinct.nodes
    short, long = solver("cfr", folded), solver("cfr", distinct)
    for _ in range(5):
        short.step(7)
        long.step(7)
        ours = evaluate(Strategy(folded, short.behaviour()))
        theirs = evaluate(Strategy(distinct, long.behaviour()))
        assert ours.values == pytest.approx(theirs.values, abs=1e-10)
        assert ours.best_responses == pytest.approx(theirs.best_responses, abs=1e-10)
