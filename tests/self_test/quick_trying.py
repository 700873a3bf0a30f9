"""What tries tools, with few of our own beside those of a folder: all would take long to load."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from pathlib import Path

from controlllm.self_test import trying
from controlllm.toolbox import Toolbox, toolbox

#: Of our own those of these modules.
OURS = ("tools.seeing.recognition", "tools.words.summarization", "tools.facts.lookup")


def few(*folders: Path) -> Toolbox:
    modules = [importlib.import_module(name) for name in OURS]
    for folder in folders:
        modules += [toolbox._import_file(path) for path in sorted(folder.glob("[!_]*.py"))]
    return replace(Toolbox.of(toolbox.definitions_in(modules)), folders=folders)


if __name__ == "__main__":
    Toolbox.load = few
    trying.main(sys.argv[1:])
