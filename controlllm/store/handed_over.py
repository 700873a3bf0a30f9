"""What people hand over to a session: files, clicks on pictures, and of what kind a picture is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from controlllm.resources import FILE_TYPES, ClickedPoint, Resource, TypeLattice, encode
from controlllm.resources.probing import BadInput, ingest
from controlllm.store import Store
from controlllm.store.document_pages import original_of


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
