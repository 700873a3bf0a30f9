"""The conversation: its turns, of which one may be at work."""

from __future__ import annotations

from typing import Any

from controlllm.ui.components.drawn import Drawn


class Conversation(Drawn):
    """What was asked and what came of it, followed to its end as it grows.

    Value: ``{"key", "parts", "handle", "history", "now"}``: the turn that is at work, with an empty
    key where none is, the others as ``[key, html]`` pairs, oldest first, and what is told of the
    newest to those who hear the page. Gradio sends only the parts of them that differ. Event:
    ``act``, with the data of what was pressed.
    """

    script = "conversation"
    holder = (
        '<div class="turns clm" role="log" aria-live="off" tabindex="-1"></div>'
        '<p class="told for-screen-readers" role="status"></p>'
    )

    def __init__(self, value: Any = None, **props: Any) -> None:
        empty = {"key": "", "parts": [], "handle": "", "history": [], "now": ""}
        super().__init__(empty if value is None else value, **props)
