"""Several files that a tool makes, each written as soon as it is there: memory stays bounded."""

from __future__ import annotations

import re
import uuid
from pathlib import Path

import PIL.Image

from controlllm.resources import Member, Sound
from controlllm.resources.encoding import encode, write_sound
from controlllm.toolbox import Context

_JPEG_QUALITY = 95


def document(name: str, content: bytes, context: Context) -> Member:
    """A PDF among several files."""
    path = _place(context, ".pdf")
    path.write_bytes(content)
    return Member(name, "document", path)


def picture(name: str, shown: PIL.Image.Image, context: Context, as_jpeg: bool = False) -> Member:
    """A picture among several files, as PNG or, where there are very many, as JPEG."""
    path = _place(context, ".jpg" if as_jpeg else ".png")
    if as_jpeg:
        shown.convert("RGB").save(path, "JPEG", quality=_JPEG_QUALITY)
    else:
        path.write_bytes(encode("image", shown)[0])
    return Member(name, "image", path)


def sound(name: str, heard: Sound, context: Context) -> Member:
    """A sound among several files, as WAV."""
    path = _place(context, ".wav")
    with path.open("wb") as file:
        write_sound(heard, file)
    return Member(name, "audio", path)


def as_name(words: str, most: int = 40) -> str:
    """Words of somebody's as the name of a file: nothing in it but letters, figures and blanks."""
    plain = " ".join(re.sub(r"[^\w\-'’&+,. ]", " ", words).split())
    if len(plain) > most:
        plain = plain[: most + 1].rpartition(" ")[0] or plain[:most]
    return plain.strip(" .,-")


def _place(context: Context, suffix: str) -> Path:
    return context.folder / f"{uuid.uuid4().hex}{suffix}"
