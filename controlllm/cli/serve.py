"""The command line's ``serve``: the page, until it is stopped."""

from __future__ import annotations

import argparse
from typing import Any

from controlllm.serve import add_serving_options, begun_with


def add_serve_command(commands: Any) -> None:
    """Register ``serve`` with the sub-commands of a parser."""
    parser = commands.add_parser("serve", help="serve the page, and print its address")
    add_serving_options(parser)
    parser.set_defaults(run=_serve, parser=parser)


def _serve(options: argparse.Namespace) -> int:
    begun_with(options).launch()
    return 0
