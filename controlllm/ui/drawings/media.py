"""A resource as a person sees or hears it: picture, player, text, table or framed page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from controlllm.comparing.outlook import Outlook
from controlllm.resources import Resource
from controlllm.resources.records import MOST_CHARACTERS
from controlllm.resources.types import PARENTS, SEVERAL_TYPES
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.markdown import records
from controlllm.ui.drawings.markup import attributes, button, download, name_label
from controlllm.ui.drawings.wording import origin_label, shorten, size_label, type_label
from controlllm.ui.texts import percent, say, say_html

_LONGEST_TEXT = 4000
#: Rows and columns of a table that are shown where it stands.
_MOST_ROWS, _MOST_COLUMNS = 50, 30
#: Types whose files are words, to be shown as such.
WORDS = frozenset(("text", "title", "tags", "number"))
#: Characters of a name that a chip has room for.
_MOST_IN_CHIP = 28


@dataclass(frozen=True)
class Media:
    """Where the page finds the files of one conversation.

    `handle` names the conversation in addresses; `find` gives a resource's stored file, raising
    KeyError where there is none. `outlook` tells what to expect of ways of doing something here.
    """

    handle: str
    find: Callable[[str], Path]
    outlook: Outlook | None = None

    def address(self, resource: Resource) -> str:
        """The address of the file; it changes with the content, so that browsers may keep it."""
        return (
            f"/media/{self.handle}/{quote(resource.value, safe='')}?v={resource.digest[:12] or 0}"
        )

    def thumbnail(self, resource: Resource) -> str:
        """The address of a small picture of a file."""
        if shows_first_page(resource):
            name = quote(resource.value, safe="")
            return f"/conversations/{self.handle}/page?value={name}&page=1&size=small"
        return self.address(resource) + "&size=small"

    def text(self, resource: Resource, length: int = _LONGEST_TEXT) -> str:
        """The beginning of a text resource; empty where its file is gone."""
        try:
            with self.find(resource.value).open(encoding="utf-8", errors="replace") as file:
                text = file.read(length + 1)
        except (OSError, KeyError):
            return ""
        return text if len(text) <= length else text[:length] + "…"


def is_picture(resource: Resource) -> bool:
    """Whether the resource's file is a picture (an image or any kind of it)."""
    return resource.type == "image" or PARENTS.get(resource.type) == "image"


def has_thumbnail(resource: Resource) -> bool:
    """Whether a small picture can stand for it: pictures, the first frame of a video, the first
    page of a document."""
    return is_picture(resource) or resource.type == "video" or shows_first_page(resource)


def shows_first_page(resource: Resource) -> bool:
    """Whether it is the text of a document that has pages to be looked at."""
    return not is_picture(resource) and bool(resource.details.get("pages"))


def thumbnail(resource: Resource, media: Media) -> str:
    """A small picture of it, else the icon of its type."""
    if has_thumbnail(resource):
        return f"<img {attributes(src=media.thumbnail(resource), alt='', loading='lazy')}>"
    return icon(type_icon(resource.type))


def chip(resource: Resource, media: Media) -> str:
    """A resource on one line, opening it in the viewer."""
    size = size_label(resource.details) if resource.type != "number" else ""
    return opener(
        resource, media, "chip",
        f"{thumbnail(resource, media)}"
        f'<span class="chip-name" dir="auto">{name_label(resource.value, _MOST_IN_CHIP)}</span>'
        f'<span class="chip-note">{escape(size or type_label(resource.type))}</span>',
    )  # fmt: skip


def attachment(resource: Resource, media: Media, known: Mapping[str, Resource]) -> str:
    """A resource as part of a person's message; what was pointed at is shown on its picture."""
    picture = known.get(str(resource.details.get("image", "")))
    if resource.type in ("point", "mask") and picture is not None:
        return figure(resource, media, "attachment", caption=False, about=picture)
    if is_picture(resource) or resource.type in ("audio", "video"):
        return figure(resource, media, "attachment", caption=False)
    return chip(resource, media)


def figure(
    resource: Resource,
    media: Media,
    classes: str = "",
    caption: bool = True,
    about: Resource | None = None,
) -> str:
    """A resource in full, with its name and what can be done with it.

    `about` is the picture that boxes, points or a mask were found in: they are shown on it.
    """
    body = (on_picture(resource, about, media) if about else "") or _body(resource, media)
    foot = f"<figcaption>{_caption(resource, media)}</figcaption>" if caption else ""
    key = attributes(data_key=f"{resource.value}-{resource.digest[:12]}", data_type=resource.type)
    return f'<figure class="media media-{_kind(resource)} {classes}" {key}>{body}{foot}</figure>'


