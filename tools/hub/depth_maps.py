"""How far everything in a picture is, from the picture alone, and which way surfaces face."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.toolbox import Context

from ..shared.pixels import rgb
from .device import Placement, loaded, placement

_LARGEST = 2048
#: How steep a rise over a hundredth of the picture's longer side looks.
_STEEPNESS = 12.0


def load_depth(folder: Path, where: Placement) -> tuple[Any, Any]:
    """The image processor and the model; half precision shows as steps on smooth surfaces."""
    from transformers import AutoImageProcessor, AutoModelForDepthEstimation

    model = AutoModelForDepthEstimation.from_pretrained(folder, local_files_only=True)
    return (
        AutoImageProcessor.from_pretrained(folder, local_files_only=True),
        model.float().to(where.device).eval(),
    )


def depth_picture(folder: Path, image: PIL.Image.Image, context: Context) -> PIL.Image.Image:
    """A grey picture of the same size: what is near is bright, what is far is dark."""
    near = _nearness(folder, image, context)
    shown = PIL.Image.fromarray((near * 255).round().astype(np.uint8))
    return shown.resize(image.size, PIL.Image.Resampling.BICUBIC)


def normal_picture(folder: Path, image: PIL.Image.Image, context: Context) -> PIL.Image.Image:
    """Surface directions as colours: red right, green up, blue towards you, of the same size."""
    import cv2

    near = _nearness(folder, image, context)
    context.progress(0.9, "Working out the surfaces")
    step = max(near.shape) / 100
    calm = cv2.GaussianBlur(near, (0, 0), max(step / 8, 0.6))
    # An eighth is what Sobel's weights make of a slope of one for each pixel.
    slopes = [cv2.Sobel(calm, cv2.CV_32F, *order) / 8 for order in ((1, 0), (0, 1))]
    across, down = (slope * step * _STEEPNESS for slope in slopes)
    direction = np.dstack([-across, down, np.ones_like(calm)])
    direction /= np.linalg.norm(direction, axis=2, keepdims=True)
    shown = PIL.Image.fromarray(((direction + 1) * 127.5).round().astype(np.uint8))
    return shown.resize(image.size, PIL.Image.Resampling.BICUBIC)


def _nearness(folder: Path, image: PIL.Image.Image, context: Context) -> np.ndarray:
    """0 for the farthest to 1 for the nearest, float32, of the picture or a smaller copy."""
    import torch

    context.progress(0.05, "Loading the model")
    processor, model = loaded(load_depth, folder)
    context.progress(0.3, "Judging the distances")
    picture = PIL.Image.fromarray(rgb(image))
    picture.thumbnail((_LARGEST, _LARGEST))
    inputs = processor(images=picture, return_tensors="pt").to(placement().device)
    with torch.inference_mode():
        closeness = model(**inputs).predicted_depth
        closeness = torch.nn.functional.interpolate(
            closeness[:, None], size=(picture.height, picture.width), mode="bicubic"
        )[0, 0]
    context.check()
    found = closeness.float().cpu().numpy()
    low, high = float(found.min()), float(found.max())
    return np.clip((found - low) / max(high - low, 1e-6), 0, 1).astype(np.float32)
