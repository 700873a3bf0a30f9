"""EfficientNet-Lite2, an ImageNet classifier, and the objects in its map of the picture, as boxes.

The shipped model gives a score for each class in each cell of a coarse grid; their mean is the
usual classifier, and the grid itself a class activation map (Zhou et al., 2016). A thing is a group
of neighbouring cells that agree on it, confirmed by classifying that part of the picture alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import PIL.Image

from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import area, pixels_in, scaled, widened

SIDE = 256
CELL = 32
NETWORK = networks.shipped("efficientnet")


def _logits(picture: PIL.Image.Image, width: int, height: int) -> np.ndarray:
    frame = picture.convert("RGB").resize((width, height), PIL.Image.Resampling.BICUBIC)
    pixels = (np.asarray(frame, np.float32) - 127) / 128
    return networks.session(NETWORK).run(None, {"pixels": pixels.transpose(2, 0, 1)[None]})[0][0]


def probabilities(image: PIL.Image.Image) -> np.ndarray:
    """How likely each of the 1000 classes is for the picture as a whole, shape (1000,)."""
    return _softmax(_logits(image, SIDE, SIDE).mean(axis=(1, 2)))


def class_map(image: PIL.Image.Image, longest: int = 448) -> np.ndarray:
    """How likely each class is in each cell of a grid over the picture.

    Returns probabilities of shape (1000, rows, columns). A cell
    covers `CELL` pixels of the picture scaled so that its longer side is `longest`.
    """
    scale = longest / max(image.size)
    width, height = (max(round(side * scale / CELL), 2) * CELL for side in image.size)
    return _softmax(_logits(image, width, height))


def _softmax(values: np.ndarray) -> np.ndarray:
    weights = np.exp(values - values.max(axis=0))
    return weights / weights.sum(axis=0)


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
        return cls(class_map(image), image.size)

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
        heat = self.heat(numbers)
        across, down = self._cell
        cells = heat[pixels_in(scaled(box, 1 / across, 1 / down), heat.shape)]
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
                box = Box(columns.start, rows.start, columns.stop, rows.stop, score=score)
                found.append(scaled(box, *self._cell))
        all_of_it = self.size[0] * self.size[1]
        return tuple(sorted(found, key=lambda box: -box.score * (1 + area(box) / all_of_it)))

    @property
    def _cell(self) -> tuple[float, float]:
        """Width and height of a cell in pixels of the picture."""
        return self.size[0] / self.values.shape[2], self.size[1] / self.values.shape[1]


def crop(image: PIL.Image.Image, box: Box, margin: float = 0.1) -> PIL.Image.Image:
    """The part of a picture in a box, with some of what is around it."""
    wider = widened(box, margin)
    right = min(max(round(wider.right), int(box.left) + 1), image.width)
    bottom = min(max(round(wider.bottom), int(box.top) + 1), image.height)
    return image.crop((max(int(wider.left), 0), max(int(wider.top), 0), right, bottom))


def confirmed(image: PIL.Image.Image, box: Box, numbers: tuple[int, ...]) -> float:
    """How surely the part of the picture in the box is one of the classes, 0..1.

    The part is classified with little and with much around it; the lesser answer counts.
    """
    chance = len(numbers) / 1000
    least = min(
        float(probabilities(crop(image, box, margin))[list(numbers)].sum())
        for margin in (0.05, 0.35)
    )
    return max(least - chance, 0.0) / (1 - chance)
