"""One file in full, with the pages of a document."""

from __future__ import annotations

from html import escape

from controlllm.resources import Resource
from controlllm.resources.types import SEVERAL_TYPES
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media, is_picture, names_listed, shows_first_page
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html

#: How many pages are offered to be looked at.
_MOST_PAGES = 200
_SMALL = 200
_LONGEST = 200_000


def viewer(resource: Resource, media: Media) -> str:
    """A file, and what can be done with it."""
    return (
        f'<div class="row viewer-tools">{_buttons(resource, media)}</div>'
        f'<div class="viewer-body">{_shown(resource, media)}{_pages(resource, media)}</div>'
    )


def _buttons(resource: Resource, media: Media) -> str:
    attach = attributes(type="button", class_="small", data_do="attach", data_value=resource.value)
    buttons = f"<button {attach}>{icon('plus')}{say_html('files.add_to_message')}</button>"
    if is_picture(resource) or resource.type in ("audio", "video"):
        pick = attributes(type="button", class_="small", data_do="pick", data_value=resource.value)
        buttons += f"<button {pick}>{icon('point')}{say_html('pointing.point')}</button>"
    link = attributes(
        class_="small button", href=media.address(resource) + "&download=1", download=resource.value
    )
    return f"{buttons}<a {link}>{icon('download')}{say_html('files.download')}</a>"


def _shown(resource: Resource, media: Media) -> str:
    address, name = media.address(resource), resource.value
    if is_picture(resource):
        sides = (resource.details.get("width") or 999, resource.details.get("height") or 999)
        small = "is-magnified" if max(sides) < _SMALL else None
        return f"<img {attributes(src=address, alt=name, class_=small)}>"
    if resource.type in ("audio", "video"):
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
    title = say("documents.use_page", number=number)
    button = attributes(
        type="button", data_do="use-page", data_value=resource.value, data_page=number,
        title=title, aria_label=title,
    )  # fmt: skip
    address = media.thumbnail(resource).replace("&page=1", f"&page={number}")
    picture = attributes(src=address, alt="", loading="lazy")
    words = say_html("documents.page", number=number)
    return f"<li><button {button}><img {picture}><span>{words}</span></button></li>"
