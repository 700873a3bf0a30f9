"""Files of sound: another format, a smaller file, and what is known of a recording."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from controlllm.resources import Audio, Filed, Sound, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, FileSize, Kind
from controlllm.values.kinds import found_in
from controlllm.values.plain import HIDDEN

from ..shared import comparing
from ..shared.comparing import in_bytes
from ..shared.sounds import CHANNELS, peak, with_channels
from .embedded import sound_effects, sound_files, sound_labels

_FORMATS = Choice(
    mp3="mpeg mpeg3 mp_3",
    m4a="aac mp4 m4b m4r",
    ogg="opus vorbis oga",
    flac="lossless",
    wav="wave uncompressed pcm",
)


_BIT_RATES = tuple(
    (pattern, lambda match: int(match[1]))
    for pattern in (
        r"(?<![\w.])(\d+)[ -]?(?:kbps|kbits?(?:/s|ps)?|kb/s|kb ?ps|kilobits?)(?!\w)",
        r"\bbit ?rate (?:of |at |to |is |= ?)?(\d+)\b",
        r"(?<![\w.])(64|96|128|160|192|256|320) ?k(?!\w)",
        # Right behind the format: "mp3 320".
        rf"{HIDDEN} (?:at |in |with )?(64|96|128|160|192|256|320)\b(?! ?(?:k?hz|[km]b|s|sec|min))",
    )
)
_BIT_RATE = Kind("kilobits a second, such as 128", lambda words: found_in(words, *_BIT_RATES))
#: Under this a recording is as good as silent.
_SILENT = 10 ** (-80 / 20)


@tool(
    domain="audio-editing",
    places="everywhere",
    sets_form=("format", "limit"),
    examples=[
        "Save this recording as an MP3.",
        "Convert the wav to m4a for my phone.",
        "I need the song as a FLAC file.",
        "Make the sound file smaller than 2 MB so I can mail it.",
        "Turn this voice memo into an ogg.",
        "Give me the podcast as an mp3 at 128 kbps.",
        "Compress the audio to under 500 kB.",
        "My player only takes WAV files, can you change it?",
    ],
    packages=("av", "soundfile"),
)
def convert_audio(
    audio: Audio,
    context: Context,
    format: Annotated[str, _FORMATS] = "",
    bitrate: Annotated[int, _BIT_RATE] = 0,
    limit: FileSize = 0.0,
    channels: Annotated[str, CHANNELS] = "",
) -> Audio:
    """Save a sound in another format (MP3, M4A, OGG, FLAC, WAV), at a bit rate, or so that its
    file stays under a size in megabytes.

    Args:
        audio: the recording to save
        format: the format of the file; MP3 where none is named
        bitrate: kilobits a second; how much the file takes, such as 128
        limit: bytes; the most that the file may take
        channels: mono or stereo; as many as there are where nothing is said
    returns: the recording as a file of that format
    """
    chosen = format or "mp3"
    if chosen not in sound_files.MEDIA_TYPES:
        known = ", ".join(name.upper() for name in sound_files.MEDIA_TYPES)
        raise ToolError(f"I do not know the format {chosen}. I can save sound as {known}.")
    context.progress(0.0, f"Saving as {chosen.upper()}")
    sound = with_channels(audio, channels, context)
    # What is a file of its own is no value of the type, though it is stored as one.
    content: bytes = sound_files.saved(sound, chosen, limit, bitrate, context)
    for file in context.files("audio")[:1]:
        if sound_labels.is_known(file.path):
            content = sound_labels.keeping_labels(content, file.path, limit, context)
    return Filed(content, sound_files.MEDIA_TYPES[chosen])  # type: ignore[return-value]


@tool(
    domain="audio-perception",
    examples=[
        "How long is this recording?",
        "What is the sampling rate of the sound?",
        "Is the file stereo or mono?",
        "How loud is my podcast?",
        "Tell me the duration of the song.",
        "Give me the technical facts of this audio.",
        "How many minutes does the voice memo last?",
        "Is there anything on this tape or is it silent?",
        "How many megabytes does the recording have?",
    ],
    packages=("pyloudnorm", "scipy"),
)
def audio_information(audio: Audio, context: Context) -> Text:
    """Tell the facts of a sound: how long it is, sampling rate, channels, how loud it is, and how
    large its file is.

    Args:
        audio: the recording that is asked about
    returns: its facts, a line each
    """
    context.progress(0.0, "Looking at the sound")
    highest = peak(audio)
    lines = [
        f"Length: {length_in_words(audio.seconds)}",
        f"Sampling rate: {audio.rate:,} Hz",
        f"Channels: {_channels_in_words(audio)}",
    ]
    if highest < _SILENT:
        lines.append("Loudness: it is silent")
    else:
        context.progress(0.3, "Measuring how loud it is")
        loudness = sound_effects.loudness(audio)
        heard = f"{loudness:.1f} LUFS" if loudness > -70 else "under -70 LUFS, hardly to be heard"
        lines += [f"Loudness: {heard}", f"Peak: {20 * math.log10(highest) + 0.0:.1f} dB"]
    for file in context.files("audio"):
        kind = file.path.suffix.lstrip(".").upper()
        lines.append(f"File: {kind}, {in_bytes(file.path.stat().st_size)}")
    return "\n".join(lines)


def length_in_words(seconds: float) -> str:
    """A length both as people say it and as a player shows it: ``"3.5 seconds (0:03)"``."""
    whole = int(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    if seconds < 0.1:
        return f"{seconds * 1000:.3g} milliseconds ({clock})"
    digits = f"{seconds:.1f}".removesuffix(".0")
    return f"{digits} {'second' if digits == '1' else 'seconds'} ({clock})"


def _channels_in_words(sound: Sound) -> str:
    if sound.channels == 1:
        return "1 (mono)"
    levels, difference = np.zeros(2), 0.0
    for block in sound.blocks():
        levels = np.maximum(levels, np.abs(block).max(axis=0, initial=0.0))
        apart = np.abs(block[:, 0] - block[:, 1]).max(initial=0.0)
        difference = max(difference, float(apart))
    quiet = levels < _SILENT
    if quiet.any() and not quiet.all():
        return f"2 (stereo), but only the {'left' if quiet[1] else 'right'} one sounds"
    alike = difference < _SILENT and not quiet.all()
    return "2 (stereo)" + (", both the same" if alike else "")


@tool(
    domain="audio-perception",
    examples=[
        "Which of these recordings is the longest?",
        "How long are the three sounds altogether?",
        "Compare the lengths of my voice memos.",
        "What is the total running time of the songs?",
        "Which one of the takes is the shortest, and by how much?",
        "Add up the durations of all these audio files.",
        "Which audio file is the largest?",
        "Add up the lengths of both recordings.",
        "How long are they altogether?",
    ],
)
def compare_sounds(audios: list[Audio], context: Context) -> Text:
    """Compare several sounds: which is the longest or the shortest, how long they are all together,
    and how large their files are.

    Args:
        audios: the recordings that are compared
        returns: the longest, the shortest, the total, and the length of each
    """
    if len(audios) < 2:
        raise ToolError("Comparing takes two or more sounds; hand over another one.")
    seconds = [audio.seconds for audio in audios]
    return comparing.told(comparing.lengths(seconds, context.files("audios"), "Sound"))
