"""The conversations of a person, the line above the one that is shown, and who they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes, button
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
    words, sign = say("search.delete", title=title), ""
    if item.runs:
        sign = f'<i class="at-work" role="img" aria-label="{say_html("search.at_work")}"></i>'
    told = f"<small>{escape(around[item.handle])}</small>" if item.handle in around else ""
    opens = button(
        "open-conversation", f"{escape(title)}{sign}{told}", class_="open", dir="auto",
        data_handle=item.handle, aria_current="page" if is_here else None,
    )  # fmt: skip
    deletes = button(
        "delete-conversation", sign="trash", says=words, class_="quiet delete",
        data_handle=item.handle,
    )  # fmt: skip
    return f'<li data-key="{item.handle}">{opens}{deletes}</li>'


def _leaving(item: Listed) -> str:
    words = say_html("search.deleted", title=item.title or say("conversations.new"))
    undo = button("restore-conversation", say_html("search.undo"), data_handle=item.handle)
    return (
        f'<li data-key="{item.handle}" class="leaving"><span role="status">{words}</span>'
        f"{undo}</li>"
    )


def top_line(title: str, handle: str) -> str:
    """The conversation's name, a button that changes it, and its file to share."""
    share = attributes(
        class_="quiet", href=f"/conversations/{handle}/shared", download="conversation.html",
        title=say("share.share"), aria_label=say("share.share"),
    )  # fmt: skip
    rename = button("rename", sign="pencil", says=say("search.rename"), class_="quiet rename")
    name = escape(title or say("conversations.new"))
    return (
        f'<div class="top-line"><h1 class="title" dir="auto">{name}</h1>{rename}'
        f"<a {share}>{icon('share')}</a></div>"
    )


def account_line(name: str) -> str:
    """The name of whoever is signed in, and the button that signs them out."""
    return (
        f'<p class="account"><bdi title="{say_html("accounts.signed_in_as", name=name)}">'
        f"{escape(name)}</bdi> {button('sign-out', say_html('accounts.sign_out'))}</p>"
    )
