"""Tournaments: jam/fold strategies, charts, values of stacks."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
