"""Numbers with their units, as people read them."""

from __future__ import annotations


def amount(number: float, units: str, digits: int = 4) -> str:
    """`2.5 chips`, but `1 chip`."""
    text = f"{number:.{digits}g}"
    return f"{text} {units[:-1] if text in ('1', '+1', '-1') else units}"
