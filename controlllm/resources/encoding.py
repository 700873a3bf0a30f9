"""Values to bytes and back, so that every resource is a file that a person can open.

A mask is a black and white picture of all its regions together; the regions themselves, which may
overlap, travel in a text chunk of the same PNG.
"""

from __future__ import annotations

import base64
import io
import json
import wave
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
from PIL.PngImagePlugin import PngInfo

from controlllm.resources.types import PARENTS
from controlllm.resources.values import Box, ClickedPoint, Clip, Label, Region, Sound

REGIONS_CHUNK = "controlllm-regions"

SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "audio/wav": ".wav",
    "audio/flac": ".flac",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/mp4": ".m4a",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "text/plain": ".txt",
    "text/html": ".html",
    "application/json": ".json",
}


def encode(type_name: str, value: Any) -> tuple[bytes, str]:
    """The stored bytes of a value and their media type.

    Raises TypeError where the value is not one of `type_name`.
    """
    if type_name == "mask":
        return _encode_regions(value), "image/png"
    if type_name == "image" or PARENTS.get(type_name) == "image":
        _expect(type_name, value, PIL.Image.Image)
        buffer = io.BytesIO()
        picture = value if value.mode in ("L", "RGB", "RGBA") else value.convert("RGB")
        picture.save(buffer, "PNG", compress_level=1)
        return buffer.getvalue(), "image/png"
    if type_name == "audio":
        _expect(type_name, value, Sound)
        return _encode_sound(value), "audio/wav"
    if type_name == "video":
        _expect(type_name, value, Clip)
        return Path(value.path).read_bytes(), "video/mp4"
    if type_name == "html":
        _expect(type_name, value, str)
        return value.encode(), "text/html"
    if type_name in ("bbox", "point", "category"):
        _expect(type_name, value, tuple)
        return json.dumps([asdict(item) for item in value], indent=1).encode(), "application/json"
    if type_name == "tags":
        _expect(type_name, value, tuple)
        return ", ".join(value).encode(), "text/plain"
    if type_name == "number":
        _expect(type_name, value, (int, float))
        return f"{value:g}".encode(), "text/plain"
    _expect(type_name, value, str)
    return value.encode(), "text/plain"


def decode(type_name: str, path: Path) -> Any:
    """The value that a stored file holds; the inverse of `encode`."""
    if type_name == "mask":
        return _decode_regions(path)
    if type_name == "image" or PARENTS.get(type_name) == "image":
        with PIL.Image.open(path) as picture:
            picture.load()
            return picture if picture.mode in ("L", "RGB", "RGBA") else picture.convert("RGB")
    if type_name == "audio":
        return _decode_sound(path)
    if type_name == "video":
        return Clip(path)
    if type_name in ("bbox", "point", "category"):
        kind = {"bbox": Box, "point": ClickedPoint, "category": Label}[type_name]
        return tuple(kind(**item) for item in json.loads(path.read_text()))
    if type_name == "tags":
        return tuple(tag.strip() for tag in path.read_text().split(",") if tag.strip())
    if type_name == "number":
        number = float(path.read_text())
        return int(number) if number.is_integer() else number
    return path.read_text()


def as_text(type_name: str, value: Any) -> str:
    """What a tool that takes text reads when it is handed a special kind of text."""
    if type_name == "category":
        return ", ".join(label.name for label in value)
    if type_name == "tags":
        return ", ".join(value)
    if type_name == "number":
        return f"{value:g}"
    return str(value)


def as_image(type_name: str, value: Any) -> PIL.Image.Image:
    """What a tool that takes any image sees when it is handed a special kind of image."""
    if type_name == "mask":
        return PIL.Image.fromarray(union(value).astype(np.uint8) * 255)
    return value


def union(regions: tuple[Region, ...]) -> np.ndarray:
    """The pixels of all regions together, boolean, height x width.

    Raises ValueError where there is no region: then the size is unknown too.
    """
    if not regions:
        raise ValueError("There is no region in this mask.")
    return np.logical_or.reduce([region.pixels for region in regions])


def _expect(type_name: str, value: Any, kind: Any) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"Expected a value of type {type_name}, got {type(value).__name__}.")


def _encode_regions(regions: tuple[Region, ...]) -> bytes:
    _expect("mask", regions, tuple)
    chunk = [
        {
            "label": region.label,
            "score": region.score,
            "pixels": base64.b64encode(
                zlib.compress(np.packbits(region.pixels).tobytes(), 6)
            ).decode(),
        }
        for region in regions
    ]
    seen = union(regions) if regions else np.zeros((1, 1), bool)
    info = PngInfo()
    info.add_itxt(REGIONS_CHUNK, json.dumps(chunk), zip=True)
    buffer = io.BytesIO()
    PIL.Image.fromarray(seen.astype(np.uint8) * 255).save(buffer, "PNG", pnginfo=info)
    return buffer.getvalue()


def _decode_regions(path: Path) -> tuple[Region, ...]:
    with PIL.Image.open(path) as picture:
        picture.load()
        chunk = picture.info.get(REGIONS_CHUNK)
        pixels = np.asarray(picture.convert("L")) > 127
    if chunk is None:
        return (Region(pixels),)
    count = pixels.size
    regions = []
    for item in json.loads(chunk):
        packed = np.frombuffer(zlib.decompress(base64.b64decode(item["pixels"])), np.uint8)
        shape = np.unpackbits(packed, count=count).astype(bool).reshape(pixels.shape)
        regions.append(Region(shape, str(item["label"]), float(item["score"])))
    return tuple(regions)


def _encode_sound(sound: Sound) -> bytes:
    samples = np.clip(sound.samples, -1, 1)
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as target:
        target.setnchannels(samples.shape[1])
        target.setsampwidth(2)
        target.setframerate(sound.rate)
        target.writeframes((samples * 32767).round().astype("<i2").tobytes())
    return buffer.getvalue()


def _decode_sound(path: Path) -> Sound:
    import soundfile  # loads a shared library, so only where sound is read

    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return Sound(samples, int(rate))
