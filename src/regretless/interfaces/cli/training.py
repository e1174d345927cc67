"""`solve` and `show` for blueprints: strategies over the buckets of a map of hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.core.errors import BadParameter
from regretless.core.tables import facts_table
from regretless.interfaces.cli.finish import finish

if TYPE_CHECKING:
    from regretless.blueprints.blueprint import Blueprint
    from regretless.runs.request import Request


def require(request: Request, plot: Path | None) -> None:
    """Refuse to train without a file, or with options that blueprints do not have."""
    request.require_training()
    if plot is not None:
        raise BadParameter(f"--plot {plot}: blueprints have no such option")
    if request.written is None:
        raise BadParameter("a blueprint needs a file to write: name it with --out")


def told(made: Blueprint, request: Request, json_: bool) -> None:
    """Print what was trained."""
    about = {**made.about, "out": str(request.written)}
    cut = f"interrupted: continue with `regretless solve --resume {about['out']}`"
    stopped = about["stop"] == "interrupted"
    finish(about, facts_table(_rows(about)), as_json=json_, interrupted=cut if stopped else "")


def _rows(about: dict[str, Any]) -> list[tuple[str, str]]:
    boards, seconds = about["boards"], about["seconds"]
    speed = f", {boards / seconds:,.1f} per second" if seconds else ""
    return [
        ("game", about["game"]),
        ("betting", f"{about['sequences']:,} sequences, {about['decisions']:,} decisions"),
        ("map", f"{about['map']['by']} ({'/'.join(map(str, about['map']['counts']))} buckets)"),
        ("method", about["method"]),
        ("iterations", f"{about['iterations']:,}"),
        ("boards", f"{boards:,} in {seconds:,.1f} s{speed}"),
        ("stopped", about["stop"]),
        ("written to", about["out"]),
    ]


def show(
    file: Path, betting: str | None, board: str | None, hands: str | None, json_: bool
) -> None:
    """The probabilities after a betting: of all 169 classes, or of hands on a board."""
    import numpy as np

    from regretless.blueprints.files import load_blueprint
    from regretless.interfaces.cli.tables import show_hands

    blueprint = load_blueprint(file)
    decision = blueprint.tree.find(betting or "")
    _, chances, deck = blueprint.at(betting or "", board or "")
    dealt = deck.read(board or "", "board")
    chosen = [deck.read_hand(hands)] if hands else np.flatnonzero(deck.free(dealt)).tolist()
    for card in {*dealt} & {*deck.hands[chosen[0]].tolist()}:
        raise BadParameter(f"hands {hands}: {deck.names[card]} is on the board")
    played: dict[str, list[float]] = {}
    for hand in sorted(chosen, key=lambda hand: deck.hands[hand, ::-1].tolist())[::-1]:
        name = deck.labels[hand] if board or hands else _class_name(deck.labels[hand])
        played.setdefault(name, chances[hand].tolist())
    names = [move.name for move in decision.moves]
    told = [
        {"hand": hand, "probabilities": dict(zip(names, shares, strict=True))}
        for hand, shares in played.items()
    ]
    show_hands(decision.player, board or "", betting or "", told, "percentages", as_json=json_)


def _class_name(cards: str) -> str:
    """`AKs` for `AsKs`, `AKo` for `AsKh`, `AA` for `AsAh`."""
    if cards[0] == cards[2]:
        return cards[0] + cards[2]
    return cards[0] + cards[2] + ("s" if cards[1] == cards[3] else "o")
