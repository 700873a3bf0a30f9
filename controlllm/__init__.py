"""ControlLLM: plain requests about media become plans of tools, which run and are explained."""

import importlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
