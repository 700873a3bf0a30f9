"""Videos as files: of another kind, of at most so many bytes, and what is known of one."""

from __future__ import annotations

import math
from dataclasses import replace
from math import gcd
from typing import Any

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError

from ...shared import video_files
from ...shared.comparing import in_bytes
from ...shared.sounds import kept, mono, with_channels
from ...shared.time_phrases import in_words
from ...shared.video_files import Coding, VideoFacts
from ...shared.video_rewriting import even_size, sound_of, with_sound

_VP9 = {"deadline": "realtime", "cpu-used": "8", "row-mt": "1", "tile-columns": "2"}
CODINGS = {
    "mp4": Coding(quality=20),
    "mov": Coding(".mov", quality=20),
    "webm": Coding(".webm", "libvpx-vp9", _VP9, "libopus", 64_000, quality=32),
}
#: What goes into a kind of file as it is.
PICTURES = {"mp4": {"h264"}, "mov": {"h264"}, "webm": {"vp8", "vp9"}}
_SOUNDS = {"mp4": {"aac"}, "mov": {"aac"}, "webm": {"opus", "vorbis"}}

_LEAST_PICTURES, _LEAST_SOUND = 24_000, 16_000  # bits a second under which nothing is recognised
_MOST_PICTURES = 20_000_000
_BITS_A_PIXEL = 0.045  # under which a smaller picture looks better
_SMALLEST = 176  # pixels of the longer side
_TRIES = 5
_AIM = 0.96  # of the limit, since an encoder does not meet it exactly


def kind_of(video: Clip, facts: VideoFacts) -> str:
    """What kind of file a video is: mp4, mov, webm, or another one."""
    with video.path.open("rb") as file:
        head = file.read(64)
    if "mp4" in facts.container:
        return "mov" if head[4:12] == b"ftypqt  " else "mp4"
    # Matroska and WebM share a reader.
    return "webm" if "webm" in facts.container and b"webm" in head else facts.container


def without_sound(video: Clip, context: Context) -> Clip:
    """The video's pictures alone, taken over as they are."""
    facts = video_files.read_facts(video)
    kind = kind_of(video, facts)
    words = "Taking the sound out"
    if facts.codec in PICTURES.get(kind, ()):
        suffix = CODINGS[kind].suffix
        return video_files.copy_with_sound(video, None, facts.seconds, context, words, suffix)
    return with_sound(video, facts, None, context, words)


def in_channels(video: Clip, facts: VideoFacts, channels: str, context: Context) -> Clip:
    """The video with its sound in mono or in stereo, folded from what it has; as it is where it is
    so already, and where it has none."""
    wanted = {"mono": 1, "stereo": 2}[channels]
    with video_files.opened(video) as container:
        tracks: Any = container.streams.audio
        if not tracks:
            context.remark(f"The video has no sound that could be made {channels}.")
        if not tracks or tracks[0].codec_context.channels == wanted:
            return video
    sound = sound_of(video, facts, context.part(0.0, 0.5))
    made = None if sound is None else with_channels(sound, channels, context)
    return with_sound(video, facts, made, context.part(0.5, 1.0), "Changing the channels")


def converted(video: Clip, kind: str, context: Context) -> Clip:
    """The video as another kind of file, taken over as it is where that is possible."""
    facts = video_files.read_facts(video)
    if _fits(video, facts, kind):
        return _repacked(video, CODINGS[kind].suffix, facts.seconds, context)
    return video_files.write_video(
        video_files.Film(
            video_files.read_frames(video, context=context),
            facts.seconds,
            even_size(facts.width, facts.height),
            sound_of(video, facts, context.part(0.0, 0.1)),
        ),
        context.part(0.1, 1.0),
        coding=CODINGS[kind],
        words="Converting the video",
    )


