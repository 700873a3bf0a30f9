"""A worker process with the tools of one folder alone, since starting with all tools takes seconds
of which those who look at how a call is made have nothing."""

import sys
from pathlib import Path

from controlllm.engine import worker_process
from controlllm.toolbox import Toolbox, toolbox
from tests.engine.kill_points import arm


def only(folder: Path) -> Toolbox:
    """The toolbox of one folder, without the project's own tools."""
    modules = [toolbox._import_file(path) for path in sorted(folder.glob("[!_]*.py"))]
    found = Toolbox.of(toolbox.definitions_in(modules))
    return Toolbox(found.tools, found.implementations, folders=(folder,))


if __name__ == "__main__":
    arm(is_worker=True)
    Toolbox.load = only
    worker_process._SOON_NEEDED = ()
    worker_process.main(sys.argv[1:])
