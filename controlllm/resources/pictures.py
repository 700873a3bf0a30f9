"""Taking in pictures: upright, 8 bits a channel, grey, colour or colour with transparency."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
from PIL import ImageOps, ImageSequence, PngImagePlugin

from controlllm.resources.animations import ANIMATION, KEPT_MOVING, looked_through
from controlllm.resources.encoding import REGIONS_CHUNK
from controlllm.resources.intake import BadInput, Content, Upload
from controlllm.resources.large_pictures import LARGE, bands, room_for
from controlllm.resources.picture_modes import TURNED_UPRIGHT, in_kept_mode

_ORIENTATION = 0x0112
_KEPT_FORMATS = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
_JPEG_QUALITY = 95
#: Levels from black and from white that are nearly so, and how much of a mask may be neither where
#: its edges are mixed.
_NEARLY, _OF_EDGES = 24, 0.2

#: What Pillow's readers raise on damaged files.
_DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    EOFError,
    OverflowError,
    struct.error,
    zlib.error,
)
_BOMB = (PIL.Image.DecompressionBombError, PIL.Image.DecompressionBombWarning)


def take_picture(upload: Upload, format_name: str) -> Content:
    """The picture of a file in Pillow's format `format_name`, as `image` or `mask`.

    The size is checked before a pixel is decoded. Raises BadInput where the picture is damaged,
    has no pixels or too many.
    """
    if format_name == "HEIF":
        _know_heif()
    try:
        with PIL.Image.open(upload.path, formats=[format_name]) as picture:
            _check_size(upload, *picture.size)
            size = picture.size
        with room_for(size):
            return _decoded(upload, format_name)
    except (*_BOMB, MemoryError):
        raise _too_large(upload, "") from None
    except _DAMAGE:
        raise BadInput(
            f"{upload.name} is damaged, incomplete or of a rare sort: its picture cannot be read. "
            "Get the file again, or save it anew as JPEG or PNG."
        ) from None


def _decoded(upload: Upload, format_name: str) -> Content:
    with PIL.Image.open(upload.path, formats=[format_name]) as picture:
        several = _has_several(picture)
        if _can_stay(upload, picture, format_name, several):
            return _kept(upload, picture, format_name)
        picture.load()
        taken = _taken(upload, picture, format_name, several)
        if not several:
            return taken
        if format_name != "TIFF":
            # Tools that work on every frame take it as it came.
            kind = PIL.Image.MIME.get(format_name, "")
            is_kept = kind in KEPT_MOVING
            return replace(taken, original=upload.path, original_type=kind) if is_kept else taken
        # Its other pages can be had as pictures too.
        details = {**taken.details, "pages": int(getattr(picture, "n_frames", 1))}
        return replace(taken, details=details, original=upload.path, original_type="image/tiff")


def _can_stay(upload: Upload, picture: PIL.Image.Image, format_name: str, several: bool) -> bool:
    """Whether a large photograph needs no change, by its header, so that a look at it will do."""
    return (
        format_name == "JPEG"
        and picture.format == "JPEG"
        and picture.width * picture.height >= LARGE
        and not several
        and picture.mode in ("L", "RGB")
        and picture.getexif().get(_ORIENTATION, 1) == 1
        and not _carries_regions(upload.path)
    )


def _kept(upload: Upload, picture: PIL.Image.Image, format_name: str) -> Content:
    """A large photograph that stays as it is. It is decoded at an eighth of its size, which reads
    all of the file, so that damage is noticed."""
    details: dict[str, Any] = {"width": picture.width, "height": picture.height}
    picture.draft("L", (picture.width // 8, picture.height // 8))
    picture.load()
    counts = picture.convert("L").histogram()
    if sum(counts[_NEARLY:-_NEARLY]) > _OF_EDGES * sum(counts):
        return Content("image", _KEPT_FORMATS[format_name], upload.path, details)
    # Nearly black and white, but for edges that are mixed at this size: it may be a mask.
    with PIL.Image.open(upload.path, formats=[format_name]) as whole:
        whole.load()
        return _taken(upload, whole, format_name, False)


@cache
def _know_heif() -> None:
    """Have Pillow read what phones save (HEIC), by a library that only decodes."""
    import pi_heif

    pi_heif.register_heif_opener(thumbnails=False, decode_threads=1)


def picture_details(path: Path) -> dict[str, int]:
    """Width and height in pixels, read from the file's header."""
    with PIL.Image.open(path) as picture:
        return {"width": picture.width, "height": picture.height}


def is_two_valued(picture: PIL.Image.Image) -> bool:
    """Whether a picture is of pure black and pure white, with both in it, and opaque."""
    black = white = 0
    for _, band in bands(picture):
        if band.mode == "RGBA" and band.getchannel("A").getextrema() != (255, 255):
            return False
        counts = band.convert("L").histogram()
        if any(counts[1:255]):
            return False
        black, white = black + counts[0], white + counts[255]
    return bool(black and white)


