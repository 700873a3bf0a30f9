"""Pictures written in file formats, in a quality or under a size."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

import PIL.Image
from PIL import ImageCms

from controlllm.toolbox import ToolError

from ...shared.pixels import rgb
from .fitting import resized

#: The names of the formats as people read them, their media types and the most pixels on a side.
FORMATS = {
    "jpeg": ("JPEG", "image/jpeg", 65_000),
    "png": ("PNG", "image/png", 1 << 31),
    "webp": ("WebP", "image/webp", 16_383),
    "avif": ("AVIF", "image/avif", 65_000),
    "tiff": ("TIFF", "image/tiff", 1 << 31),
    "gif": ("GIF", "image/gif", 65_000),
    "bmp": ("BMP", "image/bmp", 65_000),
    "ico": ("ICO", "image/x-icon", 1 << 31),
}
#: The quality where nothing is said, and the least that a limit leads to.
USUAL = {"jpeg": 92, "webp": 90, "avif": 80}
_LEAST = {"jpeg": 55, "webp": 50, "avif": 42}
#: The least that the smallest picture gets.
_LOWEST = {"jpeg": 40, "webp": 35, "avif": 32}
#: The quality that a picture has that is made smaller for a limit.
_SMALL = {"jpeg": 75, "webp": 72, "avif": 60}
#: No limit makes a picture smaller than this on its longer side.
LEAST_SIDE = 320
_ICONS = (256, 128, 64, 48, 32, 24, 16)
_PALETTE = 256

Report = Callable[[float], None]


def written(
    image: PIL.Image.Image, name: str, quality: int = 0, exif: bytes = b"", is_tight: bool = False
) -> bytes:
    """The picture in a format, with a quality from 1 to 100 where that has one; `is_tight` takes
    longer for a smaller file."""
    if name in ("jpeg", "bmp") and image.mode == "RGBA":
        profile = image.info.get("icc_profile")
        image = PIL.Image.fromarray(rgb(image))
        if profile:
            image.info["icc_profile"] = profile
    if name in ("gif", "bmp", "ico"):
        image = _without_profile(image)
    buffer = io.BytesIO()
    options: dict[str, Any] = {}
    if name in ("jpeg", "png", "webp", "avif"):
        options["exif"] = exif
    if name in ("jpeg", "png", "webp", "avif", "tiff"):
        options["icc_profile"] = image.info.get("icc_profile") if image.mode != "L" else None
    if name in USUAL:
        options["quality"] = quality or USUAL[name]
    if name == "jpeg":
        fine = options["quality"] >= 90
        options |= {"subsampling": 0 if fine else 2, "optimize": True, "progressive": is_tight}
        options["comment"] = b""
    elif name == "png":
        options["compress_level"] = 9 if is_tight else 6
    elif name == "webp":
        options["method"] = 4 if is_tight else 3
    elif name == "avif":
        options["speed"] = 8
    elif name == "tiff":
        options["compression"] = "tiff_lzw"
    elif name == "gif":
        image = _for_gif(image)
    elif name == "ico":
        image, options["sizes"] = _icon(image)
    _bare(image).save(buffer, FORMATS[name][0].upper(), **options)
    return buffer.getvalue()


def within(image: PIL.Image.Image, name: str, limit: float, quality: int, report: Report) -> bytes:
    """The picture as a file of at most `limit` bytes: of the best quality that allows it, down to
    one that is still good, then with fewer pixels.

    Raises ToolError where it could not be looked at any more.
    """
    if name == "ico":
        return _icon_within(image, limit)
    highest = quality or USUAL.get(name, 0)
    content = written(image, name, highest)
    if limit < len(content) < 1.3 * limit:
        content = written(image, name, highest, is_tight=True)
    if len(content) <= limit:
        return content
    report(0.2)
    largest = len(content)
    if name in USUAL:
        least = min(_LEAST[name], highest)
        content = written(image, name, least)
        if len(content) <= limit:
            known = ((least, len(content)), (highest, largest))
            return _best_quality(image, name, limit, known, content, report)
    elif name == "png" and largest < 40 * limit:
        content = _in_way(image, name, 0)
        if len(content) <= limit:
            return content
    return _smaller(image, name, limit, len(content), quality, report)


def _best_quality(
    image: PIL.Image.Image,
    name: str,
    limit: float,
    known: tuple[tuple[int, int], tuple[int, int]],
    fitting: bytes,
    report: Report,
) -> bytes:
    """The file of the best quality that is small enough, between two qualities whose sizes are
    known, one that is and one that is not."""
    low, high = known
    for step in range(4):
        if high[0] - low[0] <= 2 or low[1] > 0.95 * limit:
            break
        # Each step of quality makes the file larger by about the same factor.
        part = math.log(0.98 * limit / low[1]) / max(math.log(high[1] / low[1]), 1e-6)
        middle = low[0] + min(max(round(part * (high[0] - low[0])), 1), high[0] - low[0] - 1)
        content = written(image, name, middle)
        if len(content) <= limit:
            low, fitting = (middle, len(content)), content
        else:
            high = (middle, len(content))
        report(0.4 + 0.15 * step)
    return fitting


def _smaller(
    image: PIL.Image.Image, name: str, limit: float, size: int, quality: int, report: Report
) -> bytes:
    """The file of a picture with as many pixels as fit, where one of `size` bytes is too large."""
    floor = min(LEAST_SIDE / max(image.size), 1.0)
    good = min(_SMALL.get(name, 0), quality or 100)
    lowest = min(_LOWEST.get(name, 0), good)
    share, fitting = 1.0, b""
    too_large = 1.0
    for step in range(10):
        wanted = share * math.sqrt(limit / size) * 0.97
        share = max(min(wanted, 0.97 * too_large), floor)
        report(0.25 + 0.07 * step)
        small = _scaled(image, share)
        content = _in_way(small, name, good)
        if len(content) > limit and share <= floor and lowest < good:
            content = _in_way(small, name, lowest)
        size = len(content)
        if size <= limit:
            fitting = max(fitting, content, key=len)
            if size > 0.85 * limit or share >= 0.95 * too_large or step >= 5:
                return fitting
        elif fitting:
            return fitting
        elif share <= floor:
            break
        else:
            too_large = share
    if fitting:
        return fitting
    raise ToolError(
        f"As {FORMATS[name][0]} this picture cannot be made smaller than {in_bytes(limit)} and "
        f"still be looked at: with {small.width} × {small.height} pixels it has "
        f"{in_bytes(size)}. {_advice(name)}"
    )


def _in_way(image: PIL.Image.Image, name: str, quality: int) -> bytes:
    if name == "png":
        image = _in_few_colours(image)
    return written(image, name, quality, is_tight=True)


def _advice(name: str) -> str:
    if name in USUAL:
        return "Allow a larger file."
    return "Allow a larger file, or ask for JPEG or WebP, which take far less."


def in_bytes(size: float) -> str:
    """A file's size in words, never less than it is."""
    if size >= 1_000_000:
        return f"{math.ceil(size / 10_000) / 100:g} MB"
    if size >= 10_000:
        return f"{math.ceil(size / 1000)} kB"
    return f"{math.ceil(size / 100) / 10:g} kB" if size >= 1000 else f"{math.ceil(size)} bytes"


