"""`python -m regretless` is the command `regretless`."""

from regretless.interfaces.cli import main

main()
