"""Algorithms for stochastic games, one per file."""
