"""How commands are registered, and options that several have, with what they come to."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlllm.runs.planners import BEAM, STRATEGIES, THRESHOLD, Planner, embedded_planner
from controlllm.settings import PREFERENCES, VARIANTS, Settings
from controlllm.store.home import home_folder
from controlllm.toolbox import Toolbox

#: Gives a parser something that its command takes.
Add = Callable[[argparse.ArgumentParser], object]


def command(commands: Any, name: str, run: Any, words: str, *takes: Add, about: str = "") -> Any:
    """Register a command, or an action of one: `run` does it, `words` say what it does, and `about`
    says more. Gives its parser."""
    parser = commands.add_parser(name, help=words, description=about or None)
    for add in takes:
        add(parser)
    parser.set_defaults(run=run, parser=parser)
    return parser


def group(commands: Any, name: str, words: str) -> Any:
    """Register a command that has actions; where they are registered."""
    parser = commands.add_parser(name, help=words)
    return parser.add_subparsers(required=True, metavar="ACTION")


def option(*names: str, **said: Any) -> Add:
    """What `argparse.ArgumentParser.add_argument` takes, to be given to a parser."""
    return lambda parser: parser.add_argument(*names, **said)


def flag(name: str, words: str) -> Add:
    """An option that is said or not."""
    return option(name, action="store_true", help=words)


def several(*adds: Add) -> Add:
    """Several options as one."""

    def add_all(parser: argparse.ArgumentParser) -> None:
        for add in adds:
            add(parser)

    return add_all


#: The program's folder, the same for page and command line.
HOME = option(
    "--home",
    type=Path,
    default=home_folder(),
    metavar="FOLDER",
    help="where conversations, files, added tools and accounts are kept (%(default)s)",
)
#: Folders with more tools.
TOOL_FOLDERS = option(
    "--tools",
    type=Path,
    action="append",
    default=[],
    metavar="FOLDER",
    help="a folder with more tools, a Python file each; may be given several times",
)
#: How solutions are searched for.
STRATEGY = several(
    option(
        "--strategy",
        choices=STRATEGIES,
        default=STRATEGIES[0],
        help="how to search for solutions; best-first, unless you want to compare",
    ),
    option(
        "--beam",
        type=int,
        default=BEAM,
        help="how many tools beam tries at each step (%(default)s)",
    ),
    option(
        "--threshold",
        type=float,
        default=THRESHOLD,
        help="the score, 1 to 5, that a tool needs to be tried by adaptive (%(default)s)",
    ),
)
#: What a language model does.
MODEL = several(
    option(
        "--language-model",
        choices=tuple(VARIANTS),
        metavar="VARIANT",
        help="llama: none, all on this machine; mix: a language model judges tools and ways; "
        "chatgpt: it plans as well; proposal: it proposes the whole plan in one call "
        "(OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL say which)",
    ),
    flag("--no-fall-back", "end the request where the language model fails"),
)
#: Which way of a tool is preferred.
PREFERENCE = option(
    "--prefer",
    choices=tuple(PREFERENCES),
    help="what matters most where a tool can work in several ways: private (on this machine), "
    "quality, or fast (CONTROLLLM_PREFERENCE says it otherwise)",
)
#: What planning a request goes by.
PLANNING = several(STRATEGY, MODEL, PREFERENCE, TOOL_FOLDERS, HOME)


def planner_of(toolbox: Toolbox, options: argparse.Namespace) -> Planner:
    """The planner that the options of `STRATEGY` say."""
    return embedded_planner(
        toolbox, strategy=options.strategy, beam=options.beam, threshold=options.threshold
    )


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of the environment with what the options say.

    Raises ValueError where a language model is to plan and none is set.
    """
    settings = replace(tool_settings(options), fall_back=not options.no_fall_back)
    if options.language_model is None and not settings.prompted:
        return settings
    return settings.as_variant(options.language_model or settings.used_variant)


def tool_settings(options: argparse.Namespace) -> Settings:
    """The settings of the environment with the preference that the options say."""
    settings = Settings.from_environment()
    return settings if options.prefer is None else replace(settings, preference=options.prefer)
