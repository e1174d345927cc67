"""For studies: results of every kind by type, subgames and grafts, pathologies, phases."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
