"""Faces with BlazeFace at 256 pixels: boxes and a score, on the CPU."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import found_by, without_repeats

SIDE = 256
NETWORK = networks.shipped("faces")


def _anchors() -> np.ndarray:
    """Where each of the 896 rows looks, x and y in pixels: two a cell of 16, six a cell of 32."""
    grids = []
    for cells, each in ((16, 2), (8, 6)):
        middles = (np.arange(cells) + 0.5) * SIDE / cells
        x, y = np.meshgrid(middles, middles)
        grids.append(np.repeat(np.stack([x.ravel(), y.ravel()], axis=1), each, axis=0))
    return np.concatenate(grids)


def find(image: PIL.Image.Image, threshold: float = 0.5) -> tuple[Box, ...]:
    """The faces in a picture, best score first, in pixels of `image`."""
    picture = image.convert("RGB")
    side = max(picture.size)
    square = PIL.Image.new("RGB", (side, side))
    square.paste(picture)
    frame = square.resize((SIDE, SIDE), PIL.Image.Resampling.BILINEAR)
    pixels = np.asarray(frame, np.float32)[None] / 127.5 - 1
    names = [f"Identity{suffix}:0" for suffix in ("", "_1", "_2", "_3")]
    near, far, near_places, far_places = networks.session(NETWORK).run(names, {"input:0": pixels})
    logits = np.concatenate([near[0], far[0]])[:, 0]
    places = np.concatenate([near_places[0], far_places[0]])[:, :4]
    scores = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    chosen = scores >= threshold
    middles = places[chosen, :2] + _anchors()[chosen]
    halves = places[chosen, 2:] / 2
    corners = np.concatenate([middles - halves, middles + halves], axis=1) * side / SIDE
    names = ["face"] * len(corners)
    return without_repeats(found_by(corners, names, scores[chosen], picture.size), 0.3)
