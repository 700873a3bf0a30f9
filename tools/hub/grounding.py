"""From a phrase to boxes, with a detector that knows no classes but reads the phrase."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import Context

from ..seeing.embedded.choosing import choose, parse
from ..seeing.embedded.phrases_to_boxes import phrase_of
from ..shared.boxes import without_repeats
from ..shared.pixels import rgb
from .detectors import inside_picture
from .device import Placement, loaded, placement

_SURE = 0.3
_SURE_OF_WORDS = 0.25


def load_grounder(folder: Path, where: Placement) -> tuple[Any, Any]:
    """The processor and the model; single precision, since half is too coarse for boxes."""
    from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

    model = AutoModelForZeroShotObjectDetection.from_pretrained(folder, local_files_only=True)
    return (
        AutoProcessor.from_pretrained(folder, local_files_only=True),
        model.float().to(where.device).eval(),
    )


def ground(folder: Path, image: PIL.Image.Image, query: str, context: Context) -> tuple[Box, ...]:
    """Boxes in pixels of what a phrase names, labelled with its noun; none where it is not there.

    The model finds what fits the words; which of those are "the second from the left" or "the
    largest" is worked out from the boxes, as without downloads.
    """
    phrase = phrase_of(query) or query.strip().lower()
    noun = parse(phrase).noun
    found = _fitting(folder, image, phrase, noun or phrase, context)
    chosen = choose(phrase, [replace(box, label=noun) for box in found], size=image.size)
    return tuple(found[index] for index in chosen)


def _fitting(
    folder: Path, image: PIL.Image.Image, phrase: str, label: str, context: Context
) -> tuple[Box, ...]:
    """Every box that the words of the phrase fit, surest first."""
    import torch

    context.progress(0.05, "Loading the model")
    processor, model = loaded(load_grounder, folder)
    context.progress(0.3, f"Looking for {phrase[:60]}")
    picture = PIL.Image.fromarray(rgb(image))
    # The model was taught with phrases that end in a full stop; commas would split them.
    words = phrase.replace(".", " ").strip() + "."
    inputs = processor(
        images=picture, text=words, return_tensors="pt", truncation=True, max_length=200
    ).to(placement().device)
    with torch.inference_mode():
        seen = model(**inputs)
    context.check()
    result = processor.post_process_grounded_object_detection(
        seen,
        inputs["input_ids"],
        threshold=_SURE,
        text_threshold=_SURE_OF_WORDS,
        target_sizes=[(image.height, image.width)],
    )[0]
    boxes = [
        inside_picture(corners, label, float(score), image)
        for score, corners in zip(result["scores"], result["boxes"].tolist(), strict=True)
    ]
    return without_repeats([box for box in boxes if box is not None], limit=0.7)
