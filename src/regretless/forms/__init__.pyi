"""Public names, and where each lives."""

from regretless.forms.choice import form_of as form_of
from regretless.forms.public import PublicForm as PublicForm
from regretless.forms.public import public_form as public_form
from regretless.forms.sequence import SequenceForm as SequenceForm
from regretless.forms.sequence import game_sizes as game_sizes
from regretless.forms.subgame import Subgame as Subgame
from regretless.forms.subgames import subgame_at as subgame_at
