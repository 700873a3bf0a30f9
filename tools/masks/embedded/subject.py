"""The main subject of a picture: what a photographer would keep in focus."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import PIL.Image

from controlllm.resources import Box
from tools.masks.embedded import grabcut
from tools.seeing.embedded import detection, foreground
from tools.shared.boxes import area, inside

#: Furniture and tableware that things stand on or before: seldom what a photo is of.
_SETTING = frozenset(["dining table", "bed", "couch", "bench", "chair", "potted plant", "vase"])
#: Things that a person or an animal holds, wears or rides: they belong to who has them.
_HAD = frozenset(
    [
        *("frisbee", "sports ball", "tennis racket", "baseball bat", "baseball glove", "kite"),
        *("surfboard", "skateboard", "skis", "snowboard", "bicycle", "motorcycle", "horse"),
        *("umbrella", "handbag", "backpack", "suitcase", "tie", "cell phone", "bottle", "cup"),
        *("book", "teddy bear", "wine glass", "banana", "apple", "sandwich", "donut", "cake"),
        *("person", "dog", "cat", "hat"),
    ]
)
_HOLDERS = frozenset(["person", "dog", "cat", "horse", "elephant", "bear", "motorcycle", "bicycle"])
_SMALLEST_SIDE = 16
_LEAST_SHARE = 0.004
_MOST_PARTS = 8


def main_subject(
    image: PIL.Image.Image,
    picture: np.ndarray,
    progress: Callable[[float, str], None] = lambda fraction, words: None,
) -> np.ndarray | None:
    """The pixels of the main subject: bool, height x width; None where nothing stands out.

    `picture` is the image as uint8, height x width x 3.
    """
    if min(picture.shape[:2]) < _SMALLEST_SIDE:
        return None
    progress(0.05, "Looking for the main subject")
    boxes = detection.detect(image, threshold=0.3)
    likely = foreground.likelihood(picture)
    chosen = _chosen(boxes, likely, image)
    found = np.zeros(picture.shape[:2], bool)
    for index, box in enumerate(chosen):
        progress(0.3 + 0.6 * index / len(chosen), f"Cutting out the {box.label}")
        found |= _cut(picture, box, likely)
    if not found.any():
        found = _standing_out(picture, likely)
    share = found.mean()
    return found if _LEAST_SHARE / 4 < share < 0.97 else None


def _chosen(boxes: tuple[Box, ...], likely: np.ndarray, image: PIL.Image.Image) -> list[Box]:
    """The box that the picture is of, those about as important, and what belongs to them."""
    weights = {box: _weight(box, likely, image) for box in boxes}
    best = max(weights.values(), default=0.0)
    if best <= 0:
        return []
    main = [box for box, weight in weights.items() if weight >= 0.45 * best]
    belonging = [
        box
        for box in boxes
        if box not in main
        and box.label in _HAD
        and area(box) >= 0.001 * image.width * image.height
        and any(other.label in _HOLDERS and inside(box, other) > 0.15 for other in main)
    ]
    ordered = sorted(main, key=lambda box: -weights[box])
    return (ordered + belonging)[:_MOST_PARTS]


def _weight(box: Box, likely: np.ndarray, image: PIL.Image.Image) -> float:
    """How much a box looks like the subject: large, in the middle, sure, seen as foreground."""
    share = area(box) / (image.width * image.height)
    if share < _LEAST_SHARE:
        return 0.0
    across = ((box.left + box.right) / 2 / image.width - 0.5) / 0.5
    down = ((box.top + box.bottom) / 2 / image.height - 0.5) / 0.5
    central = 1 - 0.5 * min(1.0, (across**2 + 0.6 * down**2) ** 0.5)
    part = likely[int(box.top) : int(box.bottom) + 1, int(box.left) : int(box.right) + 1]
    seen = float(part.mean()) if part.size else 0.0
    weight = box.score * share**0.6 * central * (0.6 + 0.4 * seen)
    return weight * (0.25 if box.label in _SETTING else 1.0)


def _cut(picture: np.ndarray, box: Box, likely: np.ndarray) -> np.ndarray:
    """The object in a box: by its colours, and for a person with what the people network sees."""
    pixels = grabcut.cut_box(picture, box)
    if box.label != "person":
        return pixels
    part = np.zeros(likely.shape, bool)
    part[max(int(box.top), 0) : int(box.bottom) + 1, max(int(box.left), 0) : int(box.right) + 1] = (
        True
    )
    near = _likely_in_box(picture, box)
    seen = part & ((likely > 0.5) | near)
    # Where the network sees most of the person, it knows hair and clothes better than colours do.
    if seen.sum() < 0.5 * pixels.sum():
        return pixels
    return seen | (pixels & (_grown(seen) > 0))


def _likely_in_box(picture: np.ndarray, box: Box) -> np.ndarray:
    """What the foreground network sees when it looks at the box alone, with some margin."""
    height, width = picture.shape[:2]
    margin = 0.12 * max(box.right - box.left, box.bottom - box.top)
    left, top = max(int(box.left - margin), 0), max(int(box.top - margin), 0)
    right = min(int(box.right + margin) + 1, width)
    bottom = min(int(box.bottom + margin) + 1, height)
    found = np.zeros((height, width), bool)
    view = np.ascontiguousarray(picture[top:bottom, left:right])
    found[top:bottom, left:right] = foreground.likelihood(view) > 0.6
    return found


def _grown(mask: np.ndarray) -> np.ndarray:
    import cv2

    reach = max(1, round(0.012 * max(mask.shape)))
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))


def _standing_out(picture: np.ndarray, likely: np.ndarray) -> np.ndarray:
    """What the foreground network sees where no object of a known kind is there."""
    import cv2

    count, pieces, facts, _ = cv2.connectedComponentsWithStats((likely > 0.5).astype(np.uint8))
    found = np.zeros(likely.shape, bool)
    for piece in range(1, count):
        left, top, width, height, size = (int(value) for value in facts[piece])
        if 0.03 < size / likely.size < 0.9:
            found |= grabcut.cut_box(picture, Box(left, top, left + width, top + height))
    return found
