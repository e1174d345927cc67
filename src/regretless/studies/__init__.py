"""Published tables, made again: one study a file, ours beside theirs."""
