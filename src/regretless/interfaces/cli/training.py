"""`solve` and `show` for blueprints: strategies over the buckets of a map of hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.core.errors import BadParameter
from regretless.core.tables import Column, Table, facts_table, prose
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
    from regretless.blueprints.files import load_blueprint

    blueprint = load_blueprint(file)
    decision = blueprint.tree.find(betting or "")
    rows = _hands(blueprint, betting or "", board or "", hands)
    names = [move.name for move in decision.moves]
    told = [
        {"hand": hand, "probabilities": dict(zip(names, found, strict=True))}
        for hand, found in rows
    ]
    facts = {"player": decision.player + 1, "board": board or "", "betting": betting or ""}
    title = f"Player {decision.player + 1}, board {board or '-'}, betting {betting or '(first)'}"
    columns = (prose("hand"), *(Column(name, ".1f") for name in names))
    cells = [(hand, *(100 * share for share in found)) for hand, found in rows]
    finish({**facts, "hands": told}, Table(title, columns, cells, "percentages"), as_json=json_)


def _hands(
    blueprint: Blueprint, betting: str, board: str, hands: str | None
) -> list[tuple[str, list[float]]]:
    """Names of hands, strongest cards first, and their probabilities."""
    from itertools import combinations

    deal = blueprint.map.deal
    dealt = deal.read(board, "board")
    wanted = deal.read(hands, "hands") if hands else ()
    if wanted and len(wanted) != deal.hole:
        raise BadParameter(f"hands {hands}: got {len(wanted)} cards, expected {deal.hole}")
    for card in wanted:
        if card in dealt:
            raise BadParameter(f"hands {hands}: {deal.names[card]} is on the board")
    found = {}
    for high, low in combinations(reversed(range(deal.cards)), 2):
        if {high, low} & set(dealt) or (wanted and {high, low} != set(wanted)):
            continue
        name = deal.names[high] + deal.names[low]
        if not dealt and not wanted:
            name = _class_name(name)
        if name not in found:
            found[name] = blueprint.probabilities(betting, (low, high), dealt).tolist()
    return list(found.items())


def _class_name(cards: str) -> str:
    """`AKs` for `AsKs`, `AKo` for `AsKh`, `AA` for `AsAh`."""
    if cards[0] == cards[2]:
        return cards[0] + cards[2]
    return cards[0] + cards[2] + ("s" if cards[1] == cards[3] else "o")
