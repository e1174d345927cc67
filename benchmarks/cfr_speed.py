"""Iterations of CFR+ per second.

One iteration updates every player once, alternating, and the average strategy. Ours, OpenSpiel
(C++) and LiteEFG (C++) work on the same tree and are timed in turn; how many times faster ours is,
is in brackets. First a check that they do the same work: after ten iterations all have the same
NashConv. For three players CFR is compared instead of CFR+, because exact ties between actions
occur there, which rounding breaks one way or the other as soon as regrets are clipped at zero;
OpenSpiel reads that game from a Gambit file. Münch 2017 (CTU Prague, master's thesis) ran 10⁸
iterations of CFR on it in nine days, on another machine."""

from __future__ import annotations

import math

import regretless as rl
from benchmarks._peers import (
    LITEEFG,
    OPENSPIEL,
    Peer,
    installed,
    liteefg,
    openspiel,
    spiel_game,
    spiel_game_of_efg,
)
from benchmarks._report import NOT_INSTALLED, Row
from benchmarks._timing import progress, rates

THREE = "leduc:players=3,cap=1"
MUENCH_2017 = 1e8 / (9 * 86400)  # 129 iterations/s
SAME = 1e-9
CHECKED = 10  # iterations


def measure() -> list[Row]:
    """The check of equal work, then the speeds."""
    rows = _compared(
        "leduc:suits_distinct=true", "leduc_poker", least={LITEEFG: 40.0, OPENSPIEL: 200.0}
    )
    rows += _compared("leduc", "leduc_poker(suit_isomorphism=true)", least_rate=100_000)
    return rows + _three_players()


def _compared(
    spec: str, theirs: str, *, least: dict[str, float] | None = None, least_rate: float = 0.0
) -> list[Row]:
    """Two players: ours against OpenSpiel and LiteEFG."""
    progress(f"{spec}: checking for equal work")
    rows = [_same_work(spec, "cfr+", _two_player_peers(theirs))]
    progress(f"{spec}: iterations per second")
    speed = _rates(spec, _two_player_peers(theirs))
    ours = speed.pop("ours")
    if least:
        target = ", ".join(f"≥ {factor:.0f}× {name}" for name, factor in least.items())
        ok = _beats(ours, speed, least)
    else:
        target, ok = f"≥ {least_rate:,.0f}", ours >= least_rate
    return [*rows, Row(f"CFR+ on {spec}", ours, "iterations/s", speed, target, ok)]


def _three_players() -> list[Row]:
    progress(f"{THREE}: checking for equal work")
    rows = [_same_work(THREE, "cfr", _three_player_peers(plus=False))]
    progress(f"{THREE}: iterations per second")
    speed = _rates(THREE, _three_player_peers(plus=True))
    ours = speed.pop("ours")
    peers = {**speed, "Münch 2017": MUENCH_2017}
    return [*rows, Row(f"CFR+ on {THREE}", ours, "iterations/s", peers, "≥ 2,500", ours >= 2500)]


def _two_player_peers(name: str) -> dict[str, Peer | None]:
    """Fresh solvers; None if a peer is not installed."""
    spiel, lite = installed(OPENSPIEL), installed(OPENSPIEL) and installed(LITEEFG)
    return {
        OPENSPIEL: openspiel(spiel_game(name)) if spiel else None,
        LITEEFG: liteefg(spiel_game(name)) if lite else None,
    }


def _three_player_peers(*, plus: bool) -> dict[str, Peer | None]:
    if not installed(OPENSPIEL):
        return {OPENSPIEL: None}
    game = spiel_game_of_efg(rl.games.to_efg(rl.load(THREE)))
    return {OPENSPIEL: openspiel(game, plus=plus)}


def _same_work(spec: str, method: str, peers: dict[str, Peer | None]) -> Row:
    """NashConv of all after a few iterations; speeds of different work are not compared."""
    form = rl.sequence_form(rl.load(spec))
    solver = rl.solver(method, form)
    solver.step(CHECKED)
    ours = rl.evaluate(rl.Strategy(form, solver.behaviour())).nash_conv
    reached = dict.fromkeys(peers, NOT_INSTALLED)
    for name, peer in peers.items():
        if peer is not None:
            peer.step(CHECKED)
            reached[name] = peer.nash_conv()
            if not math.isclose(ours, reached[name], rel_tol=SAME):
                raise RuntimeError(f"{spec}, {method}: NashConv {ours}, {name} has {reached[name]}")
    what = f"NashConv after {CHECKED} iterations of {method} on {spec}"
    measured = any(peer is not None for peer in peers.values())
    return Row(what, ours, "chips", reached, f"equal within {SAME}", True if measured else None)


def _rates(spec: str, peers: dict[str, Peer | None]) -> dict[str, float]:
    solver = rl.solver("cfr+", rl.sequence_form(rl.load(spec)))
    works = {name: peer.step for name, peer in peers.items() if peer is not None}
    speeds = rates({"ours": solver.step, **works})
    return {"ours": speeds["ours"]} | {name: speeds.get(name, NOT_INSTALLED) for name in peers}


def _beats(ours: float, peers: dict[str, float], least: dict[str, float]) -> bool | None:
    if any(math.isnan(peers[name]) for name in least):
        return None
    return all(ours >= factor * peers[name] for name, factor in least.items())
