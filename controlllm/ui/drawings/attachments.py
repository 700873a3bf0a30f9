"""The chips of the message that is being written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from controlllm.core.session import Session
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media, thumbnail
from controlllm.ui.drawings.wording import attributes, name_label
from controlllm.ui.texts import say, say_html

_MOST = 28
_COLOURS = 6


def chips(session: Session, values: Sequence[str], media: Media, editing: str = "") -> str:
    """The files that go along, each with a button that leaves it out; `editing` says which message
    the next one takes the place of."""
    there = {resource.value: resource for resource in session.resources}
    drawn = "".join(_chip(there[value], media) for value in values if value in there)
    told = ""
    if editing:
        stop = attributes(type="button", class_="small", data_do="stop-editing")
        told = (
            f'<p class="editing">{icon("pencil")}<span>{escape(editing)}</span>'
            f"<button {stop}>{say_html('branches.cancel')}</button></p>"
        )
    label = say_html("composer.attached")
    return told + (f'<ul class="chips" aria-label="{label}">{drawn}</ul>' if drawn else "")


def named(session: Session, media: Media) -> tuple[Mapping[str, Any], ...]:
    """What the list of names has to know of each file."""
    return tuple(
        {
            "value": resource.value,
            "type": resource.type,
            "thumbnail": thumbnail(resource, media),
            "number": resource.details.get("number"),
            "words": pointed_words(resource) if resource.details.get("number") else resource.value,
        }
        for resource in session.resources
    )


def pointed_words(resource: Resource) -> str:
    """What a numbered thing is, in a few words."""
    of = str(resource.details.get("image", ""))
    if resource.type == "mask":
        thing = str(resource.details.get("thing") or say("pointing.a_thing"))
        return say("pointing.thing_in", thing=thing, name=of)
    return say("pointing.part_of", part=str(resource.details.get("span", "")), name=of)


def _chip(resource: Resource, media: Media) -> str:
    number = resource.details.get("number")
    label = resource.value
    if number:
        label = pointed_words(resource)
    elif resource.type == "point":
        points = resource.details.get("points", 1)
        count = len(points) if isinstance(points, list | tuple) else int(points)
        label = say("pointing.points_on", count=count, picture=resource.details.get("image", ""))
    name = f'<span class="chip-name" dir="auto">{name_label(label, _MOST)}</span>'
    body = thumbnail(resource, media) + name
    if number:
        colour = int(number - 1) % _COLOURS + 1
        writes = attributes(
            type="button", class_="chip-body", data_do="say-number", data_value=resource.value,
            title=say("pointing.write_number", value=resource.value),
        )  # fmt: skip
        badge = f'<span class="chip-number region-{colour}">{number}</span>'
        body = f"<button {writes}>{badge}{name}</button>"
    removes = attributes(
        type="button", class_="quiet", data_do="detach", data_value=resource.value,
        aria_label=say("composer.remove", name=label),
    )  # fmt: skip
    return f'<li class="chip">{body}<button {removes}>{icon("cross")}</button></li>'
