"""Sound written as MP3, M4A, OGG, FLAC or WAV, in a bit rate or under a size."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from controlllm.resources import Filed, Sound
from controlllm.toolbox import Context, ToolError

from ...shared.comparing import in_bytes, lasting
from ...shared.sounds import brought_to
from . import sound_labels

MEDIA_TYPES = {
    "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
    "wav": "audio/wav",
}
_EXACT = ("flac", "wav")
_NAMES = {media_type: name for name, media_type in MEDIA_TYPES.items()}
#: Kilobits a second where nothing is said: of mono and of stereo.
_USUAL = {"mp3": (128, 192), "m4a": (112, 192), "ogg": (96, 160)}
_RANGES = {"mp3": (8, 320), "m4a": (12, 320), "ogg": (6, 450)}
_RATES: dict[str, tuple[int, ...]] = {
    "mp3": (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000),
    "m4a": (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000),
    "ogg": (8000, 12000, 16000, 24000, 48000),
}
_CODECS = {"mp3": ("libmp3lame", "mp3"), "m4a": ("aac", "mp4"), "ogg": ("libopus", "ogg")}
_STEPS = (320, 256, 192, 160, 128, 112, 96, 80, 64, 56, 48, 40, 32, 24, 20, 16, 12, 8, 6)
#: From so many kilobits a second on stereo sounds better than mono, and from so many on a rate.
_STEREO_FROM = 80
_RATE_FROM = ((56, 48_000), (40, 32_000), (24, 24_000), (16, 16_000), (0, 8_000))
_PIECE = 1 << 14
_LOWEST_RATE = 8000
_SHORTEST = 4096  # frames
_LONG = 180.0  # seconds


@dataclass(frozen=True)
class Way:
    """How a sound is written: kilobits a second (0 where the format keeps everything), channels
    and sampling rate."""

    kilobits: int
    channels: int
    rate: int


def saved(sound: Sound, name: str, limit: float, kilobits: int, context: Context) -> bytes:
    """The sound as a file; `limit` bytes at most, or with so many kilobits a second, where either
    is given.

    Raises ToolError where it cannot be made so small.
    """
    _check_kilobits(name, kilobits)
    usual = 0 if name in _EXACT else _USUAL[name][sound.channels - 1]
    best = Way(kilobits or usual, sound.channels, _nearest(sound.rate, name))
    if limit <= 0:
        if name == "ogg" and not kilobits:
            return _as_vorbis(sound, context)
        return _written(sound, name, best, context)
    reached, tried = 0.0, best
    for way in _ways(best, name):
        if way.kilobits and _expected(way, sound.seconds) > limit:
            continue
        if reached and name in _EXACT and _guess(reached, way, tried) > 1.5 * limit:
            continue
        content = _written(sound, name, way, context, is_exact=False)
        reached, tried = len(content), way
        if reached <= limit:
            return content
    if name in _EXACT:
        least = _guess(reached, Way(0, 1, min(_LOWEST_RATE, best.rate)), tried)
    else:
        least = 1.15 * _RANGES[name][0] * 125 * sound.seconds + 2000
    raise ToolError(_too_large(sound, name, limit, least))


def in_form(sound: Sound, media_type: str, given: Path, kilobits: int, context: Context) -> Filed:
    """The sound as a file of the form of the one that it was made of, `given`: with its labels, its
    codec, the kilobits a second that it had for each channel and of FLAC its bits.

    `media_type` and `kilobits` are what the form is, where `given` was rewritten; 0 kilobits are
    read in it. An uncommon bit rate becomes the next higher common one.
    """
    import av

    name = _NAMES[media_type]
    with av.open(str(given)) as file:
        stream = file.streams.audio[0]
        codec, channels = stream.codec_context.name, min(stream.codec_context.channels, 2)
        kilobits = kilobits or round((stream.bit_rate or file.bit_rate or 0) / 1000)
        bits = 24 if "32" in str(stream.codec_context.format.name) else 16
    if name == "ogg" and codec == "vorbis":
        content = _as_vorbis(sound, context)
    elif name == "flac":
        content = _with_soundfile(sound, "FLAC", f"PCM_{bits}", context)
    else:
        least, most = _RANGES[name]
        wanted = min(max(kilobits * sound.channels / channels, least), most)
        common = min((step for step in _STEPS if step >= wanted), default=most)
        content = saved(sound, name, 0.0, common if kilobits else 0, context)
    return Filed(sound_labels.keeping_labels(content, given, 0.0, context), media_type)


def _check_kilobits(name: str, kilobits: int) -> None:
    if not kilobits:
        return
    if name in _EXACT:
        raise ToolError(
            f"{name.upper()} keeps every detail and has no bit rate to choose. Ask for MP3, M4A or "
            "OGG to have one."
        )
    lowest, highest = _RANGES[name]
    if not lowest <= kilobits <= highest:
        raise ToolError(
            f"{name.upper()} takes {lowest} to {highest} kilobits a second, not {kilobits:,}; ask "
            "for a number in between, such as 128."
        )


def _nearest(rate: int, name: str) -> int:
    """The rate itself where the format has it, else the next higher one, or the highest."""
    rates = _RATES.get(name)
    if rates is None:
        return rate
    return next((known for known in rates if known >= rate), rates[-1])


def _ways(best: Way, name: str) -> Iterator[Way]:
    """Ways to write a sound, ever smaller."""
    yield best
    if name in _EXACT:
        rates = [rate for rate in (44_100, 32_000, 22_050, 16_000, 11_025) if rate < best.rate]
        for rate in (best.rate, *rates, min(_LOWEST_RATE, best.rate)):
            yield Way(0, 1, rate)
        return
    for kilobits in _STEPS:
        if _RANGES[name][0] <= kilobits < best.kilobits:
            channels = best.channels if kilobits >= _STEREO_FROM else 1
            most = next(rate for least, rate in _RATE_FROM if kilobits >= least)
            lower = [rate for rate in _RATES[name] if rate <= min(most, best.rate)]
            yield Way(kilobits, channels, max(lower, default=best.rate))


def _expected(way: Way, seconds: float) -> float:
    """The least bytes that so many kilobits a second may come to; quiet sound may take less."""
    return 0.8 * way.kilobits * 125 * seconds


def _guess(size: float, way: Way, tried: Way) -> float:
    """What a file comes to, by the size of one that was written in another way."""
    return size * (way.rate * way.channels) / (tried.rate * tried.channels)


def _too_large(sound: Sound, name: str, limit: float, reached: float) -> str:
    smaller = "ask for MP3, M4A or OGG" if name in _EXACT else "allow more"
    return (
        f"{lasting(sound.seconds)} of sound do not fit into {in_bytes(limit)} as {name.upper()}; "
        f"about {in_bytes(reached)} can be reached. Cut the sound, or {smaller}."
    )


def _pieces(sound: Sound, context: Context) -> Iterator[np.ndarray]:
    """The sound in small pieces within -1..1, frames x channels."""
    done = 0
    for block in sound.blocks():
        for first in range(0, len(block), _PIECE):
            context.check()
            piece = block[first : first + _PIECE]
            yield np.clip(piece, -1, 1).astype(np.float32, copy=False)
            done += len(piece)
        context.progress(0.05 + 0.9 * done / max(sound.frames, 1), "Writing the file")


def _written(sound: Sound, name: str, way: Way, context: Context, is_exact: bool = True) -> bytes:
    sound = brought_to(sound, way.rate, way.channels, context)
    if name in _EXACT:
        return _with_soundfile(
            sound, name.upper(), _subtype(sound) if is_exact else "PCM_16", context
        )
    return _encoded(sound, name, way, context)


def _as_vorbis(sound: Sound, context: Context) -> bytes:
    """OGG of any rate, in the codec that every player of it knows."""
    return _with_soundfile(sound, "OGG", "VORBIS", context)


def _subtype(sound: Sound) -> str:
    """16 bits where they hold the sound exactly or nearly, else 24."""
    for block in sound.blocks():
        levels = block * np.float32(32768)
        if np.abs(levels - np.round(levels)).max(initial=0.0) > 1e-3:
            return "PCM_24"
    return "PCM_16"


def _with_soundfile(sound: Sound, kind: str, subtype: str, context: Context) -> bytes:
    import soundfile

    buffer = io.BytesIO()
    with soundfile.SoundFile(
        buffer, "w", int(sound.rate), sound.channels, subtype, format=kind
    ) as file:
        for piece in _pieces(sound, context):
            file.write(piece)
    return buffer.getvalue()


def _encoded(sound: Sound, name: str, way: Way, context: Context) -> bytes:
    import av

    codec, container = _CODECS[name]
    if sound.frames < _SHORTEST:
        # Players leave out the first frame of a codec: what is shorter than it would be nothing.
        padding = ((0, _SHORTEST - sound.frames), (0, 0))
        sound = Sound(np.pad(sound.samples, padding), sound.rate)
    layout = "mono" if sound.channels == 1 else "stereo"
    options = {"movflags": "faststart"} if container == "mp4" else {}
    with (
        tempfile.TemporaryDirectory(dir=context.folder) as folder,
        av.open(f"{folder}/sound", "w", format=container, options=options) as output,
    ):
        # Of long sound nobody waits for the last bit of care that MP3 can take.
        is_quick = codec == "libmp3lame" and sound.seconds > _LONG
        care = {"compression_level": "7"} if is_quick else {}
        stream = output.add_stream(codec, rate=sound.rate, layout=layout, options=care)
        stream.bit_rate = way.kilobits * 1000
        stream.codec_context.open()
        size = stream.codec_context.frame_size or 1024
        resampler = av.AudioResampler(stream.format, layout, sound.rate, frame_size=size)
        place = 0
        for piece in _pieces(sound, context):
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(piece.T), "fltp", layout)
            frame.sample_rate, frame.pts, frame.time_base = (
                sound.rate,
                place,
                Fraction(1, sound.rate),
            )
            place += len(piece)
            for part in resampler.resample(frame):
                output.mux(stream.encode(part))
        for part in resampler.resample(None):
            output.mux(stream.encode(part))
        output.mux(stream.encode(None))
        output.close()
        return Path(folder, "sound").read_bytes()
