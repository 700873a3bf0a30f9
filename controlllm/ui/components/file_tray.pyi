"""The files of the conversation."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn

class FileTray(Drawn):
    """Every file, to look at, use again, point at, name, retype and download; searched as one types.

    Value: ``{"parts": [html, …], "handle"}``. Event: ``act`` with the data of what was pressed.
    """

    script = "file_tray"
    from collections.abc import Callable, Sequence
    from typing import TYPE_CHECKING, Any, Literal

    from gradio.blocks import Block

    if TYPE_CHECKING:
        from gradio.components import Timer
        from gradio.components.base import Component
