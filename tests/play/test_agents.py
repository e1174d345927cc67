"""Built-in agents, saved strategies, and people who are asked."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import any_rules, rules_named, seated, tables

from regretless.core.errors import BadInput, UnknownName, WrongGame
from regretless.play.agents import _python_file, _saved
from regretless.play.agents._agent import MixingAgent
from regretless.play.agents._catalog import agent, agent_names, agents, called
from regretless.play.agents._draws import Draws
from regretless.play.deals import Deal, deals
from regretless.play.table import Table
from regretless.runs.solve import solve
from regretless.strategy.files import load_strategy

LEDUC = rules_named("leduc")
MATCHED = Deal((("Kh",), ("Qs",)), ("Ks",))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Files of strategies, some rounds from uniform."""
    folder = tmp_path_factory.mktemp("strategies")

    def file(spec, form="auto"):
        path = folder / f"{spec.replace(':', '-')}-{form}"
        if not path.exists():
            solve(spec, iterations=20, form=form, out=path)
        return str(path)

    return file


def view_of(rules, deal, *actions, number=0):
    table = Table.start(rules, deal, number)
    for action in actions:
        table = table.act(action)
    return table.view(table.actor)


# --- built in


def test_names():
    assert agent_names() == (
        *("aggressive", "always-call", "always-fold", "dbbr", "loose", "noisy", "nyx", "phases"),
        *("positional", "random", "safe", "teacher", "tight", "turning"),
    )


@settings(max_examples=40, deadline=None)
# An agent that solves has tests of its own: it needs a game that can be solved.
@given(
    any_rules(),
    st.sampled_from(["aggressive", "always-call", "always-fold", "random"]),
    st.integers(0, 10**6),
)
def test_every_agent_plays_every_game_to_its_end(rules, name, seed):
    *_, end = tables(rules, seated(rules, name, seed=seed), seed=seed)
    assert end.over


@settings(max_examples=40, deadline=None)
@given(any_rules(), st.integers(0, 10**6))
def test_aggressive_raises_whenever_it_may(rules, seed):
    for before, after in pairwise(tables(rules, seated(rules, "aggressive"), seed=seed)):
        raised = after.betting.history[len(before.betting.history)] == "r"
        assert raised == (before.betting.raise_range() is not None)


def test_aggressive_raises_by_the_pot():
    rules = rules_named("holdem_nolimit")
    view = view_of(rules, next(deals(rules, 0)))
    # 100 to call, 200 in the pot after that.
    assert agent("aggressive", rules).act(view) == "r300"
    assert (
        agent("aggressive", rules).act(view_of(rules, next(deals(rules, 0)), "r15000")) == "r20000"
    )


def test_raises_of_any_size_are_one_move():
    """An agent that looks at all legal moves does not look at 19,801 raises."""
    rules = rules_named("holdem_nolimit")
    fold, call, up = view_of(rules, next(deals(rules, 0))).betting.moves
    assert [move.letter for move in (fold, call, up)] == ["f", "c", "r"]
    assert (up.total, up.high) == (200, 20_000)


def test_always_call_does():
    *_, end = tables(LEDUC, seated(LEDUC, "always-call"))
    assert end.betting.history == "cc/cc"


def test_random_takes_each_kind_of_action_equally_often():
    player = agent("random", LEDUC, seed=3)
    taken = Counter(player.act(view_of(LEDUC, MATCHED, "r", number=n)) for n in range(9000))
    assert set(taken) == {"f", "c", "r"}
    assert all(abs(count - 3000) < 4 * (9000 * 2 / 9) ** 0.5 for count in taken.values())


def test_random_sizes_are_uniform_in_no_limit():
    rules = rules_named("holdem_nolimit:stack=203")
    player = agent("random", rules, seed=3)
    deal = next(deals(rules, 0))
    taken = Counter(player.act(view_of(rules, deal, number=n)) for n in range(6000))
    assert {action for action in taken if action[0] == "r"} == {"r200", "r201", "r202", "r203"}
    assert all(abs(taken[f"r{to}"] - 500) < 100 for to in (200, 201, 202, 203))


# --- random numbers


def test_draws_do_not_depend_on_what_was_asked_before():
    addresses = [(number, place) for number in (0, 5, 255, 256, 70_000) for place in (0, 3, 15, 40)]
    forward, backward = Draws(7), Draws(7)
    there = [forward.at(*address) for address in addresses]
    back = [backward.at(*address) for address in reversed(addresses)]
    assert there == back[::-1]
    assert len(set(there)) == len(there)
    assert Draws(8).at(0, 0) != Draws(7).at(0, 0) != Draws(7, stream=1).at(0, 0)


# --- saved strategies


