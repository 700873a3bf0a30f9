"""Parts of a picture blurred so that nobody makes them out, each by its own size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import PIL.Image
import PIL.ImageFilter

from controlllm.resources import Region

from ...masks.embedded import matting
from ...shared import covering
from ...shared.pixels import bounds, covered, rgb, with_alpha_of

#: How far a part is blurred, of its longer side: a face far off needs less than one near by.
_ILLEGIBLE, _LEAST = 0.08, 2.0
#: What is hidden so that nobody is known again needs more.
_UNKNOWABLE = 0.16
#: How much is looked at around a part, in blur radii.
_AROUND = 3.0


def blurred(image: PIL.Image.Image, mask: Sequence[Region], strength: float) -> PIL.Image.Image:
    """The picture with each part of a mask blurred. Raises ToolError where the mask is empty."""
    covered(tuple(mask), image)
    picture = rgb(image)
    result = picture.copy()
    for region in mask:
        if region.pixels.any():
            part = covered((region,), image)
            hidden = region.label in covering.WHOLE
            _blur(picture, result, part, strength, hidden)
    return with_alpha_of(PIL.Image.fromarray(result), image)


def _blur(
    picture: np.ndarray, result: np.ndarray, part: np.ndarray, strength: float, hidden: bool
) -> None:
    """Blur a part in `result`; one that is to be `hidden` has no soft edge inwards."""
    corners = bounds(part)
    assert corners is not None
    left, top, right, bottom = corners
    share = (_UNKNOWABLE if hidden else _ILLEGIBLE) * strength
    radius = max(_LEAST, share * max(right - left, bottom - top))
    around = round(_AROUND * radius)
    place = np.s_[max(0, top - around) : bottom + around, max(0, left - around) : right + around]
    near = np.ascontiguousarray(picture[place])
    soft = np.asarray(PIL.Image.fromarray(near).filter(PIL.ImageFilter.GaussianBlur(radius)))
    alpha = part[place].astype(np.float32) if hidden else matting.soft_edge(near, part[place])
    result[place] = matting.blended(soft, result[place], alpha)
