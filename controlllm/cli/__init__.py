"""The command line."""

from controlllm.cli.main import main

__all__ = ["main"]
