"""Public names, and where each lives."""

from regretless.cards.equities import equity as equity
from regretless.cards.hand_index import HandIndex as HandIndex
from regretless.cards.ranges import read_range as read_range
from regretless.cards.ranges import to_range as to_range
from regretless.cards.strengths import strength as strength
from regretless.cards.strengths import strength_table as strength_table
