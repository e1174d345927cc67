"""Games of three players and equilibria beyond Nash: correlated play, Kuhn's family, outcomes."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
