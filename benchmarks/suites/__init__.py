"""Benchmarks as one command: ``python -m controlllm bench`` (docs/benchmarks.md)."""
