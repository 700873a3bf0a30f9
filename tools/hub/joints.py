"""The joints of people, by a detector that finds the people and a model that sees joints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import Context

from ..shared.pixels import rgb
from .device import Placement, loaded, placement

_TOGETHER = 4


def load_joints(folder: Path, where: Placement) -> tuple[Any, Any]:
    """The image processor and the model; single precision, since half is too coarse for places."""
    from transformers import AutoImageProcessor, VitPoseForPoseEstimation

    model = VitPoseForPoseEstimation.from_pretrained(folder, local_files_only=True)
    return (
        AutoImageProcessor.from_pretrained(folder, local_files_only=True),
        model.float().to(where.device).eval(),
    )


def keypoints(
    folder: Path, image: PIL.Image.Image, people: tuple[Box, ...], context: Context
) -> list[np.ndarray]:
    """For each person 17 x 3 of x, y in pixels and score 0..1, in the order of COCO's keypoints."""
    import torch

    context.progress(0.5, "Loading the model of joints")
    processor, model = loaded(load_joints, folder)
    picture = PIL.Image.fromarray(rgb(image))
    found: list[np.ndarray] = []
    for first in range(0, len(people), _TOGETHER):
        context.progress(0.6 + 0.4 * first / len(people), "Finding the joints")
        boxes = [
            [box.left, box.top, box.right - box.left, box.bottom - box.top]
            for box in people[first : first + _TOGETHER]
        ]
        inputs = processor(images=picture, boxes=[boxes], return_tensors="pt")
        # Models with a part for each of several data sets have COCO's first.
        several = getattr(model.config.backbone_config, "num_experts", 1) > 1
        chosen = {"dataset_index": torch.zeros(len(boxes), dtype=torch.long)} if several else {}
        inputs.update(chosen)
        with torch.inference_mode():
            seen = model(**inputs.to(placement().device))
        for person in processor.post_process_pose_estimation(seen, boxes=[boxes])[0]:
            places, scores = person["keypoints"].numpy(), person["scores"].numpy()
            found.append(np.column_stack([places, np.clip(scores, 0, 1)]))
    return found
