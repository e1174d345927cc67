"""What every maker of buckets owes: found in the folder, tried on small decks in every round."""

from __future__ import annotations

import signal
from contextlib import suppress
from inspect import Parameter

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._composition import (
    ROUND_MAKERS,
    hand_map,
    round_maker,
    round_makers,
)
from regretless.abstraction._deal_rules import DealRules, deal_rules
from regretless.abstraction._hand_map import HandMap
from regretless.abstraction.rounds import (
    _parents,
    _potential_recall,
    _unfinished,
    gs3,
    potential,
)
from regretless.cards.hand_index import HandIndex
from regretless.core.errors import Interrupted, RegretlessError, Unsuitable
from regretless.core.specs import parameters

DEALS = {
    "leduc": deal_rules("leduc"),
    "three cards": deal_rules("rhode_island:ranks=3,suits=2"),
    "two hole cards": DealRules(3, 3, 2, (0, 3, 1)),
}


def word(name: str, size: int = 2) -> str:
    """The maker with small parameters."""
    first = [p for p in parameters(round_maker(name)).values() if p.default is Parameter.empty]
    return f"{name}:{'x'.join([str(size)] * len(first))}" if first else name


def composed(deal: DealRules, round: int, one: str) -> str:
    """One round by a maker, the others lossless."""
    words = [one if number == round else "lossless" for number in range(len(deal.board))]
    return ",".join(f"{name}={made}" for name, made in zip(deal.rounds, words, strict=True))


def made(deal: DealRules, round: int, one: str, **options) -> HandMap | None:
    """None if the maker does not do this round."""
    try:
        return hand_map(deal, composed(deal, round, one), **options)
    except Unsuitable:
        return None


def used(found: HandMap, round: int) -> set[int]:
    """The buckets that occur on actual boards."""
    deal = found.deal
    dealt = tuple(filter(None, deal.board[: round + 1]))
    if not dealt:
        return set(found.buckets([()])[0].tolist())
    index = HandIndex(dealt, deal.ranks, deal.suits)
    boards = index.cards(np.arange(index.size)).tolist()
    seen = set[int]()
    for board in boards:
        seen |= set(found.buckets(found.split(board))[round].tolist())
    return seen - {-1}


@pytest.mark.parametrize("name", round_makers())
@pytest.mark.parametrize("deal", DEALS.values(), ids=list(DEALS))
def test_every_maker_keeps_its_promises(name, deal, tmp_path):
    assert ROUND_MAKERS.about(name)
    done = 0
    for round in range(len(deal.board)):
        found = made(deal, round, word(name), out=tmp_path / f"{round}.map")
        if found is None:
            continue
        done += 1
        # Every bucket is used.
        assert used(found, round) == set(range(found.counts[round]))
        assert found.by == composed(deal, round, word(name))
        # Same seed, same buckets, on any number of threads, and from the file.
        assert made(deal, round, word(name), threads=2).fingerprint == found.fingerprint
        assert (
            rl.abstraction.load_hand_map(tmp_path / f"{round}.map").fingerprint == found.fingerprint
        )
        # More buckets are not fewer.
        more = made(deal, round, word(name, 4))
        assert more.counts[round] >= found.counts[round]
    assert done


# Recipes whose rounds have several stages, with samples smaller than the round.
BY_BOARD = {(_parents, "CHUNK"): 3, (_parents, "PART"): 5}
STAGED = {
    "gs1": ("preflop=gs1:3,flop=gs1:8,turn=gs1:20", {}),
    "gs2": ("preflop=gs2:3,flop=gs2:7,turn=gs2:15", {}),
    "gs3": (
        "preflop=gs3:3,flop=gs3:8,temporary=4,turn=gs3:20",
        {(gs3, "SAMPLE"): 6, (gs3, "LEAST_SAMPLE"): 1, (gs3, "PART"): 5, **BY_BOARD},
    ),
    "history": ("preflop=percentile:3,flop=history:3,turn=history:3", {}),
    "potential": (
        "preflop=potential:3,flop=potential:6,turn=potential:4",
        {(potential, "SAMPLE"): 2, (potential, "LEAST_SAMPLE"): 1, (potential, "CHUNK"): 2},
    ),
    "potential with recall": (
        "preflop=potential:2,recall=true,temporary=4,flop=potential:3,recall=true,temporary=4,"
        "turn=potential:2,recall=true,river=potential:2,recall=true",
        {
            (_potential_recall, "SAMPLE"): 2,
            (_potential_recall, "LEAST_SAMPLE"): 1,
            (potential, "SAMPLE"): 2,
            (potential, "LEAST_SAMPLE"): 1,
            (potential, "CHUNK"): 7,
            **BY_BOARD,
        },
    ),
    "distribution": ("preflop=lossless,flop=distribution:9,turn=lossless", {}),
}


@pytest.mark.parametrize("name", STAGED)
def test_ctrl_c_at_any_time_changes_nothing(name, tmp_path, monkeypatch):
    """The same bytes, wherever the work is interrupted and however often."""
    by, small = STAGED[name]
    deal = DEALS["two hole cards"] if "river" not in by else DealRules(3, 3, 2, (0, 1, 1, 1))
    for (module, constant), value in small.items():
        monkeypatch.setattr(module, constant, value)
    monkeypatch.setattr(_unfinished, "TASKS", 1)
    events = []
    hand_map(deal, by, out=tmp_path / "whole.map", listen=events.append)
    wanted = contents(tmp_path / "whole.map")
    assert len(events) > 3
    for number in range(0, len(events), max(len(events) // 6, 1)):
        place, stops = tmp_path / f"{number}.map", 0
        while not (place / "about.json").exists():
            left = [number + stops * len(events) // 4]  # later every time: there is an end

            def listen(progress, left=left):
                if not left[0]:
                    signal.raise_signal(signal.SIGINT)
                left[0] -= 1

            with suppress(Interrupted):
                hand_map(deal, by, out=place, listen=listen)
            stops += 1
        assert contents(place) == wanted
        assert stops > 1 or number > len(events) - 3


def contents(place):
    return {path.name: path.read_bytes() for path in place.iterdir()}


@pytest.mark.parametrize("name", round_makers())
def test_parameters_out_of_range_are_refused(name):
    deal, one = DEALS["leduc"], round_maker(name)
    for key, parameter in parameters(one).items():
        if parameter.annotation not in (int, "int"):
            continue
        text = word(name) if parameter.default is not Parameter.empty else name
        others = [p for p in parameters(one).values() if p.default is Parameter.empty]
        if parameter.default is Parameter.empty:
            text = f"{name}:" + ",".join(f"{p.name}={-1 if p.name == key else 2}" for p in others)
        else:
            text = f"{word(name)},{key}=-1"
        with pytest.raises(RegretlessError, match=rf"^[^\n]*{key}[^\n]*$"):
            hand_map(deal, composed(deal, 1, text))


@pytest.mark.parametrize("name", sorted(set(round_makers()) - {"lossless"}))
def test_coarse_buckets_cost_something_and_more_buckets_less(name):
    """Exploitability in the full game; without abstraction it is below 0.01."""
    form, deal = rl.sequence_form("leduc"), DEALS["leduc"]
    found = []
    # The flop, or the round before for makers that cannot do with one bucket there.
    round = 1 if made(deal, 1, word(name, 1)) else 0
    for size in (1, 100):
        map = made(deal, round, word(name, size))
        solution = rl.solve(form, abstraction=map.abstraction(form), iterations=300)
        found.append(solution.exploitability)
    assert found[0] > 0.05
    assert found[1] < found[0]
