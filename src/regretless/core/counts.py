"""Numbers with their nouns in messages: 1 hand, 2,000 hands."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """The number with its noun, singular or plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
