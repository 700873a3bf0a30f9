"""The sides of the page, which are drawers where it is narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr


class Drawers(gr.HTML):
    """Gradio's sidebars with names of their own, by the keyboard as well: Escape closes a drawer,
    and what is closed or lies behind one cannot be reached."""

    def __init__(self, **props: Any) -> None:
        script = Path(__file__).with_suffix(".js").read_text()
        super().__init__(js_on_load=script, apply_default_css=False, **props)
