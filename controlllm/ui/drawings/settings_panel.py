"""What the settings draw: programs elsewhere, what is remembered, this conversation."""

from __future__ import annotations

from controlllm.settings import Settings
from controlllm.ui.drawings.markup import button, quiet
from controlllm.ui.drawings.wording import tool_label
from controlllm.ui.texts import say_html


def hosted_list(settings: Settings, may_set: bool) -> str:
    """Which programs elsewhere do which tools' work, each with a button that ends it."""
    if not may_set:
        return quiet(say_html("accounts.only_operator"))
    items = "".join(
        f"<li><span>{say_html('settings.hosted_at', tool=tool_label(tool), address=hosted.address)}"
        f"</span> {button('forget-hosted', say_html('settings.remove'), data_tool=tool)}</li>"
        for tool, hosted in sorted(settings.hosted.items())
    )
    listed = f'<ul class="plain hosted">{items}</ul>' if items else ""
    return quiet(say_html("settings.hosted_about")) + (
        listed or quiet(say_html("settings.hosted_none"))
    )


def remembered(places: int) -> str:
    """How many choices among ways are remembered, and a button that forgets them."""
    words, forget = say_html("compare.remembered_none"), ""
    if places:
        words = say_html("compare.remembered", count=places)
        forget = button("forget-choices", say_html("compare.forget"), "trash")
    return (
        f'<fieldset class="field" id="remembered"><legend>{say_html("compare.remembered_title")}'
        f'</legend>{quiet(words)}<div class="row">{forget}</div></fieldset>'
    )


def this_conversation() -> str:
    """Where a conversation is kept, and the button that deletes it."""
    delete = say_html("settings.delete_conversation")
    return (
        f'<section class="field"><h3>{say_html("settings.this_conversation")}</h3>'
        f"{quiet(say_html('settings.kept_here'))}"
        f"{button('delete-here', delete, 'trash', class_='small danger')}</section>"
    )
