"""Actions in words, and words as actions."""

from __future__ import annotations

import re

from regretless.core.errors import BadInput
from regretless.games._betting import Betting

YOU = "you"
HELP = """\
f        fold
c        check or call
r        bet or raise, by the smallest legal size
r 300    raise to 300: all your chips of this hand together, earlier rounds and blinds included
a        raise all-in
?        this help
q        leave; so do Ctrl-D and Ctrl-C"""

_LETTERS = {
    **dict.fromkeys(("f", "fold"), "f"),
    **dict.fromkeys(("c", "call", "check", "k"), "c"),
    **dict.fromkeys(("r", "raise", "b", "bet"), "r"),
}
_TYPED = re.compile(r"([a-z]+)(?:\s+to)?\s*([0-9][0-9,_]{0,13})?")


def understood(typed: str, betting: Betting) -> str:
    """The typed action as ACPC text; legality is not checked."""
    if typed in ("a", "all-in", "allin", "all in"):
        limits = betting.raise_range()
        if limits is None:
            return "r"
        return f"r{limits[1]}" if betting.rules.raises is None else "r"
    match = _TYPED.fullmatch(typed)
    if match is None or match[1] not in _LETTERS:
        raise BadInput(f"{typed!r}: type f, c, r, r 300, ? or q")
    letter, size = _LETTERS[match[1]], match[2]
    if size is None:
        return letter
    if letter != "r":
        raise BadInput(f"{typed!r}: only a raise has a size")
    return letter + size.replace(",", "").replace("_", "")


def choices(betting: Betting) -> list[str]:
    """What can be typed now, with amounts."""
    actor, rules = betting.actor, betting.rules
    owed = min(max(betting.spent), rules.stacks[actor]) - betting.spent[actor]
    offers = ["f fold", f"c call {owed:,}"] if owed else ["c check"]
    limits = betting.raise_range()
    if limits is None:
        return offers
    low, high = limits
    word = "bet" if _opens(betting) else "raise"
    if rules.listed:
        sizes = "|".join(map(str, betting.raise_totals))
        return [*offers, f"r {sizes} {word} to that total"]
    if rules.raises is None and high > low:
        return [*offers, f"r {low}..{high} {word} to that total"]
    return [*offers, f"r {word} to {low:,}" + (" (all-in)" if high == rules.stacks[actor] else "")]


def done(name: str, before: Betting, after: Betting) -> str:
    """What a player has just done."""
    position = before.actor
    paid = after.spent[position] - before.spent[position]
    if after.folded[position]:
        return f"{name} {_verb('fold', name)}"
    all_in = " and is all-in" if after.spent[position] == before.rules.stacks[position] else ""
    if name == YOU:
        all_in = all_in.replace(" is ", " are ")
    if max(after.spent) > max(before.spent):
        word = "bet" if _opens(before) else "raise"
        return f"{name} {_verb(word, name)} to {after.spent[position]:,}{all_in}"
    if paid:
        return f"{name} {_verb('call', name)} {paid:,}{all_in}"
    return f"{name} {_verb('check', name)}"


def named(action: str, betting: Betting) -> str:
    """A possible action, in words."""
    if action[0] == "f":
        return "fold"
    if action[0] == "c":
        return "call" if max(betting.spent) > betting.spent[betting.actor] else "check"
    word = "bet" if _opens(betting) else "raise"
    return f"{word} to {int(action[1:]):,}" if action[1:] else word


def posted(name: str, chips: int) -> str:
    """A blind or an ante."""
    return f"{name} {_verb('post', name)} {chips:,}"


def _verb(stem: str, name: str) -> str:
    return stem if name == YOU else f"{stem}s"


def _opens(betting: Betting) -> bool:
    """Whether a raise would be the first bet of the round, blinds included."""
    return betting.raised == 0 and (betting.round > 0 or len(set(betting.rules.blinds)) == 1)
