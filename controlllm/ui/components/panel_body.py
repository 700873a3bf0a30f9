"""What the page's one drawn dialog shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.components.drawn import Drawn


class PanelBody(Drawn):
    """A panel (`controlllm.ui.outcome.Panel`), drawn anew about once a second while something in it
    goes on and somebody sees it. What is pressed keeps the focus where its panel is drawn again.

    Value: ``{"parts": [html, …], "name", "given", "live", "time"}``. Event: ``act`` with the data
    of what was pressed and all that is `given`. Calls `look` with ``{"do": "panel", …}`` for the
    parts that have changed. A button ``recipe-png`` saves the drawing beside it in pixels.
    """

    script = "panel_body"

    def __init__(self, look: Callable[..., Any], value: Any = None, **props: Any) -> None:
        super().__init__(value, server_functions=[look], **props)
