"""The command line: ``controlllm ask|plan|serve|tools|models|…``, or ``python -m controlllm``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from controlllm import __version__
from controlllm.cli.accounts import add_accounts_command
from controlllm.cli.ask import add_ask_command
from controlllm.cli.bench import add_bench_command, bench
from controlllm.cli.completion import add_completion_command
from controlllm.cli.mcp import add_mcp_command
from controlllm.cli.models import add_models_command
from controlllm.cli.plan import add_graph_command, add_plan_command
from controlllm.cli.recipes import add_recipe_command
from controlllm.cli.self_test import add_self_test_command
from controlllm.cli.serve import add_serve_command
from controlllm.cli.setup import add_setup_command
from controlllm.cli.supervising import SUPERVISED, can_supervise, supervised
from controlllm.cli.tokens import add_tokens_command
from controlllm.cli.tools import add_tools_command
from controlllm.language.asking import LanguageModelFailed
from controlllm.resources import BadInput
from controlllm.store import StoreError
from controlllm.toolbox import DefinitionError, ToolError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 where it did what was asked."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Only on the real command line: a program that calls this has its own threads.
    if arguments is None and words[:1] in ([name] for name in SUPERVISED) and can_supervise():
        return supervised(words, lambda: main(words))
    parser = _parser()
    options = None if words[:1] == ["bench"] else _with_files_after_options(parser, words)
    # What went wrong is told in sentences; the log's details would tear the display apart.
    logging.getLogger("controlllm").addHandler(logging.NullHandler())
    logging.getLogger("controlllm").propagate = False
    try:
        if options is None:
            return bench(words[1:], f"{parser.prog} bench")
        return int(options.run(options))
    except BrokenPipeError:
        # Whoever read the output has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (
        BadInput, StoreError, DefinitionError, LanguageModelFailed, ToolError, ValueError, OSError,
    ) as error:  # fmt: skip
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.stdout.flush()
        # A model may still be at work in native code; waiting for it would crash at the end.
        os._exit(130)


def _with_files_after_options(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None
) -> argparse.Namespace:
    """The arguments read, with files wherever they stand: argparse by itself takes those before
    the first option or those after the last."""
    options, left = parser.parse_known_args(arguments)
    command = getattr(options, "parser", parser)
    if left and (not hasattr(options, "files") or any(word.startswith("-") for word in left)):
        command.error(f"unrecognized arguments: {' '.join(left)}")
    if left:
        options.files = [*options.files, *map(Path, left)]
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="controlllm" if Path(sys.argv[0]).stem == "controlllm" else "python -m controlllm",
        description="Say what you want done with pictures, sound, video or text.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    add_ask_command(commands)
    add_plan_command(commands)
    add_tools_command(commands)
    add_graph_command(commands)
    add_serve_command(commands)
    add_setup_command(commands)
    add_self_test_command(commands)
    add_models_command(commands)
    add_recipe_command(commands)
    add_tokens_command(commands)
    add_accounts_command(commands)
    add_mcp_command(commands)
    add_bench_command(commands)
    add_completion_command(commands, parser)
    return parser
