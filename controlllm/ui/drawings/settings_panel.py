"""Settings: theme, how tools work, and a language model of one's own."""

from __future__ import annotations

from controlllm.settings import Settings
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes, tool_label
from controlllm.ui.texts import say_html


def hosted_list(settings: Settings, may_set: bool) -> str:
    """Which programs elsewhere do which tools' work, each with a button that ends it."""
    if not may_set:
        return f'<p class="quiet-words">{say_html("accounts.only_operator")}</p>'
    items = "".join(
        f"<li><span>{say_html('settings.hosted_at', tool=tool_label(tool), address=hosted.address)}"
        f"</span> <button {_ends(tool)}>{say_html('settings.remove')}</button></li>"
        for tool, hosted in sorted(settings.hosted.items())
    )
    about = f'<p class="quiet-words">{say_html("settings.hosted_about")}</p>'
    none = f'<p class="quiet-words">{say_html("settings.hosted_none")}</p>'
    return about + (f'<ul class="plain hosted">{items}</ul>' if items else none)


def _ends(tool: str) -> str:
    return attributes(type="button", class_="small", data_do="forget-hosted", data_tool=tool)


def this_conversation() -> str:
    """Where a conversation is kept, and the button that deletes it."""
    button = attributes(type="button", class_="small danger", data_do="delete-here")
    return (
        f'<section class="field"><h3>{say_html("settings.this_conversation")}</h3>'
        f'<p class="quiet-words">{say_html("settings.kept_here")}</p>'
        f"<button {button}>{icon('trash')}{say_html('settings.delete_conversation')}</button>"
        "</section>"
    )
