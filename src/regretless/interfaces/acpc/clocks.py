"""Time used by every seat: per answer, per hand, per match.

Every line from the seat to act counts, from the moment it was asked; so an invalid line
counts as well as the one after it. Thinking while others act is free."""

from __future__ import annotations

from regretless.play.fixture import Limits


class Clocks:
    """Seconds used by the seats of a match."""

    def __init__(self, limits: Limits, *, hands: int, seats: int) -> None:
        self.response_s = limits.response_ms / 1000
        self.hand_s = limits.hand_ms / 1000
        self.match_s = limits.per_hand_ms / 1000 * hands
        self.in_hand = [0.0] * seats
        self.in_match = [0.0] * seats

    def begin_hand(self) -> None:
        """Reset the time per hand."""
        self.in_hand = [0.0] * len(self.in_hand)

    def left(self, seat: int) -> float:
        """Seconds left for an answer in time."""
        return min(
            self.response_s, self.hand_s - self.in_hand[seat], self.match_s - self.in_match[seat]
        )

    def spend(self, seat: int, seconds: float) -> None:
        """Record a line that took this many seconds."""
        self.in_hand[seat] += seconds
        self.in_match[seat] += seconds
