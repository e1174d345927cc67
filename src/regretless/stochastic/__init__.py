"""Stochastic games of any number of players, and abstraction of finite ones with bounds."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
