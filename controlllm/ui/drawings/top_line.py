"""The line above the conversation: its name, and what is done with all of it."""

from __future__ import annotations

from html import escape

from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say


def top_line(title: str, handle: str) -> str:
    """The conversation's name, a button that changes it, and its file to share."""
    rename = attributes(
        type="button", class_="quiet rename", data_do="rename", title=say("search.rename"),
        aria_label=say("search.rename"),
    )  # fmt: skip
    share = attributes(
        class_="quiet", href=f"/conversations/{handle}/shared", download="conversation.html",
        title=say("share.share"), aria_label=say("share.share"),
    )  # fmt: skip
    name = escape(title or say("conversations.new"))
    return (
        f'<div class="top-line"><h1 class="title" dir="auto">{name}</h1>'
        f"<button {rename}>{icon('pencil')}</button>"
        f"<a {share}>{icon('share')}</a></div>"
    )
