"""Values to bytes and back, so that every resource is a file that a person can open.

A mask is a black and white picture of all its regions together; the regions themselves, which may
overlap, travel in a text chunk of the same PNG.
"""

from __future__ import annotations

import base64
import io
import json
import numbers
import tempfile
import wave
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import numpy as np
import PIL.Image
from PIL.PngImagePlugin import PngInfo

from controlllm.resources.animations import MOVING, MovingFile
from controlllm.resources.conversion import convert_sound
from controlllm.resources.documents.documents import text_of_file
from controlllm.resources.intake import Limits
from controlllm.resources.long_sounds import MOST_IN_MEMORY, StoredSound
from controlllm.resources.media_types import SUFFIXES, WORD, ZIP
from controlllm.resources.picture_modes import in_kept_mode, in_usual_colours
from controlllm.resources.several import read_members, write_members
from controlllm.resources.types import PARENTS, SEVERAL_TYPES
from controlllm.resources.values import (
    Box,
    ClickedPoint,
    Clip,
    DocumentFile,
    Filed,
    Label,
    Region,
    Sound,
)

#: The text chunk of a mask's PNG with its regions; files that people hand over never keep it.
REGIONS_CHUNK = "controlllm-regions"
#: The beginnings of the media types that a result of a type may be filed as.
_FILED: dict[str, tuple[str, ...]] = {
    "image": ("image/",),
    "audio": ("audio/",),
    "document": ("application/pdf",),
    "table": ("text/", "application/json", "application/vnd"),
    "text": ("text/", "application/x-subrip", "application/json", WORD),
}
_WEBM_BEGINNING = b"\x1a\x45\xdf\xa3"
_BLOCK_FRAMES = 1 << 20


def encode(type_name: str, value: Any) -> tuple[bytes, str]:
    """The stored bytes of a value and their media type.

    Raises TypeError where the value is not one of `type_name`.
    """
    if isinstance(value, Filed):
        _expect_filed(type_name, value)
        return value.content, value.media_type
    if type_name == "mask":
        return _encode_regions(value), "image/png"
    if type_name == "image" or PARENTS.get(type_name) == "image":
        _expect(type_name, value, PIL.Image.Image)
        buffer = io.BytesIO()
        in_kept_mode(value)[0].save(buffer, "PNG", compress_level=1)
        return buffer.getvalue(), "image/png"
    if type_name == "audio":
        _expect(type_name, value, Sound)
        return _encode_sound(value), "audio/wav"
    if type_name == "video":
        _expect(type_name, value, Clip)
        content = Path(value.path).read_bytes()
        return content, "video/webm" if content.startswith(_WEBM_BEGINNING) else "video/mp4"
    if type_name == "document":
        _expect(type_name, value, DocumentFile)
        return Path(value.path).read_bytes(), "application/pdf"
    if type_name in SEVERAL_TYPES:
        _expect(type_name, value, tuple)
        buffer = io.BytesIO()
        write_members(value, buffer, encode)
        return buffer.getvalue(), ZIP
    if type_name == "table":
        _expect(type_name, value, str)
        return value.encode("utf-8", "replace"), "text/csv"
    if type_name == "html":
        _expect(type_name, value, str)
        return value.encode("utf-8", "replace"), "text/html"
    if type_name in ("bbox", "point", "category"):
        _expect(type_name, value, tuple)
        items = [asdict(item) for item in value]
        return json.dumps(items, indent=1, default=_plain_number).encode(), "application/json"
    if type_name == "tags":
        _expect(type_name, value, tuple)
        tags = (" ".join(tag.replace(",", " ").split()) for tag in value)
        return ", ".join(filter(None, tags)).encode("utf-8", "replace"), "text/plain"
    if type_name == "number":
        _expect(type_name, value, numbers.Real)
        return _digits(value).encode(), "text/plain"
    _expect(type_name, value, str)
    return value.encode("utf-8", "replace"), "text/plain"


def decode(type_name: str, path: Path) -> Any:
    """The value that a stored file holds; the inverse of `encode`.

    Sound comes back with 16 bits, long sound as one that is read in parts; tags come without commas
    and with single spaces.
    """
    if type_name == "mask":
        return _decode_regions(path)
    if type_name == "image" or PARENTS.get(type_name) == "image":
        with PIL.Image.open(path) as picture:
            moves = picture.format != "MPO" and bool(getattr(picture, "is_animated", False))
            picture.load()
            shown = in_usual_colours(in_kept_mode(picture)[0])
            # What a file says of itself under this key counts for nothing.
            shown.info.pop(MOVING, None)
            if moves:
                shown.info[MOVING] = MovingFile(path)
            return shown
    if type_name == "audio":
        return _decode_sound(path)
    if type_name == "video":
        return Clip(path)
    if type_name == "document" and is_pdf(path):
        return DocumentFile(path)
    if type_name in SEVERAL_TYPES:
        return read_members(path)
    if type_name in ("table", "text") and is_office_file(path):
        return text_of_file(path, "zip")
    # Not read_text, which would turn every kind of line end into one.
    text = path.read_bytes().decode("utf-8")
    if type_name in ("bbox", "point", "category"):
        kind = {"bbox": Box, "point": ClickedPoint, "category": Label}[type_name]
        return tuple(kind(**item) for item in json.loads(text))
    if type_name == "tags":
        return tuple(tag.strip() for tag in text.split(",") if tag.strip())
    if type_name == "number":
        return int(text) if text.lstrip("-").isdigit() else float(text)
    return text


