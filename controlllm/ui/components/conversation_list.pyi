"""The list of conversations at the side."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn

class ConversationList(Drawn):
    """A person's conversations: opened, searched, deleted; the address of the page says which one is
    shown, so that a reload and a link come back to it.

    Value: ``{"parts": [html, …], "handle", "title"}``. Event: ``act`` with the data of what was
    pressed.
    """

    script = "conversation_list"
    from collections.abc import Callable, Sequence
    from typing import TYPE_CHECKING, Any, Literal

    from gradio.blocks import Block

    if TYPE_CHECKING:
        from gradio.components import Timer
        from gradio.components.base import Component
