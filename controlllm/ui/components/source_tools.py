"""Tools from elsewhere that were added, to look at, correct and try."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.components.drawn import Drawn


class SourceTools(Drawn):
    """A fold for each source and in it one for each of its tools, filled when it is opened.

    Value: ``{"parts": [html, …]}``. Event: ``act`` with ``remove-source``. Calls `look` with
    ``source-tool``, ``source-type``, ``source-acts`` and ``try-source-tool``, and shows the HTML
    that it gives in the fold.
    """

    script = "source_tools"

    def __init__(self, look: Callable[..., Any], value: Any = None, **props: Any) -> None:
        super().__init__(value, server_functions=[look], **props)
