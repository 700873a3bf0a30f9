"""The list of conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html


@dataclass(frozen=True)
class Listed:
    """A conversation in the list; it `leaves` while its deletion can be taken back."""

    handle: str
    title: str
    runs: bool = False
    leaves: bool = False


def conversation_list(
    found: Sequence[Listed], here: str, around: Mapping[str, str] | None = None
) -> str:
    """The list; the conversation that is shown is marked. `around` says, by handle, what stands
    around words that were searched for: then only those are shown that have some."""
    shown = [item for item in found if around is None or item.handle in around]
    items = "".join(
        _leaving(item) if item.leaves else _item(item, item.handle == here, around or {})
        for item in shown
    )
    told = ""
    if around is not None:
        words = say("search.found", count=len(shown)) if shown else say("search.none")
        told = f'<p class="search-status" role="status">{escape(words)}</p>'
    return f'{told}<ul class="conversations">{items}</ul>'


def _item(item: Listed, is_here: bool, around: Mapping[str, str]) -> str:
    title = item.title or say("conversations.new")
    words = say("search.delete", title=title)
    opens = attributes(
        type="button", class_="open", data_do="open-conversation", data_handle=item.handle,
        dir="auto", aria_current="page" if is_here else None,
    )  # fmt: skip
    deletes = attributes(
        type="button", class_="quiet delete", data_do="delete-conversation",
        data_handle=item.handle, title=words, aria_label=words,
    )  # fmt: skip
    sign = ""
    if item.runs:
        sign = f'<i class="at-work" role="img" aria-label="{say_html("search.at_work")}"></i>'
    told = f"<small>{escape(around[item.handle])}</small>" if item.handle in around else ""
    return (
        f'<li data-key="{item.handle}"><button {opens}>{escape(title)}{sign}{told}</button>'
        f"<button {deletes}>{icon('trash')}</button></li>"
    )


def _leaving(item: Listed) -> str:
    words = say_html("search.deleted", title=item.title or say("conversations.new"))
    undo = attributes(
        type="button", class_="small", data_do="restore-conversation", data_handle=item.handle
    )
    return (
        f'<li data-key="{item.handle}" class="leaving"><span role="status">{words}</span>'
        f"<button {undo}>{say_html('search.undo')}</button></li>"
    )
