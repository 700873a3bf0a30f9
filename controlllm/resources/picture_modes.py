"""Pictures in the few modes that tools take."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
from PIL import ImageCms, ImageOps

_KEPT_MODES = ("L", "RGB", "RGBA")
_ORIENTATION = 0x0112


def upright_in_kept_mode(picture: PIL.Image.Image) -> PIL.Image.Image:
    """The picture upright and in a mode that tools take: L, RGB or RGBA."""
    if picture.getexif().get(_ORIENTATION, 1) != 1:
        picture = ImageOps.exif_transpose(picture)
    return in_kept_mode(picture)[0]


def in_kept_mode(picture: PIL.Image.Image) -> tuple[PIL.Image.Image, str]:
    """The picture in a mode that tools take, and what a person should know of the change.

    Sixteen bits of grey become eight, print colours RGB; transparency is kept.
    """
    mode = picture.mode
    if mode in _KEPT_MODES and not (mode != "RGBA" and "transparency" in picture.info):
        return picture, ""
    if mode.startswith("I;16"):
        levels = np.asarray(picture).astype(np.uint16) >> 8
        return PIL.Image.fromarray(levels.astype(np.uint8)), "It was reduced to 8 bits of grey."
    if mode in ("I", "F"):
        return _stretched(picture), "Its brightness was stretched to 256 levels of grey."
    if mode == "CMYK":
        return _from_print_colours(picture), "Its print colours (CMYK) were changed to RGB."
    if mode == "1":
        return picture.convert("L"), ""
    if picture.has_transparency_data or mode in ("LA", "La", "PA", "RGBa"):
        return picture.convert("RGBA"), ""
    return picture.convert("RGB"), ""


def _stretched(picture: PIL.Image.Image) -> PIL.Image.Image:
    values = np.nan_to_num(np.asarray(picture, np.float32), posinf=0, neginf=0)
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 255 and picture.mode == "I":
        low, high = 0.0, 255.0
    scaled = (values - low) * (255 / (high - low)) if high > low else values * 0
    return PIL.Image.fromarray(scaled.round().astype(np.uint8))


def _from_print_colours(picture: PIL.Image.Image) -> PIL.Image.Image:
    profile = picture.info.get("icc_profile")
    if profile:
        try:
            changed = ImageCms.profileToProfile(
                picture,
                ImageCms.ImageCmsProfile(io.BytesIO(profile)),
                ImageCms.createProfile("sRGB"),
                outputMode="RGB",
            )
            if changed is not None:
                return changed
        except (ImageCms.PyCMSError, OSError):
            pass  # A profile that does not fit: plain arithmetic still gives a usable picture.
    return picture.convert("RGB")
