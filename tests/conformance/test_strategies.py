"""Every kind of strategy, given to everybody who accepts one: it works, or the message says why."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

import regretless as rl
from regretless.interfaces.cli.app import app
from regretless.play.agents import phases
from regretless.runs.opening import on_its_form
from regretless.strategy import compact
from regretless.strategy.packed import PackedStrategy

SMALL = "holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=4,sizes=100%-a"
MAP = "preflop=lossless,flop=percentile:3,turn=percentile:3,river=percentile:3"
SPOT = {
    "board": "Td9d6hQc2s",
    "pot": 20,
    "stack": 30,
    "ranges": {"oop": "QQ,AK,87s", "ip": "TT,AQs,76s"},
    "bets": "a",
    "raises": "a",
}


class Kind(NamedTuple):
    """A strategy in one of its shapes, and where it can be asked."""

    given: object
    game: object
    betting: str = ""
    board: str = ""


@pytest.fixture(scope="module")
def kinds(tmp_path_factory) -> dict[str, Kind]:
    place = tmp_path_factory.mktemp("kinds")
    solution = rl.solve("leduc", iterations=3)
    solution.save(place / "leduc.strategy")
    spot = rl.solve(rl.spot(**SPOT), iterations=3)
    spot.save(place / "spot.strategy")
    packed = np.concatenate(compact.packed(spot.form, spot.strategy.behaviour))
    rl.abstraction.hand_map(SMALL, MAP, out=place / "small.map")
    blueprint = rl.train_blueprint(
        SMALL, place / "small.map", iterations=3, out=place / "blueprint.strategy"
    )
    board = SPOT["board"]
    return {
        "strategy": Kind(solution.strategy, "leduc", "cc/", "Ks"),
        "on the public form": Kind(rl.Strategy.uniform(rl.forms.public_form("leduc")), "leduc"),
        "solution": Kind(solution, "leduc"),
        "refined": Kind(rl.refine(solution, by="cfr:iterations=2"), "leduc"),
        "purified": Kind(rl.purify(solution), "leduc"),
        "file": Kind(place / "leduc.strategy", "leduc"),
        "table": Kind(solution.strategy.to_dict(), "leduc", "cr", ""),
        "name": Kind("always-call", "leduc"),
        "agent": Kind(rl.agent("aggressive", "leduc"), "leduc"),
        "agent that only acts": Kind(rl.agent("random", "leduc"), "leduc"),
        "spot": Kind(spot.strategy, rl.spot(**SPOT).game, "", board),
        "packed spot": Kind(PackedStrategy(spot.form, packed), rl.spot(**SPOT).game, "c", board),
        "file of a spot": Kind(place / "spot.strategy", rl.spot(**SPOT).game, "", board),
        "blueprint": Kind(blueprint, SMALL, "cc/", "QhKhAh"),
        "file of a blueprint": Kind(place / "blueprint.strategy", SMALL),
        "not poker": Kind(rl.Strategy.uniform("goofspiel:cards=3"), "goofspiel:cards=3"),
    }


FILES = ("file", "file of a spot", "file of a blueprint")
SPOTS = ("spot", "packed spot", "file of a spot")
BLUEPRINTS = ("blueprint", "file of a blueprint")
LEDUC = ("strategy", "on the public form", "solution", "refined", "purified", "file", "agent")
NO_GAME = ("table", "name")
OTHERS = ("agent that only acts", "not poker")
NAMES = (*LEDUC, *NO_GAME, *SPOTS, *BLUEPRINTS, *OTHERS)


def match(kind: Kind) -> object:
    agents = [rl.agent(one, kind.game) for one in (kind.given, "always-call")]
    return list(rl.play_match(kind.game, agents, hands=3, seed=0))


def league(kind: Kind) -> object:
    hands = 3 if kind.game == SMALL else None  # played, as its player solves endgames
    return rl.league(kind.game, {"x": kind.given, "c": "always-call"}, hands=hands).facts()


def variance(kind: Kind) -> object:
    agents = [rl.agent("always-call", kind.game)] * 2
    hands = [
        hand._replace(names=("x", "y"))
        for hand in rl.play_match(kind.game, agents, hands=3, seed=0)
    ]
    return rl.histories.variance_reduced(hands, kind.game, {"x": kind.given})


def show(kind: Kind) -> object:
    told = CliRunner().invoke(app, ["show", str(kind.given)])
    if told.exception is not None:
        raise told.exception
    assert told.exit_code == 0
    return told.stdout


CONSUMERS = {
    "at": lambda kind: rl.open_strategy(kind.given, game=kind.game).at(kind.betting, kind.board),
    "evaluate": lambda kind: rl.evaluate(kind.game, kind.given),
    "best response": lambda kind: rl.best_response(kind.given, 1),
    "purify": lambda kind: rl.purify(kind.given, game=kind.game),
    "refine": lambda kind: rl.refine(kind.given, game=kind.game, by="cfr:iterations=2"),
    "phases": lambda kind: phases.Agent(kind.game, strategy=kind.given),
    "match": match,
    "league": league,
    "lbr": lambda kind: rl.research.local_best_response(kind.given, hands=2),
    "one-on-one": lambda kind: rl.research.one_on_one(kind.given, kind.given, boards=2),
    "difference": lambda kind: rl.research.spot_difference(kind.given, kind.given),
    "variance": variance,
    "show": show,
}

MANY = "fits many games: name its game"
SILENT = "an agent that knows its probabilities"
REFUSED = {
    "at": {"not poker": "no hands and boards"},
    "best response": dict.fromkeys(NO_GAME, MANY),
    "refine": dict.fromkeys(SPOTS, "is a spot"),
    "phases": {
        **dict.fromkeys(NO_GAME, MANY),
        **dict.fromkeys(SPOTS, "a spot cannot be played"),
        "not poker": "only poker is played",
    },
    "match": {
        **dict.fromkeys(SPOTS, "a spot cannot be played"),
        "not poker": "only poker is played",
    },
    "league": {
        "agent that only acts": "give a number of hands",
        "not poker": "always-call at '3': actions are 1, 2, 3",
    },
    "lbr": {
        **dict.fromkeys(NO_GAME, MANY),
        **dict.fromkeys(SPOTS, "a spot is not a complete hand"),
        "not poker": "no hands and boards",
    },
    "one-on-one": {
        **dict.fromkeys((*LEDUC, *SPOTS, "not poker"), "not a blueprint"),
        **dict.fromkeys(NO_GAME, MANY),
    },
    "difference": {
        **dict.fromkeys((*LEDUC, "table", *OTHERS), "not a s"),  # spot, solution of a spot
        "name": "no such file",
        "blueprint": "not a solution of a spot",
        "file of a blueprint": "is a blueprint",
    },
    "variance": {
        # The hands were played by another: it is opened, and its probabilities are compared.
        **dict.fromkeys(("purified", "agent", *BLUEPRINTS), "did what its strategy never does"),
        **dict.fromkeys(SPOTS, "a spot cannot be played"),
        "not poker": "only poker is played",
    },
}
for refused in REFUSED.values():
    if "not poker" in refused and "agent that only acts" not in refused:
        refused["agent that only acts"] = SILENT
for consumer in ("evaluate", "best response", "purify", "refine"):
    REFUSED.setdefault(consumer, {})["agent that only acts"] = SILENT
del REFUSED["match"]["agent that only acts"]  # at a table it need not know them


CASES = [
    # The tree of their game has half a million nodes.
    pytest.param(name, consumer, marks=pytest.mark.slow)
    if consumer == "variance" and name in BLUEPRINTS
    else (name, consumer)
    for name in NAMES
    for consumer in CONSUMERS
    if consumer != "show" or name in FILES  # a command: it has nothing but files
]


@pytest.mark.parametrize(("name", "consumer"), CASES)
def test_whoever_accepts_a_strategy_accepts_all(name: str, consumer: str, kinds) -> None:
    kind, words = kinds[name], REFUSED.get(consumer, {}).get(name)
    if words is None:
        assert CONSUMERS[consumer](kind) is not None
        return
    with pytest.raises(rl.RegretlessError, match=words):
        CONSUMERS[consumer](kind)


def test_every_kind_is_tried(kinds) -> None:
    assert set(kinds) == set(NAMES)


@pytest.mark.parametrize("name", [*LEDUC, *NO_GAME, *SPOTS, *BLUEPRINTS])
def test_the_face_says_what_the_form_says(name: str, kinds) -> None:
    """Hand by hand, after every betting on a board: decision points are found by their labels."""
    kind = kinds[name]
    face = rl.open_strategy(kind.given, game=kind.game)
    strategy = on_its_form(kind.given, game=kind.game)
    deck, rules = strategy.form.game.root.deck, face.rules
    full = SPOT["board"] if name in SPOTS else "Qh" if rules.hole == 1 else "QhKhAhQdKd"
    stack, seen = [rules.start()], 0
    while stack:
        betting = stack.pop()
        if betting.over:
            continue
        stack += betting.children
        board = full[: 2 * sum(rules.board[: betting.round + 1])]
        play = face.at(betting.history, board)
        texts = [board[a:b] for a, b in _parts(rules, betting.round)]
        for hand, chances in zip(play.hands.labels, play.chances, strict=True):
            label = "/".join(_sorted(deck, one) for one in (hand, *texts) if one)
            point = strategy.form.find(betting.actor, f"{label}:{betting.history}")
            if point is None or set(_cards(hand)) & set(_cards(board)):
                assert not chances.any()
                continue
            expected = list(strategy.at_point(betting.actor, point).values())
            actions = [
                f"r{m.total}" if m.letter == "r" and rules.raises is None else m.letter
                for m in betting.moves
            ]
            found = play.of(hand)
            np.testing.assert_allclose([found.get(a, 0) for a in actions], expected, atol=1e-6)
            assert set(found) <= set(actions)
            seen += 1
    assert seen > 10


def _cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def _sorted(deck, text: str) -> str:
    width = len(deck.names[0])
    return deck.text(deck.read("".join(card[:width] for card in _cards(text))))


def _parts(rules, round: int) -> list[tuple[int, int]]:
    ends = [2 * sum(rules.board[: number + 1]) for number in range(round + 1)]
    return list(zip([0, *ends], ends, strict=False))


def test_a_league_of_a_spot_does_not_play_hands(kinds) -> None:
    """It would enumerate all deals of two hands first."""
    kind = kinds["spot"]
    with pytest.raises(rl.RegretlessError, match="is exact, without hands"):
        rl.league(kind.game, {"x": kind.given, "c": "always-call"}, hands=4)