def mask_sureness(picture: PIL.Image.Image) -> float:
    """How sure it is, 0..1, that a picture of two values is a mask and not a drawing or a printed
    page: masks are made of areas, the others of strokes.

    It goes by how thick what is white and what is black are: pixels for each pixel of their edge.
    """
    edges = whites = 0
    above = None
    for _, band in bands(picture):
        white = np.asarray(band.convert("L")) > 127
        edges += int((white[1:] != white[:-1]).sum()) + int((white[:, 1:] != white[:, :-1]).sum())
        if above is not None:
            edges += int((white[0] != above).sum())
        whites += int(white.sum())
        above = white[-1]
    smaller = min(whites, picture.width * picture.height - whites)
    thickness = 2 * smaller / max(edges, 1) / (sum(picture.size) / 2)
    return round(float(min(0.99, 0.3 + 12 * thickness)), 2)


def _check_size(upload: Upload, width: int, height: int) -> None:
    limits = upload.limits
    if width < 1 or height < 1:
        raise BadInput(f"{upload.name} has no pixels: it is {width} × {height}. Save it anew.")
    if width * height > limits.max_pixels:
        raise _too_large(upload, f"it is {width:,} × {height:,} pixels, ")
    if max(width, height) > limits.max_side:
        raise BadInput(
            f"{upload.name} is {width:,} × {height:,} pixels; no side may have more than "
            f"{limits.max_side:,}. Crop it or make it smaller, then add it again."
        )


def _too_large(upload: Upload, size: str) -> BadInput:
    return BadInput(
        f"{upload.name} is too large: {size}at most {upload.limits.max_pixels / 1e6:.3g} million "
        "pixels are possible. Make it smaller and add it again."
    )


def _has_several(picture: PIL.Image.Image) -> bool:
    # An MPO is a JPEG with a preview or a second eye's view behind the picture; nobody misses it.
    return picture.format != "MPO" and bool(getattr(picture, "is_animated", False))


def _taken(upload: Upload, picture: PIL.Image.Image, format_name: str, several: bool) -> Content:
    notices = []
    changed = picture
    moving = None
    if several and format_name == "TIFF":
        notices.append("Only the first page of it is used.")
        changed = next(iter(ImageSequence.Iterator(picture))).copy()
    elif several:
        moving = looked_through(picture)
        changed = moving.frame
        which = "the first frame" if moving.number == 1 else f"frame {moving.number}"
        why = "" if moving.number == 1 else ", which shows the most"
        notices.append(
            f"It moves: it has {moving.in_words()}. What works on one picture takes {which}{why}."
        )
    is_turned = changed.getexif().get(_ORIENTATION, 1) != 1
    if is_turned:
        changed = ImageOps.exif_transpose(changed)
        notices.append("It was turned upright, as the camera noted.")
    changed, notice = in_kept_mode(changed)
    if notice:
        notices.append(notice)
    kind = "mask" if is_two_valued(changed) else "image"
    details: dict[str, Any] = {"width": changed.width, "height": changed.height}
    if moving is not None:
        details["frames"] = moving.frames
        if moving.seconds is not None:
            details["seconds"] = moving.seconds
    if kind == "mask":
        details["sureness"] = mask_sureness(changed)
    if changed is picture and format_name in _KEPT_FORMATS and not _carries_regions(upload.path):
        return Content(kind, _KEPT_FORMATS[format_name], upload.path, details, tuple(notices))
    # Date, camera and place stay; the note of how to turn it would turn it a second time.
    noted = changed.getexif()
    noted.pop(_ORIENTATION, None)
    profile = changed.info.get("icc_profile") if changed.mode != "L" else None
    changed.info = {"icc_profile": profile} if profile else {}
    if format_name in ("JPEG", "HEIF") and changed.mode != "RGBA":
        target = upload.target(".jpg")
        more = {"exif": noted.tobytes()} if noted else {}
        if is_turned:
            more["comment"] = TURNED_UPRIGHT.encode()
        changed.save(target, "JPEG", quality=_JPEG_QUALITY, subsampling=0, **more)
        return Content(kind, "image/jpeg", target, details, tuple(notices))
    target = upload.target(".png")
    told = PngImagePlugin.PngInfo()
    if moving is not None:
        told.add_text(ANIMATION, f"frame {moving.number} of {moving.in_words()}")
    if is_turned:
        told.add_text(TURNED_UPRIGHT, "as the camera noted")
    changed.save(target, "PNG", compress_level=1, pnginfo=told)
    return Content(kind, "image/png", target, details, tuple(notices))


def _carries_regions(path: Path) -> bool:
    """Whether a file claims to be a mask that this program wrote, with regions of its own."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(REGIONS_CHUNK.encode()) >= 0
