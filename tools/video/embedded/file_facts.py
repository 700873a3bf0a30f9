"""What is known of a video's file, one fact a line."""

from __future__ import annotations

from math import gcd
from typing import Any

from controlllm.resources import Clip

from ...shared import video_files
from ...shared.comparing import in_bytes
from ...shared.time_phrases import in_words
from ...shared.video_files import VideoFacts
from .formats import kind_of

_KINDS = {"mp4": "MP4", "mov": "MOV (QuickTime)", "webm": "WebM"}
_CODECS = {
    "h264": "H.264",
    "hevc": "H.265 (HEVC)",
    "vp8": "VP8",
    "vp9": "VP9",
    "av1": "AV1",
    "libdav1d": "AV1",
    "mpeg4": "MPEG-4",
    "aac": "AAC",
    "mp3": "MP3",
    "mp3float": "MP3",
    "opus": "Opus",
    "vorbis": "Vorbis",
}
#: Shapes that have a name, and how much a size may differ from one.
_SHAPES = ((16, 9), (9, 16), (4, 3), (3, 4), (1, 1), (21, 9), (3, 2), (2, 3), (4, 5))


def told(video: Clip) -> str:
    """The facts of a video's file as sentences of a few words."""
    facts = video_files.read_facts(video)
    size = video.path.stat().st_size
    kind = kind_of(video, facts)
    lines = [
        f"Length: {_length(facts.seconds)}",
        f"Width and height: {facts.width} x {facts.height} pixels ({_shape(facts)})",
        f"Frames a second: {facts.frame_rate:.5g}",
        f"Picture codec: {_CODECS.get(facts.codec, facts.codec)}",
        f"Sound: {_sound(video)}",
        f"File format: {_KINDS.get(kind, kind)}",
        f"File size: {in_bytes(size)}",
        f"Bit rate: {_rate(8 * size / max(facts.seconds, 1e-3))}",
    ]
    return "\n".join(lines)


def _length(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.2f} seconds"
    return f"{in_words(seconds)} ({seconds:.1f} seconds)"


def _shape(facts: VideoFacts) -> str:
    for across, down in _SHAPES:
        if abs(facts.width / facts.height * down / across - 1) < 0.01:
            return f"{across}:{down}"
    common = gcd(facts.width, facts.height)
    across, down = facts.width // common, facts.height // common
    return f"{across}:{down}" if max(across, down) < 100 else f"{facts.width / facts.height:.2f}:1"


def _sound(video: Clip) -> str:
    with video_files.opened(video) as container:
        if not container.streams.audio:
            return "none"
        codec: Any = container.streams.audio[0].codec_context
        many = {1: "mono", 2: "stereo"}.get(codec.channels, f"{codec.channels} channels")
        return f"{_CODECS.get(codec.name, codec.name)}, {many}, {codec.sample_rate} Hz"


def _rate(bits: float) -> str:
    return f"{bits / 1_000_000:.2f} Mbit/s" if bits >= 1_000_000 else f"{bits / 1000:.0f} kbit/s"
