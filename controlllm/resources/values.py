"""What a tool receives and returns: one Python type for each resource type.

A tool's type hints use the annotated names at the end (`Image`, `Mask`, `Text`, ...); each says
which resource type it is, so the hints are the tool's arguments and return in the tool graph.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import numpy as np
import PIL.Image

from controlllm.resources.mixing_down import mono
from controlllm.resources.types import MembersOf, ResourceType

#: Frames of a sound that are worked on at once.
BLOCK = 1 << 20


@dataclass(frozen=True)
class Box:
    """A labelled rectangle in pixels of the picture it was found in; right and bottom exclusive."""

    left: float
    top: float
    right: float
    bottom: float
    label: str = ""
    score: float = 1.0


@dataclass(frozen=True)
class Region:
    """A labelled set of pixels. `pixels` is boolean, height x width of the picture."""

    pixels: np.ndarray
    label: str = ""
    score: float = 1.0


@dataclass(frozen=True)
class ClickedPoint:
    """A click in pixels of the picture; negative points say what is not meant."""

    x: float
    y: float
    positive: bool = True


@dataclass(frozen=True)
class Label:
    """A category with how sure the model is of it, 0..1."""

    name: str
    score: float = 1.0


@dataclass(frozen=True)
class Sound:
    """Sound as float32 in -1..1, shape (frames, channels), with its sampling rate in hertz.

    Hours of it lie in a file (`long_sounds`): `part` and `blocks` read as much as is worked on,
    `samples` is all of it.
    """

    samples: np.ndarray
    rate: int

    @property
    def shape(self) -> tuple[int, ...]:
        return np.asarray(self.samples).shape

    @property
    def frames(self) -> int:
        return self.shape[0]

    @property
    def channels(self) -> int:
        return self.shape[1]

    @property
    def size(self) -> int:
        """The values of all channels together."""
        return math.prod(self.shape)

    @property
    def seconds(self) -> float:
        return self.frames / self.rate

    def part(self, first: int, last: int) -> np.ndarray:
        """The frames from `first` to before `last`, as far as there are any."""
        return self.samples[max(first, 0) : max(last, 0)]

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[np.ndarray]:
        """What lies from `first` to before `last` in pieces; an empty one where that is nothing."""
        end = self.frames if last is None else min(last, self.frames)
        for begin in range(first, max(end, first + 1), BLOCK):
            yield self.part(begin, min(begin + BLOCK, end))

    def mono(self) -> np.ndarray:
        """The channels made one, so that they do not cancel each other; shape (frames,)."""
        return mono(self.samples)


@dataclass(frozen=True)
class Clip:
    """A video file. The file is never changed; a tool that edits writes a new one."""

    path: Path


@dataclass(frozen=True)
class DocumentFile:
    """A document with pages, a PDF. The file is never changed."""

    path: Path


@dataclass(frozen=True)
class Filed:
    """A result whose file is part of what was asked for: a picture as JPEG of so many bytes, a
    sound as MP3. A tool returns it in place of the value."""

    content: bytes
    media_type: str


@dataclass(frozen=True)
class Member:
    """One of several files: its name without an ending ("page 1"), its type, and its value.

    Where the value is a path, what lies there is taken as it is, its ending says what it is. So
    what is large need not be in memory together.
    """

    name: str
    type: str
    value: Any


Image = Annotated[PIL.Image.Image, ResourceType("image")]
Segmentation = Annotated[PIL.Image.Image, ResourceType("segmentation")]
Edge = Annotated[PIL.Image.Image, ResourceType("edge")]
Line = Annotated[PIL.Image.Image, ResourceType("line")]
Hed = Annotated[PIL.Image.Image, ResourceType("hed")]
Canny = Annotated[PIL.Image.Image, ResourceType("canny")]
Scribble = Annotated[PIL.Image.Image, ResourceType("scribble")]
Pose = Annotated[PIL.Image.Image, ResourceType("pose")]
Depth = Annotated[PIL.Image.Image, ResourceType("depth")]
Normal = Annotated[PIL.Image.Image, ResourceType("normal")]
Mask = Annotated[tuple[Region, ...], ResourceType("mask")]
Boxes = Annotated[tuple[Box, ...], ResourceType("bbox")]
Points = Annotated[tuple[ClickedPoint, ...], ResourceType("point")]
Text = Annotated[str, ResourceType("text")]
Title = Annotated[str, ResourceType("title")]
Tags = Annotated[tuple[str, ...], ResourceType("tags")]
Category = Annotated[tuple[Label, ...], ResourceType("category")]
Number = Annotated[float, ResourceType("number")]
Html = Annotated[str, ResourceType("html")]
Document = Annotated[DocumentFile, ResourceType("document")]
#: A table is text: CSV, or what a spreadsheet is read as.
Table = Annotated[str, ResourceType("table")]
#: Several files, each of which is handed over by itself; kept together in one ZIP.
Files = Annotated[tuple[Member, ...], ResourceType("files")]
#: The same, all of one type, so that a tool for one of them can work on each.
ImageFiles = Annotated[tuple[Member, ...], ResourceType("files"), MembersOf("image")]
AudioFiles = Annotated[tuple[Member, ...], ResourceType("files"), MembersOf("audio")]
VideoFiles = Annotated[tuple[Member, ...], ResourceType("files"), MembersOf("video")]
DocumentFiles = Annotated[tuple[Member, ...], ResourceType("files"), MembersOf("document")]
#: Several files that are handed over in one ZIP.
Archive = Annotated[tuple[Member, ...], ResourceType("archive")]
Audio = Annotated[Sound, ResourceType("audio")]
Video = Annotated[Clip, ResourceType("video")]


def resource_type_of(hint: Any) -> ResourceType | None:
    """The resource type that an annotation names, or None where it names none."""
    if get_origin(hint) is Annotated:
        for extra in get_args(hint)[1:]:
            if isinstance(extra, ResourceType):
                return extra
    return None


def members_type_of(hint: Any) -> str:
    """The type of each of the files that an annotation names, empty where it says none."""
    extras = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((extra.type for extra in extras if isinstance(extra, MembersOf)), "")
