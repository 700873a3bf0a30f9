"""Execution accuracy of m&m's: how alike the outputs of a plan are to those of the expected one.

Outputs of all nodes are put together by name and compared by what they are: words by BLEU, images
by their pixels, objects by average precision at an overlap of .5, numbers by being equal. The
authors compare images by a CLIP model that is not here; figures of images are none of theirs. As
theirs has it, an output that the plan lacks is left out, and so is one that scores 0; strictly both
count as 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import PIL.Image

from benchmarks.suites.scoring import bleu, mean

#: The side in pixels at which images are compared.
_SIDE = 64


@dataclass(frozen=True)
class Made:
    """An output for comparing: its modality (``text``, ``image``, ``objects``, ``number``) and its
    value."""

    modality: str
    value: Any


@dataclass(frozen=True)
class Likeness:
    """How alike two plans' outputs are: theirs and strict, and the strict score by modality."""

    theirs: float
    strict: float
    by_modality: Mapping[str, float]


def likeness(found: Sequence[Mapping[str, Made]], wanted: Sequence[Mapping[str, Made]]) -> Likeness:
    """Compare the outputs of all nodes of two plans."""
    mine, expected = _by_name(found), _by_name(wanted)
    theirs = [_their_score(mine[name], made) for name, made in expected.items() if name in mine]
    scores = {name: _strict_score(mine.get(name, ()), made) for name, made in expected.items()}
    kinds: dict[str, list[float]] = defaultdict(list)
    for name, score in scores.items():
        kinds[expected[name][-1].modality].append(score)
    return Likeness(
        mean(score for score in theirs if score),
        mean(scores.values()),
        {kind: mean(values) for kind, values in kinds.items()},
    )


def _by_name(nodes: Sequence[Mapping[str, Made]]) -> dict[str, list[Made]]:
    found: dict[str, list[Made]] = defaultdict(list)
    for outputs in nodes:
        for name, made in outputs.items():
            found[name].append(made)
    return found


def _their_score(found: Sequence[Made], wanted: Sequence[Made]) -> float:
    """One score for all outputs of a name: words joined, as many images as both have, the first
    objects, and everything else as it is."""
    modality = wanted[0].modality
    if modality != found[0].modality:
        return 0.0
    if modality == "text":
        words = ["\n".join(str(made.value) for made in side) for side in (found, wanted)]
        return _alike(Made("text", words[0]), Made("text", words[1]))
    if modality == "image":
        return mean(_alike(*pair) for pair in zip(found, wanted, strict=False))
    if modality == "objects":
        return _alike(found[0], wanted[0])
    return float([made.value for made in found] == [made.value for made in wanted])


def _strict_score(found: Sequence[Made], wanted: Sequence[Made]) -> float:
    """The mean over outputs of a name, in order; one too few counts 0."""
    pairs = zip(found, wanted, strict=False)
    return sum(_alike(one, other) for one, other in pairs) / len(wanted)


def _alike(found: Made, wanted: Made) -> float:
    if found.modality != wanted.modality:
        return 0.0
    if wanted.modality == "text":
        return bleu(wanted.value.lower().split(), found.value.lower().split())
    if wanted.modality == "image":
        return image_likeness(found.value, wanted.value)
    if wanted.modality == "objects":
        return 1.0 if found.value == wanted.value else average_precision(found.value, wanted.value)
    return float(found.value == wanted.value)


def image_likeness(one: PIL.Image.Image, other: PIL.Image.Image) -> float:
    """How alike two images are, pixel by pixel at one small size: 1 less the mean difference."""
    pixels = [
        np.asarray(image.convert("RGB").resize((_SIDE, _SIDE)), np.float64) / 255
        for image in (one, other)
    ]
    return float(1 - np.abs(pixels[0] - pixels[1]).mean())


Labelled = tuple[str, tuple[float, float, float, float], float]


def average_precision(
    found: Sequence[Labelled], wanted: Sequence[Labelled], overlap: float = 0.5
) -> float:
    """COCO's average precision at one overlap: the mean over the expected labels.

    An object is its label, its box (left, top, right, bottom) and its score. Precision is taken at
    101 recalls.
    """
    labels = sorted({label for label, _, _ in wanted})
    return mean(
        _precision_of(
            [item for item in found if item[0] == label],
            [item for item in wanted if item[0] == label],
            overlap,
        )
        for label in labels
    )


def _precision_of(found: Sequence[Labelled], wanted: Sequence[Labelled], overlap: float) -> float:
    free = list(range(len(wanted)))
    points: list[tuple[float, float]] = []
    right = 0
    for number, item in enumerate(sorted(found, key=lambda entry: -entry[2]), 1):
        best = max(free, key=lambda place: _overlap(item[1], wanted[place][1]), default=None)
        if best is not None and _overlap(item[1], wanted[best][1]) >= overlap:
            free.remove(best)
            right += 1
        points.append((right / len(wanted), right / number))
    return mean(
        max((precision for recall, precision in points if recall >= step / 100), default=0.0)
        for step in range(101)
    )


def _overlap(one: Sequence[float], other: Sequence[float]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return both / (sum(areas) - both)
