"""What a person wears: the part of the person where a piece of clothing is, and its colour."""

from __future__ import annotations

import re

from controlllm.resources import Box

from ...shared.boxes import centre, clipped, inside
from . import colours
from .scene import Scene

#: From the chin (0) to the feet (1) of a whole person: where pieces of clothing begin and end.
_REACHES = (
    (0.08, 0.45, "suit coat jacket"),
    (0.08, 0.6, "clothes clothing outfit uniform costume gown dress"),
    (0.08, 0.35, "shirt t-shirt tshirt top blouse sweater jumper vest hoodie jersey"),
    (0.5, 0.85, "pants trousers jeans leggings"),
    (0.42, 0.6, "shorts skirt"),
    (0.85, 1.0, "boot shoe"),
)
_REACH_OF = {word: (start, end) for start, end, words in _REACHES for word in words.split()}
_PIECE = re.compile(
    r"\b(hair|" + "|".join(sorted(map(re.escape, _REACH_OF), key=len, reverse=True)) + r")(e?s)?\b"
)
#: A head is about this part of a standing person's height.
_HEADS = 7.5


def piece_in(thing: str) -> str:
    """The piece of clothing (or the hair) that a phrase names, as it names it; else nothing."""
    found = _PIECE.search(thing)
    return found[0] if found else ""


def colours_of(scene: Scene, person: Box, piece: str) -> tuple[str, ...]:
    """The colours of a piece of clothing on one person; none where that part is not in view."""
    found = _PIECE.search(piece)
    if found is None:
        return ()
    part = _hair(scene, person) if found[1] == "hair" else _part(scene, person, found[1])
    part = part and clipped(part, scene.image.size)
    if part is None or min(part.bottom - part.top, part.right - part.left) < 4:
        return ()
    return colours.of_part(scene.image, part)


def _face_of(scene: Scene, person: Box) -> Box | None:
    """The face that belongs to a person: in the upper half, nearest to the middle."""
    across, half = centre(person)[0], centre(person)[1]
    inner = [f for f in scene.faces if inside(f, person) > 0.7 and centre(f)[1] < half]
    return min(inner, key=lambda face: abs(centre(face)[0] - across), default=None)


def _hair(scene: Scene, person: Box) -> Box | None:
    face = _face_of(scene, person)
    if face is None:
        return None
    width, height = face.right - face.left, face.bottom - face.top
    # The found face begins in the middle of the forehead.
    top, bottom = face.top - 0.55 * height, face.top - 0.22 * height
    return Box(face.left + 0.15 * width, top, face.right - 0.15 * width, bottom)


def _part(scene: Scene, person: Box, piece: str) -> Box:
    start, end = _REACH_OF[piece]
    face = _face_of(scene, person)
    width, height = person.right - person.left, person.bottom - person.top
    across, half = centre(person)[0], (0.2 if face is None else 0.25) * width
    if face is None:
        chin = person.top + height / _HEADS if height > 1.4 * width else person.top + 0.3 * height
        feet = person.bottom if height > 1.8 * width else chin + 2 * height
    else:
        head, chin = face.bottom - face.top, face.bottom
        feet = chin + head * (_HEADS - 1)
        if start > 0.4:
            # Who sits or bends is shorter than who stands.
            feet = min(feet, max(person.bottom, chin + 2.5 * head))
        else:
            across, half = centre(face)[0], 0.9 * (face.right - face.left)
    top, bottom = chin + start * (feet - chin), chin + end * (feet - chin)
    left, right = max(across - half, person.left), min(across + half, person.right)
    return Box(left, top, right, min(bottom, person.bottom))
