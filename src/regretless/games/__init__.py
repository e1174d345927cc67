"""Rules of games, and files of them."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
