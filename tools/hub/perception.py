"""What downloaded models see in a picture: objects, phrases, kinds, depth, and people's joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Box, Label
from controlllm.toolbox import Context

from ..seeing.embedded.choosing import choose, parse
from ..seeing.embedded.phrases_to_boxes import phrase_of
from ..shared.boxes import clipped, labelled, without_repeats
from ..shared.pixels import rgb
from .device import loaded, placement, pretrained

#: How sure a model has to be of an object, of a box for a phrase, and of a phrase's words.
_SURE, _SURE_OF_PHRASE, _SURE_OF_WORDS = 0.4, 0.3, 0.25
#: COCO's classes as the older challenge before it called them, which some detectors still do.
_TODAY = {
    "aeroplane": "airplane",
    "diningtable": "dining table",
    "motorbike": "motorcycle",
    "pottedplant": "potted plant",
    "sofa": "couch",
    "tvmonitor": "tv",
}
_SHOWN_KINDS = 5
#: How many people's joints are looked for at once.
_TOGETHER = 4
_LARGEST_DEPTH = 2048
#: How steep a rise over a hundredth of the picture's longer side looks.
_STEEPNESS = 12.0

#: Half precision is too coarse for places, and shows as steps in depth.
load_detector = pretrained("AutoModelForObjectDetection", "AutoImageProcessor", precise=True)
load_grounder = pretrained("AutoModelForZeroShotObjectDetection", "AutoProcessor", precise=True)
load_classifier = pretrained("AutoModelForImageClassification", "AutoImageProcessor")
load_joints = pretrained("VitPoseForPoseEstimation", "AutoImageProcessor", precise=True)
load_depth = pretrained("AutoModelForDepthEstimation", "AutoImageProcessor", precise=True)


def detect(
    folder: Path, image: PIL.Image.Image, context: Context, threshold: float = _SURE
) -> tuple[Box, ...]:
    """The objects in a picture as labelled boxes in its pixels, best score first."""
    import torch

    context.progress(0.05, "Loading the detector")
    processor, model = loaded(load_detector, folder)
    context.progress(0.3, "Looking for objects")
    inputs = processor(images=PIL.Image.fromarray(rgb(image)), return_tensors="pt")
    with torch.inference_mode():
        seen = model(**inputs.to(placement().device))
    found = processor.post_process_object_detection(
        seen, threshold=threshold, target_sizes=[(image.height, image.width)]
    )[0]
    context.check()
    names = [model.config.id2label[int(number)] for number in found["labels"]]
    return _boxes(found, [_TODAY.get(name, name) for name in names], image, 0.8)


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
    # The model was taught with phrases that end in a full stop; commas would split them.
    words = phrase.replace(".", " ").strip() + "."
    picture = PIL.Image.fromarray(rgb(image))
    inputs = processor(
        images=picture, text=words, return_tensors="pt", truncation=True, max_length=200
    ).to(placement().device)
    with torch.inference_mode():
        seen = model(**inputs)
    context.check()
    found = processor.post_process_grounded_object_detection(
        seen,
        inputs["input_ids"],
        threshold=_SURE_OF_PHRASE,
        text_threshold=_SURE_OF_WORDS,
        target_sizes=[(image.height, image.width)],
    )[0]
    return _boxes(found, [label] * len(found["scores"]), image, 0.7)


def _boxes(
    found: Any, labels: Iterable[str], image: PIL.Image.Image, limit: float
) -> tuple[Box, ...]:
    """What a processor made of a model's answer, within the picture and each thing once."""
    boxes = [
        clipped(labelled(corners, label, round(float(score), 4)), image.size)
        for corners, label, score in zip(
            found["boxes"].tolist(), labels, found["scores"], strict=True
        )
    ]
    there = [box for box in boxes if min(box.right - box.left, box.bottom - box.top) >= 1]
    return without_repeats(there, limit=limit)


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
    best = likely.topk(min(_SHOWN_KINDS, len(likely)))
    return tuple(
        Label(_first_name(model.config.id2label[int(number)]), round(float(share), 4))
        for share, number in zip(best.values, best.indices, strict=True)
    )


def _first_name(label: str) -> str:
    """ImageNet's classes carry several names of one thing: "tabby, tabby cat"."""
    return label.split(",")[0].strip()


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
    picture.thumbnail((_LARGEST_DEPTH, _LARGEST_DEPTH))
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
