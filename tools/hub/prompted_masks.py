"""Masks from clicks, boxes and rough masks, by models of the SAM 2 family.

The picture is looked at once; after that each prompt costs little.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Box, ClickedPoint, Region
from controlllm.toolbox import Context

from ..shared.pixels import bounds, rgb
from .device import loaded, placement, pretrained

_MEAN, _SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
#: What a mask's logits are for a pixel that is surely in it, as the models were taught.
_SURELY = 10.0
_TOGETHER = 32
_GRID = 16
_FINE_GRID = 32
_GOOD, _STEADY, _SAME = 0.8, 0.92, 0.7
_SMALLEST_PART = 4e-4
#: A mark that fills less of its frame, or is thinner for its length, is a stroke over the thing and
#: no mask of it.
_FILLED, _THICK = 0.35, 0.25
_CLICKS = 5


#: Half precision is too coarse for places.
load_masks = pretrained("Sam2Model", precise=True)


class Looked:
    """A picture that the model has looked at."""

    def __init__(self, folder: Path, image: PIL.Image.Image, context: Context) -> None:
        import torch

        context.progress(0.05, "Loading the model of masks")
        (self._model,) = loaded(load_masks, folder)
        side = self._model.config.prompt_encoder_config.image_size
        self._side = int(side if isinstance(side, int) else side[0])
        self._width, self._height = image.size
        context.progress(0.2, "Looking at the picture")
        square = PIL.Image.fromarray(rgb(image)).resize(
            (self._side, self._side), PIL.Image.Resampling.BILINEAR
        )
        pixels = (np.asarray(square, np.float32) / 255 - _MEAN) / _SPREAD
        with torch.inference_mode():
            self._seen = self._model.get_image_embeddings(
                self._tensor(pixels.transpose(2, 0, 1)[None])
            )
        context.check()

    def at_points(self, points: Sequence[ClickedPoint]) -> Region:
        """The thing that is clicked on, without what negative clicks mark."""
        places = [[self._place(point.x, point.y) for point in points]]
        meant = [[int(point.positive) for point in points]]
        # One click may mean a part or the whole of a thing, so the surest of three masks is taken;
        # several clicks say which.
        masks, scores = self._masks(len(points) == 1, places=places, meant=meant)
        return self._best(masks[0], scores[0])

    def in_box(self, box: Box) -> Region:
        """The thing that a box holds, with the box's name and score."""
        corners = [*self._place(box.left, box.top), *self._place(box.right, box.bottom)]
        masks, scores = self._masks(False, corners=[corners])
        found = self._best(masks[0], scores[0])
        return Region(found.pixels, box.label, min(box.score, 1.0))

    def marked(self, pixels: np.ndarray) -> Region:
        """The thing that a rough mask covers, or that strokes were painted over.

        `pixels` is boolean, of the picture's size, and not empty.
        """
        left, top, right, bottom = bounds(pixels) or (0, 0, self._width, self._height)
        depth = _depth_inside(pixels)
        inner = [ClickedPoint(x, y) for x, y in _spread(depth)]
        filled = pixels[top:bottom, left:right].mean()
        thick = 2 * depth.max() / max(right - left, bottom - top)
        if filled < _FILLED or thick < _THICK:
            return self.at_points(inner)
        corners = [*self._place(left, top), *self._place(right, bottom)]
        side = self._model.prompt_encoder.mask_input_size
        small = PIL.Image.fromarray(pixels.astype(np.uint8) * 255).resize(
            (int(side[1]), int(side[0])), PIL.Image.Resampling.BOX
        )
        rough = (np.asarray(small, np.float32) / 255 * 2 - 1) * _SURELY
        masks, scores = self._masks(
            False,
            places=[[self._place(point.x, point.y) for point in inner]],
            meant=[[1] * len(inner)],
            corners=[corners],
            rough=rough[None, None],
        )
        return self._best(masks[0], scores[0])

    def everything(self, size: tuple[int, int], context: Context) -> np.ndarray:
        """A number for each pixel, saying which thing it belongs to; 0 where none was found.

        `size` is the width and height of the answer. Things are looked for at the points of a grid;
        of masks that are nearly the same the surest is kept, and what lies on something larger
        stands before it.
        """
        from cv2 import INTER_LINEAR, resize

        kept = _without_repeats(self._candidates(context))
        numbers = np.zeros((size[1], size[0]), np.int32)
        kept.sort(key=lambda item: -int((item[0] > 0).sum()))
        for number, (mask, _) in enumerate(kept, 1):
            context.check()
            numbers[resize(mask, size, interpolation=INTER_LINEAR) > 0] = number
        return numbers

    def _candidates(self, context: Context) -> list[tuple[np.ndarray, float]]:
        """Small masks of logits with their scores, from every point of the grid; good ones only."""
        count = _FINE_GRID if placement().device == "cuda" else _GRID
        line = (np.arange(count) + 0.5) / count * self._side
        points = [[float(x), float(y)] for y in line for x in line]
        found: list[tuple[np.ndarray, float]] = []
        for first in range(0, len(points), _TOGETHER):
            context.progress(0.3 + 0.6 * first / len(points), "Looking for things")
            some = points[first : first + _TOGETHER]
            masks, scores = self._masks(
                True, places=[[point] for point in some], meant=[[1]] * len(some)
            )
            for mask, score in zip(
                masks.reshape(-1, *masks.shape[2:]), scores.reshape(-1), strict=True
            ):
                if score >= _GOOD and _steady(mask) and (mask > 0).mean() >= _SMALLEST_PART:
                    found.append((mask, float(score)))
        return found

    def _masks(
        self,
        several: bool,
        places: Any = None,
        meant: Any = None,
        corners: Any = None,
        rough: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Small masks of logits, prompts x masks x height x width, and how good each one is."""
        import torch

        with torch.inference_mode():
            seen = self._model(
                image_embeddings=self._seen,
                input_points=None if places is None else self._tensor([places]),
                input_labels=None if meant is None else self._tensor([meant]).int(),
                input_boxes=None if corners is None else self._tensor([corners]),
                input_masks=None if rough is None else self._tensor(rough),
                multimask_output=several,
            )
        return seen.pred_masks[0].cpu().numpy(), seen.iou_scores[0].cpu().numpy()

    def _best(self, masks: np.ndarray, scores: np.ndarray) -> Region:
        from cv2 import INTER_LINEAR, resize

        best = int(scores.argmax())
        size = (self._width, self._height)
        pixels = resize(masks[best], size, interpolation=INTER_LINEAR) > 0
        return Region(pixels, "", round(float(np.clip(scores[best], 0, 1)), 4))

    def _place(self, x: float, y: float) -> list[float]:
        """A place in the picture's pixels, in those of the square that the model sees."""
        return [float(x) / self._width * self._side, float(y) / self._height * self._side]

    def _tensor(self, values: Any) -> Any:
        import torch

        return torch.as_tensor(np.asarray(values, np.float32), device=self._model.device)


def _depth_inside(pixels: np.ndarray) -> np.ndarray:
    """How far inside a mark each pixel lies, in pixels."""
    import cv2

    framed = np.pad(pixels.astype(np.uint8), 1)
    return cv2.distanceTransform(framed, cv2.DIST_L2, 5)[1:-1, 1:-1]


def _spread(depth: np.ndarray) -> list[tuple[float, float]]:
    """A few places well inside a mark and far from each other, the innermost first."""
    rows, columns = np.nonzero(depth >= 0.5 * depth.max())
    inner = depth[rows, columns]
    chosen = [int(inner.argmax())]
    apart = np.full(len(rows), np.inf)
    while len(chosen) < _CLICKS:
        last = chosen[-1]
        apart = np.minimum(apart, np.hypot(rows - rows[last], columns - columns[last]))
        if apart.max() < 4 * inner.max():
            break
        chosen.append(int(apart.argmax()))
    return [(float(columns[item]), float(rows[item])) for item in chosen]


def _steady(mask: np.ndarray) -> bool:
    """Whether a stricter and a laxer limit give nearly the same mask."""
    lax = int((mask > -1).sum())
    return lax > 0 and int((mask > 1).sum()) / lax >= _STEADY


def _without_repeats(found: list[tuple[np.ndarray, float]]) -> list[tuple[np.ndarray, float]]:
    """Of masks that cover nearly the same, the surest."""
    kept: list[tuple[np.ndarray, float]] = []
    flat: list[np.ndarray] = []
    for mask, score in sorted(found, key=lambda item: -item[1]):
        pixels = (mask > 0).ravel()
        size = int(pixels.sum())
        if kept:
            shared = np.array([int((pixels & other).sum()) for other in flat])
            sizes = np.array([int(other.sum()) for other in flat])
            if (shared / (size + sizes - shared)).max() > _SAME:
                continue
        kept.append((mask, score))
        flat.append(pixels)
    return kept
