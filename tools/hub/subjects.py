"""Subjects found by the large U²-Net, forty times the size of the one that ships (Qin et al. 2020).

It takes and gives the same, so tools run as they do without it and only look with another network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from controlllm.models import onnx_session, resident
from controlllm.toolbox import Context, ToolDefinition, ToolError

from .catalogue_packages import SUBJECTS


def offer(definition: ToolDefinition) -> None:
    """Let a tool's first implementation look with the large network as well.

    The implementation has to ask `network` what to look with.
    """
    first = definition.implementations[0]
    definition.implementation(
        "hub", packages=first.packages, weights={"subject": SUBJECTS}, memory="1.2 GiB"
    )(first.function)


def network(context: Context) -> Any:
    """The session of the large network; None where it was not chosen. Raises ToolError."""
    folder = context.weights.get("subject")
    return None if folder is None else _opened(folder)


@resident
def _opened(folder: Path) -> Any:
    try:
        return onnx_session(folder / "u2net.onnx")
    except Exception as error:  # onnxruntime's own kinds of errors have no common base
        raise ToolError(
            "The weights of U²-Net cannot be read. Remove them and get them anew."
        ) from error
