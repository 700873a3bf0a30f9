"""What a person wears: the part of the person where a piece of clothing is, and its colour."""

from __future__ import annotations

import re

from controlllm.resources import Box
from tools.seeing.embedded import object_colours
from tools.seeing.embedded.scene import Scene
from tools.shared.boxes import centre, inside

#: From the chin (0) to the feet (1) of a whole person: where each piece begins and ends.
_REACHES = {
    "hair": (-1.0, -1.0),
    "suit": (0.08, 0.45), "dress": (0.1, 0.55), "clothes": (0.08, 0.6), "outfit": (0.08, 0.6),
    "uniform": (0.08, 0.6), "costume": (0.08, 0.6), "clothing": (0.08, 0.6), "gown": (0.1, 0.6),
    "shirt": (0.08, 0.35), "t-shirt": (0.08, 0.35), "tshirt": (0.08, 0.35), "top": (0.08, 0.35),
    "blouse": (0.08, 0.35), "sweater": (0.08, 0.35), "jumper": (0.08, 0.35), "vest": (0.1, 0.35),
    "hoodie": (0.08, 0.35), "jacket": (0.08, 0.4), "coat": (0.08, 0.45), "jersey": (0.08, 0.35),
    "pants": (0.5, 0.85), "trousers": (0.5, 0.85), "jeans": (0.5, 0.85), "leggings": (0.5, 0.85),
    "shorts": (0.45, 0.6), "skirt": (0.42, 0.6), "shoe": (0.93, 1.0), "boot": (0.85, 1.0),
}  # fmt: skip
_PIECE = re.compile(
    r"\b(" + "|".join(sorted(map(re.escape, _REACHES), key=len, reverse=True)) + r")(e?s)?\b"
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
    part = _hair(scene, person) if found[1] == "hair" else _part(scene, person, *_REACHES[found[1]])
    return object_colours.of_part(scene.image, part) if part is not None else ()


def face_of(scene: Scene, person: Box) -> Box | None:
    """The face that belongs to a person: the highest one inside the person's box."""
    inner = [face for face in scene.faces if inside(face, person) > 0.7]
    upper = [f for f in inner if centre(f)[1] < person.top + 0.5 * (person.bottom - person.top)]
    across = centre(person)[0]
    return min(upper, key=lambda face: abs(centre(face)[0] - across), default=None)


def _hair(scene: Scene, person: Box) -> Box | None:
    face = face_of(scene, person)
    if face is None:
        return None
    width, height = face.right - face.left, face.bottom - face.top
    return _clipped(
        scene,
        Box(
            face.left + 0.1 * width,
            face.top - 0.35 * height,
            face.right - 0.1 * width,
            face.top + 0.02 * height,
        ),
    )


def _part(scene: Scene, person: Box, start: float, end: float) -> Box | None:
    face = face_of(scene, person)
    width = person.right - person.left
    if face is not None:
        head = face.bottom - face.top
        chin, across, half = face.bottom, centre(face)[0], 0.9 * (face.right - face.left)
        feet = chin + head * (_HEADS - 1)
        # Who sits or bends is shorter than who stands.
        feet = min(feet, max(person.bottom, chin + 2.5 * head)) if start > 0.4 else feet
        if start > 0.4:
            across, half = centre(person)[0], 0.25 * width
    else:
        height = person.bottom - person.top
        chin = person.top + height / _HEADS if height > 1.4 * width else person.top + 0.3 * height
        feet = person.bottom if height > 1.8 * width else chin + 2 * height
        across, half = centre(person)[0], 0.2 * width
    top, bottom = chin + start * (feet - chin), chin + end * (feet - chin)
    bottom = min(bottom, person.bottom, scene.image.height)
    part = Box(max(across - half, person.left), top, min(across + half, person.right), bottom)
    return _clipped(scene, part)


def _clipped(scene: Scene, part: Box) -> Box | None:
    part = Box(
        max(part.left, 0.0),
        max(part.top, 0.0),
        min(part.right, float(scene.image.width)),
        min(part.bottom, float(scene.image.height)),
    )
    return part if part.bottom - part.top >= 4 and part.right - part.left >= 4 else None
