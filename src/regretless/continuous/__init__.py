"""Games with a continuum of signals, solved by qualitative models of their equilibria."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
