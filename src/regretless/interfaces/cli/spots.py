"""`spot` and `equity`: hold'em spots as files, and exact equities."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.play.histories.hand_spots import HandSpot


def spot(
    from_: Annotated[
        str | None,
        typer.Option(
            "--from", help="hand history to take it from: a log, .phh, .phhs or PokerStars file"
        ),
    ] = None,
    number: Annotated[int | None, typer.Option(help="number of that hand in the file")] = None,
    street: Annotated[
        str | None, typer.Option(help="preflop, flop, turn or river (default: the last one played)")
    ] = None,
    oop: Annotated[str, typer.Option(help="range of the player out of position")] = "random",
    ip: Annotated[str, typer.Option(help="range of the player in position")] = "random",
    bets: Annotated[str, typer.Option(help="bet sizes, e.g. 33%,75%,a")] = "60%,a",
    raises: Annotated[str, typer.Option(help="raise sizes, e.g. 2.5x,a")] = "60%,a",
    game: Annotated[
        str | None, typer.Option(help="the game, if the file does not name it: holdem_nolimit")
    ] = None,
) -> None:
    """Write a spot as TOML: a commented example, or a street of a played hand."""
    from regretless.core.errors import BadInput
    from regretless.games._spot_files import EXAMPLE, to_toml
    from regretless.play.histories.hand_spots import find_hand, spot_of_hand, spot_of_seen
    from regretless.play.histories.reading import read_history
    from regretless.play.rules import rules_of

    if from_ is None:
        if number is not None or street is not None:
            raise BadInput("--number and --street need --from FILE")
        sys.stdout.write(EXAMPLE)
        return
    known = rules_of(game) if game else None
    every = read_history(Path(from_), rules=known)
    recorded = find_hand(every, number)
    given = {"ranges": {"oop": oop, "ip": ip}, "bets": bets, "raises": raises}
    if recorded.seen is not None:
        made = spot_of_seen(recorded.seen, street=street, **given)
    elif recorded.rules is not None:
        made = spot_of_hand(recorded.hand, recorded.rules, street=street, **given)
    else:
        raise BadInput(f"{from_}: the file does not name its game: add --game holdem_nolimit")
    sys.stdout.write(_told(made, from_, recorded.hand.number) + to_toml(made.spot))


def _told(taken: HandSpot, source: str, number: int) -> str:
    """Where a spot comes from, as a comment."""
    seats = zip(taken.names, ("out of position", "in position"), taken.holes, strict=True)
    players = [f"{name} {seat}" + (f" with {hole}" if hole else "") for name, seat, hole in seats]
    first = f"# Hand {number} of {source}, {taken.spot.street}: {', '.join(players)}."
    # Control characters would end a TOML comment.
    plain = "".join(letter if letter.isprintable() else "?" for letter in first)
    unit = "chips"
    if taken.unit > 1:
        unit, pot = "cents", taken.spot.pot
        plain += f"\n# Amounts are in cents: the pot of {pot} is {pot / taken.unit:.2f}."
    return f"{plain}\n# Betting from here on, in {unit} of the whole hand: {taken.played}\n\n"


def equity(
    first: Annotated[str, typer.Argument(help="a range, e.g. AsAh or QQ+,AKs")],
    second: Annotated[str, typer.Argument(help="the other range")],
    board: options.Board = "",
    json_: options.Json = False,
) -> None:
    """Exact equities of two ranges: the share of the pot that each wins without further betting."""
    from regretless.cards.equities import equity as exact
    from regretless.core.tables import Column, Table
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar

    with Bar() as bar:
        found = exact(first, second, board, listen=bar.show)
    hands = [int((own == own).sum()) for own in found.by_hand]  # nan where it has no weight
    shares = (found.first, found.second)
    facts = {"board": board, "ranges": [first, second], "hands": hands, "equity": list(shares)}
    title = f"equity on {board}" if board else "equity before the flop"
    rows = list(zip((first, second), hands, shares, strict=True))
    table = Table(title, ("range", "hands", Column("equity", ".4%")), rows)
    finish(facts, table, as_json=json_)
