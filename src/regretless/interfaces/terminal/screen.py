"""Terminal output: cards in colour if the terminal supports it, otherwise in plain letters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regretless.games._betting import NO_LIMIT_STACK, Betting
from regretless.interfaces.escaping import escaped_text

SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
STYLES = {
    "s": "bold",
    "h": "bold red",
    "d": "bold blue",
    "c": "bold green",
}  # easy to tell apart
PROMPT = "> "
NO_TEXT = "no text"  # stands for bytes that are invalid in the terminal's encoding


class Screen:
    """A terminal, reduced to what a card game needs."""

    def __init__(self, console: Console) -> None:
        self.console = console
        unicode = (console.encoding or "").lower().replace("-", "").startswith("utf8")
        self.symbols = unicode and console.color_system is not None
        self.dot = " · " if unicode else " - "

    def say(self, *parts: str | Text, style: str = "") -> None:
        """Print a line of these parts."""
        line = escaped_text(Text.assemble(*parts, style=style))
        self.console.print(line, soft_wrap=True, highlight=False)

    def ask(self) -> str:
        """Read a typed line; EOFError and KeyboardInterrupt mean that the person leaves."""
        self.console.file.flush()
        try:
            return input(PROMPT)
        except UnicodeDecodeError:
            return NO_TEXT

    def cards(self, cards: Sequence[str]) -> Text:
        """Cards side by side."""
        text = Text()
        for card in cards:
            if text:
                text.append(" ")
            suit = card[1]
            shown = card[0] + (SYMBOLS[suit] if self.symbols else suit)
            text.append(shown, STYLES[suit] if self.symbols else "")
        return text

    def boards(self, rounds: Sequence[Sequence[str]]) -> Text:
        """Board cards, with a bar between rounds."""
        return Text(" | ").join(self.cards(cards) for cards in rounds if cards)

    def table(self, betting: Betting, names: Sequence[str], person: int) -> None:
        """Chips put in and chips left, per player; names by position."""
        rules = betting.rules
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", show_edge=False)
        endless = NO_LIMIT_STACK in rules.stacks
        table.add_column("", justify="right")
        table.add_column("player", no_wrap=True)
        for column in ("chips in", *(() if endless else ("left",))):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("")
        for p, name in enumerate(names):
            left = rules.stacks[p] - betting.spent[p]
            state = "folded" if betting.folded[p] else "all-in" if left == 0 else ""
            amounts = [f"{betting.spent[p]:,}", *([] if endless else [f"{left:,}"])]
            style = "dim" if betting.folded[p] else "bold" if p == person else ""
            table.add_row(str(p + 1), escaped_text(Text(name)), *amounts, state, style=style)
        self.console.print(table)
