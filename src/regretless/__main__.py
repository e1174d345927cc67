"""`python -m regretless` is the command `regretless`."""

from regretless.interfaces.cli import run

run()
