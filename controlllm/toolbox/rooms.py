"""The one way by which the program reaches the rooms of tools, which it knows by no other name."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
import types
from pathlib import Path

from controlllm.layout import TOOLS, TOOLS_PACKAGE

_loading = threading.Lock()


def tool_module(name: str = "") -> types.ModuleType:
    """A module of the rooms by its name within them, such as "speech.embedded.whisper"; the package
    that holds all rooms where no name is given.

    Raises ImportError where there is none, or where another package has the rooms' name.
    """
    with _loading:
        found = sys.modules.get(TOOLS_PACKAGE) or _imported()
    if TOOLS not in [Path(path).resolve() for path in getattr(found, "__path__", ())]:
        raise ImportError(
            f"Another package called {TOOLS_PACKAGE!r} is loaded already, from "
            f"{getattr(found, '__file__', None) or 'no file'}; the tools lie in {TOOLS}."
        )
    return importlib.import_module(f"{TOOLS_PACKAGE}.{name}") if name else found


def _imported() -> types.ModuleType:
    """The package, by its place and not by its name: where the program was started there may be a
    folder of the same name, which would come first."""
    specification = importlib.util.spec_from_file_location(
        TOOLS_PACKAGE, TOOLS / "__init__.py", submodule_search_locations=[str(TOOLS)]
    )
    if specification is None or specification.loader is None:
        raise ImportError(f"There are no tools at {TOOLS}.")
    package = importlib.util.module_from_spec(specification)
    sys.modules[TOOLS_PACKAGE] = package
    specification.loader.exec_module(package)
    return package
