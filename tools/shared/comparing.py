"""Several recordings set beside each other: which is the longest, and how long they all are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controlllm.toolbox import GivenFile

from .time_phrases import in_words

_SAME = 0.05  # seconds; what differs less is as long


@dataclass(frozen=True)
class Length:
    """A recording as it is called, how long it is, and the bytes of its file, 0 where not known."""

    name: str
    seconds: float
    size: int = 0


def lengths(seconds: Sequence[float], files: Sequence[GivenFile], what: str) -> list[Length]:
    """The recordings with the names and sizes of their files, where these are known."""
    if len(files) != len(seconds):
        return [Length(f"{what} {place}", each) for place, each in enumerate(seconds, 1)]
    return [
        Length(file.name or f"{what} {place}", each, Path(file.path).stat().st_size)
        for place, (each, file) in enumerate(zip(seconds, files, strict=True), 1)
    ]


def told(recordings: Sequence[Length]) -> str:
    """Which is the longest and the shortest, how long they are together, and each for itself."""
    by_length = sorted(recordings, key=lambda each: -each.seconds)
    longest, shortest = by_length[0], by_length[-1]
    if longest.seconds - shortest.seconds < _SAME:
        lines = [f"All of them are as long: {lasting(longest.seconds)}."]
    else:
        lines = [
            f"The longest is {longest.name} ({lasting(longest.seconds)}), the shortest is "
            f"{shortest.name} ({lasting(shortest.seconds)})."
        ]
    together = f"Together they last {lasting(sum(each.seconds for each in recordings))}"
    if all(each.size for each in recordings):
        largest = max(recordings, key=lambda each: each.size)
        together += (
            f" and take {in_bytes(sum(each.size for each in recordings))}; the largest file is "
            f"{largest.name}"
        )
    lines.append(f"{together}.")
    lines += [
        f"{each.name}: {lasting(each.seconds)}{f', {in_bytes(each.size)}' if each.size else ''}"
        for each in recordings
    ]
    return "\n".join(lines)


def lasting(seconds: float) -> str:
    """How long something lasts, as people say it, and exactly."""
    if seconds < 60:
        return f"{seconds:.1f} seconds"
    return f"{in_words(seconds)} ({seconds:.1f} seconds)"


def in_bytes(count: float) -> str:
    """A file's size as people say it: "640 bytes", "131 kB", "1.6 MB"."""
    if count < 1000:
        return f"{count:.0f} bytes"
    return f"{count / 1000:.3g} kB" if count < 999_500 else f"{count / 1_000_000:.3g} MB"
