"""Subtitles of speech: what is said stands at the time at which it is said."""

from __future__ import annotations

import re

import numpy as np
import pytest

from controlllm.resources import Sound, encode
from controlllm.toolbox import ToolError
from tests.tools.speech.test_recognition import recording
from tools.shared.subtitles import LINE, Cue, read_subtitles
from tools.speech.embedded import whisper
from tools.speech.recognition import speech_to_text
from tools.speech.subtitles import speech_to_subtitles


def silence(seconds: float, rate: int) -> np.ndarray:
    return np.zeros((round(seconds * rate), 1), np.float32)


@pytest.fixture(scope="module")
def two_sentences() -> tuple[Sound, float]:
    """A sentence, 40 seconds of silence, another one with hiss behind; and when that begins."""
    first, second = (
        whisper.at_listening_rate(recording(name))[:, None]
        for name in ("heath_ledger.mp3", "cate_blanch_2.mp3")
    )
    rate = whisper.RATE
    hiss = 0.003 * np.random.default_rng(1).standard_normal((20 * rate, 1))
    pieces = [first, silence(40, rate), second, hiss.astype(np.float32)]
    return Sound(np.concatenate(pieces), rate), len(first) / rate + 40


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", text.lower()))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "media_type"),
    [("", "application/x-subrip"), ("srt", "application/x-subrip"), ("vtt", "text/vtt")],
)
def test_words_and_times(two_sentences, name: str, media_type: str) -> None:  # type: ignore[no-untyped-def]
    sound, later = two_sentences
    filed = speech_to_subtitles(sound, format=name)
    assert encode("text", filed) == (filed.content, media_type)
    text = filed.content.decode()
    assert text.startswith("WEBVTT\n") if name == "vtt" else text.startswith("1\n00:00:00,")
    cues = read_subtitles(text)
    early = [cue for cue in cues if cue.start < 20]
    late = [cue for cue in cues if cue.start > 20]
    assert {"good", "something", "never", "free"} <= words(" ".join(cue.words for cue in early))
    assert {"trust", "historic", "evening"} <= words(" ".join(cue.words for cue in late))
    assert early[-1].end < 6 and late[0].start == pytest.approx(later, abs=0.7)
    assert late[-1].end < later + 6
    for cue in cues:
        assert isinstance(cue, Cue) and cue.end > cue.start
        assert all(len(line) <= LINE for line in cue.words.split("\n"))


@pytest.mark.long
def test_both_sentences_are_written_down_with_the_pause_between(two_sentences) -> None:  # type: ignore[no-untyped-def]
    sound, _ = two_sentences
    first, second = speech_to_text(sound).split("\n\n")
    assert {"good", "something", "never", "free"} <= words(first)
    assert {"trust", "historic", "evening"} <= words(second)


def test_a_voice_whose_channels_are_each_others_opposite_is_understood() -> None:
    voice = recording("heath_ledger.mp3")
    apart = Sound(np.stack([voice.mono(), -voice.mono()], axis=1), voice.rate)
    assert {"good", "something"} <= words(speech_to_text(apart))
    cues = read_subtitles(speech_to_subtitles(apart).content.decode())
    assert {"good", "something"} <= words(" ".join(cue.words for cue in cues))


def test_no_speech_is_said_plainly() -> None:
    for frames in (1, 64_000):
        with pytest.raises(ToolError, match="no speech"):
            speech_to_subtitles(Sound(np.zeros((frames, 1), np.float32), 16_000))