def as_text(type_name: str, value: Any) -> str:
    """What a tool that takes text reads when it is handed a special kind of text."""
    if type_name == "category":
        return ", ".join(label.name for label in value)
    if type_name == "tags":
        return ", ".join(value)
    if type_name == "number":
        return _digits(value)
    if isinstance(value, DocumentFile):
        return text_of_file(value.path, "pdf")
    return str(value)


def is_pdf(path: Path) -> bool:
    """Whether a file is a PDF, by its beginning."""
    with path.open("rb") as file:
        return file.read(4) == b"%PDF"


def is_office_file(path: Path) -> bool:
    """Whether the file of a table is a spreadsheet or that of a text a Word file, by its
    beginning."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def _expect_filed(type_name: str, value: Filed) -> None:
    fitting = _FILED.get(type_name, ())
    if not value.media_type.startswith(fitting) or value.media_type not in SUFFIXES:
        raise TypeError(f"Expected a file of type {type_name}, got {value.media_type}.")


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


def _digits(number: numbers.Real) -> str:
    """A number in full, whole ones without a point."""
    if isinstance(number, numbers.Integral):
        return str(int(number))
    value = float(number)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _plain_number(value: Any) -> Any:
    """A number of numpy as one of Python, for JSON."""
    return value.item()


def _encode_regions(regions: tuple[Region, ...]) -> bytes:
    _expect("mask", regions, tuple)
    if len({region.pixels.shape for region in regions}) > 1:
        raise TypeError("The regions of a mask must all have the size of its picture.")
    seen = union(regions) if regions else np.zeros((1, 1), bool)
    info = PngInfo()
    # Not compressed again: readers refuse compressed text chunks that unpack to more than 1 MB.
    info.add_itxt(REGIONS_CHUNK, json.dumps([_packed(region) for region in regions]))
    buffer = io.BytesIO()
    PIL.Image.fromarray(seen.astype(np.uint8) * 255).save(buffer, "PNG", pnginfo=info)
    return buffer.getvalue()


def _packed(region: Region) -> dict[str, Any]:
    """A region as JSON: its bounding box and the bits inside it."""
    pixels = region.pixels.astype(bool, copy=False)
    rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
    box = [0, 0, 0, 0]
    if len(rows):
        box = [int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1]
    left, top, right, bottom = box
    bits = zlib.compress(np.packbits(pixels[top:bottom, left:right]).tobytes(), 6)
    return {
        "label": str(region.label),
        "score": float(region.score),
        "box": box,
        "bits": base64.b64encode(bits).decode(),
    }


def _unpacked(item: dict[str, Any], shape: tuple[int, ...]) -> Region:
    left, top, right, bottom = item["box"]
    size = (bottom - top, right - left)
    packed = np.frombuffer(zlib.decompress(base64.b64decode(item["bits"])), np.uint8)
    pixels = np.zeros(shape, bool)
    pixels[top:bottom, left:right] = np.unpackbits(packed, count=size[0] * size[1]).reshape(size)
    return Region(pixels, str(item["label"]), float(item["score"]))


def _decode_regions(path: Path) -> tuple[Region, ...]:
    with PIL.Image.open(path) as picture:
        picture.load()
        chunk = picture.info.get(REGIONS_CHUNK)
        pixels = np.asarray(picture.convert("L")) > 127
    if chunk is None:
        return (Region(pixels),)
    return tuple(_unpacked(item, pixels.shape) for item in json.loads(chunk))


def _encode_sound(sound: Sound) -> bytes:
    buffer = io.BytesIO()
    write_sound(sound, buffer)
    return buffer.getvalue()


def write_sound(sound: Sound, target: IO[bytes]) -> None:
    """Write a sound as WAV with 16 bits."""
    with wave.open(target, "wb") as file:
        file.setnchannels(sound.channels if len(sound.shape) > 1 else 1)
        file.setsampwidth(2)
        file.setframerate(int(sound.rate))
        for block in sound.blocks():
            # The inverse of reading, so that writing again what was read changes nothing.
            levels = np.clip(np.nan_to_num(np.asarray(block, np.float32)), -1, 1) * 32768
            levels = np.clip(levels, -32768, 32767, out=levels).round()
            file.writeframesraw(levels.astype("<i2").tobytes())


def _decode_aac(path: Path) -> Sound:
    """Sound in an MP4 file, which the usual reader does not know, by way of FLAC."""
    with tempfile.TemporaryDirectory(prefix="controlllm-sound-") as folder:
        target = Path(folder) / "sound.flac"
        convert_sound(path, "mov", target, Limits.max_audio_seconds, Limits.max_samples)
        return _decode_sound(target)


def _decode_sound(path: Path) -> Sound:
    import soundfile  # loads a shared library, so only where sound is read

    try:
        info = soundfile.info(path)
    except soundfile.LibsndfileError:
        return _decode_aac(path)
    if info.frames * info.channels > MOST_IN_MEMORY:
        return StoredSound(path)
    blocks = []
    with soundfile.SoundFile(path) as file:
        while True:
            try:
                block = file.read(_BLOCK_FRAMES, dtype="float32", always_2d=True)
            except soundfile.LibsndfileError:
                break  # Damaged from here on; what came before is still sound.
            if not len(block):
                break
            blocks.append(block)
        rate, channels = file.samplerate, file.channels
    samples = np.concatenate(blocks) if blocks else np.zeros((0, channels), np.float32)
    return Sound(np.clip(np.nan_to_num(samples, copy=False), -1, 1, out=samples), int(rate))
