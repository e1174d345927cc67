"""The rules that the header of a log names, if they can be found."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from regretless.core.errors import RegretlessError
from regretless.games._betting import PokerRules
from regretless.games._catalog import game_names, load, named_in

# Definitions that come with the ACPC dealer, and our games with the same rules.
DEALERS_GAMES = {
    "holdem.limit.2p.reverse_blinds.game": "holdem_limit",
    "holdem.limit.3p.game": "holdem_limit:players=3",
    "holdem.nolimit.2p.reverse_blinds.game": "holdem_nolimit",
    "holdem.nolimit.3p.game": "holdem_nolimit:players=3",
    "holdem.nolimit.6p.game": "holdem_nolimit:players=6",
    "kuhn.limit.3p.game": "kuhn:players=3",
    "leduc.limit.2p.game": "leduc",
    "leduc.limit.3p.game": "leduc:players=3",
}


@lru_cache
def named_rules(game: str, folder: Path) -> PokerRules | None:
    """Rules of a spec, a file here or in that folder, or a game of the dealer; otherwise None."""
    specs = [game] if game.partition(":")[0] in game_names() else []
    if game.endswith(".game"):
        places = (Path(game), folder / game, folder / Path(game).name)
        specs += [str(path) for path in places if path.is_file()]
    if Path(game).name in DEALERS_GAMES:
        specs.append(DEALERS_GAMES[Path(game).name])
    for spec in specs:
        try:
            rules = load(named_in(folder, spec)).rules
        except RegretlessError:
            continue
        if rules is not None:
            return rules
    return None