def _fits(video: Clip, facts: VideoFacts, kind: str) -> bool:
    if facts.codec not in PICTURES[kind] or "yuv420p" not in facts.pixel_format:
        return False
    with video_files.opened(video) as container:
        sounds = container.streams.audio
        return not sounds or sounds[0].codec_context.name in _SOUNDS[kind]


def _repacked(video: Clip, suffix: str, seconds: float, context: Context) -> Clip:
    with (
        video_files.opened(video) as source,
        video_files.new_file(context, suffix) as (container, path),
    ):
        streams = [source.streams.video[0], *source.streams.audio[:1]]
        targets: dict[int, Any] = {
            stream.index: container.add_stream_from_template(stream) for stream in streams
        }
        for packet in source.demux(streams):
            if packet.dts is None:
                continue
            time = float(packet.dts * packet.time_base)
            context.progress(time / max(seconds, 1e-6), "Converting the video")
            packet.stream = targets[packet.stream.index]
            container.mux(packet)
    return Clip(path)


def within(video: Clip, kind: str, limit: float, context: Context) -> Clip:
    """The video as a file of at most so many bytes.

    Raises ToolError, with what can be reached, where that is too little to see anything.
    """
    facts = video_files.read_facts(video)
    least = (_LEAST_PICTURES + _LEAST_SOUND * facts.has_sound) * facts.seconds / 8 / _AIM + 3000
    if limit < least:
        raise _too_small(limit, least)
    sound = sound_of(video, facts, context.part(0.0, 0.1))
    bits = _AIM * (limit - 2000) * 8 / facts.seconds
    reached = math.inf
    for attempt in range(_TRIES):
        stage = context.part(0.1 + 0.9 * attempt / _TRIES, 0.1 + 0.9 * (attempt + 1) / _TRIES)
        made = _at_rate(video, facts, kind, bits, sound, stage)
        size = made.path.stat().st_size
        if size <= limit:
            return made
        made.path.unlink()
        reached = min(reached, size)
        bits *= max(limit / size * 0.97, 0.3)
    raise _too_small(limit, reached)


def _too_small(limit: float, least: float) -> ToolError:
    return ToolError(
        f"The video cannot be made as small as {_in_words(limit, False)}; about "
        f"{_in_words(least, True)} can be reached. Name a larger size, or cut the video first."
    )


def _in_words(size: float, up: bool) -> str:
    unit, name = (1_000_000, "MB") if size >= 1_000_000 else (1000, "kB")
    shown = size / unit
    if up:
        shown = math.ceil(shown * 10) / 10 if unit > 1000 else math.ceil(shown)
    return f"{shown:.3g} {name}"


def _at_rate(
    video: Clip, facts: VideoFacts, kind: str, bits: float, sound: Sound | None, context: Context
) -> Clip:
    """The video at about so many bits a second: fewer pixels and pictures where that is little."""
    coding = CODINGS[kind]
    if sound is not None:
        heard = min(max(0.13 * bits, _LEAST_SOUND), coding.sound_rate * sound.channels)
        if sound.channels > 1 and heard < 56_000:
            sound = kept(mono(sound), sound.rate, context)
        coding = replace(coding, sound_rate=int(heard / sound.channels))
        bits -= heard
    seen = int(min(max(bits, _LEAST_PICTURES / 2), _MOST_PICTURES))
    rate = min(facts.frame_rate, 60 if seen > 4_000_000 else 30 if seen > 150_000 else 15)
    spacing = 0.98 / rate if rate < facts.frame_rate else 0.0
    pixels = seen / rate / _BITS_A_PIXEL
    scale = min(math.sqrt(pixels / (facts.width * facts.height)), 1.0)
    longest = max(max(facts.width, facts.height) * scale, _SMALLEST)
    return video_files.write_video(
        video_files.Film(
            video_files.read_frames(video, context=context, spacing=spacing),
            facts.seconds,
            video_files.fit(facts.width, facts.height, int(longest)),
            sound,
        ),
        context,
        coding=replace(coding, bit_rate=seen),
        words="Making the video smaller",
    )


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
