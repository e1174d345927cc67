"""Benchmarks: speed next to that of other programs, measured in the same run."""
