"""Walks of a game end: at the time limit, when memory runs short, and at a depth."""

import time
from dataclasses import replace

import pytest
from wrapped_games import Wrapped, wrapped

import regretless as rl
from regretless.core.errors import BadInput, Interrupted, TooLarge
from regretless.core.interrupts import time_limit
from regretless.forms import sequence
from regretless.forms.sequence import game_sizes
from regretless.forms.walking_checks import MOST_DEPTH
from regretless.games._python import read_python
from regretless.games._state import CHANCE, TERMINAL, Game, State

GIB = 2**30


class Endless(State):
    """Two actions at every move, and no end."""

    actions = ("a", "b")

    def __init__(self, moves=0):
        self.moves = moves

    @property
    def player(self):
        return self.moves % 2

    def child(self, index):
        return Endless(self.moves + 1)

    def view(self, player):
        return f"{self.moves} {time.perf_counter_ns()}"

    @property
    def payoff(self):
        raise AssertionError("it has no end")


ENDLESS = Game("endless", 2, Endless())


def test_a_branching_game_that_never_ends_is_refused():
    with pytest.raises(TooLarge, match=f"{MOST_DEPTH:,} moves in a row; does it end"):
        rl.sequence_form(ENDLESS)


def test_states_that_fill_the_memory_are_noticed(monkeypatch):
    """States are not in any estimate: what is left of the memory decides."""
    monkeypatch.setattr(sequence, "CHECK_S", 0.0)
    monkeypatch.setattr("regretless.core.memory.available_bytes", lambda: 2**28)
    with pytest.raises(TooLarge, match=r"more than 32 nodes, at a depth of \d+ moves\) needs"):
        rl.sequence_form(ENDLESS)


def test_walks_keep_to_the_time_limit_around_them(monkeypatch):
    monkeypatch.setattr(sequence, "CHECK_S", 0.0)
    with time_limit(0.0), pytest.raises(Interrupted, match="goofspiel:cards=10 has more than 32 n"):
        rl.sequence_form("goofspiel:cards=10")
    rl.sequence_form("goofspiel:cards=3")


@pytest.mark.parametrize("seconds", [0.3, 0.6])
def test_counting_ends_with_a_lower_bound(seconds):
    heard = []
    began = time.perf_counter()
    counted = game_sizes("goofspiel:cards=10", seconds=seconds, listen=heard.append)
    assert time.perf_counter() - began < 1.1 * seconds + 1.0  # other processes may be running
    assert not counted.complete
    assert counted.nodes > 100
    assert counted.terminals > 0
    assert heard
    assert all(progress.news.endswith(" nodes") for progress in heard)


def test_counting_ends_when_memory_runs_short(monkeypatch):
    monkeypatch.setattr(sequence, "CHECK_S", 0.0)
    monkeypatch.setattr("regretless.core.memory.available_bytes", lambda: 2**28)
    assert not game_sizes("goofspiel:cards=10").complete


def test_what_is_counted_to_the_end_is_complete():
    for spec in ("goofspiel", "goofspiel:cards=3", "rps"):
        assert game_sizes(spec, seconds=600) == rl.sequence_form(spec).sizes
        assert game_sizes(spec).complete


# --- numbers that no float can hold, and root states that do not say who plays


class Paying(State):
    """Chance, then an end that pays what it was told."""

    def __init__(self, pays, chances=(0.5, 0.5), over=False):
        self.pays, self.odds, self.over = pays, chances, over

    @property
    def player(self):
        return TERMINAL if self.over else CHANCE

    actions = ("a", "b")

    @property
    def chances(self):
        return self.odds

    def child(self, index):
        return Paying(self.pays, self.odds, True)

    def view(self, player):
        return ""

    @property
    def payoff(self):
        return self.pays


@pytest.mark.parametrize(
    "amount", [10**400, -(10**5000), float("nan"), float("inf"), "1"], ids=range(5)
)
def test_payoffs_are_numbers_that_a_float_can_hold(amount):
    with pytest.raises(BadInput, match=r"payoff .*: must be a finite number"):
        rl.sequence_form(Game("paying", 2, Paying((amount, 0))))


@pytest.mark.parametrize("chance", [10**400, 10**5000, float("nan"), -1], ids=range(4))
def test_chances_are_probabilities(chance):
    with pytest.raises(BadInput, match=r"probability .*: must be 0 to 1"):
        rl.sequence_form(Game("paying", 2, Paying((1, -1), (chance, 0))))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_bare_root_state_has_as_many_players_as_it_pays(players, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import regretless as rl\n"
        "class Root(rl.State):\n"
        "    player = -2\n"
        "    actions = ()\n"
        "    def child(self, index): raise IndexError\n"
        "    def view(self, player): return ''\n"
        f"    payoff = (0.0,) * {players}\n"
        "game = Root()\n"
    )
    assert read_python(str(path)).players == players
    assert rl.sequence_form(str(path)).players == players


# --- runs whose game takes long to walk


def slow(name, pause_s, seen):
    """A game whose states take some time to look at."""

    class Slow(Wrapped):
        @property
        def player(self):
            seen.append(1)
            time.sleep(pause_s)
            return self.inner.player

    return replace(wrapped(rl.load(name), Slow), spec="slow")


@pytest.mark.parametrize("method", ["cfr", "lp", "lemke-howson", "external-sampling"])
def test_a_game_that_takes_too_long_to_walk_ends_the_run_in_time(monkeypatch, method):
    monkeypatch.setattr(sequence, "CHECK_S", 0.0)
    seen = []
    game = slow("leduc", 1e-3, seen)  # ten seconds in all
    began = time.perf_counter()
    with pytest.raises(BadInput, match=r"seconds=0\.3: too short, game slow has more than \d+ nod"):
        rl.solve(game, method=method, seconds=0.3)
    assert time.perf_counter() - began < 0.33 + 2.0  # other processes may be running
    assert len(seen) < 400


def test_walking_is_a_part_of_the_time():
    game = slow("kuhn", 5e-3, [])
    began = time.perf_counter()
    rl.sequence_form(game)
    walked_s = time.perf_counter() - began
    solution = rl.solve(game, method="cfr", seconds=2 * walked_s, target=0)
    assert solution.stop is rl.Stop.TIME
    assert solution.seconds < 1.6 * walked_s  # not 2, and never more than 1.1 together
