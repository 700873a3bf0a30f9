"""The command line's ``completion``: a script that has a shell complete commands and options."""

from __future__ import annotations

import argparse
from typing import Any

import shtab


def add_completion_command(commands: Any, whole: argparse.ArgumentParser) -> None:
    """Register ``completion`` with the sub-commands of the `whole` parser, which it completes."""
    parser = commands.add_parser(
        "completion",
        help="print what has a shell complete these commands",
        description='For bash: eval "$(controlllm completion bash)". For zsh, keep what is printed '
        "as _controlllm in a folder of $fpath.",
    )
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS)
    parser.set_defaults(run=lambda options: _print(whole, options.shell), parser=parser)


def _print(whole: argparse.ArgumentParser, shell: str) -> int:
    print(shtab.complete(whole, shell))
    return 0
