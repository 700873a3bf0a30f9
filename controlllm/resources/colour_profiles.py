"""Pictures whose numbers mean other colours than usual: as every viewer shows them."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import numpy as np
import PIL.Image
from PIL import ImageCms

#: Under this key of a picture's `info` stands the name of the profile that it had.
PROFILE_NAME = "profile_name"
#: Colours that differ by no more levels are the same ones; the picture then stays as it is.
_SAME = 2
#: Of a pure colour so many steps are compared.
_STEPS = (0, 64, 128, 192, 255)
_MODES = ("L", "RGB", "RGBA")


def in_usual_colours(picture: PIL.Image.Image) -> PIL.Image.Image:
    """A picture of mode L, RGB or RGBA in sRGB, without the profile that said otherwise.

    One without a profile, in sRGB anyhow, or with a profile that cannot be read stays as it is.
    """
    profile = picture.info.get("icc_profile")
    if not isinstance(profile, bytes) or not profile or picture.mode not in _MODES:
        return picture
    transform, name = _transform(profile, picture.mode)
    if transform is None:
        return picture
    changed = transform.apply(picture)
    if picture.mode == "L":
        changed = changed.convert("L")
    changed.info = {key: value for key, value in picture.info.items() if key != "icc_profile"}
    changed.info[PROFILE_NAME] = name
    # What the file was is told of the picture beside its pixels.
    changed.format = picture.format
    for attribute in ("filename", "_exif"):
        if hasattr(picture, attribute):
            setattr(changed, attribute, getattr(picture, attribute))
    return changed


@lru_cache(maxsize=16)
def _transform(profile: bytes, mode: str) -> tuple[Any, str]:
    """What makes sRGB of a profile's colours, None where there is nothing to do; its name."""
    usual = "RGB" if mode == "L" else mode
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        name = (ImageCms.getProfileDescription(own) or "").strip()
        transform = ImageCms.buildTransform(own, ImageCms.createProfile("sRGB"), mode, usual)
        colours = _colours().convert(mode)
        changed = transform.apply(colours).convert("RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None, ""
    off = np.abs(np.asarray(changed, np.int16) - np.asarray(colours.convert("RGB"), np.int16))
    return (transform if int(off.max()) > _SAME else None), name


def _colours() -> PIL.Image.Image:
    """Colours from all over, a pixel each."""
    steps = np.array(_STEPS, np.uint8)
    cube = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(1, -1, 3)
    return PIL.Image.fromarray(cube)
