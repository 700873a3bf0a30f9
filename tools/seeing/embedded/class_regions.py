"""Objects in a classifier's map of the picture: where each everyday thing is seen, as boxes.

The map (`efficientnet.class_map`) has 1000 probabilities for each cell. A thing is a group of
neighbouring cells that agree on it, confirmed by classifying that part of the picture alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import PIL.Image

from controlllm.resources import Box
from tools.seeing.embedded import efficientnet, imagenet

#: Probability at which a cell belongs to a thing, once chance is taken off.
_CELL_LIMIT = 0.4


@dataclass(frozen=True)
class ClassMap:
    """The probabilities of all classes in a grid over a picture of `size` (width, height)."""

    values: np.ndarray
    size: tuple[int, int]

    @classmethod
    def of(cls, image: PIL.Image.Image) -> ClassMap:
        """Look at the whole picture once."""
        return cls(efficientnet.class_map(image), image.size)

    def heat(self, numbers: tuple[int, ...]) -> np.ndarray:
        """How surely any of the classes is seen in each cell, 0..1, with chance taken off.

        A cell that shows nothing in particular spreads its probability evenly, so a group of many
        classes (all breeds of dog) starts from the share it has by chance.
        """
        chance = len(numbers) / len(self.values)
        total = self.values[list(numbers)].sum(axis=0)
        return np.clip((total - chance) / (1 - chance), 0, 1)

    def evidence(self, box: Box, numbers: tuple[int, ...]) -> float:
        """How surely the classes are seen in a box: the mean of the better half of its cells."""
        cells = self._within(self.heat(numbers), box)
        return float(np.sort(cells.ravel())[cells.size // 2 :].mean())

    def regions(self, numbers: tuple[int, ...], least: float = 0.6) -> tuple[Box, ...]:
        """The places where the classes are seen: boxes without a label, best first."""
        from scipy import ndimage

        heat = self.heat(numbers)
        groups, count = ndimage.label(heat >= _CELL_LIMIT)
        found = []
        for number, (rows, columns) in enumerate(ndimage.find_objects(groups), start=1):
            cells = heat[groups == number]
            score = float(np.sort(cells)[cells.size // 2 :].mean())
            if score >= least:
                found.append(self._box(rows, columns, score))
        return tuple(sorted(found, key=lambda box: -box.score * (1 + _share(box, self.size))))

    def _box(self, rows: slice, columns: slice, score: float) -> Box:
        across, down = self.size[0] / self.values.shape[2], self.size[1] / self.values.shape[1]
        return Box(
            columns.start * across, rows.start * down, columns.stop * across, rows.stop * down,
            score=score,
        )  # fmt: skip

    def _within(self, heat: np.ndarray, box: Box) -> np.ndarray:
        rows, columns = heat.shape
        across, down = columns / self.size[0], rows / self.size[1]
        left, top = int(box.left * across), int(box.top * down)
        right = max(int(np.ceil(box.right * across)), left + 1)
        bottom = max(int(np.ceil(box.bottom * down)), top + 1)
        return heat[min(top, rows - 1) : bottom, min(left, columns - 1) : right]


def _share(box: Box, size: tuple[int, int]) -> float:
    return (box.right - box.left) * (box.bottom - box.top) / max(size[0] * size[1], 1)


def crop(image: PIL.Image.Image, box: Box, margin: float = 0.1) -> PIL.Image.Image:
    """The part of a picture in a box, with some of what is around it."""
    across, down = margin * (box.right - box.left), margin * (box.bottom - box.top)
    sides = (
        max(int(box.left - across), 0),
        max(int(box.top - down), 0),
        min(max(round(box.right + across), int(box.left) + 1), image.width),
        min(max(round(box.bottom + down), int(box.top) + 1), image.height),
    )
    return image.crop(sides)


def confirmed(image: PIL.Image.Image, box: Box, numbers: tuple[int, ...]) -> float:
    """How surely the part of the picture in the box is one of the classes, 0..1.

    The part is classified with little and with much around it; the lesser answer counts.
    """
    chance = len(numbers) / 1000
    least = min(
        float(efficientnet.probabilities(crop(image, box, margin))[list(numbers)].sum())
        for margin in (0.05, 0.35)
    )
    return max(least - chance, 0.0) / (1 - chance)


def find(image: PIL.Image.Image, seen: ClassMap, noun: str, least: float = 0.25) -> tuple[Box, ...]:
    """The places where a noun that names ImageNet classes is seen, labelled with it.

    The score is the mean of the map there and of the classification of that part alone.
    """
    numbers = imagenet.numbers_of(noun)
    if not numbers:
        return ()
    found = []
    for box in seen.regions(numbers, least=0.45)[:4]:
        score = (box.score + confirmed(image, box, numbers)) / 2
        if score >= least:
            found.append(replace(box, label=noun, score=score))
    return tuple(sorted(found, key=lambda box: -box.score))
