"""The tray: every file of the session, to look at, use again, point at, retype and download."""

from __future__ import annotations

from html import escape

from controlllm.resources import Resource
from controlllm.resources.types import PARENTS
from controlllm.session import Session
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.media import Media, is_picture, thumbnail
from controlllm.ui.drawings.wording import attributes, origin_label, size_label, type_label
from controlllm.ui.texts import say, say_html

_PICTURES = ("image", *sorted(name for name, parent in PARENTS.items() if parent == "image"))


def tray(session: Session, media: Media) -> str:
    """The files of a session, newest first."""
    if not session.resources:
        return f'<p class="empty-tray">{icon("files")}<span>{say_html("files.empty")}</span></p>'
    items = "".join(_item(resource, media) for resource in reversed(session.resources))
    return f'<ul class="tray">{items}</ul>'


def _item(resource: Resource, media: Media) -> str:
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
    note = " · ".join(part for part in (size, origin_label(resource.origin)) if part)
    return (
        f'<li class="tray-item" data-key="{escape(resource.value)}" '
        f'data-value="{escape(resource.value)}" data-type="{escape(resource.type)}">'
        f"<button {look}>{thumbnail(resource, media)}</button>"
        '<div class="tray-words">'
        f'<span class="tray-name" dir="auto" title="{escape(resource.value)}">'
        f'{escape(resource.value)}</span><span class="tray-note">{escape(note)}</span>'
        f'<div class="tray-actions">{_type(resource)}{_buttons(resource, media)}</div></div></li>'
    )


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
    return f'<span class="type">{icon(type_icon(resource.type))}{menu}</span>'


def _buttons(resource: Resource, media: Media) -> str:
    buttons = [("attach", "plus", say("files.add"))]
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
