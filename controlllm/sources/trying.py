"""Trying a foreign tool with sample values before it is used."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Clip, Sound, as_text, decode, encode, ingest
from controlllm.resources.encoding import SUFFIXES
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.toolbox import Code, Context, ToolError

_MOST_SHOWN = 400
#: How many tools one after the other may be asked to make a sample entity.
_MOST_BEFORE = 2
_BY_FORMAT = {
    "time": "12:00:00",
    "email": "someone@example.com",
    "uuid": "00000000-0000-4000-8000-000000000000",
    **dict.fromkeys(("uri", "url"), "https://example.com/"),
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
}


@dataclass(frozen=True)
class Tried:
    """What became of trying a tool: `given` are the values in words, `words` what came back or what
    went wrong, `path` where a file that came back was written."""

    code: Code
    words: str
    given: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None

    @property
    def is_done(self) -> bool:
        return self.code is Code.DONE


def try_tool(
    source: Source,
    tool: ForeignTool,
    given: Mapping[str, str] | None = None,
    context: Context | None = None,
    is_allowed: bool = False,
    reads_files: bool = False,
) -> Tried:
    """Call a tool with what is given in words, and samples for what else it requires.

    One that acts outside is called only where that `is_allowed`; ``@FILE`` stands for a file only
    where it `reads_files` of this machine.

    Raises ValueError where something is given that it does not take.
    """
    context = context or Context()
    known = {item.name: item for item in tool.arguments}
    unknown = set(given or {}) - set(known)
    if unknown:
        raise ValueError(f"{tool.name} has no argument {sorted(unknown)[0]!r}.")
    if tool.acts_outside and not is_allowed:
        return Tried(
            Code.GAVE_UP,
            f"{tool.name} may do what cannot be taken back, so it was not tried. Say that it may.",
        )
    inputs: dict[str, Any] = {}
    try:
        for name, argument in known.items():
            if name in (given or {}):
                inputs[name] = _read(argument, (given or {})[name], context, reads_files)
            elif argument.required:
                inputs[name] = sample(source, argument, context)
            elif argument.default is not None:
                inputs[name] = argument.default
        found = _called(source, tool, inputs, context)
        code, (words, path) = Code.DONE, _told(tool, found, context)
    except ToolError as error:
        code, words, path = error.code, str(error), None
    return Tried(code, words, {name: in_short(value) for name, value in inputs.items()}, path)


def _called(source: Source, tool: ForeignTool, inputs: Mapping[str, Any], context: Context) -> Any:
    listed = {item.name for item in tool.arguments if item.many}
    whole = {
        name: [value] if name in listed and not isinstance(value, list) else value
        for name, value in inputs.items()
    }
    return source.call(tool, whole, context)


def sample(source: Source, argument: ForeignArgument, context: Context, depth: int = 0) -> Any:
    """A value to try an argument with: an example or default of its description, else one made by
    its type; an entity is asked of a tool that returns it. Raises ToolError where there is none."""
    told = argument.call
    for value in (told.get("example"), argument.default, next(iter(told.get("enum") or ()), None)):
        is_plain = isinstance(value, str | int | float)
        if is_plain and (argument.type in ("text", "number", "html") or "." in argument.type):
            return value
        if value is not None and argument.type in ("text", "number", "html"):
            return json.dumps(value, ensure_ascii=False)
    if argument.type in _MADE:
        return _MADE[argument.type]()
    is_in_words = argument.type == "text" and told.get("type") in ("integer", "number")
    if argument.type == "number" or is_in_words:
        low = (told.get("limits") or {}).get("minimum")
        number = low if isinstance(low, int | float) and math.isfinite(low) else 1
        return str(number) if is_in_words else number
    if "." in argument.type:
        return _entity(source, argument, context, depth)
    if argument.type == "html":
        return "<p>A paragraph.</p>"
    if argument.type == "video":
        raise ToolError(f"Give a video to try it with: {argument.name}=@FILE.", Code.BAD_INPUT)
    if told.get("type") == "boolean":
        return "true"
    if told.get("type") == "object":
        return "{}"
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    known = {**_BY_FORMAT, "date": now[:10], "date-time": now}
    return known.get(str(told.get("format") or ""), "example")


def _entity(source: Source, argument: ForeignArgument, context: Context, depth: int) -> Any:
    makers = [
        tool
        for tool in source.tools
        if tool.returns == argument.type
        and not tool.acts_outside
        and not any(item.type == argument.type and item.required for item in tool.arguments)
    ]
    if depth < _MOST_BEFORE:
        for tool in makers:
            try:
                inputs = {
                    item.name: sample(source, item, context, depth + 1)
                    for item in tool.arguments
                    if item.required
                }
                return _called(source, tool, inputs, context)
            except ToolError:
                continue
    raise ToolError(
        f"There is no sample for {argument.name}: no tool of {source.name} gave one. Give a value "
        f"yourself: {argument.name}=VALUE.",
        Code.BAD_INPUT,
    )


def _picture() -> PIL.Image.Image:
    across = np.linspace(0, 255, 256, dtype=np.uint8)
    bands = np.broadcast_to(across, (256, 256))
    return PIL.Image.fromarray(np.stack([bands, bands.T, 255 - bands], axis=-1))


def _sound() -> Sound:
    rate = 16_000
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)
    return Sound(tone.astype(np.float32)[:, None], rate)


_MADE: Mapping[str, Callable[[], Any]] = {"image": _picture, "audio": _sound}


def _read(argument: ForeignArgument, words: str, context: Context, reads_files: bool) -> Any:
    """What a person gave for an argument: words, or a file where they begin with @."""
    if words.startswith("@") and reads_files:
        path = Path(words[1:]).expanduser()
        if not path.is_file():
            raise ValueError(f"There is no file {path}.")
        taken = ingest(path, path.name, context.folder)
        return decode(taken.type, taken.path)
    if argument.type in ("image", "audio", "video"):
        raise ValueError(f"Give a file for {argument.name}: {argument.name}=@FILE.")
    if argument.type == "number":
        try:
            return float(words)
        except ValueError:
            raise ValueError(f"{argument.name} is to be a number, and {words!r} is none.") from None
    return words


def in_short(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, list):
        return ", ".join(map(in_short, value))
    if isinstance(value, PIL.Image.Image):
        return f"a picture of {value.width} × {value.height} pixels"
    if isinstance(value, Sound):
        return f"a sound of {value.frames / value.rate:.1f} seconds"
    if isinstance(value, Clip):
        return "a video"
    words = " ".join(str(value).split())
    return words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 1]}…"


def _told(tool: ForeignTool, found: Any, context: Context) -> tuple[str, Path | None]:
    """What came back, in words, and where it was written where it is a file."""
    if isinstance(found, Clip):
        return "a video", Path(found.path)
    if tool.returns in ("image", "audio"):
        content, media_type = encode(tool.returns, found)
        path = context.folder / f"{tool.name}{SUFFIXES[media_type]}"
        path.write_bytes(content)
        return in_short(found), path
    kind = tool.returns if tool.returns == "number" else "text"
    words = as_text(kind, found)
    # What a terminal would obey is not shown to it.
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in words), None
