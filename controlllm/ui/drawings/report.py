"""The report that goes with downloaded files: one HTML file that needs nothing else."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import quote

from controlllm.answers.provenance import asked_for, how_made
from controlllm.core.session import Session
from controlllm.resources import BadInput, Resource
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.media import Media, has_thumbnail, shows_first_page
from controlllm.ui.drawings.plan_graph import plan_picture
from controlllm.ui.drawings.wording import (
    attributes,
    runtime_label,
    seconds_label,
    size_label,
    tool_label,
    type_label,
    without_commands,
)
from controlllm.ui.files import small_copy
from controlllm.ui.texts import current_language, direction_of, say, say_html
from controlllm.ui.view import views_of

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


@dataclass(frozen=True)
class Embedded(Media):
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


def report(session: Session, media: Embedded, toolbox: Toolbox) -> str:
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
    shelves: dict[str, list[Resource]] = {
        "files.report_asked": [],
        "files.report_added": [],
        "files.report_way": [],
    }
    for resource in session.resources:
        made = how_made(resource, session, toolbox).get("origin") == "made"
        key = (
            "files.report_asked"
            if resource.value in wanted
            else "files.report_way"
            if made
            else "files.report_added"
        )
        shelves[key].append(resource)
    files = "".join(
        f"<h2>{say_html(key)}</h2><ul class='files'>"
        + "".join(_file(item, session, media, toolbox) for item in found)
        + "</ul>"
        for key, found in shelves.items()
        if found
    )
    return (
        f'<!doctype html><html lang="{language}" dir="{direction_of(language)}"><head>'
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{say_html('files.report_what')}</p>{turns}{files}</body></html>"
    )


def _file(resource: Resource, session: Session, media: Embedded, toolbox: Toolbox) -> str:
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
