"""The command line's ``self-test``: every tool tried on this machine."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from controlllm.cli.options import add_home, add_tool_folders
from controlllm.self_test.watching import SelfTest, Trial
from controlllm.sources.loading import load_toolbox

_MARKS = {"works": "✓", "failed": "✗", "missing": "-", "skipped": "-"}


def add_self_test_command(commands: Any) -> None:
    """Register ``self-test`` with the sub-commands of a parser."""
    parser = commands.add_parser(
        "self-test", help="try every tool on this machine: does it work, how long, how much memory"
    )
    parser.add_argument("names", nargs="*", metavar="TOOL", help="these alone")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each")
    parser.add_argument("--out", type=Path, help="a folder for small pictures of what they make")
    add_tool_folders(parser)
    add_home(parser)
    parser.set_defaults(run=_self_test, parser=parser)


def _self_test(options: argparse.Namespace) -> int:
    toolbox = load_toolbox(options.tools, options.home)
    unknown = [name for name in options.names if name not in toolbox]
    if unknown:
        raise ValueError(f"There is no tool called {unknown[0]}.")
    names = options.names or [tool.name for tool in toolbox]

    def tell(trial: Trial) -> None:
        if options.json:
            print(json.dumps(trial.to_json()), flush=True)
            return
        figures = f"{trial.seconds:7.2f} s {trial.memory:5} MiB" if trial.state == "works" else ""
        print(f"{_MARKS[trial.state]} {trial.tool:<34} {figures:<19} {trial.words}", flush=True)

    with tempfile.TemporaryDirectory(prefix="controlllm-") as folder:
        pictures = options.out or Path(folder)
        ended = SelfTest(names, pictures, options.tools, options.home).run(tell)
    states = [trial.state for trial in ended.trials]
    if not options.json:
        print(
            f"Of {len(states)} tools {states.count('works')} work, {states.count('missing')} need "
            f"something, {states.count('failed')} failed."
        )
    return 1 if "failed" in states else 0
