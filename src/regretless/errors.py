"""All errors that Regretless raises on purpose; `regretless.core.errors` draws their tree."""

from regretless.core.front import front

__getattr__, __dir__, __all__ = front(__name__, __file__)
