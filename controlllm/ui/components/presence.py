"""Whether a page is looked at, and whether it still hears of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr


class Presence(gr.HTML):
    """A browser has six connections to a server for all its tabs, so a tab that nobody sees holds
    none.

    Value: a number that changes each time the server tells something. Events: ``come`` when the
    page begins to be looked at, or hears nothing any more; ``leave`` when it is hidden.
    """

    def __init__(self, **props: Any) -> None:
        super().__init__(
            0,
            html_template='<p class="connection" role="status" hidden></p>',
            js_on_load=Path(__file__).with_suffix(".js").read_text(),
            apply_default_css=False,
            **props,
        )

    def api_info(self) -> dict[str, Any]:
        return {"type": "number"}
