"""Rules of poker for two to ten players, drawn at random, and what is played by them."""

from itertools import islice

from hypothesis import strategies as st

from regretless.games._betting import PokerRules
from regretless.games._catalog import load
from regretless.play.deals import deals
from regretless.play.table import Table


def rules_named(spec):
    """The rules of a game of the package."""
    return load(spec).root.deck.rules


@st.composite
def any_rules(draw, *, limit=None):
    """Limit and no-limit, shallow and deep, with one to three hole cards and any board."""
    players, rounds = draw(st.integers(2, 10)), draw(st.integers(1, 4))
    hole = draw(st.integers(1, 2 if players > 8 else 3))
    board = draw(st.lists(st.integers(0, 2), min_size=rounds, max_size=rounds))
    deep = draw(st.sampled_from([1, 5, 40, 500]))
    blinds = draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    blinds[draw(st.integers(0, players - 1))] = 4
    more = draw(st.lists(st.integers(0, 30), min_size=players, max_size=players))
    limit = draw(st.booleans()) if limit is None else limit
    first = st.lists(st.integers(0, players - 1), min_size=rounds, max_size=rounds)
    return PokerRules(
        players=players,
        ranks=13,
        suits=4,
        hole=hole,
        board=tuple(board),
        blinds=tuple(blinds),
        first=tuple(draw(first)),
        caps=(draw(st.integers(1, 4)),) * rounds,
        raises=(4,) * rounds if limit else None,
        stacks=tuple(blind + deep + extra for blind, extra in zip(blinds, more, strict=True)),
    )


def tables(rules, agents, *, seed=0, number=0):
    """All moments of one hand."""
    deal = next(islice(deals(rules, seed), number, None))
    table = Table.start(rules, deal, number)
    yield table
    while not table.over:
        table = table.act(agents[table.actor].act(table.view(table.actor)))
        yield table


def seated(rules, name, *, seed=0):
    """The same agent at every position."""
    from regretless.play.agents._catalog import agents

    return agents([name] * rules.players, rules, seed=seed)
