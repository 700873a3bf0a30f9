"""Regions of pictures as resources with a number: a mask called ``[1]`` that knows its picture."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.core.session import Session
from controlllm.resources import Region, Resource, decode, encode
from controlllm.resources.intake import BadInput
from controlllm.resources.marks import Marks
from controlllm.store import Store

_NUMBERED = re.compile(r"\[(\d{1,3})\]")


def picture_of(session: Session, image: str) -> Resource:
    """The picture of this name. Raises BadInput where there is none any more."""
    try:
        return session.resource(image)
    except KeyError:
        raise BadInput(f"There is no picture called {image} here any more.") from None


def check(picture: Resource, marks: Marks) -> None:
    """Raises BadInput where marks say nothing or lie outside the picture."""
    if not marks.says_something:
        raise BadInput("Mark at least once what you mean.")
    width, height = picture.details.get("width", 0), picture.details.get("height", 0)
    if any(not (0 <= point.x < width and 0 <= point.y < height) for point in marks.points):
        raise BadInput("A click lies outside the picture. Click inside it.")
    for box in marks.boxes:
        if (
            min(box.right, width) - max(box.left, 0) < 1
            or min(box.bottom, height) - max(box.top, 0) < 1
        ):
            raise BadInput("A box lies outside the picture. Draw it inside.")


def add_region(
    store: Store, session_id: str, image: str, marks: Marks, pixels: np.ndarray, name: str
) -> Resource:
    """Keep what marks on a picture mean. `pixels` is bool, of the picture's proportions.

    Raises BadInput where the picture is gone or nothing is in the region.
    """
    picture = picture_of(store.load(session_id), image)
    if not pixels.any():
        raise BadInput("Nothing was found there. Point at the middle of a thing, or draw a box.")
    width, height = int(picture.details["width"]), int(picture.details["height"])
    whole = _at_size(pixels, width, height)
    content, media_type = encode("mask", (Region(whole, name, 1.0),))
    details: dict[str, Any] = {
        "image": image,
        "width": width,
        "height": height,
        "thing": name,
        "marks": marks.to_json(),
    }
    digest = store.put_bytes(content, media_type)
    origin = f"pointed at in {image}"
    region = Resource("mask", "", digest, media_type, origin, details=details)
    return add_numbered(store, session_id, region)


def add_numbered(store: Store, session_id: str, pointed_at: Resource) -> Resource:
    """Keep what was pointed at, under the next number of its session, which it gets as its name."""
    added: list[Resource] = []

    def change(session: Session) -> Session:
        number = next_number(session)
        told = {**pointed_at.details, "number": number}
        turn = len(session.turns)
        added[:] = [replace(pointed_at, value=f"[{number}]", turn=turn, details=told)]
        return session.with_resource(added[0])

    store.update(session_id, change)
    return added[0]


def next_number(session: Session) -> int:
    """The number that nothing in a session was pointed at under yet."""
    taken = [
        int(found[1]) for item in session.resources if (found := _NUMBERED.fullmatch(item.value))
    ]
    return max(taken, default=0) + 1


def _at_size(pixels: np.ndarray, width: int, height: int) -> np.ndarray:
    if pixels.shape == (height, width):
        return pixels
    import cv2

    soft = cv2.resize(pixels.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(soft > 0.5)


# Told apart by people of every colour vision (Okabe and Ito), lighter and darker in turn.
_COLOURS = (
    (0, 158, 115), (230, 159, 0), (86, 180, 233), (204, 121, 167), (240, 228, 66), (0, 114, 178),
    (213, 94, 0), (150, 150, 150),
)  # fmt: skip
#: A larger mask is drawn in a smaller copy, and so much of its colour is seen.
_SIDE = 1024
_FOUND, _KEPT = 107, 56


def overlay(pixels: np.ndarray, number: int, is_kept: bool = False) -> str:
    """A mask, bool, in the colour of its number, as the address of a PNG that holds itself.

    A line that is light inside and dark outside is seen on any picture.
    """
    height, width = pixels.shape
    reach = max(1, round(max(height, width) / 512))
    padded = np.pad(pixels, reach)
    beside = [
        padded[reach + down : reach + down + height, reach + across : reach + across + width]
        for across, down in ((-reach, 0), (reach, 0), (0, -reach), (0, reach))
    ]
    drawn = pixels.astype(np.uint8)
    drawn[pixels & ~np.logical_and.reduce(beside)] = 2
    drawn[~pixels & np.logical_or.reduce(beside)] = 3
    picture = PIL.Image.fromarray(drawn, "P")
    colour = _COLOURS[(number - 1) % len(_COLOURS)]
    picture.putpalette([0, 0, 0, *colour, 255, 255, 255, 10, 10, 10])
    seen = bytes((0, _KEPT if is_kept else _FOUND, 255, 255))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=1, transparency=seen)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def kept_pixels(path: Path) -> np.ndarray:
    """The pixels of a mask that is kept, bool, in a moderate size."""
    pixels: np.ndarray = decode("mask", path)[0].pixels
    largest = max(pixels.shape)
    if largest <= _SIDE:
        return pixels
    small = PIL.Image.fromarray(pixels)
    size = [max(1, round(side * _SIDE / largest)) for side in pixels.shape[::-1]]
    return np.asarray(small.resize((size[0], size[1]), PIL.Image.Resampling.NEAREST))


def middle_of(pixels: np.ndarray) -> tuple[float, float]:
    """The middle of a mask, in shares of its sides: to the right, and down."""
    if not pixels.any():
        return 0.5, 0.5
    down, across = np.nonzero(pixels)
    return float(across.mean() / pixels.shape[1]), float(down.mean() / pixels.shape[0])
