"""Options that several commands have."""

from __future__ import annotations

import argparse
from pathlib import Path

from controlllm.store.home import home_folder


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
