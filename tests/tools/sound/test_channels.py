"""Channels: mono, stereo, one side, exchanged; and nothing cancels itself out."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.resources import Sound
from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tools.sound.channels import change_channels
from tools.sound.editing import audio_to_audio
from tools.sound.embedded import sound_pictures

RATE = 16_000
TIMES = np.arange(6 * RATE) / RATE
LEFT = (0.4 * np.sin(2 * np.pi * 300 * TIMES)).astype(np.float32)
RIGHT = (0.2 * np.sin(2 * np.pi * 700 * TIMES)).astype(np.float32)
STEREO = Sound(np.stack([LEFT, RIGHT], axis=1), RATE)
KINDS = {item.name: item.kind for item in change_channels.tool.parameters if item.kind}


def is_alike(found: np.ndarray, wanted: np.ndarray, most: float = 1e-6) -> bool:
    """Whether two sounds differ nowhere by more; `pytest.approx` goes through them in Python."""
    return found.shape == wanted.shape and bool(np.abs(found - wanted).max() <= most)


@pytest.mark.parametrize(
    ("words", "columns"),
    [
        ("Turn this stereo recording into mono.", [(LEFT + RIGHT) / 2]),
        ("only the right channel of this stereo recording", [RIGHT]),
        ("what's on the right hand side of the stereo file", [RIGHT]),
        ("keep the left channel of my stereo interview", [LEFT]),
        ("the right one, this is stereo", [RIGHT]),
        ("Swap the left and the right channel", [RIGHT, LEFT]),
        ("left & right exchanged", [RIGHT, LEFT]),
        ("only the right, the left is broken", [RIGHT]),
        ("R channel only", [RIGHT]),
        ("left ch please", [LEFT]),
        ("switch the channels", [RIGHT, LEFT]),
        ("my guitar should be on the other side", [RIGHT, LEFT]),
        ("I hear with one ear only, so both channels on one", [(LEFT + RIGHT) / 2]),
        ("", [(LEFT + RIGHT) / 2]),
    ],
)
def test_of_stereo(words: str, columns: list[np.ndarray]) -> None:
    made = change_channels(STEREO, **values_in(words, KINDS))
    assert is_alike(made.samples, np.stack(columns, axis=1))


def test_of_mono() -> None:
    single = Sound(LEFT[:, None], RATE)
    for way in ("stereo", ""):
        made = change_channels(single, way=way)
        assert np.array_equal(made.samples, np.stack([LEFT, LEFT], axis=1))
    for way in ("left", "right", "swap"):
        with pytest.raises(ToolError, match="only one channel"):
            change_channels(single, way=way)


def test_what_is_in_one_ear_comes_to_both() -> None:
    one_ear = Sound(np.stack([LEFT * 0, LEFT], axis=1), RATE)
    made = change_channels(one_ear, **values_in("I hear it in one ear, put it on both ears", KINDS))
    assert np.array_equal(made.samples, np.stack([LEFT, LEFT], axis=1))


def power(samples: np.ndarray) -> float:
    return float(np.mean(np.square(samples, dtype=np.float64)))


@pytest.mark.parametrize("share", [-1.0, -0.8, -0.5])
def test_mono_of_channels_that_are_each_others_opposite(share: float) -> None:
    apart = Sound(np.stack([LEFT, share * LEFT], axis=1), RATE)
    for made in (change_channels(apart, way="mono"), audio_to_audio(apart, "make it mono")):
        assert power(made.samples) == pytest.approx(power(LEFT), rel=0.05)
    assert power(apart.mono()) == pytest.approx(power(LEFT), rel=0.05)


def test_only_where_channels_cancel_one_stands_in_for_both() -> None:
    sign = np.where(TIMES < 3, 1, -1).astype(np.float32)
    half = Sound(np.stack([LEFT, sign * LEFT], axis=1), RATE)
    made = change_channels(half, way="mono").samples[:, 0]
    assert is_alike(made[: 2 * RATE], LEFT[: 2 * RATE], 1e-5)
    assert is_alike(made[4 * RATE :], LEFT[4 * RATE :], 1e-5)
    assert np.abs(np.diff(made)).max() < 0.06  # no click where it goes from one to the other


def test_unrelated_channels_and_a_silent_one_are_averaged_as_ever() -> None:
    noise = np.random.default_rng(4).standard_normal((5 * RATE, 2)).astype(np.float32) * 0.1
    assert is_alike(Sound(noise, RATE).mono(), noise.mean(axis=1))
    one = np.stack([LEFT, 0 * LEFT], axis=1)
    assert is_alike(Sound(one, RATE).mono(), LEFT / 2)
    assert Sound(one[:0], RATE).mono().shape == (0,)


def test_a_drawing_shows_what_is_heard() -> None:
    apart = Sound(np.stack([LEFT, -LEFT], axis=1), RATE)
    single = Sound(LEFT[:, None], RATE)
    for wave, spectrum in ((True, False), (False, True)):
        drawn = np.asarray(sound_pictures.draw(apart, wave, spectrum), np.int16)
        wanted = np.asarray(sound_pictures.draw(single, wave, spectrum), np.int16)
        assert np.abs(drawn - wanted).mean() < 1
