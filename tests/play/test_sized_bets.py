"""Built-in agents where bets have sizes: they keep to the rules, and are what a league calls them.

A menu allows some sizes only; no-limit allows a range."""

from itertools import combinations

import pytest

import regretless as rl
from regretless.evaluation.entrants import simple, simple_names
from regretless.games._catalog import load
from regretless.play.agents._catalog import agents
from regretless.play.match import play_match, rules_of
from regretless.play.variance_reduction import variance_reduced

NO_LIMIT = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 7 7
blind = 1 2
firstPlayer = 1 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


@pytest.fixture(params=["generic_poker", "no-limit"])
def spec(request, tmp_path):
    if request.param != "no-limit":
        return request.param
    (tmp_path / "small.game").write_text(NO_LIMIT)
    return str(tmp_path / "small.game")


def test_matches_earn_what_a_league_says(spec):
    rules = rules_of(spec)
    for names in combinations(simple_names(), 2):
        seated = agents(names, rules, seed=4)
        hands = list(play_match(rules, seated, hands=4000, seed=1, names=names))
        # An action that the strategy of the same name never takes would be refused.
        for found in variance_reduced(hands, spec, {name: name for name in names}).values():
            assert abs(found.plain_mean - found.mean) <= 4 * found.plain_standard_error


def test_random_takes_every_kind_alike(spec):
    game = load(spec)
    strategy = simple("random", rl.sequence_form(game), game)
    for decision in strategy.decisions(None):
        chosen = dict(zip(decision.actions, decision.probabilities, strict=True))
        raises = [share for name, share in chosen.items() if name.startswith(("bet", "raise"))]
        others = [share for name, share in chosen.items() if not name.startswith(("bet", "raise"))]
        assert len(set(raises)) <= 1
        assert sum(raises) == pytest.approx(others[0] if raises else 0.0)
        assert sum(chosen.values()) == pytest.approx(1.0)


def test_sizes_are_those_of_the_rules(spec):
    waiting = [rules_of(spec).start()]
    while waiting:
        betting = waiting.pop()
        sizes = [move.total for move in betting.choices if move.letter == "r"]
        assert list(betting.raise_totals) == sizes
        waiting += betting.children
