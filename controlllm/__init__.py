"""ControlLLM: plain requests about media become plans of tools, which run and are explained."""

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from controlllm.library import Answer, NotAnswered, Result, ask, plan, run
    from controlllm.settings import Settings
    from controlllm.toolbox import Toolbox, tool

__version__ = "0.2.0"
__all__ = [
    "Answer",
    "NotAnswered",
    "Result",
    "Settings",
    "Toolbox",
    "__version__",
    "ask",
    "plan",
    "run",
    "tool",
]

# Libraries read these when they are first imported: none of them may report to anyone.
for _switch in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
    os.environ.setdefault(_switch, "1")


class _WithoutInterfaces(importlib.abc.MetaPathFinder):
    """Lets Gradio be imported without writing interfaces for editors.

    For each of its hundred components Gradio reads the source anew and compares it with a file of
    types beside it, whenever it is imported: a third of the time that this takes, and nothing here
    reads them.
    """

    def find_spec(
        self, fullname: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "gradio.component_meta":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def without_interfaces(module: "ModuleType") -> None:
                execute(module)
                module.__dict__["create_or_modify_pyi"] = lambda *_: None

            spec.loader.__dict__["exec_module"] = without_interfaces
        return spec


sys.meta_path.insert(0, _WithoutInterfaces())

#: What the package offers by its own name, from the module that has it. It is imported when it is
#: first asked for, so that `controlllm --version` or a tool's worker does not pay for it.
_OFFERED = {
    **dict.fromkeys(("Answer", "NotAnswered", "Result", "ask", "plan", "run"), "library"),
    "Settings": "settings",
    **dict.fromkeys(("Toolbox", "tool"), "toolbox"),
}


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        raise AttributeError(f"module 'controlllm' has no attribute {name!r}")
    return getattr(importlib.import_module(f"controlllm.{_OFFERED[name]}"), name)