def _scaled(image: PIL.Image.Image, share: float) -> PIL.Image.Image:
    size = max(1, round(image.width * share)), max(1, round(image.height * share))
    return resized(image, size)


def _bare(image: PIL.Image.Image) -> PIL.Image.Image:
    """The picture without what its file said beside it; some writers would take that over."""
    if not image.info:
        return image
    bare = image.copy()
    bare.info = {key: image.info[key] for key in ("transparency",) if key in image.info}
    return bare


def _in_few_colours(image: PIL.Image.Image, most: int = _PALETTE) -> PIL.Image.Image:
    """In a palette of so many colours as a GIF may have."""
    if image.mode == "RGBA":
        return image.quantize(most, PIL.Image.Quantize.FASTOCTREE)
    method = PIL.Image.Quantize.MEDIANCUT
    return image.convert("RGB").quantize(most, method, dither=PIL.Image.Dither.FLOYDSTEINBERG)


def _for_gif(image: PIL.Image.Image) -> PIL.Image.Image:
    """In a palette; a pixel of a GIF is clear or it is not, so what is half clear lies on white."""
    if image.mode != "RGBA":
        return _in_few_colours(image)
    clear = image.getchannel("A").point([255] * 128 + [0] * 128)
    result = _in_few_colours(PIL.Image.fromarray(rgb(image)), _PALETTE - 1)
    result.paste(_PALETTE - 1, (0, 0, *image.size), clear)
    result.info["transparency"] = _PALETTE - 1
    return result


def _without_profile(image: PIL.Image.Image) -> PIL.Image.Image:
    """In the usual colours, for a format that cannot say which others they are."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode == "L":
        return image
    try:
        changed = ImageCms.profileToProfile(
            image,
            ImageCms.ImageCmsProfile(io.BytesIO(profile)),
            ImageCms.createProfile("sRGB"),
            outputMode=image.mode,
        )
    except (ImageCms.PyCMSError, OSError):
        return image  # A profile that does not fit says nothing.
    return changed or image


def _icon(image: PIL.Image.Image, most: int = 256) -> tuple[PIL.Image.Image, list[tuple[int, int]]]:
    """A square picture with clear bars for an icon, and the sizes that it has."""
    picture = image.convert("RGBA")
    side = max(picture.size)
    square = PIL.Image.new("RGBA", (side, side))
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    sizes = [size for size in _ICONS if size <= min(side, most)] or [_ICONS[-1]]
    return resized(square, (sizes[0], sizes[0])), [(size, size) for size in sizes]


def _icon_within(image: PIL.Image.Image, limit: float) -> bytes:
    content = b""
    for most in _ICONS:
        icon, sizes = _icon(image, most)
        buffer = io.BytesIO()
        icon.save(buffer, "ICO", sizes=sizes)
        content = buffer.getvalue()
        if len(content) <= limit:
            return content
    raise ToolError(
        f"An icon of this picture cannot be made smaller than {in_bytes(limit)}: one of 16 × 16 "
        f"pixels has {in_bytes(len(content))}. Allow a larger file."
    )
