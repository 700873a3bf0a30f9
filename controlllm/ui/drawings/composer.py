"""What stands around the field of the next message: its files, the requests that wait, and what
would leave this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from controlllm.core.session import Session, Waiting
from controlllm.resources import Resource
from controlllm.settings.data_egress import DataEgress
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import button, name_label
from controlllm.ui.drawings.media import Media, thumbnail
from controlllm.ui.drawings.wording import shorten, tool_label
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
        told = (
            f'<p class="editing">{icon("pencil")}<span>{escape(editing)}</span>'
            f"{button('stop-editing', say_html('branches.cancel'))}</p>"
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
            "words": _pointed(resource) if resource.details.get("number") else resource.value,
        }
        for resource in session.resources
    )


def _pointed(resource: Resource) -> str:
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
        label = _pointed(resource)
    elif resource.type == "point":
        points = resource.details.get("points", 1)
        count = len(points) if isinstance(points, list | tuple) else int(points)
        label = say("pointing.points_on", count=count, picture=resource.details.get("image", ""))
    body = f'<span class="chip-name" dir="auto">{name_label(label, _MOST)}</span>'
    if number:
        colour = int(number - 1) % _COLOURS + 1
        title = say("pointing.write_number", value=resource.value)
        body = button(
            "say-number", f'<span class="chip-number region-{colour}">{number}</span>{body}',
            class_="chip-body", data_value=resource.value, title=title,
        )  # fmt: skip
    else:
        body = thumbnail(resource, media) + body
    removes = button(
        "detach", sign="cross", class_="quiet", data_value=resource.value,
        aria_label=say("composer.remove", name=label),
    )  # fmt: skip
    return f'<li class="chip">{body}{removes}</li>'


def queue(waiting: Sequence[Waiting], is_held: bool) -> str:
    """The requests that wait until the one before them has ended, in order, each with its place;
    `is_held` says that nothing runs before them, so that they wait for the person."""
    if not waiting:
        return ""
    items = "".join(_waiting(place, item) for place, item in enumerate(waiting, 1))
    go_on = button("go-on-waiting", say_html("queue.go_on"), "send") if is_held else ""
    head = say_html("queue.held" if is_held else "queue.count", count=len(waiting))
    return f'<div class="queue-head">{icon("wait")}<span>{head}</span>{go_on}</div><ol>{items}</ol>'


def _waiting(place: int, item: Waiting) -> str:
    about = {"class_": "quiet", "data_name": item.name, "data_words": item.text}
    words = shorten(item.text, 120)
    files = f" · {escape(', '.join(item.attached))}" if item.attached else ""
    edit = button("edit-waiting", sign="pencil", says=say("queue.edit", words=words), **about)
    drop = button("drop-waiting", sign="cross", says=say("queue.drop", words=words), **about)
    return (
        f'<li data-key="{escape(item.name)}"><span class="queue-place">{place}</span> '
        f'<span class="queue-words">{escape(words)}<small>{files}</small></span>{edit}{drop}</li>'
    )


def leaves(found: Sequence[DataEgress]) -> str:
    """One line; a person who presses it gets to the settings that decide it."""
    if not found:
        return f"{icon('check')}<span>{say_html('leaves.nothing')}</span>"
    told = " ".join(escape(_sent(item)) for item in found)
    change = button("settings", say_html("leaves.change"), class_="link", data_find="base_url")
    return f"{icon('info')}<span>{told} {change}</span>"


def _sent(item: DataEgress) -> str:
    """What is sent and where to, as a sentence."""
    where = "here" if item.is_here else "there"
    if item.what == "lookups":
        return say("leaves.lookups")
    if item.tool:
        return say(f"leaves.files_of_tool_{where}", tool=tool_label(item.tool), host=item.host)
    return say(f"leaves.{item.what}_{where}", host=item.host)
