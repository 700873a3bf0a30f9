"""Values as what is sent to foreign tools, and what these answer as values."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources import PARENTS, Clip, Sound, as_text
from controlllm.sources.untrusted import printable
from controlllm.toolbox import Code, Context, ToolError

#: The most characters of a text that are kept.
MOST_TEXT = 1_000_000
#: The most bytes of a file that is sent.
MOST_SENT = 32 * 1024 * 1024


def kind_of(type_name: str) -> str:
    """``image``, ``audio`` or ``video`` for what travels as a file, else ``text``."""
    parent = PARENTS.get(type_name) or type_name
    return parent if parent in ("image", "audio", "video") else "text"


def file_of(value: Any, who: str) -> tuple[bytes, str]:
    """A picture, a sound or a video as the bytes of a file and their media type.

    Raises ToolError where it is too large to be sent.
    """
    from tools.cloud.payloads import png_file, wav_file

    if isinstance(value, Clip):
        path = Path(value.path)
        _check_size(path.stat().st_size, who)
        return path.read_bytes(), "video/webm" if path.suffix == ".webm" else "video/mp4"
    if isinstance(value, Sound):
        _check_size(value.size * 2, who)
        return wav_file(value), "audio/wav"
    if not isinstance(value, PIL.Image.Image):
        raise ToolError("This is no file that can be sent.", Code.BAD_INPUT)
    content = png_file(value)
    _check_size(len(content), who)
    return content, "image/png"


def _check_size(size: int, who: str) -> None:
    if size > MOST_SENT:
        raise ToolError(
            f"This is too large to be sent to {who}: {size / 1e6:.0f} MB. Make it smaller first.",
            Code.BAD_INPUT,
        )


def file_value(kind: str, content: bytes, media_type: str, who: str, context: Context) -> Any:
    """The picture, sound or video in bytes that another program sent; raises ToolError."""
    from tools.cloud.payloads import read_clip, read_picture, read_sound

    if kind == "image":
        return read_picture(content, who)
    if kind == "audio":
        return read_sound(content, media_type, who, context)
    return read_clip(content, who, context)


def text_value(text: str) -> str:
    """A text without characters that control a terminal or hide, and cut where it is too long."""
    found = printable(text[: MOST_TEXT + 1])
    if len(text) <= MOST_TEXT:
        return found
    return f"{found[:MOST_TEXT]}\n[Cut here: {len(text):,} characters came.]"


def json_text(value: Any, who: str) -> str:
    """A JSON value as a text; raises ToolError where it is too long to be kept."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=1)
    except (TypeError, ValueError, RecursionError):
        text = ""
    if not text or len(text) > MOST_TEXT:
        raise ToolError(f"{who} sent more than can be kept, or what cannot be read.")
    return printable(text)


def number_value(value: Any, who: str) -> float:
    """A finite number; raises ToolError where it is none."""
    try:
        number = math.nan if isinstance(value, bool) else float(str(value).strip()[:100])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ToolError(f"{who} sent no number.")
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def plain_input(value: Any, type_name: str) -> str:
    """What a text of a schema gets for a value."""
    known = type_name if type_name in PARENTS else "text"
    return as_text(known, value)


def part_of(entity: Any, part: str) -> Any:
    """What tells one entity from another, out of its text of JSON; the text itself where it is
    none, since a person may say it."""
    try:
        found = json.loads(entity)
    except (TypeError, ValueError, RecursionError):
        return entity
    if isinstance(found, Mapping):
        return found.get(part)
    return entity
