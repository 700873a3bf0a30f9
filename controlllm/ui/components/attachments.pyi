"""What goes along with the message that is written, and files called by their names in it."""

from __future__ import annotations

from typing import Any

from controlllm.ui.components.drawn import Drawn

class Attachments(Drawn):
    """The files of the next message as chips; a list of names where somebody types “@”, and of
    what was pointed at where they type “[”; words that were not sent yet come back after a reload.

    Value: ``{"parts": [html, …]}``, the chips. Prop `files`: ``{"value", "thumbnail", "number",
    "words"}`` of each file of the conversation. Event: ``act`` with the data of what was pressed,
    among them ``attach`` with the name of a file that was called.
    """

    script = "attachments"

    def __init__(self, value: Any = None, **props: Any) -> None:
        props.setdefault("files", [])
        super().__init__(value, **props)
    from collections.abc import Callable, Sequence
    from typing import TYPE_CHECKING, Any, Literal

    from gradio.blocks import Block

    if TYPE_CHECKING:
        from gradio.components import Timer
        from gradio.components.base import Component
