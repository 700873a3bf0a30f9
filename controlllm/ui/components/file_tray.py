"""The files of the conversation."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn


class FileTray(Drawn):
    """Every file, to look at, use again, point at, name, retype and keep; searched as one types.

    Value: ``{"parts": [html, …], "handle"}``. Event: ``act`` with the data of what was pressed.
    """

    script = "file_tray"
