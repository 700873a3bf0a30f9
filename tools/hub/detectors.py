"""Detectors of the COCO classes in the manner of DETR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import Context

from ..shared.boxes import labelled, without_repeats
from ..shared.pixels import rgb
from .device import Placement, loaded, placement

_SURE = 0.4
#: COCO's classes as the older challenge before it called them, which some detectors still do.
_TODAY = {
    "aeroplane": "airplane",
    "diningtable": "dining table",
    "motorbike": "motorcycle",
    "pottedplant": "potted plant",
    "sofa": "couch",
    "tvmonitor": "tv",
}


def load_detector(folder: Path, where: Placement) -> tuple[Any, Any]:
    """The image processor and the model; single precision, since half is too coarse for boxes."""
    from transformers import AutoImageProcessor, AutoModelForObjectDetection

    model = AutoModelForObjectDetection.from_pretrained(folder, local_files_only=True)
    return (
        AutoImageProcessor.from_pretrained(folder, local_files_only=True),
        model.float().to(where.device).eval(),
    )


def detect(
    folder: Path, image: PIL.Image.Image, context: Context, threshold: float = _SURE
) -> tuple[Box, ...]:
    """The objects in a picture as labelled boxes in its pixels, best score first."""
    import torch

    context.progress(0.05, "Loading the detector")
    processor, model = loaded(load_detector, folder)
    context.progress(0.3, "Looking for objects")
    picture = PIL.Image.fromarray(rgb(image))
    inputs = processor(images=picture, return_tensors="pt").to(placement().device)
    with torch.inference_mode():
        seen = model(**inputs)
    found = processor.post_process_object_detection(
        seen, threshold=threshold, target_sizes=[(image.height, image.width)]
    )[0]
    boxes = [
        inside_picture(corners, _name(model.config.id2label[int(number)]), float(score), image)
        for score, number, corners in zip(
            found["scores"], found["labels"], found["boxes"].tolist(), strict=True
        )
    ]
    context.check()
    return without_repeats([box for box in boxes if box is not None], limit=0.8)


def inside_picture(
    corners: list[float], label: str, score: float, image: PIL.Image.Image
) -> Box | None:
    """The part of a box that lies in the picture, None where nothing of it does."""
    left, right = (min(max(side, 0.0), image.width) for side in (corners[0], corners[2]))
    top, bottom = (min(max(side, 0.0), image.height) for side in (corners[1], corners[3]))
    if right - left < 1 or bottom - top < 1:
        return None
    return labelled((left, top, right, bottom), label, round(score, 4))


def _name(label: str) -> str:
    return _TODAY.get(label, label)
