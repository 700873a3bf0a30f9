"""Listening: speech from a package's own recordings and from the voice."""

from __future__ import annotations

import importlib.util
import re
import threading
from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy.signal import resample_poly

from controlllm.resources import Sound
from controlllm.toolbox import Cancelled, Context, ToolError
from tools.speech.embedded import whisper
from tools.speech.recognition import speech_to_text
from tools.speech.synthesis import text_to_speech

# Found and not imported, which would take seconds.
RECORDINGS = Path(str(importlib.util.find_spec("gradio").origin)).parent / "media_assets/audio"


def recording(name: str) -> Sound:
    samples, rate = soundfile.read(RECORDINGS / name, dtype="float32", always_2d=True)
    return Sound(samples, rate)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("heath_ledger.mp3", "if you're good at something never do it for free"),
        ("cate_blanch_2.mp3", "i trust you had an historic evening"),
    ],
)
def test_recorded_speech(name: str, expected: str) -> None:
    assert words(speech_to_text(recording(name))) == words(expected)


@pytest.mark.few(1)
@pytest.mark.parametrize("rate", [8000, 22050, 48000])
def test_any_rate_any_channels_any_loudness(rate: int) -> None:
    clip = recording("heath_ledger.mp3")
    mono = resample_poly(clip.mono(), rate, clip.rate) * 0.02
    stereo = np.stack([mono, mono], axis=1).astype(np.float32)
    heard = set(words(speech_to_text(Sound(stereo, rate))))
    assert {"good", "something", "never", "free"} <= heard


@pytest.mark.long
def test_the_voice_is_understood() -> None:
    heard = words(speech_to_text(text_to_speech("The museum opens at nine on Sundays.")))
    assert {"museum", "opens"} <= set(heard)


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros((1, 2)),
        np.zeros((32000, 1)),
        np.random.default_rng(0).normal(size=(48000, 1)) * 0.1,
        0.5 * np.sin(np.arange(48000) / 16000 * 2 * np.pi * 440)[:, None],
    ],
    ids=["one frame", "silence", "noise", "tone"],
)
def test_no_speech_is_said_plainly(samples: np.ndarray) -> None:
    with pytest.raises(ToolError, match="no speech"):
        speech_to_text(Sound(samples.astype(np.float32), 16000))


def test_music_gives_no_invented_words() -> None:
    with pytest.raises(ToolError):
        speech_to_text(recording("sax.wav"))
    with pytest.raises(ToolError):
        speech_to_text(recording("cantina.wav"))


def test_progress_and_cancelling() -> None:
    clip = recording("cate_blanch.mp3")
    told: list[float] = []
    stop = threading.Event()
    speech_to_text(clip, context=Context(lambda fraction, said: told.append(fraction)))
    assert told == sorted(told)
    assert told[-1] > 0.5

    def report(fraction: float, said: str) -> None:
        stop.set()

    with pytest.raises(Cancelled):
        speech_to_text(clip, context=Context(report, stop))


@pytest.mark.long
def test_long_speech_in_pieces_is_written_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are parted in pauses, times go on from one to the next, and so do paragraphs."""
    spoken = [recording(name) for name in ("heath_ledger.mp3", "cate_blanch_2.mp3")]
    heard = [whisper.at_listening_rate(sound) for sound in spoken]
    pause = np.zeros(15 * whisper.RATE, np.float32)
    together = np.concatenate([heard[0], pause, heard[1]])[:, None]
    told: list[tuple[float, str]] = []
    at_once = speech_to_text(Sound(together, whisper.RATE))
    monkeypatch.setattr(whisper, "_LISTENED_AT_ONCE", round(20.5 * whisper.RATE))
    context = Context(lambda fraction, said: told.append((fraction, said)))
    in_pieces = speech_to_text(Sound(together, whisper.RATE), context=context)
    assert words(in_pieces) == words(at_once) and in_pieces.count("\n\n") == 1
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    assert sum(said == "Listening" for _, said in told) == 2
