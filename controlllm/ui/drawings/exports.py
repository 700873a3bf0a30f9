"""A conversation taken along: the report that lies beside its files, and one file that shows all of
it. Neither runs anything or fetches anything from elsewhere."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from controlllm.answers.provenance import asked_for, how_made
from controlllm.core.session import Session
from controlllm.layout import ASSETS
from controlllm.resources import BadInput, Resource
from controlllm.resources.types import SEVERAL_TYPES
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.answer import answer
from controlllm.ui.drawings.conversation import picture_of
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.markup import attributes
from controlllm.ui.drawings.media import (
    Media,
    has_thumbnail,
    is_picture,
    on_picture,
    shows_first_page,
)
from controlllm.ui.drawings.plan_graph import plan_graph, plan_picture
from controlllm.ui.drawings.wording import (
    runtime_label,
    seconds_label,
    size_label,
    tool_label,
    type_label,
    without_commands,
)
from controlllm.ui.files import small_copy
from controlllm.ui.texts import current_language, direction_of, say, say_html
from controlllm.ui.view import TurnView, views_of

_STYLE = """
body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}
article{margin-block:2.5rem;padding-block-start:1rem;border-block-start:1px solid #8886}
blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:4px solid #46c;
white-space:pre-wrap}
svg.plan{width:100%;height:auto;margin-block:1rem}
svg.plan .frame{fill:#8881;stroke:#8888}svg.plan .edge{fill:none;stroke:#8889;stroke-width:1.5}
svg.plan text{font-size:12px;fill:currentColor}
svg.plan use,svg.plan .icon,svg.plan path:not(.edge){fill:none;stroke:currentColor;stroke-width:2}
ul.files{display:grid;gap:1rem;padding:0;list-style:none}
ul.files li{display:grid;grid-template-columns:140px minmax(0,1fr);gap:1rem;align-items:start}
ul.files img{max-width:140px;max-height:110px;border-radius:8px}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .8rem;margin:.3rem 0;font-size:14px}
dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}
"""
_POLICY = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"
#: What only the page's scripts need.
_FOR_SCRIPTS = re.compile(
    r'\s(?:data-[\w-]+|tabindex|role|aria-[\w-]+|id|type|title|loading)="[^"]*"'
)


# The report.


@dataclass(frozen=True)
class ReportMedia(Media):
    """Files as a report has them: beside it in the folder ``files``, small pictures inside it.

    `first_page` draws the first page of a document small.
    """

    first_page: Callable[[Resource], bytes] = field(kw_only=True)

    def address(self, resource: Resource) -> str:
        """Where a file lies beside the report."""
        return f"files/{quote(resource.value)}"

    def thumbnail(self, resource: Resource) -> str:
        """A small picture, written into the report itself."""
        try:
            if shows_first_page(resource):
                content: bytes | None = self.first_page(resource)
            else:
                content = small_copy(self.find(resource.value), resource.type == "video")
        except (KeyError, BadInput):
            content = None
        return f"data:image/png;base64,{base64.b64encode(content or b'').decode()}"


def report(session: Session, media: ReportMedia, toolbox: Toolbox) -> str:
    """The report as a whole HTML document."""
    known = {resource.value: resource for resource in session.resources}
    language, title = current_language(), escape(session.title or say("files.report_title"))
    turns = "".join(
        f"<article><h2>{say_html('files.report_request', number=view.number + 1)}</h2>"
        f"<blockquote>{escape(view.text)}</blockquote>"
        f"{to_html(without_commands(view.answer or view.message))}"
        f"{plan_picture(view, media, known)}</article>"
        for view in views_of(session)
    )
    wanted = asked_for(session)
    shelves: dict[str, list[Resource]] = {"asked": [], "added": [], "way": []}
    for resource in session.resources:
        made = how_made(resource, session, toolbox).get("origin") == "made"
        shelf = "asked" if resource.value in wanted else "way" if made else "added"
        shelves[shelf].append(resource)
    files = "".join(
        f"<h2>{say_html(f'files.report_{shelf}')}</h2><ul class='files'>"
        + "".join(_file(item, session, media, toolbox) for item in found)
        + "</ul>"
        for shelf, found in shelves.items()
        if found
    )
    return (
        f'<!doctype html><html lang="{language}" dir="{direction_of(language)}"><head>'
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{say_html('files.report_what')}</p>{turns}{files}</body></html>"
    )


def _file(resource: Resource, session: Session, media: ReportMedia, toolbox: Toolbox) -> str:
    picture = ""
    if has_thumbnail(resource):
        picture = f"<img {attributes(src=media.thumbnail(resource), alt='')}>"
    facts = {
        say("files.report_type"): " · ".join(
            filter(None, (type_label(resource.type), size_label(resource.details)))
        ),
        **_facts(how_made(resource, session, toolbox)),
    }
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value
    )
    link = f'<a href="{escape(media.address(resource))}" dir="auto">{escape(resource.value)}</a>'
    return f"<li><div>{picture}</div><div><strong>{link}</strong><dl>{rows}</dl></div></li>"


def _facts(made: Mapping[str, Any]) -> dict[str, str]:
    """How a file was made, a line for each thing that is known."""
    if "tool" not in made:
        return {}
    version = say("files.report_version", version=made["version"]) if made["version"] else ""
    runtime = runtime_label(str(made["runtime"])) if made["runtime"] else ""
    given = [
        f"{name}: {', '.join(value) if isinstance(value, list) else value}"
        for name, value in made["arguments"].items()
    ]
    seconds = made["seconds"]
    return {
        say("files.report_tool"): " · ".join(
            filter(None, (tool_label(str(made["tool"])), runtime, version))
        ),
        say("files.report_given"): "; ".join(given),
        say("files.report_time"): " · ".join(
            filter(None, (made["time"], seconds_label(seconds) if seconds is not None else ""))
        ),
    }


# One file.


@dataclass(frozen=True)
class SharedMedia(Media):
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
    title: str, views: Sequence[TurnView], media: SharedMedia, known: Mapping[str, Resource]
) -> str:
    """The whole file. `known` are the conversation's resources by value."""
    language = current_language()
    turns = "".join(_shared_turn(view, media, known) for view in views)
    return f"""<!doctype html>
<html lang="{language}" dir="{direction_of(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>{_read(ASSETS / "shared" / "style.css")}</style>
</head>
<body>
<header><h1>{escape(title)}</h1>
<p class="about">{say_html("share.made")}. {say_html("share.about")}</p></header>
<main>{turns}</main>
</body>
</html>
"""


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8")


def _shared_turn(view: TurnView, media: SharedMedia, known: Mapping[str, Resource]) -> str:
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


def _figure(resource: Resource, media: SharedMedia, about: Resource | None) -> str:
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
