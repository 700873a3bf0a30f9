"""MoveNet SinglePose Lightning: the seventeen COCO keypoints of the person in the middle."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np
import PIL.Image
import PIL.ImageDraw

from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import centre

SIDE = 192
_CANVAS = 2048
NETWORK = networks.shipped("movenet")

KEYPOINTS = (
    "nose",
    *(
        f"{side} {part}"
        for part in ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
        for side in ("left", "right")
    ),
)
_NUMBER = {name: number for number, name in enumerate(KEYPOINTS)}

_BONES = (
    ("neck", "right shoulder"),
    ("neck", "left shoulder"),
    ("right shoulder", "right elbow"),
    ("right elbow", "right wrist"),
    ("left shoulder", "left elbow"),
    ("left elbow", "left wrist"),
    ("neck", "right hip"),
    ("right hip", "right knee"),
    ("right knee", "right ankle"),
    ("neck", "left hip"),
    ("left hip", "left knee"),
    ("left knee", "left ankle"),
    ("neck", "nose"),
    ("nose", "right eye"),
    ("right eye", "right ear"),
    ("nose", "left eye"),
    ("left eye", "left ear"),
)


def keypoints(picture: np.ndarray, person: Box) -> np.ndarray:
    """The keypoints of the person in a box: float array 17 x 3 of x, y in pixels and score 0..1.

    `picture` is uint8 RGB. The first look takes in the box with a margin; the second one is centred
    on what the first found, as MoveNet's authors do from frame to frame of a video.
    """
    side = 1.25 * max(person.right - person.left, person.bottom - person.top)
    found = _look(picture, centre(person), side)
    seen = found[found[:, 2] > 0.3]
    if len(seen) < 5:
        return found
    low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
    again = _look(picture, tuple((low + high) / 2), max(1.5 * (high - low).max(), 0.6 * side))
    return again if again[:, 2].sum() > found[:, 2].sum() else found


def _look(picture: np.ndarray, middle: tuple[float, float], side: float) -> np.ndarray:
    side = max(side, 8.0)
    left, top = middle[0] - side / 2, middle[1] - side / 2
    square = PIL.Image.fromarray(picture).transform(
        (SIDE, SIDE),
        PIL.Image.Transform.EXTENT,
        (left, top, left + side, top + side),
        # Reading a large area bilinearly skips pixels, but the network copes well with that.
        PIL.Image.Resampling.BILINEAR,
    )
    inputs = {"input:0": np.asarray(square, np.int32)[None]}
    rows = networks.session(NETWORK).run(["Identity:0"], inputs)[0][0, 0]
    return np.stack([left + rows[:, 1] * side, top + rows[:, 0] * side, rows[:, 2]], axis=1)


def draw(
    people: Sequence[np.ndarray], size: tuple[int, int], threshold: float = 0.3
) -> PIL.Image.Image:
    """Coloured skeletons on black in the manner of OpenPose (Cao et al., 2019).

    `people` are `keypoints`, `size` is width and height in pixels. Each bone has its own hue;
    joints below `threshold` are left out. Line widths follow the size of the person, so that a
    small figure is not a blob.
    """
    # Drawn larger or smaller and then resized: that makes lines smooth and large pictures quick.
    scale = min(2.0, _CANVAS / max(size))
    canvas = [max(round(side * scale), 1) for side in size]
    figures = [
        figure for person in people if (figure := _visible(person * [scale, scale, 1], threshold))
    ]
    widths = [_width(figure, canvas) for figure in figures]
    bones = PIL.Image.new("RGB", canvas)
    pen = PIL.ImageDraw.Draw(bones)
    for figure, width in zip(figures, widths, strict=True):
        for number, (one, other) in enumerate(_BONES):
            if one in figure and other in figure:
                ends = figure[one], figure[other]
                _draw_bone(pen, ends, width, _hue(number, len(_BONES), 0.65))
    for figure, width in zip(figures, widths, strict=True):
        for number, name in enumerate((*KEYPOINTS, "neck")):
            if name in figure:
                (x, y), radius = figure[name], 0.85 * width
                box = (x - radius, y - radius, x + radius, y + radius)
                pen.ellipse(box, _hue(number, len(KEYPOINTS) + 1, 1.0))
    return bones.resize(size, PIL.Image.Resampling.BICUBIC)


def _visible(person: np.ndarray, threshold: float) -> dict[str, np.ndarray]:
    """Name and place of every joint that is seen, the neck included."""
    joints = {name: person[number] for name, number in _NUMBER.items()}
    shoulders = person[[_NUMBER["left shoulder"], _NUMBER["right shoulder"]]]
    # The neck is not among the keypoints: it is taken halfway between the shoulders.
    joints["neck"] = np.append(shoulders[:, :2].mean(axis=0), shoulders[:, 2].min())
    return {name: joint[:2] for name, joint in joints.items() if joint[2] >= threshold}


def _width(figure: dict[str, np.ndarray], canvas: Sequence[int]) -> float:
    extent = float(np.ptp(np.array(list(figure.values())), axis=0).max())
    return float(np.clip(extent / 45, max(canvas) / 500, max(canvas) / 90))


def _draw_bone(
    pen: PIL.ImageDraw.ImageDraw,
    ends: Sequence[np.ndarray],
    width: float,
    colour: tuple[int, int, int],
) -> None:
    """A slim ellipse from joint to joint."""
    start, end = ends
    along = (end - start) / 2
    across = np.array([-along[1], along[0]])
    across = across / max(float(np.hypot(*across)), 1e-6) * width * 0.75
    turns = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    outline = (start + end) / 2 + np.outer(np.cos(turns), along) + np.outer(np.sin(turns), across)
    pen.polygon([tuple(point) for point in outline], fill=colour)


def _hue(number: int, count: int, value: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(number / count * 0.92, 1, value)
    return round(255 * red), round(255 * green), round(255 * blue)
