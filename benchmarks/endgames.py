"""Endgames of Nyx: exploitability of a blueprint, with and without safe re-solving.

Small decks of two rounds, whose flop has four buckets in the blueprint and is re-solved for
every board and line of betting: so the agent is a strategy of the whole game, and exploitability is
exact, in thousandths of a big blind per hand. Endgames are solved in 30 iterations; `unsafe` has
the blueprint's ranges for both players, `safe` a choice of the opponent in front instead."""

from __future__ import annotations

from benchmarks._report import Row
from benchmarks._timing import progress
from regretless.abstraction._composition import hand_map
from regretless.blueprints.training import Trainer
from regretless.evaluation.exploitability import evaluate
from regretless.forms.public import public_form
from regretless.games._betting import Menu, PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.games._poker import poker_game
from regretless.play.agents import nyx
from regretless.strategy.on_form import on_form

SIZES = ((6,), (4, 8))  # chips
CAPS = ((1, 2), (2, 1), (2, 2))  # bets and raises per round
BOARDS, ITERATIONS = 2000, 30
BIG_BLIND = 2


def measure() -> list[Row]:
    """All small decks."""
    return [row for sizes in SIZES for caps in CAPS for row in _game(sizes, caps)]


def _game(sizes: tuple[int, ...], caps: tuple[int, int]) -> list[Row]:
    rules = PokerRules(
        players=2,
        ranks=4,
        suits=2,
        hole=2,
        board=(0, 3),
        blinds=(BIG_BLIND, 1),
        first=(1, 0),
        caps=caps,
        menus=(Menu(sizes, sizes),) * 2,
        stacks=(20, 20),
    )
    game = poker_game("two rounds", rules, suits_distinct=True)
    form, map = public_form(game), hand_map(game, "preflop=lossless,flop=percentile:4")
    trainer = Trainer(BettingTree(rules), map, period=100)
    trainer.step(BOARDS)
    blueprint = trainer.blueprint()
    name = f"bets of {' or '.join([str(size) for size in sizes])}, at most {caps[0]} and {caps[1]}"
    strategies = {"blueprint": on_form(blueprint, form)}
    for kind, safe in (("unsafe", False), ("safe", True)):
        progress(f"{name}: {kind}")
        agent = nyx.Agent(
            rules, strategy=blueprint, round=2, limit_ms=10**7, iterations=ITERATIONS, safe=safe
        )
        strategies[kind] = on_form(agent, form)
    return [
        Row(f"{name}: {kind}", round(1000 * evaluate(strategy).exploitability / BIG_BLIND), "mbb/h")
        for kind, strategy in strategies.items()
    ]
