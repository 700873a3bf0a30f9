"""Reading the text in a picture with RapidOCR, whose models come inside its package."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import PIL.Image

from controlllm.models import resident
from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import centre, labelled

_LARGEST = 2000
_SMALLEST = 12
_DOUBTFUL = 0.5
FINDER, READER = networks.shipped("text_finder"), networks.shipped("text_reader")


@resident
def _engine() -> Any:
    # The package would fetch a file that is missing, so they are looked at first.
    FINDER.path()
    READER.path()
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    from rapidocr import RapidOCR

    threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or min(os.cpu_count() or 1, 4)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            # Pictures are upright; its test for upside-down lines turns short ones wrongly.
            "Global.use_cls": False,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def read(image: PIL.Image.Image, threshold: float = 0.6) -> tuple[Box, ...]:
    """The lines of text in a picture, as boxes labelled with it, in reading order: down the page,
    and left to right."""
    picture = image.convert("RGB")
    if min(picture.size) < _SMALLEST:
        return ()
    picture.thumbnail((_LARGEST, _LARGEST))
    scale = image.width / picture.width
    pixels = np.asarray(picture)[..., ::-1].copy()
    # What the package would leave out of its own is doubtful text, but text.
    result = _engine()(pixels, text_score=min(threshold, _DOUBTFUL))
    if result.boxes is None or result.txts is None:
        return ()
    lines = []
    for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        if score >= threshold and text.strip():
            sides = np.concatenate([corners.min(axis=0), corners.max(axis=0)]) * scale
            lines.append(labelled(sides, text.strip(), score))
    return tuple(line for row in _rows(lines) for line in row)


def _rows(lines: Iterable[Box]) -> list[list[Box]]:
    """Lines that stand beside each other form a row, from left to right; rows go down."""
    rows: list[list[Box]] = []
    for line in sorted(lines, key=lambda item: centre(item)[1]):
        if rows and rows[-1][0].top < centre(line)[1] < rows[-1][0].bottom:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda item: item.left) for row in rows]


def as_text(lines: Iterable[Box]) -> str:
    """The text as a person would copy it: a row of the picture is a line of the text."""
    return "\n".join(" ".join(line.label for line in row) for row in _rows(lines))
