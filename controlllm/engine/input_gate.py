"""The gate that every input passes before a tool runs: brought to one known form, or refused.

Tools may rely on what `admitted` says of each type, so none of them looks at this again. What only
one tool can know (a text that holds no date, a sound without speech) stays with that tool.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.engine.refusals import Refusals, is_picture
from controlllm.resources import (
    Box,
    ClickedPoint,
    Clip,
    DocumentFile,
    Label,
    Limits,
    LongSound,
    Region,
    Sound,
)
from controlllm.resources.encoding import is_pdf
from controlllm.resources.intake import length_in_words
from controlllm.resources.mixing_down import plain_samples
from controlllm.resources.picture_modes import upright_in_kept_mode
from controlllm.resources.well_formed import well_formed
from controlllm.toolbox import Argument, Tool, ToolError


@dataclass(frozen=True)
class Bounds:
    """How much of a value a tool is given.

    What `ingest` takes in always passes; tools may make more than that. A `text` may have
    `characters`, all other words (a question, a prompt) `words_characters`. Marks are boxes,
    regions, points, categories and tags.
    """

    pixels: int = Limits.max_pixels
    side: int = Limits.max_side
    samples: int = Limits.max_samples
    lowest_rate: int = 1_000
    highest_rate: int = 768_000
    sound_seconds: float = Limits.max_audio_seconds
    video_seconds: float = 3600.0
    characters: int = 400_000
    words_characters: int = 20_000
    marks: int = 10_000


BOUNDS = Bounds()

#: Types that may honestly be empty where the result is one of them too: nothing chosen from
#: nothing, none counted.
_COLLECTIONS = frozenset({"mask", "bbox", "category", "tags", "number"})
_ITEMS: Mapping[str, type] = {"bbox": Box, "point": ClickedPoint, "category": Label, "tags": str}
#: Packets of a damaged video that may pass before its first picture has to appear.
_PATIENCE = 1000
#: Everything below a space but tab, line ends and page ends, and what only terminals know.
_CONTROLS = {
    code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r\f\x85"
}


def admitted(
    tool: Tool,
    inputs: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
    bounds: Bounds = BOUNDS,
) -> dict[str, Any]:
    """The inputs of a tool in the form that tools rely on; those that are no arguments stay.

    Pictures are upright, L, RGB or RGBA with 8 bits. Sound is finite float32 within -1..1, one or
    two channels, not empty. Videos open and show a picture. Words are not blank and hold no control
    characters; blank words for an optional argument are none. Boxes lie inside the picture that
    they are given with, clicks do, masks cover some of it; where there is none left, a tool whose
    result is a collection or a number gets an empty one. `names` are what the person calls the
    inputs.

    Raises ToolError where an input is missing, of another type, damaged, blank, empty or too large.
    """
    known = names or {}
    passed = dict(inputs)
    for argument in tool.args:
        entry = _Entry(tool, argument, known.get(argument.name, ""), bounds)
        value = inputs.get(argument.name)
        if argument.many:
            passed[argument.name] = entry.several(value)
        else:
            passed[argument.name] = entry.one(value)
    for argument in tool.args:
        if argument.type in _FITTING and passed[argument.name] is not None and not argument.many:
            entry = _Entry(tool, argument, known.get(argument.name, ""), bounds)
            passed[argument.name] = _fitting(entry, passed)
    return passed


def check_stored_sound(tool: Tool, name: str, path: Path, bounds: Bounds = BOUNDS) -> None:
    """Raise ToolError where a sound file says that it holds more than fits, before it is read."""
    import soundfile

    try:
        info = soundfile.info(path)
    except soundfile.LibsndfileError:
        return  # M4A, which a tool here has made of what fits; reading it tells whether it is whole
    argument = Argument("audio", "audio")
    _Entry(tool, argument, name, bounds).check_length(
        info.frames * info.channels, info.frames / info.samplerate
    )


@dataclass(frozen=True)
class _Entry(Refusals):
    """One argument of a tool at the gate, with what the person calls its value."""

    bounds: Bounds

    def several(self, values: Any) -> list[Any]:
        """A list of values of the argument's type."""
        if values is None:
            values = []
        if not isinstance(values, list | tuple):
            raise self.of_another_kind()
        found = [value for value in map(self.one, values) if value is not None]
        if not found and not self.argument.optional:
            raise self.missing()
        return found

    def one(self, value: Any) -> Any:
        """One value of the argument's type; None where an optional one is left out."""
        if value is None:
            if self.argument.optional:
                return None
            raise self.missing()
        return self._reader()(value)

    def _reader(self) -> Callable[[Any], Any]:
        if is_picture(self.argument.type):
            return self._picture
        readers: Mapping[str, Callable[[Any], Any]] = {
            "mask": self._mask,
            "bbox": self._items,
            "point": self._items,
            "category": self._items,
            "tags": self._items,
            "number": self._number,
            "audio": self._sound,
            "video": self._video,
            "document": self._document,
        }
        return readers.get(self.argument.type, self._words)

    def _picture(self, value: Any) -> PIL.Image.Image:
        if not isinstance(value, PIL.Image.Image):
            raise self.of_another_kind()
        width, height = value.size
        if not width or not height:
            raise self.refusal("has no pixels", "Hand over another one.")
        if width * height > self.bounds.pixels or max(width, height) > self.bounds.side:
            raise self.refusal(
                f"has {width:,} × {height:,} pixels, and at most {self.bounds.pixels / 1e6:.3g} "
                f"million in all and {self.bounds.side:,} along a side are worked on",
                "Make it smaller.",
            )
        try:
            value.load()
            return upright_in_kept_mode(value)
        except (OSError, SyntaxError, ValueError):
            raise self.damaged() from None

    def _mask(self, value: Any) -> tuple[Region, ...]:
        regions = self._tuple(value, Region)
        shaped = []
        for region in regions:
            pixels = np.asarray(region.pixels)
            if pixels.ndim != 2 or pixels.dtype.kind not in "buif" or not pixels.size:
                raise self.of_another_kind()
            self._check_finite(region.score)
            if pixels.dtype != bool:
                region = replace(region, pixels=pixels > 0)
            shaped.append(region)
        if len({region.pixels.shape for region in shaped}) > 1:
            raise self.refusal(
                "is put together from masks of several pictures",
                "Use a mask that was made from one picture.",
            )
        if not any(region.pixels.any() for region in shaped):
            return self._empty()
        return tuple(shaped)

    def _items(self, value: Any) -> tuple[Any, ...]:
        items = self._tuple(value, _ITEMS[self.argument.type])
        kept: list[Any] = []
        for item in items:
            match item:
                case Box():
                    self._check_finite(item.left, item.top, item.right, item.bottom, item.score)
                    kept.append(replace(item, label=_clean(item.label)))
                case ClickedPoint():
                    self._check_finite(item.x, item.y)
                    kept.append(item)
                case Label():
                    self._check_finite(item.score)
                    kept.append(replace(item, name=_clean(item.name)))
                case _:
                    kept += [word] if (word := _clean(item).strip()) else []
        return tuple(kept) or self._empty()

    def _tuple(self, value: Any, kind: type) -> tuple[Any, ...]:
        if not isinstance(value, tuple | list) or not all(isinstance(item, kind) for item in value):
            raise self.of_another_kind()
        if len(value) > self.bounds.marks:
            raise self.refusal(
                f"{self.verb} too many: {len(value):,}, and at most {self.bounds.marks:,} are "
                "worked on",
                "Choose some of them.",
            )
        return tuple(value)

    def _empty(self) -> tuple[Any, ...]:
        passes = self.tool.returns.type in _COLLECTIONS or self.argument.type == "tags"
        if self.argument.type == "point":
            raise ToolError("No click says what is meant. Click at least once on the object.")
        if passes:
            return ()
        if self.argument.type == "category":
            raise self.refusal("are none", "Try another picture or text.")
        raise self.nothing_marked()

    def _number(self, value: Any) -> Real:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise self.of_another_kind()
        self._check_finite(value)
        return value

    def _check_finite(self, *numbers: Any) -> None:
        if not all(isinstance(number, Real) and math.isfinite(number) for number in numbers):
            raise self.refusal(
                "cannot be used: a value in it is not a number", "Have it made again."
            )

    def _words(self, value: Any) -> str | None:
        if not isinstance(value, str):
            raise self.of_another_kind()
        is_long = self.argument.name in ("text", "texts") or self.argument.type in ("html", "table")
        most = self.bounds.characters if is_long else self.bounds.words_characters
        if len(value) > most and self.argument.type != "html":
            raise self.refusal(
                f"has {len(value):,} characters, and at most {most:,} are read at once",
                "Give a part of it.",
            )
        words = _clean(value)
        if words.strip():
            return words
        if self.argument.optional:
            return None
        raise self.refusal("is blank", "Give it some words.")

    def _sound(self, value: Any) -> Sound:
        if not isinstance(value, Sound):
            raise self.of_another_kind()
        known = isinstance(value, LongSound)  # whose parts have that form when they are read
        samples = np.zeros((1, 1), np.float32) if known else np.asarray(value.samples)
        if samples.ndim not in (1, 2) or samples.dtype.kind not in "fiu":
            raise self.of_another_kind()
        if not value.size:
            raise self.refusal("is empty", "Hand over a sound that lasts a moment.")
        self._check_finite(value.rate)
        rate = int(value.rate)
        if not self.bounds.lowest_rate <= rate <= self.bounds.highest_rate:
            raise self.refusal(
                f"has {rate:,} values a second; it takes {self.bounds.lowest_rate:,} to "
                f"{self.bounds.highest_rate:,}",
                "Save it anew at 44,100.",
            )
        self.check_length(value.size, value.frames / rate)
        return value if known else Sound(plain_samples(samples), rate)

    def check_length(self, count: int, seconds: float) -> None:
        """Raise ToolError where a sound of `count` samples in all is too long to be worked on."""
        if seconds > self.bounds.sound_seconds or count > self.bounds.samples:
            raise self.refusal(
                f"is {length_in_words(seconds)} long, too long to be worked on at once",
                "Give a part of it.",
            )

    def _video(self, value: Any) -> Clip:
        if not isinstance(value, Clip):
            raise self.of_another_kind()
        path = Path(value.path)
        if not path.is_file():
            raise self.refusal("is not there any more", "Add it again.")
        self._check_film(path)
        return Clip(path)

    def _document(self, value: Any) -> DocumentFile:
        if not isinstance(value, DocumentFile):
            raise self.of_another_kind()
        if not Path(value.path).is_file():
            raise self.refusal("is not there any more", "Add it again.")
        if not is_pdf(Path(value.path)):
            raise self.damaged()
        return value

    def _check_film(self, path: Path) -> None:
        import av

        from controlllm.resources.conversion import decoded, open_container, picture_streams
        from controlllm.resources.sniffing import HEAD_BYTES, sniff

        with path.open("rb") as file:
            kind = sniff(file.read(HEAD_BYTES))
        if kind is None or kind.reader != "recording":
            raise self.damaged()
        try:
            with open_container(path, kind.format) as container:
                streams = picture_streams(container)
                if not streams:
                    raise self.refusal(
                        "has no pictures in it, only sound", "Hand over a video with pictures."
                    )
                seconds = (container.duration or 0) / 1_000_000
                width, height = streams[0].codec_context.width, streams[0].codec_context.height
                if width * height > self.bounds.pixels:
                    raise self.refusal(
                        f"has pictures of {width:,} × {height:,} pixels, too large to be worked on",
                        "Make it smaller.",
                    )
                packets = islice(container.demux(streams[0]), _PATIENCE)
                if not any(map(decoded, packets)):
                    raise self.refusal(
                        "is damaged or cut off: not one picture of it can be read", "Add it again."
                    )
        except (av.FFmpegError, EOFError, ValueError):
            raise self.damaged() from None
        if seconds > self.bounds.video_seconds:
            raise self.refusal(
                f"is {length_in_words(seconds)} long, and at most "
                f"{length_in_words(self.bounds.video_seconds)} are worked on at once",
                "Cut out the part that matters.",
            )


