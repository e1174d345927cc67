"""The other direction of what the package reads: definitions, states and answers as ACPC text."""

from __future__ import annotations

from regretless.games._betting import NO_CAP, NO_LIMIT_STACK, PokerRules
from regretless.interfaces.acpc.protocol import END, MatchState


def write_rules(rules: PokerRules) -> str:
    """The definition of these rules; defaults are left out."""
    rows = {"numPlayers": (rules.players,), "numRounds": (rules.rounds,), "blind": rules.blinds}
    if set(rules.stacks) != {NO_LIMIT_STACK}:
        rows["stack"] = rules.stacks
    if rules.raises is not None:
        rows["raiseSize"] = rules.raises
    rows["firstPlayer"] = tuple(position + 1 for position in rules.first)
    if set(rules.caps) != {NO_CAP}:
        rows["maxRaises"] = rules.caps
    rows |= {"numSuits": (rules.suits,), "numRanks": (rules.ranks,)}
    rows |= {"numHoleCards": (rules.hole,), "numBoardCards": rules.board}
    lines = ["GAMEDEF", "nolimit" if rules.raises is None else "limit"]
    lines += [f"{key} = {' '.join(map(str, values))}" for key, values in rows.items()]
    return "\n".join([*lines, "END GAMEDEF", ""])


def write_state(state: MatchState) -> bytes:
    """The line of a state."""
    return f"MATCHSTATE:{state.position}:{state.hand}:{state.betting}:{state.cards}\r\n".encode()


def write_reply(line: bytes, action: str) -> bytes:
    """The answer to a received line."""
    return b"%s:%s\r\n" % (line.rstrip(END), action.encode())
