"""MoveNet SinglePose Lightning: the seventeen COCO keypoints of the person in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageDraw

from controlllm.models import onnx_session, resident, shipped_model
from controlllm.resources import Box

SIDE = 192
_SHA256 = "a794b76cdc9b9b71fe0f3be4e35264fcc1c3942015460698990be3fe7b7a4aab"

KEYPOINTS = (
    "nose",
    *(
        f"{side} {part}"
        for part in ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
        for side in ("left", "right")
    ),
)
_NUMBER = {name: number for number, name in enumerate(KEYPOINTS)}

#: The neck is not among the keypoints: it is taken halfway between the shoulders.
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


@resident
def _session() -> Any:
    return onnx_session(shipped_model("movenet-lightning.onnx", _SHA256))


def keypoints(picture: np.ndarray, person: Box) -> np.ndarray:
    """The keypoints of the person in a box: float array 17 x 3 of x, y in pixels and score 0..1.

    `picture` is uint8 RGB. The first look takes in the box with a margin; the second one is centred
    on what the first found, as MoveNet's authors do from frame to frame of a video.
    """
    side = 1.25 * max(person.right - person.left, person.bottom - person.top)
    middle = ((person.left + person.right) / 2, (person.top + person.bottom) / 2)
    found = _look(picture, middle, side)
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
    rows = _session().run(["Identity:0"], inputs)[0][0, 0]
    return np.stack([left + rows[:, 1] * side, top + rows[:, 0] * side, rows[:, 2]], axis=1)


def draw(people: Sequence[np.ndarray], size: tuple[int, int], threshold: float = 0.3) -> Any:
    """Coloured skeletons on black in the manner of OpenPose (Cao et al., 2019), a PIL RGB image.

    Each bone has its own hue; joints below `threshold` are left out. Line widths follow the size of
    the person, so that a small figure is not a blob.
    """
    times = 2 if max(size) <= 2000 else 1
    image = PIL.Image.new("RGB", (size[0] * times, size[1] * times))
    for person in people:
        _draw_person(image, person, threshold, times)
    return image.resize(size, PIL.Image.Resampling.BOX) if times > 1 else image


def _draw_person(image: PIL.Image.Image, person: np.ndarray, threshold: float, times: int) -> None:
    joints = {name: person[number] for name, number in _NUMBER.items()}
    shoulders = person[[_NUMBER["left shoulder"], _NUMBER["right shoulder"]]]
    joints["neck"] = np.append(shoulders[:, :2].mean(axis=0), shoulders[:, 2].min())
    seen = {name: joint for name, joint in joints.items() if joint[2] >= threshold}
    if not seen:
        return
    places = np.array([joint[:2] for joint in seen.values()])
    extent = float(np.ptp(places, axis=0).max())
    width = float(np.clip(extent / 45, 1.2, max(image.size) / times / 90)) * times
    bones = PIL.Image.new("RGB", image.size)
    pen = PIL.ImageDraw.Draw(bones)
    for number, (one, other) in enumerate(_BONES):
        if one in seen and other in seen:
            ends = [seen[name][:2] * times for name in (one, other)]
            _draw_bone(pen, ends, width, _hue(number, len(_BONES)))
    # Bones are a little darker than the joints on them.
    shade = PIL.Image.eval(bones, lambda value: int(value * 0.65))
    image.paste(shade, mask=bones.convert("L").point(lambda value: 255 if value else 0))
    pen = PIL.ImageDraw.Draw(image)
    for number, name in enumerate((*KEYPOINTS, "neck")):
        if name in seen:
            x, y = seen[name][:2] * times
            radius = 0.85 * width
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), _hue(number, 18))


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


def _hue(number: int, count: int) -> tuple[int, int, int]:
    import colorsys

    red, green, blue = colorsys.hsv_to_rgb(number / count * 0.92, 1, 1)
    return round(255 * red), round(255 * green), round(255 * blue)
