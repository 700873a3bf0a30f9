"""The files of a conversation: all of them, to look at, use again, point at, retype and keep; and
one in full, with the pages of a document."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from controlllm.answers.provenance import asked_for
from controlllm.core.lineage import lineage_of
from controlllm.core.session import Session
from controlllm.resources import Resource
from controlllm.resources.types import PARENTS, SEVERAL_TYPES
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.markup import attributes, button, chosen_of, download, name_label
from controlllm.ui.drawings.media import (
    Media,
    is_picture,
    kept_link,
    names_listed,
    opener,
    shows_first_page,
    thumbnail,
)
from controlllm.ui.drawings.wording import origin_label, size_label, type_label
from controlllm.ui.texts import say, say_html

_PICTURES = ("image", *sorted(name for name, parent in PARENTS.items() if parent == "image"))
_RECORDINGS = ("audio", "video")
#: A guess this sure goes without a word; one less sure than the second is hardly one.
SURE, PROBABLE = 0.9, 0.6
#: Characters of a name that its two lines have room for.
MOST_SHOWN = 44
#: How many pages are offered to be looked at.
_MOST_PAGES = 200
#: Pixels of a picture that is magnified, and characters of a text.
_SMALL, _LONGEST = 200, 200_000


def tray(session: Session, media: Media, batches: Sequence[str] = ()) -> str:
    """The files of a session, newest first: what was asked for, the entries of `batches`, what was
    added, and folded what came on the way."""
    if not session.resources and not batches:
        return f'<p class="empty-tray">{icon("files")}<span>{say_html("files.empty")}</span></p>'
    now = lineage_of(session)
    standing = dict.fromkeys(now.taken_back, "taken_back")
    standing |= dict.fromkeys(now.all_current(), "current")
    drawn = {
        name: [_item(resource, media, standing.get(resource.value, "")) for resource in found]
        for name, found in shelved(session).items()
    }
    shelves = "".join(
        f'<li class="shelf" data-key="shelf-{name}">{_shelf(name, items)}</li>'
        for name, items in (("batches", batches), *drawn.items())
        if items
    )
    search = attributes(
        id="files-search", type="search", data_do="search-files", placeholder=say("files.search"),
        aria_label=say("files.search"), autocomplete="off",
    )  # fmt: skip
    everything = download(
        f"/conversations/{media.handle}/everything.zip", say_html("files.download_all"),
        download="", title=say("files.download_all_what"),
    )  # fmt: skip
    return (
        f'<div class="tray-head" data-key="head"><input {search}>{everything}</div>'
        f'<ul class="shelves">{shelves}</ul>'
        f'<p class="no-match" role="status" hidden>{say_html("files.no_match")}</p>'
    )


def shelved(session: Session) -> dict[str, list[Resource]]:
    """The files of a session by how they stand to what was asked, each newest first: results that
    were asked for (``asked``), what a person added (``added``), what came on the way (``way``)."""
    asked = asked_for(session)
    made = {result.value for turn in session.turns for result in turn.made.values()}
    shelves: dict[str, list[Resource]] = {"asked": [], "added": [], "way": []}
    for resource in reversed(session.resources):
        if resource.value in asked:
            shelves["asked"].append(resource)
        else:
            shelves["way" if resource.value in made else "added"].append(resource)
    return shelves


def _shelf(name: str, items: Sequence[str]) -> str:
    drawn = f'<ul class="tray">{"".join(items)}</ul>'
    heading = f'{say_html(f"files.shelf_{name}")} <span class="counter">{len(items)}</span>'
    if name == "way":
        return f"<details><summary>{heading}</summary>{drawn}</details>"
    return f"<h3>{heading}</h3>{drawn}"


def _item(resource: Resource, media: Media, standing: str) -> str:
    """A file; `standing` says that it is ``current`` or ``taken_back``."""
    name, look_at = escape(resource.value), say("files.look_at", name=resource.value)
    look = opener(resource, media, "tray-look", thumbnail(resource, media), aria_label=look_at)
    pages = int(resource.details.get("pages", 0))
    size = say("documents.pages", count=pages) if pages else size_label(resource.details)
    note = " · ".join(filter(None, (size, origin_label(resource.origin))))
    badge = ""
    if standing:
        badge = f'<span class="standing {standing}">{say_html(f"files.{standing}")}</span> '
    return (
        f'<li class="tray-item" data-key="{name}" data-value="{name}" '
        f'data-type="{escape(resource.type)}">{look}<div class="tray-words">'
        f'<span class="tray-name" dir="auto" title="{name}">'
        f"{name_label(resource.value, MOST_SHOWN)}</span>"
        f'<span class="tray-note">{badge}{escape(note)}</span>'
        f'<div class="tray-actions">{_type(resource)}{_actions(resource, media)}</div></div></li>'
    )


def _type(resource: Resource) -> str:
    sign = icon(type_icon(resource.type))
    if not is_picture(resource):
        return f'<span class="type">{sign}{escape(type_label(resource.type))}</span>'
    choice = attributes(
        data_do="type", data_value=resource.value,
        aria_label=say("files.what_is", name=resource.value),
    )  # fmt: skip
    kinds = chosen_of({name: type_label(name) for name in _PICTURES}, resource.type)
    menu = f"<select {choice}>{kinds}</select>"
    return f'<span class="type">{sign}{_doubt(resource)}{menu}</span>'


def _doubt(resource: Resource) -> str:
    """How sure it is that a file is of the kind that it was taken for, where that is doubtful."""
    sureness = float(resource.details.get("sureness", 1.0))
    if sureness >= SURE:
        return ""
    words = say("files.probably" if sureness >= PROBABLE else "files.perhaps")
    return f'<span class="doubt" title="{say_html("files.doubtful")}">{escape(words)}</span>'


def _actions(resource: Resource, media: Media) -> str:
    wishes = [("attach", "plus", say("files.add")), ("rename-file", "pen", say("files.rename"))]
    if is_picture(resource):
        wishes.append(("pick", "point", say("pointing.point_in")))
    elif resource.type in _RECORDINGS:
        wishes.append(("pick", "point", say("pointing.take_part")))
    drawn = "".join(
        button(
            what, sign=sign, class_="quiet", data_value=resource.value, title=words,
            aria_label=say("files.do_with", what=words, name=resource.value),
        )
        for what, sign, words in wishes
    )  # fmt: skip
    return drawn + kept_link(resource, media, class_="quiet", title=say("files.download"))


def viewer(resource: Resource, media: Media) -> str:
    """A file in full, and what can be done with it."""
    about = {"data_value": resource.value}
    buttons = button("attach", say_html("files.add_to_message"), "plus", **about)
    if is_picture(resource) or resource.type in _RECORDINGS:
        buttons += button("pick", say_html("pointing.point"), "point", **about)
    buttons += kept_link(resource, media, say_html("files.download"))
    return (
        f'<div class="row viewer-tools">{buttons}</div>'
        f'<div class="viewer-body">{_shown(resource, media)}{_pages(resource, media)}</div>'
    )


def _shown(resource: Resource, media: Media) -> str:
    address, name = media.address(resource), resource.value
    if is_picture(resource):
        sides = (resource.details.get("width") or 999, resource.details.get("height") or 999)
        small = "is-magnified" if max(sides) < _SMALL else None
        return f"<img {attributes(src=address, alt=name, class_=small)}>"
    if resource.type in _RECORDINGS:
        player = attributes(controls=True, src=address, aria_label=name)
        return f"<{resource.type} {player}></{resource.type}>"
    if resource.type == "html":
        return f"<iframe {attributes(sandbox='', title=name, src=address)}></iframe>"
    if resource.type in SEVERAL_TYPES:
        return names_listed(resource)
    return f"<pre>{escape(media.text(resource, _LONGEST))}</pre>"


def _pages(resource: Resource, media: Media) -> str:
    count = int(resource.details.get("pages", 0))
    if not count or not shows_first_page(resource):
        return ""
    items = "".join(_page(resource, media, page) for page in range(1, min(count, _MOST_PAGES) + 1))
    label = say_html("documents.all_pages", name=resource.value)
    return f'<div class="pages-strip"><ol class="pages" aria-label="{label}">{items}</ol></div>'


def _page(resource: Resource, media: Media, number: int) -> str:
    address = media.thumbnail(resource).replace("&page=1", f"&page={number}")
    inside = (
        f"<img {attributes(src=address, alt='', loading='lazy')}>"
        f"<span>{say_html('documents.page', number=number)}</span>"
    )
    about: dict[str, Any] = {"class_": None, "data_value": resource.value, "data_page": number}
    title = say("documents.use_page", number=number)
    return f"<li>{button('use-page', inside, says=title, **about)}</li>"