@pytest.mark.parametrize(
    ("spec", "form"),
    [
        ("leduc", "sequence"),
        ("leduc", "public"),
        ("leduc:suits_distinct=true", "sequence"),
        ("kuhn:players=3", "sequence"),
        ("rhode_island:ranks=2,suits=2,cap=1", "sequence"),
        ("rhode_island:ranks=3,suits=2", "public"),
    ],
)
def test_saved_strategies_play_all_their_decisions(saved, spec, form):
    rules = rules_named(spec)
    players = agents([saved(spec, form)] * rules.players, rules, seed=1)
    strategy = load_strategy(saved(spec, form))
    seen = set()
    for number in range(150):
        for table in tables(rules, players, seed=2, number=number):
            if not table.over:
                player, view = players[table.actor], table.view(table.actor)
                mixture = player.mixture(view)
                label = player.label(view)
                seen.add(label)
                chosen = strategy.probabilities(label, table.actor + 1)
                assert _shares(mixture) == pytest.approx([p for p in chosen.values() if p > 0])
    assert len(seen) > 20


def _shares(mixture):
    ends = (0.0, *mixture.below, 1.0)
    return [high - low for low, high in pairwise(ends)]


def test_labels_fold_suits_and_sort_cards(saved):
    player = agent(saved("leduc"), LEDUC)
    assert isinstance(player, _saved.Agent)
    assert player.label(view_of(LEDUC, MATCHED, "r", "c")) == "K/K:rc/"
    distinct = agent(saved("leduc:suits_distinct=true", "sequence"), LEDUC)
    assert distinct.label(view_of(LEDUC, MATCHED, "r", "c")) == "Kh/Ks:rc/"


def test_actions_are_drawn_by_their_probabilities(saved):
    player = agent(saved("leduc"), LEDUC, seed=5)
    view = view_of(LEDUC, MATCHED)
    share = load_strategy(saved("leduc")).probabilities("K:", 1)["bet"]
    bets = sum(player.act(view._replace(number=n)) == "r" for n in range(10_000))
    assert abs(bets / 10_000 - share) < 4 * (share * (1 - share) / 10_000) ** 0.5 + 1e-9


def test_no_limit_raises_are_written_with_their_size(tmp_path):
    game = tmp_path / "small.game"
    game.write_text(
        "nolimit\nnumPlayers 2\nnumRounds 1\nstack 4 4\nblind 1 1\nnumSuits 1\nnumRanks 3\n"
        "numHoleCards 1\nnumBoardCards 0\n"
    )
    path, rules = tmp_path / "x.strategy", rules_named(str(game))
    solve(str(game), iterations=1, out=path)
    player = agent(str(path), rules)
    assert player.mixture(view_of(rules, next(deals(rules, 0)))).actions == ("c", "r2", "r3", "r4")


def test_a_strategy_of_another_game_is_refused(saved):
    with pytest.raises(
        WrongGame, match="strategy of leduc: the game at this table has other rules"
    ):
        agent(saved("leduc"), rules_named("leduc:ranks=4"))
    with pytest.raises(WrongGame, match="not a poker game"):
        agent(saved("rps"), LEDUC)


def test_a_missing_decision_point_is_told(saved):
    player = agent(saved("leduc"), LEDUC)
    view = view_of(LEDUC, MATCHED)._replace(position=1)
    with pytest.raises(BadInput, match="strategy of leduc: player 2 has no decision point 'K:'"):
        player.act(view)


def test_unknown_agents_are_told():
    with pytest.raises(UnknownName, match="unknown agent 'randon'; did you mean random"):
        agent("randon", LEDUC)


def test_players_are_named_by_file_or_by_class():
    assert called(["a/x.strategy", "b/x.strategy", "random"]) == ["x", "x-2", "random"]
    assert called(["bots.py:One", "random"]) == ["bots", "random"]
    assert called(["bots.py:One", "bots.py:Two"]) == ["One", "Two"]
    assert called(["bots.py:One", "bots.py:One"]) == ["bots", "bots-2"]
    assert called(["a/bots.py:One", "b/bots.py:One"]) == ["bots", "bots-2"]


def test_a_file_named_twice_is_loaded_once(saved):
    one, other = agents([saved("leduc")] * 2, LEDUC)
    assert one is not other
    assert one.strategy is other.strategy


# --- others


def test_a_person_is_asked():
    asked = []

    def ask(view):
        asked.append(view)
        return " r \n"

    player = _python_file.Asked(LEDUC, ask=ask)
    view = view_of(LEDUC, MATCHED)
    assert player.act(view) == "r"
    assert asked == [view]
    assert not isinstance(player, MixingAgent)


def test_agents_of_equal_seed_do_not_use_equal_numbers():
    rules = rules_named("leduc:players=3")
    for number in range(50):
        places = [
            len(table.betting.history)
            for table in tables(rules, seated(rules, "random"), number=number)
        ]
        assert len(set(places)) == len(places)
