"""`show SPOT.strategy --at LINE` without the whole command line, which takes longer to load
than looking at a decision does. Whatever is not as simple as that goes the usual way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

TEXTS = {"--at": "at", "--range": "hands"}


def is_taken(words: Sequence[str]) -> bool:
    """Whether these words were such a question, which has then been answered."""
    asked = read(words)
    if asked is None:
        return False
    from regretless.strategy.compact import is_compact

    file = Path(asked.pop("file"))
    if not is_compact(file):
        return False
    from regretless.interfaces.cli import spot_show

    spot_show.show(spot_show.Wanted(file, resolve=None, outputs={}, **asked))
    return True


def read(words: Sequence[str]) -> dict[str, Any] | None:
    """The options of `show FILE --at LINE --range RANGE --json`; None if there are others."""
    if not words or words[0] != "show":
        return None
    options: dict[str, Any] = {"at": "", "hands": None, "as_json": False}
    left = list(words[1:])
    while left:
        word, equals, value = left.pop(0).partition("=")
        if word in TEXTS and (equals or left):
            value = value if equals else left.pop(0)
            if value.startswith("-"):
                return None
            options[TEXTS[word]] = value
        elif word == "--json" and not equals:
            options["as_json"] = True
        elif not word.startswith("-") and "file" not in options:
            options["file"] = word + equals + value
        else:
            return None
    return options if "file" in options else None
