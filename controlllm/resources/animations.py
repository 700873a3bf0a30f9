"""Pictures that move: how long they last, and the frame that shows the most of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image

#: In a PNG's text under this key stands what the picture is a frame of, for whoever is asked.
ANIMATION = "controlllm.animation"
#: In a picture's `info` under this key lies the `MovingFile` that it is a frame of.
MOVING = "controlllm.moving"
#: Media types of pictures that are kept as they came where they move: some tools take all frames.
KEPT_MOVING = ("image/gif", "image/webp", "image/png")
#: So many pixels are decoded of all frames together to know how long it is, and so many frames
#: are compared.
_MOST_PIXELS, _COMPARED = 600_000_000, 24
#: Another frame than the first has to show so much more to stand for all of them.
_MORE = 1.3
#: What noise alone makes of a plain frame, in levels of grey.
_CLEARLY = 1.0
_SIDE = 96


@dataclass(frozen=True)
class MovingFile:
    """The file that holds all frames of a picture that moves."""

    path: Path


@dataclass(frozen=True)
class Animation:
    """What is known of a picture that moves.

    `frame` is the one that shows the most, `number` its place from one on; `frames` is how many
    there are, `seconds` how long they last, None where that is not known.
    """

    frame: PIL.Image.Image
    number: int
    frames: int
    seconds: float | None

    def in_words(self) -> str:
        """How many frames it has and how long they last: "9 frames, 1.35 seconds"."""
        lasts = "" if self.seconds is None else f", {self.seconds:g} seconds in all"
        return f"{self.frames} frames{lasts}"


def looked_through(picture: PIL.Image.Image) -> Animation:
    """An opened picture of several frames looked at whole.

    Of a very long one only the beginning is compared, and its length stays unknown.
    """
    count = int(getattr(picture, "n_frames", 1))
    within = max(1, min(count, _MOST_PIXELS // max(1, picture.width * picture.height)))
    compared = {round(place) for place in np.linspace(0, within - 1, min(within, _COMPARED))}
    best, most, milliseconds = 0, 0.0, 0.0
    for number in range(within):
        picture.seek(number)
        picture.load()
        milliseconds += float(picture.info.get("duration") or 0)
        if number in compared:
            shown = _detail(picture) / (_MORE if number else 1.0)
            if number == 0 or shown > most + _CLEARLY:
                best, most = number, shown
    picture.seek(best)
    picture.load()
    is_timed = within == count and milliseconds > 0
    seconds = round(milliseconds / 1000, 3) if is_timed else None
    return Animation(picture.copy(), best + 1, count, seconds)


def _detail(picture: PIL.Image.Image) -> float:
    """How much a frame shows: how far its tones are spread, and how many edges it has."""
    small = picture.convert("RGBA")
    small.thumbnail((_SIDE, _SIDE))
    ground = PIL.Image.new("RGBA", small.size, "white")
    tones = np.asarray(PIL.Image.alpha_composite(ground, small).convert("L"), np.float32)
    edges = sum(
        float(np.abs(np.diff(tones, axis=axis)).mean()) for axis in (0, 1) if min(tones.shape) > 1
    )
    return float(tones.std()) + 2 * edges + 0.1
