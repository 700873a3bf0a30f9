"""Loudness, volume and fades."""

from __future__ import annotations

import numpy as np
import pyloudnorm
import pytest

from controlllm.resources import Sound
from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tools.sound.editing import audio_mixing
from tools.sound.levels import change_volume, fade_audio, normalize_loudness

RATE = 48_000


def voice(seconds: float = 8.0, level: float = 0.1, rate: int = RATE) -> Sound:
    """Something like speech: syllables of different loudness, with pauses."""
    times = np.arange(round(seconds * rate)) / rate
    wave = sum(np.sin(2 * np.pi * 150 * n * times) / n for n in range(1, 12))
    shape = np.clip(np.sin(2 * np.pi * 2.5 * times), 0, 1) * (0.4 + 0.6 * (times % 3 < 1.5))
    wave = wave * shape
    return Sound((level * wave / np.abs(wave).max()).astype(np.float32)[:, None], rate)


def loudness(sound: Sound) -> float:
    return float(pyloudnorm.Meter(sound.rate).integrated_loudness(sound.samples))


def decibels(made: Sound, given: Sound) -> float:
    power = np.mean(made.samples.astype(float) ** 2) / np.mean(given.samples.astype(float) ** 2)
    return float(10 * np.log10(power))


@pytest.mark.parametrize("level", [0.0, -23.0, -14.0, 16.0])
@pytest.mark.parametrize("given", [0.003, 0.1, 0.9])
def test_the_loudness_is_reached_without_clipping(level: float, given: float) -> None:
    made = normalize_loudness(voice(level=given), level=level)
    assert loudness(made) == pytest.approx(-abs(level or 16), abs=0.5)
    assert np.abs(made.samples).max() < 0.98
    # Held down, not cut off: hardly any samples lie on the ceiling.
    assert np.mean(np.abs(made.samples) > 0.969) < 0.002


def test_a_level_near_full_is_that_of_the_peaks() -> None:
    made = normalize_loudness(voice(), level=-1.0)
    assert np.abs(made.samples).max() == pytest.approx(10 ** (-1 / 20), abs=1e-3)


def test_short_and_faint_sounds_are_levelled_too() -> None:
    short = normalize_loudness(voice(0.2))
    assert short.frames == round(0.2 * RATE)
    repeated = Sound(np.tile(short.samples, (20, 1)), RATE)
    assert loudness(repeated) == pytest.approx(-16, abs=1)
    faint = normalize_loudness(voice(level=3e-4))
    assert loudness(faint) == pytest.approx(-16, abs=0.6)


def test_stereo_keeps_its_sides() -> None:
    wave = voice().samples
    made = normalize_loudness(Sound(np.hstack([wave, 0.25 * wave]), RATE))
    ratio = made.samples[:, 0].std() / made.samples[:, 1].std()
    assert ratio == pytest.approx(4, rel=1e-3)


@pytest.mark.parametrize("tool", [normalize_loudness, change_volume])
def test_silence_is_refused(tool) -> None:  # type: ignore[no-untyped-def]
    for frames in (1, RATE):
        with pytest.raises(ToolError, match="silent"):
            tool(Sound(np.zeros((frames, 2), np.float32), RATE))


def test_a_loudness_that_nobody_hears_is_refused() -> None:
    with pytest.raises(ToolError, match="not to be heard"):
        normalize_loudness(voice(), level=-90.0)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, 6),
        ({"way": "quieter"}, -6),
        ({"level": 12.0, "way": "quieter"}, -12),
        ({"percent": 50.0}, -6.02),
        ({"percent": 50.0, "way": "louder"}, 3.52),
        ({"percent": 20.0, "way": "quieter"}, -1.94),
        ({"percent": 30.0, "of_all": True}, -10.46),
    ],
)
def test_louder_and_quieter(asked: dict, wanted: float) -> None:
    given = voice(level=0.2)
    assert decibels(change_volume(given, **asked), given) == pytest.approx(wanted, abs=0.02)


def test_what_people_say_of_volume() -> None:
    kinds = {item.name: item.kind for item in change_volume.tool.parameters if item.kind}
    given = voice(level=0.2)
    for words, wanted in (
        ("Make this recording louder.", 6),
        ("Turn it down to 30%.", -10.46),
        ("Make the song half as loud.", -6.02),
        ("20% quieter please", -1.94),
        ("a bit louder, thanks", 3),
        ("turn it down a touch", -3),
        ("the drums are far too loud", -12),
        ("he speaks so softly that nobody hears it", 6),
        ("a bit quieter, 9 dB", -9),
    ):
        made = change_volume(given, **values_in(words, kinds))
        assert decibels(made, given) == pytest.approx(wanted, abs=0.05), words


