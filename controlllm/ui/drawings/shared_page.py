"""A conversation as one file: all that it shows is inside, nothing runs, nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from controlllm.layout import ASSETS
from controlllm.resources import Resource
from controlllm.resources.types import SEVERAL_TYPES
from controlllm.ui.drawings.answer import answer
from controlllm.ui.drawings.conversation import picture_of
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.media import Media, is_picture, on_picture
from controlllm.ui.drawings.plan_graph import plan_graph
from controlllm.ui.drawings.wording import attributes, size_label, without_commands
from controlllm.ui.texts import current_language, direction_of, say, say_html
from controlllm.ui.view import TurnView

_POLICY = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"
#: What only the page's scripts need.
_FOR_SCRIPTS = re.compile(
    r'\s(?:data-[\w-]+|tabindex|role|aria-[\w-]+|id|type|title|loading)="[^"]*"'
)


@dataclass(frozen=True)
class Embedded(Media):
    """Where the files of a conversation are inside of a page: `content` gives each as the address
    of its data, and nothing for one that is too large."""

    content: Callable[[Resource, bool], str] = lambda resource, small: ""

    def address(self, resource: Resource) -> str:
        """A file, written into the page itself."""
        return self.content(resource, False)

    def thumbnail(self, resource: Resource) -> str:
        """A small picture, written into the page itself."""
        return self.content(resource, True)


def shared_page(
    title: str, views: Sequence[TurnView], media: Embedded, known: Mapping[str, Resource]
) -> str:
    """The whole file. `known` are the conversation's resources by value."""
    language = current_language()
    turns = "".join(_turn(view, media, known) for view in views)
    return f"""<!doctype html>
<html lang="{language}" dir="{direction_of(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>{_style(ASSETS / "shared" / "style.css")}</style>
</head>
<body>
<header><h1>{escape(title)}</h1>
<p class="about">{say_html("share.made")}. {say_html("share.about")}</p></header>
<main>{turns}</main>
</body>
</html>
"""


@cache
def _style(path: Path) -> str:
    return path.read_text("utf-8")


def _turn(view: TurnView, media: Embedded, known: Mapping[str, Resource]) -> str:
    attached = "".join(
        _figure(item, media, known.get(str(item.details.get("image", ""))))
        for item in view.attached
    )
    asked = f'<p class="bubble">{escape(view.text)}</p>'
    said = _plain(answer(view, {}, marks=False))
    if not view.answer and view.message:
        said = f'<div class="trouble">{to_html(without_commands(view.message))}</div>'
    shown = "".join(_figure(item, media, picture_of(item, view, known)) for item in view.shown)
    drawing = plan_graph(view, media, known)
    start, end = drawing.find("<svg "), drawing.find("</svg></div>")
    how = ""
    if 0 <= start < end:
        graph = _plain(drawing[start : end + len("</svg>")])
        how = f"<details><summary>{say_html('share.how')}</summary>{graph}</details>"
    return (
        f'<article><div class="asked">{_all(attached)}{asked}</div>{said}{_all(shown)}{how}'
        "</article>"
    )


def _all(figures: str) -> str:
    return f'<div class="media">{figures}</div>' if figures else ""


def _figure(resource: Resource, media: Embedded, about: Resource | None) -> str:
    body = _plain(on_picture(resource, about, media)) if about else ""
    name = escape(resource.value)
    if not body and (is_picture(resource) or resource.type in ("audio", "video")):
        address = media.address(resource)
        if not address:
            return _left_out(resource)
        if is_picture(resource):
            body = f"<img {attributes(src=address, alt=resource.value)}>"
        else:
            body = f'<{resource.type} controls src="{address}"></{resource.type}>'
    elif not body and resource.type in ("html", *SEVERAL_TYPES):
        return _left_out(resource)
    elif not body:
        text = media.text(resource)
        body = f"<blockquote>{escape(text)}</blockquote>"
    return f"<figure>{body}<figcaption>{name}</figcaption></figure>"


def _left_out(resource: Resource) -> str:
    size = size_label(resource.details) or resource.type
    words = say("share.left_out", name=resource.value, size=size)
    return f'<p class="left-out">{escape(words)}</p>'


def _plain(html: str) -> str:
    """A drawing without what leads somewhere in the page."""
    html = re.sub(r"<button\b([^>]*)>", r"<span\1>", html).replace("</button>", "</span>")
    html = re.sub(r"<(?:input|select|iframe)\b[^>]*>", "", html)
    return re.sub(
        r"<(?:g|span|svg|div|img|a|code|p)\b[^>]*>",
        lambda found: _FOR_SCRIPTS.sub("", found.group()),
        html,
    )
