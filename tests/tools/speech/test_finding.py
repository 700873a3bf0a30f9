"""Something that is said is found in one of several recordings, and when it is said."""

from __future__ import annotations

import re

import numpy as np
import pytest

from controlllm.resources import Sound
from controlllm.toolbox import Context, GivenFile, ToolError
from tests.tools.speech.test_recognition import RECORDINGS, recording
from tools.speech.embedded import whisper
from tools.speech.finding import find_in_recordings

NAMES = ("heath_ledger.mp3", "cate_blanch_2.mp3")


@pytest.fixture(scope="module")
def recordings() -> list[Sound]:
    """Two sentences of two people, the second after five seconds of silence; and hiss."""
    sounds = [whisper.at_listening_rate(recording(name))[:, None] for name in NAMES]
    silence = np.zeros((5 * whisper.RATE, 1), np.float32)
    hiss = 0.003 * np.random.default_rng(1).standard_normal((3 * whisper.RATE, 1))
    samples = [sounds[0], np.concatenate([silence, sounds[1]]), hiss.astype(np.float32)]
    return [Sound(each, whisper.RATE) for each in samples]


@pytest.fixture
def context() -> Context:
    names = (*NAMES, "hiss.mp3")
    files = [GivenFile(name, "audio", RECORDINGS / NAMES[0]) for name in names]
    return Context().given(lambda argument: files if argument == "audios" else ())


def test_the_recording_is_named_with_the_second_and_the_sentence(recordings, context) -> None:  # type: ignore[no-untyped-def]
    question = "In one of these somebody talks about an evening. Which one is it?"
    told = find_in_recordings(recordings, question, context=context)
    first, line = told.split("\n\n")
    assert re.fullmatch(r"It is cate_blanch_2\.mp3: there “evening” is said at 0:0[456]\.", first)
    assert line.startswith("- cate_blanch_2.mp3, 0:0") and "historic evening" in line
    assert context.remarks == ("I hear no speech in hiss.mp3.",)


def test_what_nobody_says_is_told_so_with_what_comes_nearest(recordings, context) -> None:  # type: ignore[no-untyped-def]
    told = find_in_recordings(recordings[:2], "Which is about parrots?")
    assert told == "I do not hear “parrots” in any of the 2 recordings."
    near = find_in_recordings(recordings[:2], "Which is about a memorable night?")
    assert near.startswith("I do not hear “memorable night” itself")
    assert "said in recording 2 at 0:0" in near


def test_what_cannot_be_looked_for_is_said(recordings) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ToolError, match="not said what to look for"):
        find_in_recordings(recordings, "which one is it?")
    with pytest.raises(ToolError, match="no English speech"):
        find_in_recordings(recordings[2:], "Where do they mention the pool?")
