"""Options that several commands have, and what they come to."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from controlllm.runs.planners import BEAM, STRATEGIES, THRESHOLD, Planner, embedded_planner
from controlllm.settings import PREFERENCES, VARIANTS, Settings
from controlllm.store.home import home_folder
from controlllm.toolbox import Toolbox


def add_home(parser: argparse.ArgumentParser) -> None:
    """Register the option that names the program's folder, the same for page and command line."""
    parser.add_argument(
        "--home",
        type=Path,
        default=home_folder(),
        metavar="FOLDER",
        help="where conversations, files, added tools and accounts are kept (%(default)s)",
    )


def add_tool_folders(parser: argparse.ArgumentParser) -> None:
    """Register the option that names folders with more tools."""
    parser.add_argument(
        "--tools",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="a folder with more tools, a Python file each; may be given several times",
    )


def add_strategy(parser: argparse.ArgumentParser) -> None:
    """Register the options that say how solutions are searched for."""
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        default=STRATEGIES[0],
        help="how to search for solutions; best-first, unless you want to compare",
    )
    parser.add_argument(
        "--beam",
        type=int,
        default=BEAM,
        help="how many tools beam tries at each step (%(default)s)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=THRESHOLD,
        help="the score, 1 to 5, that a tool needs to be tried by adaptive (%(default)s)",
    )


def planner_of(toolbox: Toolbox, options: argparse.Namespace) -> Planner:
    """The planner that the options of `add_strategy` say."""
    return embedded_planner(
        toolbox, strategy=options.strategy, beam=options.beam, threshold=options.threshold
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    """Register the options that say what a language model does."""
    parser.add_argument(
        "--language-model",
        choices=tuple(VARIANTS),
        metavar="VARIANT",
        help="llama: none, all on this machine; mix: a language model judges tools and ways; "
        "chatgpt: it plans as well; proposal: it proposes the whole plan in one call "
        "(OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL say which)",
    )
    parser.add_argument(
        "--no-fall-back",
        action="store_true",
        help="end the request where the language model fails",
    )


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of the environment with what the options say.

    Raises ValueError where a language model is to plan and none is set.
    """
    settings = replace(tool_settings(options), fall_back=not options.no_fall_back)
    if options.language_model is None and not settings.prompted:
        return settings
    return settings.as_variant(options.language_model or settings.used_variant)


def add_preference(parser: argparse.ArgumentParser) -> None:
    """Register the option that says which way of a tool is preferred."""
    parser.add_argument(
        "--prefer",
        choices=tuple(PREFERENCES),
        help="what matters most where a tool can work in several ways: private (on this machine), "
        "quality, or fast (CONTROLLLM_PREFERENCE says it otherwise)",
    )


def tool_settings(options: argparse.Namespace) -> Settings:
    """The settings of the environment with the preference that the options say."""
    settings = Settings.from_environment()
    return settings if options.prefer is None else replace(settings, preference=options.prefer)
