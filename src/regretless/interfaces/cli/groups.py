"""The list of commands in `--help`, in groups; and option names of the last version."""

from __future__ import annotations

import sys
from typing import Any

from typer.core import TyperGroup

# Command and old option -> its name now. One version long; then the old name means nothing.
RENAMED = {
    ("solve", "--strategy"): "--iterate",
    ("show", "--hands"): "--range",
    ("match", "--resume"): "--continue",
    ("play", "--resume"): "--continue",
    ("dealer", "--resume"): "--continue",
    ("histories", "--player"): "--name",
    ("abstract", "--boards"): "--plot-boards",
    ("league", "--duplicates"): "--self-play",
    ("league", "--no-duplicates"): "--no-self-play",
    ("reproduce", "--out"): "--folder",
    ("league", "--hands"): "--deals",
    ("lbr", "--hands"): "--deals",
    ("play", "--strategy"): "--hints-by",
    ("spot", "--hand"): "--number",
}


class Commands(TyperGroup):
    """All commands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, renamed(args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """One section per group, in the order in which they were added."""
        groups: dict[str, list[tuple[str, str]]] = {}
        width = formatter.width - 6 - max(map(len, self.commands))
        for name, command in self.commands.items():
            panel = str(getattr(command, "rich_help_panel", "") or "Commands")
            groups.setdefault(panel, []).append((name, command.get_short_help_str(width)))
        for panel, rows in groups.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


def renamed(words: list[str]) -> list[str]:
    """The same with today's options; old ones are reported on stderr."""
    today = list(words)
    for k, word in enumerate(words[1:], start=1):
        name, equals, value = word.partition("=")
        new = RENAMED.get((words[0], name))
        if new is not None:
            today[k] = new + equals + value
            sys.stderr.write(f"regretless: {name} of `{words[0]}` is now called {new}\n")
    return today
