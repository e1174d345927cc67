"""Makers of the buckets of one round, one per file.

The folder is the registry: `distribution.py` makes `flop=distribution:1000`."""
