"""Published tables, reproduced: one study per file, ours beside theirs."""
