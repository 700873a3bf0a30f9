"""Finding the objects in a picture: two detectors, and a classifier as a second opinion.

CenterNet and NanoDet know the 80 COCO classes and err on different pictures, so their boxes are
fused. EfficientNet knows the 1000 ImageNet classes and where it sees them; it confirms boxes,
corrects their labels (a dog seen as a cow), and adds what neither detector knows (a butterfly).
"""

from __future__ import annotations

from dataclasses import replace

import PIL.Image
import PIL.ImageOps

from controlllm.resources import Box
from controlllm.toolbox import Context

from ...shared.boxes import (
    area,
    fuse,
    inside,
    mirrored,
    moved,
    overlap,
    scaled,
    without_parts,
    without_repeats,
)
from . import class_regions, detectors, tiles
from .class_regions import ClassMap
from .things import COCO_CLASSES, GROUPS, IMAGENET

#: Larger pictures are looked at in a smaller copy; the models see at most 512 pixels anyway.
_LARGEST = 1280
_TOO_SMALL = 8
_ANIMALS = GROUPS["animal"]


def detect(
    image: PIL.Image.Image, threshold: float = 0.35, context: Context | None = None
) -> tuple[Box, ...]:
    """The objects in a picture, best score first.

    Boxes are in pixels of `image`; `label` is a COCO class or an everyday name such as
    "butterfly"; `score` is 0..1, at least `threshold`. About 0.5 s on one core;
    for a panorama, a crowd or a large picture that much for each of at most twelve parts.
    """
    boxes, _ = examine(image, context)
    return tuple(box for box in boxes if box.score >= threshold)


def quick(image: PIL.Image.Image, threshold: float = 0.35) -> tuple[Box, ...]:
    """The objects of the 80 COCO classes from one look of each detector, in about 0.1 s."""
    if min(image.size) < _TOO_SMALL:
        return ()
    picture, scale = _manageable(image)
    boxes = fuse([(detectors.nanodet(picture), 0.55), (detectors.centernet(picture), 0.45)])
    return tuple(scaled(box, scale) for box in boxes if box.score >= threshold)


def examine(
    image: PIL.Image.Image, context: Context | None = None
) -> tuple[tuple[Box, ...], ClassMap | None]:
    """All objects with a score of 0.2 and more, doubtful ones included, and the classifier's map.

    The map is in pixels of `image`; it is None for a picture too small to look at. Where the whole
    shows too little (a panorama, a crowd), overlapping parts are looked at as well.
    """
    if min(image.size) < _TOO_SMALL:
        return (), None
    boxes, seen = _look(image)
    parts = tiles.parts(image.size, boxes)
    if not parts:
        return boxes, seen
    looks = []
    for number, part in enumerate(parts):
        if context is not None:
            context.progress((number + 1) / (len(parts) + 1), "looking closer")
        found, _ = _look(image.crop(part))
        looks.append((part, [moved(box, part[0], part[1]) for box in found]))
    return without_parts(tiles.merged(boxes, looks, image.size)), seen


def _look(image: PIL.Image.Image) -> tuple[tuple[Box, ...], ClassMap]:
    """The objects in one look at a picture or a part of one, and the classifier's map of it."""
    picture, scale = _manageable(image)
    turned = PIL.ImageOps.mirror(picture)
    looks = [
        (detectors.nanodet(picture), 0.35),
        ([mirrored(box, picture.width) for box in detectors.nanodet(turned)], 0.2),
        (detectors.centernet(picture), 0.27),
        ([mirrored(box, picture.width) for box in detectors.centernet(turned)], 0.18),
    ]
    seen = ClassMap.of(picture)
    candidates = fuse(looks)
    boxes = _agreed([_second_opinion(box, seen, picture) for box in candidates], candidates)
    boxes += _unnoticed(picture, seen, boxes, candidates)
    kept = _one_name_each(without_parts(without_repeats(boxes, 0.55)))
    size = (image.width, image.height)
    return tuple(scaled(box, scale) for box in kept), ClassMap(seen.values, size)


def _manageable(image: PIL.Image.Image) -> tuple[PIL.Image.Image, float]:
    """An RGB copy of moderate size, and the factor that takes its pixels back to the original."""
    picture = image.convert("RGB")
    picture.thumbnail((_LARGEST, _LARGEST))
    return picture, image.width / picture.width


