"""What a picture's file says of it: its size and colours, and what the camera noted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources.animations import ANIMATION
from controlllm.resources.picture_modes import PROFILE_NAME

from .picture_files import in_bytes

_DETAILS, _PLACE = 0x8769, 0x8825
_SHAPES = (
    (1, 1), (5, 4), (4, 3), (7, 5), (3, 2), (16, 10), (16, 9), (2, 1), (21, 9), (3, 1), (45, 35),
)  # fmt: skip
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_CLEAR, _ALIKE = 8, 10


def facts(image: PIL.Image.Image) -> list[str]:
    """The facts, one a line."""
    noted = list(_noted(image))
    return [
        _size(image),
        *_file(image),
        *_animation(image),
        *_print_size(image),
        _colours(image),
        _transparency(image),
        *(
            noted
            or [
                "Camera, date and place: the picture that is here says nothing of them "
                "(they are often lost when a photo is sent, edited or turned)."
            ]
        ),
    ]


def _size(image: PIL.Image.Image) -> str:
    width, height = image.size
    millions = width * height / 1e6
    told = f"{width} × {height} pixels"
    if millions >= 0.1:
        told += (
            f" ({millions:.3g} megapixels)" if millions >= 1 else f" ({millions:.1f} megapixels)"
        )
    return f"Size: {told}, shape {_shape(width, height)}"


def _shape(width: int, height: int) -> str:
    lying = "square" if width == height else "landscape" if width > height else "portrait"
    long, short = max(width, height), min(width, height)
    for first, second in _SHAPES:
        if abs(long * second / (short * first) - 1) <= 0.006:
            pair = (first, second) if width >= height else (second, first)
            exact = "" if long * second == short * first else "about "
            return f"{exact}{pair[0]}:{pair[1]} ({lying})"
    common = math.gcd(width, height)
    if max(width, height) // common <= 32:
        return f"{width // common}:{height // common} ({lying})"
    ratio = f"{width / height:.2f}:1" if width >= height else f"1:{height / width:.2f}"
    return f"about {ratio} ({lying})"


def _file(image: PIL.Image.Image) -> Iterator[str]:
    kind = {"MPO": "JPEG", "JPEG2000": "JPEG 2000"}.get(image.format or "", image.format or "")
    path = getattr(image, "filename", "")
    told = []
    if kind:
        told.append(kind)
    if path and Path(path).is_file():
        told.append(in_bytes(Path(path).stat().st_size))
    if told:
        yield f"File: {', '.join(told)}"


def _animation(image: PIL.Image.Image) -> Iterator[str]:
    """What the picture is a frame of."""
    if moving := _clean(image.info.get(ANIMATION)):
        yield f"Animation: this is {moving}"


def _print_size(image: PIL.Image.Image) -> Iterator[str]:
    wide, tall = (side / 300 * 2.54 for side in image.size)
    if min(wide, tall) >= 0.5:
        yield f"Print: up to {wide:.1f} × {tall:.1f} cm sharp, at 300 dots an inch"


def _colours(image: PIL.Image.Image) -> str:
    if image.mode == "L":
        return "Colours: none, it is in shades of grey"
    plain = image.convert("RGB")
    counted = plain.getcolors(256)
    if counted and len(counted) == 1:
        red, green, blue = plain.getpixel((0, 0))  # type: ignore[misc]
        return f"Colours: all of it is of one colour, #{red:02x}{green:02x}{blue:02x}"
    few = f", {len(counted)} in all" if counted and len(counted) > 1 else ""
    small = plain.copy()
    small.thumbnail((400, 400), PIL.Image.Resampling.BOX)
    pixels = np.asarray(small, np.int16)
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    if int(spread.max()) <= 6:
        return f"Colours: none, it is in shades of grey{few}"
    profile = _profile_name(image)
    return f"Colours: in colour{few}{f', in the colours of {profile}' if profile else ''}"


def _profile_name(image: PIL.Image.Image) -> str:
    profile = image.info.get("icc_profile")
    if name := image.info.get(PROFILE_NAME):
        return _clean(name)
    if not profile:
        return ""
    import io

    from PIL import ImageCms

    try:
        name = ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile)))
    except (ImageCms.PyCMSError, OSError):
        return ""
    return "" if name.lower().startswith(("srgb", "c2")) else _clean(name)


def _transparency(image: PIL.Image.Image) -> str:
    edge = _edge(image)
    if image.mode == "RGBA":
        alpha = np.asarray(image.getchannel("A"))
        if alpha.min() < 255:
            clear = float((alpha < _CLEAR).mean()) * 100
            partly = float(((alpha >= _CLEAR) & (alpha < 255)).mean()) * 100
            around = (edge[:, 3] < _CLEAR).mean()
            ground = ", the background at its edge is see-through" if around > 0.7 else ""
            return (
                f"Transparency: yes, {_share(clear)} of it is clear and {_share(partly)} half "
                f"clear{ground}"
            )
    colour = np.median(edge[:, :3], axis=0)
    alike = (np.abs(edge[:, :3] - colour) <= _ALIKE).all(axis=1).mean() > 0.7
    light = float(colour.mean())
    ground = ""
    if alike and (light > 235 or light < 20):
        ground = f"; the background at its edge is {'white' if light > 235 else 'black'}"
    return f"Transparency: none, all of it is solid{ground}"


def _share(percent: float) -> str:
    if 0 < percent < 1:
        return "less than 1 %"
    return "nearly all" if 99 < percent < 100 else f"{percent:.0f} %"


def _edge(image: PIL.Image.Image) -> np.ndarray:
    """The pixels along the edge of a picture, as red, green, blue and alpha."""
    width, height = image.size
    lines = ((0, 0, width, 1), (0, height - 1, width, height), (0, 0, 1, height))
    boxes = (*lines, (width - 1, 0, width, height))
    strips = [np.asarray(image.crop(box).convert("RGBA")).reshape(-1, 4) for box in boxes]
    return np.concatenate(strips).astype(np.int16)


# --- what the camera noted ---


def _noted(image: PIL.Image.Image) -> Iterator[str]:
    exif = image.getexif()
    details = _part(exif, _DETAILS)
    maker, model = _clean(exif.get(0x010F)), _clean(exif.get(0x0110))
    if model or maker:
        known = model.lower().startswith(maker.lower().split(" ")[0]) if maker else True
        yield f"Camera: {model if known and model else f'{maker} {model}'.strip()}"
    if lens := _clean(details.get(0xA434)):
        yield f"Lens: {lens}"
    if settings := ", ".join(_settings(details)):
        yield f"Exposure: {settings}"
    taken = _clean(details.get(0x9003)) or _clean(details.get(0x9004))
    if taken:
        yield f"Taken: {_moment(taken)}"
    elif changed := _clean(exif.get(0x0132)):
        yield f"Date in the file: {_moment(changed)}"
    yield from _place(_part(exif, _PLACE))
    for tag, name in (
        (0x010E, "Description"),
        (0x013B, "Author"),
        (0x8298, "Copyright"),
        (0x0131, "Written with"),
    ):
        if words := _clean(exif.get(tag)):
            yield f"{name}: {words}"


def _part(exif: PIL.Image.Exif, tag: int) -> Mapping[int, Any]:
    try:
        return exif.get_ifd(tag)
    except (ValueError, TypeError, KeyError, OSError, SyntaxError):
        return {}


def _settings(details: Mapping[int, Any]) -> Iterator[str]:
    time = _number(details.get(0x829A))
    if time and time > 0:
        yield f"{time:g} s" if time >= 0.4 else f"1/{round(1 / time)} s"
    if (aperture := _number(details.get(0x829D))) and aperture > 0:
        yield f"f/{aperture:.2g}"
    sensitivity = details.get(0x8827)
    if isinstance(sensitivity, tuple) and sensitivity:
        sensitivity = sensitivity[0]
    if (speed := _number(sensitivity)) and speed > 0:
        yield f"ISO {speed:.0f}"
    if (focal := _number(details.get(0x920A))) and focal > 0:
        yield f"{focal:.3g} mm"


def _moment(words: str) -> str:
    found = re.match(r"(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d))?", words)
    if not found or not 1 <= int(found[2]) <= 12:
        return words
    day = f"{int(found[3])} {_MONTHS[int(found[2]) - 1]} {found[1]}"
    return f"{day} at {found[4]}:{found[5]}" if found[4] else day


def _place(noted: Mapping[int, Any]) -> Iterator[str]:
    north = _angle(noted.get(2), noted.get(1), "S")
    east = _angle(noted.get(4), noted.get(3), "W")
    if (
        north is None
        or east is None
        or abs(north) > 90
        or abs(east) > 180
        or (not north and not east)
    ):
        return
    height = _number(noted.get(6))
    above = f", {height:.0f} m high" if height else ""
    yield (
        f"Place: {abs(north):.5f}° {'north' if north >= 0 else 'south'}, {abs(east):.5f}° "
        f"{'east' if east >= 0 else 'west'}{above} (on a map: {north:.5f}, {east:.5f})"
    )


def _angle(parts: Any, way: Any, negative: str) -> float | None:
    if not isinstance(parts, (tuple, list)) or not parts:
        return None
    numbers = [_number(part) for part in parts[:3]]
    if any(number is None for number in numbers):
        return None
    angle = sum(number / 60**index for index, number in enumerate(numbers) if number is not None)
    return -angle if _clean(way).upper() == negative else angle


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return number if math.isfinite(number) else None


def _clean(value: Any) -> str:
    """Words of a file on one line, without what cannot be shown, and not too many."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "ignore")
    if not isinstance(value, str):
        return ""
    shown = "".join(letter if letter.isprintable() else " " for letter in value)
    return " ".join(shown.split())[:200]
