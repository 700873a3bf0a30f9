"""A dialog around components of Gradio, which has none of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr


class Dialog(gr.HTML):
    """A modal dialog: ``with Dialog(elem_id="settings"): …`` holds what it shows.

    Value: ``{"open": bool, "title": str, "wide": bool, "find": str}``; `find` is the ``elem_id`` of
    the field that gets the focus. Event: ``closed``, when a person closes it. What had the focus
    before has it again after; what is told while it is open is told in it.
    """

    def __init__(self, value: Any = None, **props: Any) -> None:
        here = Path(__file__)
        super().__init__(
            value or {"open": False, "title": "", "wide": False},
            html_template="@children",
            css_template=here.with_suffix(".css").read_text(),
            js_on_load=here.with_suffix(".js").read_text(),
            apply_default_css=False,
            **props,
        )

    def api_info(self) -> dict[str, Any]:
        return {"type": "object"}
