"""Public names, and where each lives."""

from regretless.core.errors import BadFile as BadFile
from regretless.core.errors import BadInput as BadInput
from regretless.core.errors import BadParameter as BadParameter
from regretless.core.errors import IllegalMove as IllegalMove
from regretless.core.errors import ImperfectRecall as ImperfectRecall
from regretless.core.errors import Interrupted as Interrupted
from regretless.core.errors import RegretlessError as RegretlessError
from regretless.core.errors import TooLarge as TooLarge
from regretless.core.errors import UnknownName as UnknownName
from regretless.core.errors import Unsolved as Unsolved
from regretless.core.errors import Unsuitable as Unsuitable
from regretless.core.errors import WrongGame as WrongGame
