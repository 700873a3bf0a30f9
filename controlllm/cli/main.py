"""The command line: ``controlllm ask|plan|serve|tools|models|…``, or ``python -m controlllm``."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import shtab

from controlllm import __version__
from controlllm.cli.ask import add_ask_command
from controlllm.cli.checking import add_checking_commands
from controlllm.cli.mcp import add_mcp_command
from controlllm.cli.models import add_models_command
from controlllm.cli.options import command, option
from controlllm.cli.plan import add_plan_commands
from controlllm.cli.recipes import add_recipe_command
from controlllm.cli.supervising import SUPERVISED, can_supervise, supervised
from controlllm.cli.tokens import add_accounts_command, add_tokens_command
from controlllm.cli.tools import add_tools_command
from controlllm.language.asking import LanguageModelFailed
from controlllm.resources import BadInput
from controlllm.serve import add_serving_options, begun_with
from controlllm.store import StoreError
from controlllm.toolbox import PACKAGE_FOLDER, DefinitionError, ToolError

_HOW_TO_GET_THEM = (
    "The benchmarks are for those who measure planners and work on the project, and are not part "
    "of what is installed. Get them with the repository: clone it, `make setup` there, and then "
    "`python -m benchmarks --help` lists them. They measure our planner, any OpenAI-compatible "
    "language model (OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL) and plans of your own."
)


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
            return _bench(words[1:], f"{parser.prog} bench")
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

    for add in (
        *(add_ask_command, add_plan_commands, add_tools_command, add_checking_commands),
        *(add_models_command, add_recipe_command, add_tokens_command, add_accounts_command),
        add_mcp_command,
    ):
        add(commands)
    command(commands, "serve", _serve, "serve the page, and print its address", add_serving_options)
    # Its own options are read by `_bench`.
    commands.add_parser(
        "bench", help="measure planners and agents as the papers do", add_help=False
    )
    command(
        commands,
        "completion",
        lambda options: print(shtab.complete(parser, options.shell)) or 0,
        "print what has a shell complete these commands",
        option("shell", choices=shtab.SUPPORTED_SHELLS),
        about='For bash: eval "$(controlllm completion bash)". For zsh, keep what is printed '
        "as _controlllm in a folder of $fpath.",
    )
    return parser


def _serve(options: argparse.Namespace) -> int:
    begun_with(options).launch()
    return 0


def _bench(arguments: Sequence[str], prog: str) -> int:
    """Run a benchmark of the folder `benchmarks/` beside the package.

    Raises ValueError with how to get it where it is not there, or with what is wrong with the
    arguments.
    """
    if not (PACKAGE_FOLDER / "benchmarks" / "suites" / "command.py").is_file():
        raise ValueError(_HOW_TO_GET_THEM)
    found = importlib.import_module("benchmarks.suites.command")
    return int(found.main(arguments, prog))
