"""Taking in sound and video: what a container holds, and whether it can be used as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.resources.conversion import (
    convert_sound,
    convert_video,
    decoded,
    open_container,
    picture_streams,
)
from controlllm.resources.intake import BadInput, Content, Upload, length_in_words
from controlllm.resources.resource import GIVEN_AS, KILOBITS
from controlllm.resources.sniffing import HEAD_BYTES, sniff

_PLAYABLE_SOUND = {
    "wav": "audio/wav",
    "flac": "audio/flac",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
}
#: In which forms sound that is rewritten here can be given back.
_FORMS = {**_PLAYABLE_SOUND, "mov": "audio/mp4", "aac": "audio/mp4"}
_PLAYABLE_SUBTYPES = {
    *("PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "ULAW", "ALAW"),
    *("MPEG_LAYER_III", "VORBIS", "OPUS"),
}
_PACKED = {"MPEG_LAYER_III", "VORBIS", "OPUS"}
#: Peaks of packed sound over which it is turned down, and the seconds of it that are looked at.
_PACKED_PEAK, _LONGEST_UNPACKED = 1.41, 900
_PLAYABLE_PIXELS = ("yuv420p", "yuvj420p")

#: Containers whose header says how long they are; for others FFmpeg guesses.
_TIMED = ("mov", "matroska", "avi", "asf")

#: Packets that may pass before the first picture of a video has to appear.
_PATIENCE = 1000


@dataclass(frozen=True)
class _Streams:
    """What a container says of itself: codecs by name, None where there is no such stream."""

    video: str | None
    audio: str | None
    unknown: bool = False
    channels: int = 1


def take_recording(upload: Upload, format_name: str) -> Content:
    """The sound or video of a file in FFmpeg's format `format_name`.

    A video without sound is a video; a container with sound alone (a cover picture aside) is a
    sound. Raises BadInput where the recording is damaged, empty, too long or in an unknown codec.
    """
    import av

    try:
        streams = _streams(upload.path, format_name)
        if streams.video is not None:
            return _take_video(upload, format_name, streams)
        if streams.audio is not None:
            _check_channels(upload, streams.channels)
            return _take_sound(upload, format_name, streams.channels)
    except (av.FFmpegError, EOFError):
        raise _damaged(upload) from None
    if streams.unknown:
        raise _unknown_codec(upload)
    raise BadInput(f"{upload.name} holds neither sound nor pictures. Check it and add it again.")


def recording_details(type_name: str, path: Path) -> dict[str, Any]:
    """Details of a stored sound (seconds, rate, channels) or video (seconds, width, height, fps,
    has_audio)."""
    if type_name == "audio":
        return _sound_details(path)
    with path.open("rb") as file:
        kind = sniff(file.read(HEAD_BYTES))
    return _video_details(path, kind.format if kind else "mov")


def _streams(path: Path, format_name: str) -> _Streams:
    with open_container(path, format_name) as container:
        pictures = picture_streams(container)
        sounds = container.streams.audio
        codecs = [
            stream.codec_context.name if stream.codec_context else None
            for stream in (*pictures[:1], *sounds[:1])
        ]
        video = codecs.pop(0) if pictures else None
        audio = codecs.pop(0) if sounds else None
        unknown = (bool(pictures) and video is None) or (bool(sounds) and audio is None)
        channels = sounds[0].codec_context.channels if audio is not None else 1
        return _Streams(video, audio, unknown, channels)


# --- sound ---


def _take_sound(upload: Upload, format_name: str, channels: int) -> Content:
    import soundfile

    notices: list[str] = []
    try:
        info = soundfile.info(upload.path)
    except soundfile.LibsndfileError:
        info = None  # AAC, WMA, AMR and others that only FFmpeg reads.
    if info is not None:
        _check_seconds(upload, info.frames / info.samplerate, upload.limits.max_audio_seconds)
        wrong_length = format_name == "wav" and _says_too_little(info, upload.path)
        complete = format_name != "flac" or _ends_well(upload.path, info.frames)
        is_long = info.frames * min(info.channels, 2) > upload.limits.max_samples
        fits = info.channels <= 2 and not _is_over_full(info, upload.path)
        plays = complete and info.frames and _plays(info, format_name)
        if is_long:
            notices.append("It is long, so it is kept as mono at 16 kHz.")
        elif not wrong_length and plays and fits:
            details = _sound_details(upload.path)
            return Content("audio", _PLAYABLE_SOUND[format_name], upload.path, details)
        if not complete:
            notices.append("It is incomplete; what could be read of it is used.")
        if wrong_length:
            notices.append("Its header gave a wrong length; all of its sound is used.")
    target = upload.target(".flac")
    limits = upload.limits
    kept = convert_sound(
        upload.path, format_name, target, limits.max_audio_seconds, limits.max_samples
    )
    if kept.frames is None:
        raise _too_long(upload, limits.max_audio_seconds)
    if kept.frames == 0:
        raise BadInput(f"{upload.name} holds no sound. Check it and add it again.")
    if kept.is_reduced and not notices:
        notices.append("It is long, so it is kept as mono at 16 kHz.")
    if channels > 2 and not kept.is_reduced:
        notices.append(f"Its {channels} channels are kept as two, left and right.")
    if kept.peak > 1:
        notices.append(
            f"It was recorded louder than full, so it is turned down by "
            f"{20 * math.log10(kept.peak):.1f} dB instead of being cut off."
        )
    details = _sound_details(target)
    if (form := _FORMS.get(format_name, "audio/flac")) != "audio/flac":
        details |= {GIVEN_AS: form, KILOBITS: kept.kilobits}
    return Content("audio", "audio/flac", target, details, tuple(notices))


def _says_too_little(info: Any, path: Path) -> bool:
    """Whether a WAV header claims less than half of the sound that the file has room for.

    Recorders that were cut off leave a length of zero.
    """
    sizes = {"PCM_U8": 1, "PCM_16": 2, "PCM_24": 3, "PCM_32": 4, "FLOAT": 4, "DOUBLE": 8}
    claimed = info.frames * info.channels * sizes.get(info.subtype, 0)
    room = path.stat().st_size - 4096
    return info.subtype in sizes and claimed < room / 2


def _is_over_full(info: Any, path: Path) -> bool:
    """Whether sound that can be is louder than full, or no number.

    What was made loud and packed reaches a little over full everywhere, and there it is cut off
    unheard; only where it was louder still something was lost.
    """
    import soundfile

    is_packed = info.subtype in _PACKED
    if info.subtype not in ("FLOAT", "DOUBLE") and not is_packed:
        return False
    if is_packed and info.frames > _LONGEST_UNPACKED * info.samplerate:
        return False
    most = _PACKED_PEAK if is_packed else 1.0
    try:
        with soundfile.SoundFile(path) as file:
            blocks = file.blocks(1 << 18, dtype="float32", always_2d=True)
            return not all(np.abs(block).max(initial=0.0) <= most for block in blocks)
    except soundfile.LibsndfileError:
        return False


def _ends_well(path: Path, frames: int) -> bool:
    """Whether the last samples that the header promises can be read."""
    import soundfile

    try:
        with soundfile.SoundFile(path) as file:
            file.seek(max(frames - 1024, 0))
            return len(file.read(1024)) > 0
    except soundfile.LibsndfileError:
        return False


def _plays(info: Any, format_name: str) -> bool:
    """Whether both soundfile and browsers read it."""
    return (
        format_name in _PLAYABLE_SOUND
        and info.format != "RF64"
        and info.subtype in _PLAYABLE_SUBTYPES
    )


def _sound_details(path: Path) -> dict[str, Any]:
    import soundfile

    try:
        info = soundfile.info(path)
    except soundfile.LibsndfileError:  # AAC in MP4, which only a tool makes.
        with open_container(path, "mov") as container:
            codec = container.streams.audio[0].codec_context
            seconds = round((container.duration or 0) / 1_000_000, 3)
            return {"seconds": seconds, "rate": codec.sample_rate, "channels": codec.channels}
    return {
        "seconds": round(info.frames / info.samplerate, 3),
        "rate": info.samplerate,
        "channels": info.channels,
    }


# --- video ---


@dataclass(frozen=True)
class _Scan:
    """What reading a whole video finds: its real length, and how its first picture looks."""

    seconds: float
    pictures: int
    claimed_seconds: float
    pixel_format: str
    rotation: int


def _take_video(upload: Upload, format_name: str, streams: _Streams) -> Content:
    limits = upload.limits
    if streams.unknown:
        raise _unknown_codec(upload)
    scan = _scan(upload, format_name)
    _check_seconds(upload, scan.seconds, limits.max_video_seconds)
    notices = []
    incomplete = format_name in _TIMED and scan.seconds < 0.9 * scan.claimed_seconds - 0.5
    if incomplete:
        notices.append("It is incomplete; what could be read of it is used.")
    media_type = _plays_as(upload.path, format_name, streams, scan)
    if media_type and not incomplete:
        details = _video_details(upload.path, format_name, scan)
        return Content("video", media_type, upload.path, details)
    copies = (
        format_name in ("mov", "matroska")
        and streams.video == "h264"
        and scan.pixel_format in _PLAYABLE_PIXELS
        and not scan.rotation
    )
    if not copies and scan.seconds > limits.max_converted_seconds:
        raise BadInput(
            f"{upload.name} has to be converted before browsers can play it, and "
            f"{length_in_words(scan.seconds)} are too long for that (at most "
            f"{length_in_words(limits.max_converted_seconds)}). Save it as MP4 with H.264, or cut "
            "out a part."
        )
    target = upload.target(".mp4")
    convert_video(upload.path, format_name, target, copies, scan.rotation)
    if not copies:
        notices.append("It was converted to MP4, which browsers can play.")
    return Content("video", "video/mp4", target, _video_details(target, "mov"), tuple(notices))


def _plays_as(path: Path, format_name: str, streams: _Streams, scan: _Scan) -> str:
    """The media type under which browsers play the file as it is, or nothing."""
    if scan.rotation:
        return ""
    with path.open("rb") as file:
        head = file.read(64)
    if format_name == "mov":
        plays = streams.video == "h264" and scan.pixel_format in _PLAYABLE_PIXELS
        sounds = streams.audio in (None, "aac", "mp3", "mp3float")
        return "video/mp4" if plays and sounds and head[8:12] != b"qt  " else ""
    if format_name == "matroska" and b"webm" in head:
        plays = streams.video in ("vp8", "vp9", "libvpx", "libvpx-vp9")
        sounds = streams.audio in (None, "opus", "vorbis", "libopus", "libvorbis")
        return "video/webm" if plays and sounds else ""
    return ""


def _scan(upload: Upload, format_name: str) -> _Scan:
    """Read every packet of a video without decoding more than its first picture.

    Headers may be wrong about the length, or silent about it, as in recordings of browsers.
    """
    import av

    with open_container(upload.path, format_name) as container:
        stream = picture_streams(container)[0]
        width, height = stream.codec_context.width, stream.codec_context.height
        if width * height > upload.limits.max_pixels:
            raise BadInput(
                f"{upload.name} is too large: its pictures are {width:,} × {height:,} pixels. Make "
                "it smaller and add it again."
            )
        picture = None
        times: list[tuple[int, int]] = []
        count = 0
        try:
            for packet in container.demux(stream):
                if packet.size == 0:
                    continue
                count += 1
                time = packet.pts if packet.pts is not None else packet.dts
                if time is not None:
                    times.append((time, time + (packet.duration or 0)))
                if picture is None and count < _PATIENCE:
                    picture = next(iter(decoded(packet)), None)
            if picture is None and count:
                picture = next(iter(stream.codec_context.decode(None)), None)
        except av.FFmpegError:
            pass  # Cut off in the middle: what came before is used.
        if picture is None:
            raise _damaged(upload)
        base = stream.time_base or Fraction(1, 1000)
        rate = stream.average_rate or stream.guessed_rate
        seconds = 0.0
        if times:
            seconds = float((max(end for _, end in times) - min(times)[0]) * base)
        if seconds <= 0:
            seconds = float(count / rate) if rate else 0.04 * count
        claimed = (container.duration or 0) / 1_000_000
        rotation = int(picture.rotation) % 360
        return _Scan(seconds, count, claimed, picture.format.name, rotation)


def _video_details(path: Path, format_name: str, scan: _Scan | None = None) -> dict[str, Any]:
    with open_container(path, format_name) as container:
        stream = picture_streams(container)[0]
        seconds = scan.seconds if scan else (container.duration or 0) / 1_000_000
        rate = stream.average_rate or stream.guessed_rate
        if scan and not rate and seconds:
            rate = Fraction(scan.pictures / seconds).limit_denominator(1000)
        return {
            "seconds": round(seconds, 3),
            "width": stream.codec_context.width,
            "height": stream.codec_context.height,
            "fps": round(float(rate), 3) if rate else 0.0,
            "has_audio": bool(container.streams.audio),
        }


# --- sentences ---


def _check_channels(upload: Upload, channels: int) -> None:
    # FFmpeg says none of so many that it takes their number for damage.
    if not 0 < channels <= upload.limits.max_channels:
        said = f"{channels:,}" if channels else "no, or far too many,"
        raise BadInput(
            f"{upload.name} says that it has {said} channels of sound; 1 to "
            f"{upload.limits.max_channels} are possible. Save it anew with fewer and add it again."
        )


def _check_seconds(upload: Upload, seconds: float, limit: float) -> None:
    if seconds > limit:
        raise _too_long(upload, limit, seconds)


def _too_long(upload: Upload, limit: float, seconds: float | None = None) -> BadInput:
    length = f" ({length_in_words(seconds)})" if seconds else ""
    return BadInput(
        f"{upload.name} is too long{length}; at most {length_in_words(limit)} are possible. Cut "
        "out the part that matters and add that."
    )


def _unknown_codec(upload: Upload) -> BadInput:
    return BadInput(
        f"{upload.name} is recorded in a way (codec) that I do not know. Convert it to MP4 with "
        "H.264, or a sound to MP3 or WAV, and add that."
    )


def _damaged(upload: Upload) -> BadInput:
    return BadInput(
        f"{upload.name} is damaged or incomplete: no part of the recording can be read. Get the "
        "file again, or save it anew as MP4, MP3 or WAV."
    )
