"""Sounds taken apart into several, each heard for what is in it."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from controlllm.resources import Member, Sound
from controlllm.toolbox import Context, ToolError
from tools.sound.splitting import split_audio, split_channels

RATE = 8_000
#: The pitch of each of ten seconds.
PITCHES = [300 + 100 * second for second in range(10)]


def scale(channels: int = 1) -> Sound:
    """Ten seconds, each with a pitch of its own."""
    times = np.arange(RATE) / RATE
    wave = np.concatenate([0.4 * np.sin(2 * np.pi * pitch * times) for pitch in PITCHES])
    return Sound(np.repeat(wave[:, None], channels, 1).astype(np.float32), RATE)


def heard(member: Member) -> tuple[np.ndarray, int]:
    assert member.type == "audio"
    return soundfile.read(member.value, always_2d=True)


def pitch_at(samples: np.ndarray, seconds: float) -> int:
    part = samples[int(seconds * RATE) :][: RATE // 2, 0]
    return round(int(np.abs(np.fft.rfft(part)).argmax()) * RATE / len(part))


def split(folder, sound=None, **settings):
    made = split_audio(sound or scale(), **settings, context=Context(folder=folder))
    return [member.name for member in made], [heard(member)[0] for member in made]


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ({"times": "0,6,8"}, [6, 2, 2]),
        ({"times": "2.5"}, [2.5, 7.5]),
        ({"times": "every 4"}, [4, 4, 2]),
        ({"count": 4}, [2.5, 2.5, 2.5, 2.5]),
        ({"times": "8, 3, 3, 99"}, [3, 5, 2]),
    ],
)
def test_the_parts_are_the_whole_again(tmp_path, settings, seconds):
    names, parts = split(tmp_path, **settings)
    assert names == [f"part {number}" for number in range(1, len(seconds) + 1)]
    assert [len(part) / RATE for part in parts] == seconds
    assert np.abs(np.concatenate(parts) - scale().samples).max() < 1e-4


def test_passages_are_what_they_say(tmp_path):
    names, parts = split(tmp_path, times="2..4,7..9")
    assert names == ["part 1", "part 2"]
    assert [len(part) / RATE for part in parts] == [2, 2]
    assert [pitch_at(part, 0.2) for part in parts] == [PITCHES[2], PITCHES[7]]


@pytest.mark.parametrize(
    ("table", "names", "seconds", "first"),
    [
        (
            "Chapter;Start;End\nWelcome;0:00;0:02\nThe plan;0:03;0:07\n",
            ["Welcome", "The plan"],
            [2, 4],
            [0, 3],
        ),
        ("start,title\n0:04,Second/half\n0:01,First\n", ["First", "Second half"], [3, 6], [1, 4]),
        ("0:00 | intro\n0:05 | talk\n", ["intro", "talk"], [5, 5], [0, 5]),
        ("from\tto\n1.5\t3\n3\t4\n", ["part 1", "part 2"], [1.5, 1], [1.5, 3]),
        ("time\n00:00:02\n00:00:06\n", ["part 1", "part 2"], [4, 4], [2, 6]),
    ],
)
def test_it_is_cut_along_the_rows_of_a_table(tmp_path, table, names, seconds, first):
    found, parts = split(tmp_path, table=table)
    assert found == names
    assert [len(part) / RATE for part in parts] == seconds
    at = [pitch_at(part, 0.01) for part in parts]
    assert at == [PITCHES[int(start)] for start in first]


def test_it_is_cut_in_the_middle_of_its_pauses(tmp_path):
    tone = scale().samples[:RATE]
    quiet = np.zeros((RATE, 1), np.float32)
    short = np.zeros((RATE // 5, 1), np.float32)
    samples = np.concatenate([tone, quiet, tone, short, tone, quiet, tone])
    _, parts = split(tmp_path, sound=Sound(samples, RATE), way="pauses")
    lengths = [len(part) / RATE for part in parts]
    assert len(lengths) == 3
    assert np.abs(np.array(lengths) - [1.5, 3.2, 1.5]).max() < 0.1
    with pytest.raises(ToolError, match="no pause"):
        split_audio(scale(), way="pauses")


def test_left_and_right_are_two_files(tmp_path):
    high = np.roll(scale().samples, RATE * 3)
    sound = Sound(np.concatenate([scale().samples, high], axis=1), RATE)
    left, right = split_channels(sound, context=Context(folder=tmp_path))
    assert (left.name, right.name) == ("left", "right")
    for member, expected in ((left, scale().samples), (right, high)):
        samples, rate = heard(member)
        assert rate == RATE and samples.shape == expected.shape
        assert np.abs(samples - expected).max() < 1e-4
    with pytest.raises(ToolError, match="mono"):
        split_channels(scale())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "not said where to cut"),
        ({"times": "20,30"}, "10.0 seconds"),
        ({"times": "20..30,40..41"}, "nothing of it lies between"),
        ({"times": "every 0.04"}, "no time"),
        ({"times": "every 0.001"}, "no time"),
        ({"count": 1}, "not said where to cut"),
        ({"count": 100_000}, "at most 200"),
        ({"table": "town,tickets\nVienna,120\n"}, "No column"),
        ({"table": "start\n0:50\n"}, "nothing of it lies"),
    ],
)
def test_what_cannot_be_split_is_said(settings, words):
    with pytest.raises(ToolError, match=words):
        split_audio(scale(), **settings)