def levels(sound: Sound, *times: float) -> list[float]:
    return [
        float(np.abs(sound.samples[round(at * RATE) :][: RATE // 50]).max(initial=0))
        for at in times
    ]


def steady(seconds: float = 10.0) -> Sound:
    times = np.arange(round(seconds * RATE)) / RATE
    return Sound((0.5 * np.sin(2 * np.pi * 500 * times)).astype(np.float32)[:, None], RATE)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Fade in and out, please.", [0, 0.25, 0.5, 0.5, 0.5, 0.25]),
        ("Add a fade to both ends", [0, 0.25, 0.5, 0.5, 0.5, 0.25]),
        ("Fade out the song in this recording.", [0.5, 0.5, 0.5, 0.5, 0.5, 0.25]),
        ("Fade the song out over the last 4 seconds", [0.5, 0.5, 0.5, 0.5, 0.25, 0.07]),
        ("fade it in over 2 s and out over 4 s", [0, 0.25, 0.5, 0.5, 0.25, 0.07]),
        ("a 4 second fade out and a 2 second fade in", [0, 0.25, 0.5, 0.5, 0.25, 0.07]),
        ("fade in over 2 seconds, fade out over 4.", [0, 0.25, 0.5, 0.5, 0.25, 0.07]),
        ("fade in 2, out 4 s", [0, 0.25, 0.5, 0.5, 0.25, 0.07]),
        ("let it grow from nothing over 2 s", [0, 0.25, 0.5, 0.5, 0.5, 0.5]),
        ("softly out of the darkness", [0, 0.25, 0.5, 0.5, 0.5, 0.5]),
        ("0:01 to 0:09 is what I kept, fade that out", [0.5, 0.5, 0.5, 0.5, 0.5, 0.25]),
        ("it ends at 0:08, fade it out over the last 0:04", [0.5, 0.5, 0.5, 0.5, 0.25, 0.07]),
        ("Make the ending fade away softly", [0.5, 0.5, 0.5, 0.5, 0.5, 0.25]),
    ],
)
def test_fades(words: str, wanted: list[float]) -> None:
    kinds = {item.name: item.kind for item in fade_audio.tool.parameters if item.kind}
    made = fade_audio(steady(), **values_in(words, kinds))
    assert made.frames == steady().frames
    assert levels(made, 0, 1, 2, 5, 8, 9) == pytest.approx(wanted, abs=0.03)


def test_a_fade_longer_than_the_sound_is_as_long_as_it() -> None:
    made = fade_audio(steady(1), seconds=60.0)
    assert levels(made, 0, 0.49, 0.98) == pytest.approx([0, 0.5, 0], abs=0.05)
    assert fade_audio(Sound(np.ones((1, 1), np.float32), RATE)).frames == 1


def test_parts_that_differ_come_out_equally_loud() -> None:
    times = np.arange(3 * 16_000) / 16_000
    tone = np.sin(2 * np.pi * 400 * times)
    joined = Sound(np.concatenate([0.08 * tone, 0.4 * tone]).astype(np.float32)[:, None], 16_000)
    kinds = {item.name: item.kind for item in normalize_loudness.tool.parameters if item.kind}
    said = values_in("Both should sound equally loud", kinds)
    made = normalize_loudness(joined, **said).samples[:, 0]
    first, second = (np.sqrt(np.mean(part[8000:-8000] ** 2)) for part in np.split(made, 2))
    assert abs(20 * np.log10(first / second)) < 2
    plain = normalize_loudness(joined).samples[:, 0]
    first, second = (np.sqrt(np.mean(part[8000:-8000] ** 2)) for part in np.split(plain, 2))
    assert 20 * np.log10(second / first) > 12
    parts = [Sound(part, 16_000) for part in np.split(joined.samples, 2)]
    mixed = audio_mixing(parts, "one after the other", alike=True).samples[:, 0]
    assert np.abs(mixed[8000:24_000]).max() > 0.7 * np.abs(mixed[60_000:80_000]).max()


def test_peaks_just_below_the_most() -> None:
    quiet = Sound((0.1 * np.sin(np.arange(8000) / 9)).astype(np.float32)[:, None], 8000)
    kinds = {item.name: item.kind for item in change_volume.tool.parameters if item.kind}
    said = values_in("push the volume up so that the peaks are just below the max", kinds)
    made = change_volume(quiet, **said)
    assert np.abs(made.samples).max() == pytest.approx(0.97, abs=0.01)
    # Nothing is pressed: it is the same wave, larger.
    assert np.allclose(made.samples, quiet.samples * 9.7, atol=0.02)
