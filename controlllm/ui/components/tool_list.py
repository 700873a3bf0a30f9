"""The tools of the toolbox as cards."""

from __future__ import annotations

from typing import Any

from controlllm.ui.components.drawn import Drawn


class ToolList(Drawn):
    """Cards of tools by domain, or those that were found.

    Value: ``{"parts": [html, …]}``. Prop `fresh`: cards that are drawn anew in place, by the names
    of their tools, so that not all has to be sent while weights are fetched. Event: ``act`` with
    the data of what was pressed.
    """

    script = "tool_list"

    def __init__(self, value: Any = None, **props: Any) -> None:
        props.setdefault("fresh", {})
        super().__init__(value, **props)
