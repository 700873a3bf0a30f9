"""The list of conversations at the side."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn


class ConversationList(Drawn):
    """A person's conversations: opened, searched, deleted; the page's address says which is shown,
    so that a reload and a link come back to it.

    Value: ``{"parts": [html, …], "handle", "title"}``. Event: ``act`` with the data of what was
    pressed.
    """

    script = "conversation_list"
