"""What the page's own components share: their script and style lie beside them, and what is pressed
in them comes as one event."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr


class Drawn(gr.HTML):
    """HTML that Python draws, changed in place so that players play on and what has the focus keeps
    it.

    Value: ``{"parts": [html, …]}``, of which Gradio sends only those that differ. Event: ``act``,
    with the data of what was pressed (``data-do`` says what), chosen, or sent in a form.

    A class below this one has its script and style in NAME.js and NAME.css beside its module; props
    are given as keywords, since Gradio takes a parameter for an event whose name the script quotes.
    """

    script = "drawn"
    holder = '<div class="clm"></div>'

    def __init__(self, value: Any = None, **props: Any) -> None:
        folder = Path(__file__).parent
        style = folder / f"{self.script}.css"
        super().__init__(
            {"parts": []} if value is None else value,
            html_template=self.holder,
            css_template=style.read_text() if style.exists() else "",
            js_on_load=(folder / f"{self.script}.js").read_text(),
            apply_default_css=False,
            **props,
        )

    def api_info(self) -> dict[str, Any]:
        return {"type": "object"}


def parts(*drawn: str) -> dict[str, Sequence[str]]:
    """A value of `Drawn`."""
    return {"parts": drawn}
