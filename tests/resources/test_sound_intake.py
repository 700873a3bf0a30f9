"""Sound with many channels, or louder than full, keeps what is in it when it is taken in."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

from controlllm.resources import Limits, decode, ingest
from controlllm.resources.long_sounds import StoredSound
from controlllm.resources.mixing_down import MonoMixer, within_reach
from tools.sound.editing import audio_to_audio
from tools.sound.levels import change_volume

RATE = 16_000
TIMES = np.arange(3 * RATE) / RATE
VOICE = (0.4 * np.sin(2 * np.pi * 300 * TIMES) * (TIMES % 1 < 0.7)).astype(np.float32)


def taken(path: Path, tmp_path: Path, limits: Limits | None = None):  # type: ignore[no-untyped-def]
    found = ingest(path, path.name, tmp_path / "taken", limits)
    return found, decode("audio", found.path)


def power(samples: np.ndarray) -> float:
    return float(np.mean(np.square(samples, dtype=np.float64)))


@pytest.mark.few(1)
@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8, 10])
def test_a_voice_in_any_of_many_channels_is_kept(tmp_path, count: int) -> None:  # type: ignore[no-untyped-def]
    for channel in range(count):
        wave = np.zeros((len(VOICE), count), np.float32)
        wave[:, channel] = VOICE
        path = tmp_path / f"many{channel}.wav"
        soundfile.write(path, wave, RATE)
        found, sound = taken(path, tmp_path)
        assert (sound.channels, found.details["channels"]) == (2, 2)
        assert any(f"{count} channels" in notice for notice in found.notices)
        loudest = max(power(sound.samples[:, at]) for at in (0, 1))
        assert loudest >= 0.24 * power(VOICE)
        if channel == 0 and count <= 8:  # front left stays there, as loud as it was
            assert sound.samples[:, 0] == pytest.approx(VOICE, abs=1e-3)
            assert not sound.samples[:, 1].any()


def test_louder_makes_a_voice_of_six_channels_louder(tmp_path) -> None:  # type: ignore[no-untyped-def]
    wave = np.zeros((len(VOICE), 6), np.float32)
    wave[:, 0] = VOICE
    path = tmp_path / "film.flac"
    soundfile.write(path, wave, RATE)
    _, sound = taken(path, tmp_path)
    for made in (audio_to_audio(sound, "Make it louder."), change_volume(sound, level=6.0)):
        assert made.channels == 2
        assert power(made.samples[:, 0]) > 2.5 * power(VOICE)
        assert not made.samples[:, 1].any()


def test_channels_that_are_loud_together_are_turned_down_not_cut(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "loud.flac"
    soundfile.write(path, np.repeat(VOICE[:, None], 6, axis=1) * 2, RATE)
    found, sound = taken(path, tmp_path)
    assert np.abs(sound.samples).max() == pytest.approx(1, abs=0.01)
    shape = sound.samples[:, 0] / np.abs(sound.samples).max()
    assert shape == pytest.approx(VOICE / VOICE.max(), abs=0.01)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "subtype"), [("hot.wav", "FLOAT"), ("hot.aiff", "FLOAT"), ("hot.wav", "DOUBLE")]
)
@pytest.mark.parametrize("peak", [1.2, 4.0, 32_768.0])
def test_what_is_louder_than_full_is_turned_down_and_that_is_told(
    tmp_path,  # type: ignore[no-untyped-def]
    name: str,
    subtype: str,
    peak: float,
) -> None:
    path = tmp_path / name
    wave = VOICE / VOICE.max()
    soundfile.write(path, wave * peak, RATE, subtype=subtype)
    found, sound = taken(path, tmp_path)
    assert sound.samples[:, 0] == pytest.approx(wave, abs=1e-3)
    told = f"turned down by {20 * np.log10(peak):.1f} dB"
    assert any(told in notice for notice in found.notices)
    quieter = audio_to_audio(sound, "Make it quieter by 12 dB.")
    assert quieter.samples[:, 0] == pytest.approx(wave * 10 ** (-12 / 20), abs=1e-3)


def test_float_sound_that_is_not_too_loud_stays_as_it_is(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "calm.wav"
    soundfile.write(path, VOICE, RATE, subtype="FLOAT")
    found, sound = taken(path, tmp_path)
    assert (found.path, found.notices) == (path, ())
    assert np.array_equal(sound.samples[:, 0], VOICE)


def test_what_is_no_number_does_not_make_the_rest_silent(tmp_path) -> None:  # type: ignore[no-untyped-def]
    wave = VOICE.copy()
    wave[100], wave[200], wave[300] = np.nan, np.inf, -1e30
    path = tmp_path / "odd.wav"
    soundfile.write(path, wave, RATE, subtype="FLOAT")
    _, sound = taken(path, tmp_path)
    assert np.isfinite(sound.samples).all()
    assert sound.samples[1000:, 0] == pytest.approx(VOICE[1000:], abs=1e-3)
    assert within_reach(wave)[1000:] == pytest.approx(VOICE[1000:], abs=1e-6)


def test_long_sound_is_folded_to_mono_without_cancelling(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "long.wav"
    soundfile.write(path, np.stack([VOICE, -VOICE], axis=1), RATE)
    found, sound = taken(path, tmp_path, Limits(max_samples=50_000))
    assert (sound.channels, sound.rate) == (1, 16_000)
    assert power(sound.samples) == pytest.approx(power(VOICE), rel=0.05)


def test_sound_of_a_film_with_six_channels(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "six.m4a"
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("aac", rate=48_000, layout="5.1")
        wave = np.zeros((6, 48_000), np.float32)
        wave[2] = 0.4 * np.sin(2 * np.pi * 300 * np.arange(48_000) / 48_000)  # the centre speaks
        for first in range(0, 48_000 - 1024, 1024):
            part = np.ascontiguousarray(wave[:, first : first + 1024])
            frame = av.AudioFrame.from_ndarray(part, "fltp", "5.1")
            frame.sample_rate, frame.pts = 48_000, first
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    _, sound = taken(path, tmp_path)
    assert sound.channels == 2
    for at in (0, 1):
        assert power(sound.samples[:, at]) == pytest.approx(0.5 * 0.4**2 / 2, rel=0.1)


def test_sound_in_a_file_that_is_read_in_parts(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "six.flac"
    wave = np.zeros((len(VOICE), 6), np.float32)
    wave[:, 1] = VOICE
    soundfile.write(path, wave, RATE)
    stored = StoredSound(path)
    assert stored.shape == (len(VOICE), 2)
    assert stored.part(5000, 6000)[:, 1] == pytest.approx(VOICE[5000:6000], abs=1e-3)


def test_mono_of_blocks_keeps_to_one_channel() -> None:
    mixer = MonoMixer()
    apart = np.stack([VOICE, -0.9 * VOICE], axis=1)
    blocks = [mixer.mixed(apart[at : at + 20_000]) for at in range(0, len(apart), 20_000)]
    assert np.concatenate(blocks) == pytest.approx(VOICE, abs=1e-6)