def _clean(words: str) -> str:
    """Words without control characters, halves of characters shown as such."""
    if not isinstance(words, str):
        return str(words)
    return well_formed(words.translate(_CONTROLS))


# --- what belongs to a picture ---

_FITTING = frozenset({"bbox", "point"})


def _fitting(entry: _Entry, inputs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Boxes cut to the picture that they are given with; clicks that lie in it."""
    marks = inputs[entry.argument.name]
    picture = next(
        (
            inputs[argument.name]
            for argument in entry.tool.args
            if is_picture(argument.type) and isinstance(inputs[argument.name], PIL.Image.Image)
        ),
        None,
    )
    if picture is None:
        return marks
    if entry.argument.type == "bbox":
        return tuple(filter(None, (_cut(box, picture) for box in marks))) or entry._empty()
    for point in marks:
        if not (0 <= point.x < picture.width and 0 <= point.y < picture.height):
            raise ToolError(
                f"The click at ({point.x:g}, {point.y:g}) is outside the picture, which is "
                f"{picture.width}x{picture.height} pixels. Click inside it."
            )
    return marks


def _cut(box: Box, picture: PIL.Image.Image) -> Box | None:
    """The part of a box inside a picture, None where there is none."""
    left, top = max(box.left, 0), max(box.top, 0)
    right, bottom = min(box.right, picture.width), min(box.bottom, picture.height)
    if right <= left or bottom <= top:
        return None
    return replace(box, left=left, top=top, right=right, bottom=bottom)
