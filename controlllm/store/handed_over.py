"""What people hand over to a session: files, clicks on pictures, of what kind a picture is; and of
documents the file as it came, and its pages as pictures.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from controlllm.resources import (
    FILE_TYPES,
    BadInput,
    ClickedPoint,
    Ingested,
    Resource,
    TypeLattice,
    details_of,
    encode,
)
from controlllm.resources.documents import page_picture
from controlllm.resources.naming import safe_name
from controlllm.resources.probing import ingest
from controlllm.store import Store

_SMALL_SIDE = 360
_MOST_PAGES = 12
#: Each page is drawn by a process of its own.
_few_at_once = threading.Semaphore(2)


def original_of(taken: Ingested, store: Store) -> Mapping[str, Any]:
    """Keep the document that a text was read from; what its resource has to know of it."""
    if taken.original is None:
        return {}
    digest = store.put_file(taken.original, taken.original_type)
    return {"original": digest, "original_type": taken.original_type}


def original_file(resource: Resource, store: Store) -> tuple[Path, str]:
    """A file as a person handed it over, with its media type: for a document not its text alone.

    Raises KeyError where it is not kept.
    """
    digest = str(resource.details.get("original", ""))
    if digest:
        media_type = str(resource.details["original_type"])
        return store.path(digest, media_type), media_type
    return store.path(resource.digest, resource.media_type), resource.media_type


def drawn_page(resource: Resource, store: Store, number: int, is_small: bool = False) -> bytes:
    """A page of a document as a PNG; `number` counts from 1.

    Raises BadInput where there is no such page, KeyError where the document is not kept.
    """
    pages = int(resource.details.get("pages", 0))
    if not 1 <= number <= pages:
        has = f"it has {pages} pages" if pages > 1 else "it has one page only"
        raise BadInput(f"{resource.value} has no page {number}: {has}.")
    path, media_type = original_file(resource, store)
    with _few_at_once:
        if is_small:
            return _small_page(path, media_type, number)
        return page_picture(path, media_type, number)


@lru_cache(maxsize=128)
def _small_page(path: Path, media_type: str, number: int) -> bytes:
    """Files are called by their content, so a small page never goes stale."""
    return page_picture(path, media_type, number, _SMALL_SIDE)


def add_pages(
    session_id: str, store: Store, pages: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Resource]:
    """Have pages, each a document and a number, as pictures of the session: see `add_page`.

    Raises BadInput where there is no such document or page, or there are very many.
    """
    wanted = tuple(dict.fromkeys(pages))
    if len(wanted) > _MOST_PAGES:
        raise BadInput(
            f"These are {len(wanted)} pages, and at most {_MOST_PAGES} can be pictures at once. "
            "Name fewer of them."
        )
    return {page: add_page(session_id, store, *page) for page in wanted}


def add_page(session_id: str, store: Store, value: str, number: int) -> Resource:
    """Have a page of a document as a picture of the session; the same one where it is there.

    Raises BadInput where there is no such document or page.
    """
    try:
        document = store.load(session_id).resource(value)
    except KeyError:
        raise BadInput(f"There is no file called {value} here any more.") from None
    place = {"document": document.details.get("original"), "page": number}
    for known in store.load(session_id).resources:
        if place.items() <= known.details.items():
            return known
    with store.work_folder() as folder:
        path = folder / "page.png"
        path.write_bytes(drawn_page(document, store, number))
        digest, details = store.put_file(path, "image/png"), details_of("image", path)
    stem = value.rpartition(".")[0] or value
    name = safe_name(f"{stem} page {number}.png", (".png",))
    origin = f"page {number} of {value}"
    made = Resource("image", name, digest, "image/png", origin, 0, {**details, **place})
    return store.add(session_id, made)


def add_file(
    store: Store, session_id: str, path: Path, name: str
) -> tuple[Resource, tuple[str, ...]]:
    """Take a file into a session; the resource and what a person should know about it.

    Raises BadInput with a sentence where it cannot be used, StoreError where it cannot be kept.
    """
    with store.work_folder() as folder:
        taken = ingest(path, name, folder)
        digest = store.put_file(taken.path, taken.media_type)
        details = {**taken.details, **original_of(taken, store)}

    made = Resource(taken.type, taken.name, digest, taken.media_type, "uploaded", 0, details)
    return store.add(session_id, made), taken.notices


def add_points(
    store: Store, session_id: str, image: str, points: Sequence[ClickedPoint]
) -> Resource:
    """Keep clicks on a picture of a session, in pixels of that picture.

    Raises BadInput where the picture is not there, no point is positive, or one lies outside.
    """
    try:
        picture = store.load(session_id).resource(image)
    except KeyError:
        raise BadInput(f"There is no picture called {image} here any more.") from None
    if not any(point.positive for point in points):
        raise BadInput("Click at least once on what you mean.")
    width, height = picture.details.get("width", 0), picture.details.get("height", 0)
    if any(not (0 <= point.x < width and 0 <= point.y < height) for point in points):
        raise BadInput("A click lies outside the picture. Click inside it.")
    content, media_type = encode("point", tuple(points))
    digest = store.put_bytes(content, media_type)
    name, details = (
        f"clicks on {image.rsplit('.', 1)[0]}.json",
        {"image": image, "points": len(points)},
    )
    made = Resource("point", name, digest, media_type, f"clicked on {image}", 0, details)
    return store.add(session_id, made)


def set_type(store: Store, session_id: str, value: str, type_name: str) -> Resource:
    """Say that a picture of a session is of a special kind (a mask, an edge map), or not.

    Raises BadInput where the resource is not there or cannot be of that type.
    """
    try:
        resource = store.load(session_id).resource(value)
    except KeyError:
        raise BadInput(f"There is no file called {value} here any more.") from None
    pictures = {name for name in FILE_TYPES if TypeLattice().is_a(name, "image")}
    if not {resource.type, type_name} <= pictures:
        raise BadInput(f"{value} is {resource.type}; it cannot be used as {type_name}.")
    changed = replace(resource, type=type_name, details={**resource.details, "sureness": 1.0})
    store.update(session_id, lambda session: session.with_resource(changed))
    return changed