def on_picture(resource: Resource, picture: Resource, media: Media) -> str:
    """Boxes, points or a mask over the picture they belong to; empty where they cannot be."""
    width, height = picture.details.get("width"), picture.details.get("height")
    if not width or not height or picture.value == resource.value:
        return ""
    if resource.type == "mask":
        if (resource.details.get("width"), resource.details.get("height")) != (width, height):
            return ""
        address = escape(media.address(resource))
        marks = f'<span class="masked" style="mask-image:url(&quot;{address}&quot;)"></span>'
    elif resource.type in ("bbox", "point"):
        try:
            rows = json.loads(media.text(resource, 200_000))
        except ValueError:
            return ""
        marks = (
            _boxes(rows, width, height) if resource.type == "bbox" else _pins(rows, width, height)
        )
    else:
        return ""
    if not marks:
        return ""
    image = attributes(
        src=media.address(picture),
        alt=say("files.on_picture", what=type_label(resource.type), picture=picture.value),
    )
    size = attributes(width=width, height=height)
    drawn = opener(
        resource, media, "picture",
        f'<span class="overlay is-{resource.type}" style="display:block">'
        f"<img {image} {size}>{marks}{number_badge(resource)}</span>",
    )  # fmt: skip
    if resource.type != "bbox":
        return drawn
    return f'<div class="overlay-holder">{drawn}{_found(rows, picture.value, width, height)}</div>'


def _found(rows: list[dict[str, float | str]], picture: str, width: int, height: int) -> str:
    """Each box as a button that points at what is in it; small ones lie over large ones."""
    sides = [[float(row[side]) for side in ("left", "top", "right", "bottom")] for row in rows[:60]]
    sized = sorted(
        zip(sides, rows, strict=False),
        key=lambda item: -(item[0][2] - item[0][0]) * (item[0][3] - item[0][1]),
    )
    return "".join(
        button(
            "point-at-box", class_="found-box", data_value=picture,
            data_box=" ".join(f"{side:.1f}" for side in (left, top, right, bottom)),
            style=f"left:{left / width:.2%};top:{top / height:.2%};"
            f"width:{(right - left) / width:.2%};height:{(bottom - top) / height:.2%}",
            says=say("pointing.point_at_found", name=row.get("label") or say("pointing.a_thing")),
        )
        for (left, top, right, bottom), row in sized
    )  # fmt: skip


def number_badge(resource: Resource) -> str:
    """The number under which something was pointed at, empty where it was not."""
    number = resource.details.get("number")
    if not isinstance(number, int):
        return ""
    return f'<span class="chip-number region-{(number - 1) % 8 + 1}">{number}</span>'


def _boxes(rows: list[dict[str, float | str]], width: int, height: int) -> str:
    shapes, labels = [], []
    for row in rows[:60]:
        left, top = float(row["left"]), float(row["top"])
        wide, high = float(row["right"]) - left, float(row["bottom"]) - top
        shapes.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="2"/>'
        )
        if row.get("label"):
            inside = " is-inside" if top < height * 0.08 else ""
            words = f"{row['label']} {percent(float(row.get('score', 1)))}"
            labels.append(
                f'<span class="mark-label{inside}" style="left:{left / width:.2%};'
                f'top:{max(top, 0) / height:.2%}">{escape(words)}</span>'
            )
    if not shapes:
        return ""
    return (
        f'<svg class="marks" viewBox="0 0 {width} {height}" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(shapes)}</svg>{"".join(labels)}'
    )


def _pins(rows: list[dict[str, float]], width: int, height: int) -> str:
    return "".join(
        f'<span class="pin {"positive" if row.get("positive", True) else "negative"}" '
        f'style="left:{(row["x"] + 0.5) / width:.2%};top:{(row["y"] + 0.5) / height:.2%}">'
        f"{'+' if row.get('positive', True) else '−'}</span>"
        for row in rows[:100]
    )


def _kind(resource: Resource) -> str:
    if is_picture(resource):
        return "picture"
    return resource.type if resource.type in ("audio", "video", "html") else "text"


