"""The tray: every file of the session, to look at, use again, point at, retype and download."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from controlllm.answers.provenance import asked_for
from controlllm.core.lineage import lineage_of
from controlllm.core.session import Session
from controlllm.resources import Resource
from controlllm.resources.types import PARENTS
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.media import Media, is_picture, thumbnail
from controlllm.ui.drawings.wording import (
    attributes,
    name_label,
    origin_label,
    size_label,
    type_label,
)
from controlllm.ui.texts import say, say_html

_PICTURES = ("image", *sorted(name for name, parent in PARENTS.items() if parent == "image"))

#: A guess this sure goes without a word; one less sure than the second is hardly one.
SURE, PROBABLE = 0.9, 0.6
#: Characters of a name that its two lines have room for.
MOST_SHOWN = 44


def tray(session: Session, media: Media, batches: Sequence[str] = ()) -> str:
    """The files of a session, newest first: what was asked for, the entries of `batches`, what was
    added, and folded what came on the way."""
    if not session.resources and not batches:
        return f'<p class="empty-tray">{icon("files")}<span>{say_html("files.empty")}</span></p>'
    now = lineage_of(session)
    current = now.all_current()
    drawn = {
        name: [
            _item(
                resource,
                media,
                "current"
                if resource.value in current
                else "taken_back"
                if resource.value in now.taken_back
                else "",
            )
            for resource in found
        ]
        for name, found in shelved(session).items()
    }
    shelves = "".join(
        f'<li class="shelf" data-key="shelf-{name}">{_shelf(name, items)}</li>'
        for name, items in (("batches", batches), *drawn.items())
        if items
    )
    return (
        f'{_head(media)}<ul class="shelves">{shelves}</ul>'
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


def _head(media: Media) -> str:
    search = attributes(
        id="files-search",
        type="search",
        data_do="search-files",
        placeholder=say("files.search"),
        aria_label=say("files.search"),
        autocomplete="off",
    )
    link = attributes(
        class_="small button",
        href=f"/conversations/{media.handle}/everything.zip",
        download="",
        title=say("files.download_all_what"),
    )
    return (
        f'<div class="tray-head" data-key="head"><input {search}>'
        f"<a {link}>{icon('download')}{say_html('files.download_all')}</a></div>"
    )


def _shelf(name: str, items: Sequence[str]) -> str:
    drawn = f'<ul class="tray">{"".join(items)}</ul>'
    heading = f'{say_html(f"files.shelf_{name}")} <span class="counter">{len(items)}</span>'
    if name == "way":
        return f"<details><summary>{heading}</summary>{drawn}</details>"
    return f"<h3>{heading}</h3>{drawn}"


def _item(resource: Resource, media: Media, standing: str = "") -> str:
    """A file; `standing` says that it is ``current`` or ``taken_back``."""
    look = attributes(
        type="button",
        class_="tray-look",
        data_do="view",
        data_value=resource.value,
        data_type=resource.type,
        data_address=media.address(resource),
        aria_label=say("files.look_at", name=resource.value),
    )
    size = size_label(resource.details)
    pages = int(resource.details.get("pages", 0))
    size = say("documents.pages", count=pages) if pages else size
    note = " · ".join(part for part in (size, origin_label(resource.origin)) if part)
    return (
        f'<li class="tray-item" data-key="{escape(resource.value)}" '
        f'data-value="{escape(resource.value)}" data-type="{escape(resource.type)}">'
        f"<button {look}>{thumbnail(resource, media)}</button>"
        '<div class="tray-words">'
        f'<span class="tray-name" dir="auto" title="{escape(resource.value)}">'
        f"{name_label(resource.value, MOST_SHOWN)}</span>"
        f'<span class="tray-note">{_badge(standing)}{escape(note)}</span>'
        f'<div class="tray-actions">{_type(resource)}{_buttons(resource, media)}</div></div></li>'
    )


def _badge(standing: str) -> str:
    """Whether a file is what one goes on with, or was taken back; empty for all others."""
    if not standing:
        return ""
    return f'<span class="standing {standing}">{say_html(f"files.{standing}")}</span> '


def _type(resource: Resource) -> str:
    if not is_picture(resource):
        label = icon(type_icon(resource.type)) + escape(type_label(resource.type))
        return f'<span class="type">{label}</span>'
    options = "".join(
        f"<option {attributes(value=name, selected=name == resource.type)}>"
        f"{escape(type_label(name))}</option>"
        for name in _PICTURES
    )
    choice = attributes(
        data_do="type",
        data_value=resource.value,
        aria_label=say("files.what_is", name=resource.value),
    )
    menu = f"<select {choice}>{options}</select>"
    return f'<span class="type">{icon(type_icon(resource.type))}{_doubt(resource)}{menu}</span>'


def _doubt(resource: Resource) -> str:
    """How sure it is that a file is of the kind that it was taken for, where that is doubtful."""
    sureness = float(resource.details.get("sureness", 1.0))
    if sureness >= SURE:
        return ""
    words = say("files.probably" if sureness >= PROBABLE else "files.perhaps")
    return f'<span class="doubt" title="{say_html("files.doubtful")}">{escape(words)}</span>'


def _buttons(resource: Resource, media: Media) -> str:
    buttons = [("attach", "plus", say("files.add")), ("rename-file", "pen", say("files.rename"))]
    if is_picture(resource):
        buttons.append(("pick", "point", say("pointing.point_in")))
    elif resource.type in ("audio", "video"):
        buttons.append(("pick", "point", say("pointing.take_part")))
    drawn = "".join(
        "<button "
        + attributes(
            type="button",
            class_="quiet",
            data_do=what,
            data_value=resource.value,
            title=words,
            aria_label=say("files.do_with", what=words, name=resource.value),
        )
        + f">{icon(sign)}</button>"
        for what, sign, words in buttons
    )
    link = attributes(
        class_="quiet",
        href=media.address(resource) + "&download=1",
        download=resource.value,
        title=say("files.download"),
        aria_label=say("files.download_one", name=resource.value),
    )
    return f"{drawn}<a {link}>{icon('download')}</a>"
