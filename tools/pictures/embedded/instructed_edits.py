"""Carrying out the steps of an edit that `edit_instructions` read."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageOps

from controlllm.toolbox import ToolError

from ...shared.pixels import with_alpha_of
from . import art_styles, backdrops
from . import photo_adjustments as adjust
from .edit_instructions import Step

#: No edit makes a picture larger than this.
MOST_PIXELS = 40_000_000


def carried_out(image: PIL.Image.Image, step: Step) -> PIL.Image.Image:
    """The picture (RGB or RGBA) after one step. Raises ToolError where it cannot be done."""
    by_amount = {
        "brighten": adjust.brightened, "contrast": adjust.contrasted, "saturate": adjust.saturated,
        "warm": adjust.warmed, "sharpen": adjust.sharpened, "blur": adjust.blurred,
        "denoise": adjust.denoised, "vignette": adjust.vignetted, "rotate": adjust.turned,
    }  # fmt: skip
    plain = {
        "invert": adjust.inverted, "square": adjust.squared,
        "flip horizontal": PIL.ImageOps.mirror, "flip vertical": PIL.ImageOps.flip,
    }  # fmt: skip
    if step.action in by_amount:
        return by_amount[step.action](image, step.amount)
    if step.action in plain:
        return plain[step.action](image)
    match step.action:
        case "crop":
            return adjust.half(image, step.detail)
        case "tint":
            return adjust.tinted(image, _shade(step.detail), step.amount)
        case "border":
            return adjust.bordered(image, _shade(step.detail))
        case "style":
            styled = art_styles.apply(_pixels(image), step.detail)
            return with_alpha_of(PIL.Image.fromarray(styled), image)
        case "resize":
            return _resized(image, step)
        case "background":
            return _before(image, step.detail)
    return _recoloured(image, step.detail)


def _pixels(image: PIL.Image.Image) -> np.ndarray:
    return np.array(image.convert("RGB"))


def _shade(words: str) -> backdrops.Colour:
    found = backdrops.parse(words)
    assert found is not None and found[1]  # only colours that backdrops knows are read
    return found[1][0]


def _resized(image: PIL.Image.Image, step: Step) -> PIL.Image.Image:
    width, height = step.size
    if step.amount <= 0 and not (width or height):
        raise ToolError("Nothing would be left of the picture. Ask for a larger size.")
    if step.amount:
        width, height = image.width * step.amount, image.height * step.amount
    elif not height:
        height = width * image.height / image.width
    elif not width:
        width = height * image.width / image.height
    size = (max(1, round(width)), max(1, round(height)))
    if size[0] * size[1] > MOST_PIXELS:
        raise ToolError(
            f"A picture of {size[0]}x{size[1]} pixels is too large to make here. Ask for one of at "
            f"most {MOST_PIXELS // 1_000_000} million pixels."
        )
    return image.resize(size, PIL.Image.Resampling.LANCZOS)


def _before(image: PIL.Image.Image, words: str) -> PIL.Image.Image:
    from ...masks.embedded import subject
    from . import new_background

    picture = _pixels(image)
    found = subject.main_subject(image.convert("RGB"), picture)
    wanted = backdrops.parse(words)
    assert wanted is not None  # it was read before
    return new_background.before(picture, found, *wanted)


def _recoloured(image: PIL.Image.Image, detail: str) -> PIL.Image.Image:
    from ...masks.embedded import matting, outlines
    from ...seeing.embedded import phrases_to_boxes
    from ...seeing.embedded.scene import Scene
    from . import recolouring

    thing, colour = detail.split("|")
    picture = _pixels(image)
    boxes = (
        phrases_to_boxes.ground(Scene(image.convert("RGB")), thing) if min(image.size) >= 16 else ()
    )
    covered = np.zeros(picture.shape[:2], bool)
    for box in boxes[:8]:
        covered |= outlines.in_box(picture, box)
    if not covered.any():
        raise ToolError(
            f"No {_bare(thing)} was found in the picture to recolour. Name an object that can be "
            "seen in it."
        )
    alpha = matting.soft_edge(picture, covered)
    recoloured = recolouring.recoloured(picture, alpha, _shade(colour))
    return with_alpha_of(PIL.Image.fromarray(recoloured), image)


def _bare(thing: str) -> str:
    first, _, rest = thing.partition(" ")
    return rest if rest and first in {"the", "a", "an", "this", "that", "my"} else thing
