"""What a double oracle adds to its restricted game, one rule per file.

The folder is the registry: `first_action.py` is the rule `first-action`."""
