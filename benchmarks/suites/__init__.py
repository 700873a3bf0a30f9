"""Benchmarks as one command: ``python -m benchmarks SUITE`` (docs/benchmarks.md)."""