def _body(resource: Resource, media: Media) -> str:
    address = media.address(resource)
    if is_picture(resource):
        width, height = resource.details.get("width"), resource.details.get("height")
        words = say(
            "files.picture_alt",
            what=type_label(resource.type),
            name=resource.value,
            origin=origin_label(resource.origin),
        )
        small = " is-tiny" if width and height and max(width, height) < 64 else ""
        picture = attributes(src=address, alt=words, width=width, height=height, loading="lazy")
        return opener(resource, media, f"picture{small}", f"<img {picture}>")
    if resource.type in ("audio", "video"):
        name = say(
            "files.sound" if resource.type == "audio" else "files.video", name=resource.value
        )
        player = attributes(src=address, preload="metadata", aria_label=name)
        if resource.type == "video":
            return f"<video controls playsinline {player}></video>"
        return f'<div class="sound">{icon("audio")}<audio controls {player}></audio></div>'
    if resource.type == "html":
        title = say("files.web_page", name=resource.value)
        return (
            f'<iframe loading="lazy" {attributes(src=address, sandbox="", title=title)}></iframe>'
        )
    if resource.type == "document" and shows_first_page(resource):
        words = say("documents.page", number=1)
        page = attributes(src=media.thumbnail(resource), alt=words, loading="lazy")
        return opener(resource, media, "picture", f"<img {page}>")
    if resource.type in SEVERAL_TYPES:
        return names_listed(resource)
    text = media.text(resource)
    if resource.type == "table":
        return _sheet(text)
    if resource.type in ("bbox", "category", "point"):
        return _table(resource.type, text)
    if resource.type == "number":
        return f'<p class="number">{escape(text)}</p>'
    if resource.type == "tags":
        tags = "".join(f"<li>{escape(tag.strip())}</li>" for tag in text.split(",") if tag.strip())
        none = f"<li>{say_html('files.no_tags')}</li>"
        return f'<ul class="tags">{tags or none}</ul>'
    if text.lstrip()[:1] in ("{", "["):
        found = records(media.text(resource, MOST_CHARACTERS))
        if found:
            return found
    return quoted(escape(text) or f"<em>{say_html('files.empty_text')}</em>")


def quoted(html: str) -> str:
    """Words that somebody else said."""
    return f'<blockquote class="words">{html}</blockquote>'


def names_listed(resource: Resource) -> str:
    """The names of several files, of very many the first."""
    names = [str(name) for name in resource.details.get("names", ())]
    left = int(resource.details.get("files", 0)) - len(names)
    items = "".join(f'<li dir="auto">{escape(name)}</li>' for name in names)
    return f'<ul class="tags">{items}{"<li>…</li>" if left > 0 else ""}</ul>'


def _sheet(text: str) -> str:
    """The first rows of a table of separated values; as it is written where it is none."""
    try:
        dialect = csv.Sniffer().sniff(text[:4000], ",;\t|")
    except csv.Error:
        return quoted(escape(text))
    rows = [row for row in csv.reader(io.StringIO(text), dialect) if row][:_MOST_ROWS]
    head, *body = [[escape(cell) for cell in row[:_MOST_COLUMNS]] for row in rows]
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return (
        f'<div class="sheet" tabindex="0"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _table(resource_type: str, text: str) -> str:
    try:
        rows = json.loads(text)
    except ValueError:
        return quoted(escape(text))
    if not rows:
        return f'<p class="nothing">{say_html("files.nothing_found")}</p>'
    if resource_type == "category":
        lines = "".join(
            f"<li><span>{escape(str(row['name']))}</span>"
            f'<meter min="0" max="1" value="{float(row["score"]):.3f}"></meter>'
            f"<span>{percent(float(row['score']))}</span></li>"
            for row in rows[:12]
        )
        return f'<ul class="ranking">{lines}</ul>'
    if resource_type == "point":
        lines = "".join(
            f"<li>{icon('plus' if row.get('positive', True) else 'minus')} "
            f"{float(row['x']):.0f}, {float(row['y']):.0f}</li>"
            for row in rows[:40]
        )
        return f'<ul class="tags">{lines}</ul>'
    lines = "".join(
        f"<li><span>{escape(str(row.get('label') or say('files.box')))}</span>"
        f"<span>{row['left']:.0f}, {row['top']:.0f} – "
        f"{row['right']:.0f}, {row['bottom']:.0f}</span>"
        f"<span>{percent(float(row.get('score', 1)))}</span></li>"
        for row in rows[:30]
    )
    return f'<ul class="ranking boxes">{lines}</ul>'


def _caption(resource: Resource, media: Media) -> str:
    use = button(
        "attach", sign="again", class_="quiet", data_value=resource.value,
        title=say("files.use_next"), aria_label=say("files.use_one_next", name=resource.value),
    )  # fmt: skip
    return (
        f"{icon(type_icon(resource.type))}"
        f'<span class="media-name" dir="auto">{escape(resource.value)}</span>'
        f'<span class="media-note">{escape(size_label(resource.details))}</span>'
        f"{use}{kept_link(resource, media, class_='quiet')}"
    )


def kept_link(resource: Resource, media: Media, inside: str = "", **more: str) -> str:
    """A link that keeps a file; without words on it, it says of itself what it does."""
    says = None if inside else say("files.download_one", name=resource.value)
    named = {"download": resource.value, **more}
    return download(media.address(resource) + "&download=1", inside, says, **named)


def opener(resource: Resource, media: Media, classes: str, inside: str, **more: str) -> str:
    """A button that opens a resource in the viewer."""
    about = {"data_type": resource.type, "data_address": media.address(resource), **more}
    if "aria_label" not in more:
        about["title"] = shorten(resource.value, 80)
    return button("view", inside, class_=classes, data_value=resource.value, **about)
