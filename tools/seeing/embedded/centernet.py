"""CenterNet on MobileNetV3: boxes of the 80 COCO classes in one look, on the CPU."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import found_by, without_repeats
from .things import COCO_CLASSES

SIDE = 512
NETWORK = networks.shipped("centernet")


def look(image: PIL.Image.Image, threshold: float = 0.2) -> tuple[Box, ...]:
    """What CenterNet sees in one look at the whole picture, best score first.

    The model takes 1x512x512x3 RGB in 0..255 and returns 1x100x6: the sides of the box in that
    frame, the score and the class.
    """
    picture = image.convert("RGB")
    frame = picture.resize((SIDE, SIDE), PIL.Image.Resampling.BILINEAR)
    inputs = {"tower_0/images:0": np.asarray(frame, np.float32)[None]}
    (rows,) = networks.session(NETWORK).run(["tower_0/detections:0"], inputs)
    rows = rows[0][rows[0][:, 4] >= threshold]
    scale = np.array([picture.width, picture.height] * 2) / SIDE
    names = [COCO_CLASSES[int(number)] for number in rows[:, 5]]
    return without_repeats(found_by(rows[:, :4] * scale, names, rows[:, 4], picture.size))
