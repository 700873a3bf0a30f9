"""Pictures in the few modes that tools take, in the colours that every viewer shows."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import numpy as np
import PIL.Image
from PIL import ImageCms, ImageOps

_KEPT_MODES = ("L", "RGB", "RGBA")
_ORIENTATION = 0x0112
#: In a PNG's text under this key, or as a JPEG's comment, stands that the picture was turned as its
#: camera noted when it was handed over.
TURNED_UPRIGHT = "controlllm.turned-upright"


def upright_in_kept_mode(picture: PIL.Image.Image) -> PIL.Image.Image:
    """The picture upright and in a mode that tools take: L, RGB or RGBA."""
    if picture.getexif().get(_ORIENTATION, 1) != 1:
        picture = ImageOps.exif_transpose(picture)
    return in_kept_mode(picture)[0]


def was_turned_upright(picture: PIL.Image.Image) -> bool:
    """Whether a picture was turned as its camera noted when it was handed over: elsewhere it may
    be seen lying on its side or on its head."""
    comment = picture.info.get("comment")
    return TURNED_UPRIGHT in picture.info or comment == TURNED_UPRIGHT.encode()


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
