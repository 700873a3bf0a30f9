"""Photos that scikit-image and gradio ship, and pictures made of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gradio
import PIL.Image
import pytest
import skimage

from controlllm.toolbox import Context
from tools.seeing.embedded import detection

FOLDER = Path(skimage.__file__).parent / "data"
_GRADIO = Path(gradio.__file__).parent / "media_assets" / "images"


def photo(name: str) -> PIL.Image.Image:
    folder = FOLDER if (FOLDER / name).exists() else _GRADIO
    return PIL.Image.open(folder / name).convert("RGB")


def two_cats() -> PIL.Image.Image:
    """A cat on the left and one half as large on the right."""
    cat = photo("chelsea.png")
    picture = PIL.Image.new("RGB", (760, 320), (120, 150, 120))
    picture.paste(cat, (0, 10))
    picture.paste(cat.resize((226, 150)), (500, 90))
    return picture


@contextmanager
def looked_at_once() -> Iterator[None]:
    """The detectors say the same of a picture each time, and many tests ask about one."""
    real, seen = detection.examine, {}

    def examine(image: PIL.Image.Image, context: Context | None = None) -> Any:
        key = (image.mode, image.size, image.tobytes())
        if key not in seen:
            seen[key] = real(image, context)
        return seen[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(detection, "examine", examine)
        yield