def _second_opinion(box: Box, seen: ClassMap, picture: PIL.Image.Image) -> Box:
    """The box with the score, and where it must be the label, that the classifier agrees to."""
    numbers = IMAGENET.get(box.label)
    if numbers is None:
        return box
    support = seen.evidence(box, numbers)
    if support >= 0.3:
        agreed = 1 - (1 - box.score) * (1 - 0.5 * support)
        return replace(box, score=min(agreed, 1.75 * box.score))
    if support >= 0.1 or area(box) < 0.02 * picture.width * picture.height:
        return box
    evidence = {name: seen.evidence(box, n) for name, n in IMAGENET.items()}
    rival, strength = max(evidence.items(), key=lambda item: item[1])
    both_animals = {box.label, rival} <= _ANIMALS
    if rival == box.label or strength < 0.4 or (box.score > 0.5 and not both_animals):
        doubt = 0.8 if support < 0.03 and box.score < 0.5 else 1.0
        return replace(box, score=box.score * doubt)
    whole = class_regions.confirmed(picture, box, IMAGENET[rival])
    if whole < (0.6 if both_animals else 0.75):
        return box
    return replace(box, label=rival, score=(strength + whole) / 2)


def _agreed(boxes: list[Box], before: tuple[Box, ...]) -> list[Box]:
    """Of boxes whose label was corrected, the best one of each object."""
    same = [box for box, old in zip(boxes, before, strict=True) if box.label == old.label]
    corrected = [box for box, old in zip(boxes, before, strict=True) if box.label != old.label]
    for box in sorted(corrected, key=lambda item: -item.score):
        others = [
            other
            for other in same
            if other.label == box.label and (overlap(box, other) > 0.3 or inside(box, other) > 0.5)
        ]
        if not others:
            same.append(box)
        elif others[0].score < box.score:
            same[same.index(others[0])] = replace(others[0], score=box.score)
    return same


def _unnoticed(
    picture: PIL.Image.Image, seen: ClassMap, boxes: list[Box], candidates: tuple[Box, ...]
) -> list[Box]:
    """Things that the classifier is sure of and that no box shows yet."""
    found: list[Box] = []
    overall = class_regions.probabilities(picture)
    for name, numbers in IMAGENET.items():
        if any(f" {box.label}".endswith(f" {name}") and box.score >= 0.3 for box in boxes):
            continue
        for region in seen.regions(numbers, least=0.7)[:1]:
            if area(region) < 0.03 * picture.width * picture.height:
                continue
            if any(box.score >= 0.3 and overlap(box, region) > 0.6 for box in [*boxes, *found]):
                continue
            whole = class_regions.confirmed(picture, region, numbers)
            if whole < 0.4:
                continue
            fitting = _outline(region, name, candidates, picture)
            if fitting is not None:
                region = replace(fitting, score=region.score)
            elif name in COCO_CLASSES and overall[list(numbers)].sum() < 0.3:
                continue  # two detectors that know the thing see nothing at all here
            score = (region.score + whole) / 2
            if score >= 0.6:
                found.append(replace(region, label=name, score=score))
    return found


def _outline(
    region: Box, name: str, candidates: tuple[Box, ...], picture: PIL.Image.Image
) -> Box | None:
    """The detectors' box for what the classifier sees in a region: it has the truer sides."""
    fitting = max(candidates, key=lambda box: overlap(box, region), default=None)
    if fitting is not None and overlap(fitting, region) > 0.5:
        return fitting
    if name not in _ANIMALS:
        return None
    # Where the classifier sees only the head, the whole animal may carry another animal's name.
    around = [b for b in candidates if b.label in _ANIMALS and inside(region, b) > 0.9]
    best = max(around, key=lambda box: box.score, default=None)
    numbers = IMAGENET[name]
    if best is None or class_regions.confirmed(picture, best, numbers) < 0.5:
        return None
    return best


def _one_name_each(boxes: tuple[Box, ...]) -> tuple[Box, ...]:
    """Drop a box that another, surer one of a different class covers almost exactly."""
    kept: list[Box] = []
    for box in boxes:
        if all(overlap(box, other) < 0.8 for other in kept):
            kept.append(box)
    return tuple(kept)
