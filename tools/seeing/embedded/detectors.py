"""CenterNet on MobileNetV3 and NanoDet: boxes of the 80 COCO classes in one look, on the CPU."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import found_by, without_repeats
from .things import COCO_CLASSES

_CENTERNET_SIDE = 512
CENTERNET = networks.shipped("centernet")


def centernet(image: PIL.Image.Image, threshold: float = 0.2) -> tuple[Box, ...]:
    """What CenterNet sees in one centernet at the whole picture, best score first.

    The model takes 1x512x512x3 RGB in 0..255 and returns 1x100x6: the sides of the box in that
    frame, the score and the class.
    """
    picture = image.convert("RGB")
    frame = picture.resize((_CENTERNET_SIDE, _CENTERNET_SIDE), PIL.Image.Resampling.BILINEAR)
    inputs = {"tower_0/images:0": np.asarray(frame, np.float32)[None]}
    (rows,) = networks.session(CENTERNET).run(["tower_0/detections:0"], inputs)
    rows = rows[0][rows[0][:, 4] >= threshold]
    scale = np.array([picture.width, picture.height] * 2) / _CENTERNET_SIDE
    names = [COCO_CLASSES[int(number)] for number in rows[:, 5]]
    return without_repeats(found_by(rows[:, :4] * scale, names, rows[:, 4], picture.size))


_NANODET_SIDE = 416
NANODET = networks.shipped("nanodet")
_MEAN = np.array([103.53, 116.28, 123.675], np.float32)  # blue, green, red
_DEVIATION = np.array([57.375, 57.12, 58.395], np.float32)
_BINS = np.arange(11, dtype=np.float32)
#: The model's outputs: class scores, distances to the sides, and the pixels between two cells.
_LEVELS = (
    ("Identity:0", "Identity_3:0", 8),
    ("Identity_1:0", "Identity_4:0", 16),
    ("Identity_2:0", "Identity_5:0", 32),
)


def nanodet(image: PIL.Image.Image, threshold: float = 0.2) -> tuple[Box, ...]:
    """What NanoDet sees in one nanodet at the whole picture, best score first.

    Each cell of three grids has 80 class scores and, for every side of its box, a distribution
    over 0..10 cells whose mean is the distance (Generalized Focal Loss, Li et al., 2020).
    """
    picture = image.convert("RGB")
    frame = picture.resize((_NANODET_SIDE, _NANODET_SIDE), PIL.Image.Resampling.BILINEAR)
    pixels = (np.asarray(frame, np.float32)[..., ::-1] - _MEAN) / _DEVIATION
    names = [name for scores, sides, _ in _LEVELS for name in (scores, sides)]
    outputs = networks.session(NANODET).run(names, {"input_1:0": pixels.transpose(2, 0, 1)[None]})
    scale = np.array([picture.width, picture.height] * 2) / _NANODET_SIDE
    found: list[Box] = []
    for level, (_, _, stride) in enumerate(_LEVELS):
        scores, sides = outputs[2 * level][0], outputs[2 * level + 1][0]
        cells, classes = np.nonzero(scores >= threshold)
        if not len(cells):
            continue
        logits = sides[cells].reshape(-1, 4, len(_BINS))
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        distances = weights @ _BINS / weights.sum(axis=-1) * stride
        down, across = np.divmod(cells, _NANODET_SIDE // stride)
        x, y = (across + 0.5) * stride, (down + 0.5) * stride
        corners = np.stack([x, y, x, y], axis=1) + distances * [-1, -1, 1, 1]
        names = [COCO_CLASSES[number] for number in classes]
        found += found_by(corners * scale, names, scores[cells, classes], picture.size)
    return without_repeats(found)
