"""Classifiers of whole pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources import Label
from controlllm.toolbox import Context

from ..shared.pixels import rgb
from .device import Placement, loaded, placement

_SHOWN = 5


def load_classifier(folder: Path, where: Placement) -> tuple[Any, Any]:
    """The image processor and the model."""
    from transformers import AutoImageProcessor, AutoModelForImageClassification

    model = AutoModelForImageClassification.from_pretrained(
        folder, local_files_only=True, dtype=where.dtype
    )
    return (
        AutoImageProcessor.from_pretrained(folder, local_files_only=True),
        model.to(where.device).eval(),
    )


def classify(folder: Path, image: PIL.Image.Image, context: Context) -> tuple[Label, ...]:
    """The five most likely classes of a picture with their probabilities, most likely first."""
    import torch

    context.progress(0.05, "Loading the model")
    processor, model = loaded(load_classifier, folder)
    context.progress(0.5, "Looking at the picture")
    where = placement()
    inputs = processor(images=PIL.Image.fromarray(rgb(image)), return_tensors="pt")
    with torch.inference_mode():
        scores = model(**inputs.to(where.device, dtype=where.dtype)).logits[0]
    likely = scores.float().softmax(dim=0)
    best = likely.topk(min(_SHOWN, len(likely)))
    return tuple(
        Label(_first_name(model.config.id2label[int(number)]), round(float(share), 4))
        for share, number in zip(best.values, best.indices, strict=True)
    )


def _first_name(label: str) -> str:
    """ImageNet's classes carry several names of one thing: "tabby, tabby cat"."""
    return label.split(",")[0].strip()
