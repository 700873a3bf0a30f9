"""The requests that wait until the one before them has ended."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from controlllm.core.session import Waiting
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes, shorten
from controlllm.ui.texts import say, say_html


def queue(waiting: Sequence[Waiting], is_held: bool) -> str:
    """Those that wait, in order, each with its place; `is_held` says that nothing runs before
    them, so that they wait for the person."""
    if not waiting:
        return ""
    items = "".join(_item(place, item) for place, item in enumerate(waiting, 1))
    go_on = ""
    if is_held:
        button = attributes(type="button", class_="small", data_do="go-on-waiting")
        go_on = f"<button {button}>{icon('send')}{say_html('queue.go_on')}</button>"
    head = say_html("queue.held" if is_held else "queue.count", count=len(waiting))
    return f'<div class="queue-head">{icon("wait")}<span>{head}</span>{go_on}</div><ol>{items}</ol>'


def _item(place: int, item: Waiting) -> str:
    about = {"data_name": item.name, "data_words": item.text}
    words = shorten(item.text, 120)
    edit, drop = say("queue.edit", words=words), say("queue.drop", words=words)
    editing = attributes(
        type="button", class_="quiet", data_do="edit-waiting", title=edit, aria_label=edit, **about
    )
    dropping = attributes(
        type="button", class_="quiet", data_do="drop-waiting", title=drop, aria_label=drop, **about
    )
    files = f" · {escape(', '.join(item.attached))}" if item.attached else ""
    return (
        f'<li data-key="{escape(item.name)}"><span class="queue-place">{place}</span> '
        f'<span class="queue-words">{escape(words)}<small>{files}</small></span>'
        f"<button {editing}>{icon('pencil')}</button><button {dropping}>{icon('cross')}</button>"
        "</li>"
    )
