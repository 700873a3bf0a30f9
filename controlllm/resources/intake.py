"""What taking a file in gives, what it may cost, and how it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class BadInput(Exception):
    """A file cannot be used. The message is a sentence for the person who handed it over: what was
    wrong, with which file, what to do next."""


@dataclass(frozen=True)
class Limits:
    """How much of a file is taken.

    Bytes, pixels (width times height), pixels along one side, seconds, channels and samples (frames
    times channels) are upper bounds. Sound with more samples than `max_samples` is kept as mono at
    16 kHz: what tools keep of it while they work takes 4 bytes a sample. Video that browsers cannot
    play is converted up to `max_converted_seconds`.
    """

    max_bytes: int = 200 * 1024 * 1024
    max_pixels: int = 50_000_000
    max_side: int = 30_000
    max_audio_seconds: float = 3 * 3600
    max_video_seconds: float = 30 * 60
    max_converted_seconds: float = 5 * 60
    max_samples: int = 200_000_000
    max_channels: int = 64
    max_text_bytes: int = 1024 * 1024


@dataclass(frozen=True)
class Upload:
    """A file on its way in: where it lies, what to call it in sentences, what it may cost, and
    the folder for a changed copy."""

    path: Path
    name: str
    folder: Path
    limits: Limits

    def target(self, suffix: str) -> Path:
        """A path in the folder that no file has yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 0
        while (path := self.folder / f"taken-{number}{suffix}").exists():
            number += 1
        return path


@dataclass(frozen=True)
class Content:
    """What a file holds, as read and where needed rewritten by the reader of its kind.

    `path` is the normalised file, or the original itself where nothing had to change; `details` are
    those of `controlllm.resources.details_of`; `notices` are sentences about what was changed. A
    document is kept as it came besides (`original`, of this media type); where its text goes by
    the document's name, that ends in `suffix`.
    """

    type: str
    media_type: str
    path: Path
    details: Mapping[str, Any]
    notices: tuple[str, ...] = ()
    original: Path | None = None
    original_type: str = ""
    suffix: str = ""


@dataclass(frozen=True, kw_only=True)
class Ingested(Content):
    """A file that was taken in; `name` is safe to show and to store, with a suffix that matches the
    content."""

    name: str


def length_in_words(seconds: float) -> str:
    """A duration as people say it: ``"45 seconds"``, ``"12 minutes"``, ``"2.5 hours"``."""
    if seconds < 90:
        return "1 second" if round(seconds) == 1 else f"{seconds:.0f} seconds"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours".replace(".0 ", " ")
