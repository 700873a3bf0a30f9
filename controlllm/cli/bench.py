"""``controlllm bench SUITE``: planners measured as the papers do, in a checkout."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

from controlllm.toolbox import PACKAGE_FOLDER

_HOW_TO_GET_THEM = (
    "The benchmarks are for those who measure planners and work on the project, and are not part "
    "of what is installed. Get them with the repository: clone it, `make setup` there, and then "
    "`python -m benchmarks --help` lists them. They measure our planner, any OpenAI-compatible "
    "language model (OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL) and plans of your own."
)


def add_bench_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Have ``bench`` stand among the commands; its own options are read by `bench`."""
    commands.add_parser(
        "bench", help="measure planners and agents as the papers do", add_help=False
    )


def bench(arguments: Sequence[str], prog: str) -> int:
    """Run a benchmark of the folder `benchmarks/` beside the package.

    Raises ValueError with how to get it where it is not there, or with what is wrong with the
    arguments.
    """
    if not (PACKAGE_FOLDER / "benchmarks" / "suites" / "command.py").is_file():
        raise ValueError(_HOW_TO_GET_THEM)
    command = importlib.import_module("benchmarks.suites.command")
    return int(command.main(arguments, prog))
