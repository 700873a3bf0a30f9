"""Sound in files, read a part at a time: the same values, and memory that does not grow."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.resources import LongSound, Sound, decode, encode, gathered, long_sounds
from controlllm.resources.long_sounds import StoredSound

RATE = 16_000
_KINDS = (("WAV", "PCM_16"), ("FLAC", "PCM_16"), ("OGG", "VORBIS"), ("MP3", "MPEG_LAYER_III"))


def noise(seconds: float, channels: int = 1) -> np.ndarray:
    """Noise whose loudness and colour change, so that no place is like another."""
    count = round(seconds * RATE)
    wave = np.random.default_rng(5).standard_normal((count, channels)).cumsum(axis=0)
    wave = np.diff(wave, axis=0, prepend=0) * np.linspace(0.02, 0.2, count)[:, None]
    return np.clip(wave, -1, 1).astype(np.float32)


@pytest.fixture(scope="module", params=_KINDS, ids=[name for name, _ in _KINDS])
def recording(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("sounds") / f"noise.{request.param[0].lower()}"
    soundfile.write(path, noise(30, 2), RATE, format=request.param[0], subtype=request.param[1])
    return path


def test_parts_in_any_order_are_those_of_the_whole(recording):
    whole = decode("audio", recording)
    assert not isinstance(whole, LongSound)
    stored = StoredSound(recording)
    assert (stored.rate, stored.shape, stored.seconds) == (RATE, whole.shape, whole.seconds)
    loose = 2e-2 if recording.suffix == ".mp3" else 1e-6  # it begins anew after a jump
    for first, last in ((0, 9000), (8000, 20_000), (19_000, 19_500), (400_000, 460_000), (5, 70)):
        part = stored.part(first, last)
        assert part.shape == (last - first, 2) and part.dtype == np.float32
        assert np.abs(part - whole.part(first, last)).max() < loose
    assert stored.part(470_000, 10**9).shape == (10_000, 2)
    assert stored.part(10**9, 10**9 + 5).shape == (0, 2)


def test_blocks_that_overlap_are_those_of_the_whole(recording):
    whole, stored = decode("audio", recording), StoredSound(recording)
    for first in range(0, whole.frames, 50_000):
        part = slice(max(first - 3000, 0), first + 53_000)
        found = stored.part(part.start, part.stop)
        assert np.abs(found - whole.samples[part]).max() < 1e-6


def test_long_sound_is_read_in_parts_and_written_as_it_was(recording, monkeypatch):
    whole = decode("audio", recording)
    monkeypatch.setattr(long_sounds, "MOST_IN_MEMORY", 1000)
    monkeypatch.setattr("controlllm.resources.encoding.MOST_IN_MEMORY", 1000)
    monkeypatch.setattr("controlllm.resources.values.BLOCK", 12_345)
    stored = decode("audio", recording)
    assert isinstance(stored, LongSound) and "samples" not in repr(stored)
    assert np.abs(stored.mono() - whole.mono()).max() < 1e-6
    # What an MP3 holds depends in the last digit on how much of it is read at once.
    if recording.suffix != ".mp3":
        assert encode("audio", stored) == encode("audio", whole)


def test_what_follows_a_damaged_place_is_silent(tmp_path, monkeypatch):
    monkeypatch.setattr("controlllm.resources.values.BLOCK", RATE)
    path = tmp_path / "cut.flac"
    soundfile.write(path, noise(20), RATE)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    stored = StoredSound(path)
    samples = np.concatenate([*stored.blocks()])
    assert len(samples) == 20 * RATE
    assert np.abs(samples[: 5 * RATE]).max() > 0.01 and not samples[-RATE:].any()


def test_more_than_two_channels_become_two_within_bounds(tmp_path):
    path = tmp_path / "many.wav"
    loud = np.repeat(np.linspace(-3, 3, 3000, dtype=np.float32)[:, None], 6, axis=1)
    loud[7] = np.nan
    soundfile.write(path, loud, RATE, subtype="FLOAT")
    stored = StoredSound(path)
    assert stored.shape == (3000, 2)
    assert np.isfinite(stored.samples).all() and np.abs(stored.samples).max() == 1


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), st.integers(1, 2))
def test_what_is_gathered_in_a_file_is_what_was_given(lengths, channels):
    rng = np.random.default_rng(1)
    blocks = [rng.random((length, channels), np.float32) for length in lengths]
    together = np.concatenate(blocks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_sounds, "MOST_IN_MEMORY", 50)
        found = gathered(blocks, RATE, lambda: None)
    assert isinstance(found, LongSound) == (together.size > 50)
    assert found.shape == together.shape and np.array_equal(found.samples, together)
    assert np.array_equal(found.part(3, 40), together[3:40])


def test_a_sound_in_memory_has_parts_too():
    sound = Sound(noise(0.01), RATE)
    assert (sound.frames, sound.channels, sound.size) == (160, 1, 160)
    assert np.array_equal(sound.part(-5, 7), sound.samples[:7])
    assert [len(block) for block in Sound(sound.samples[:0], RATE).blocks()] == [0]


_READ = """
    import resource, sys
    from pathlib import Path
    import numpy as np
    from controlllm.resources import decode, encoding, gathered, long_sounds
    from tools.shared.sounds import resampled, share_of
    long_sounds.MOST_IN_MEMORY = encoding.MOST_IN_MEMORY = 1_000_000
    sound = decode("audio", Path(sys.argv[1]))
    low = gathered(resampled(sound, share_of(sound.rate, 16_000)), 16_000, lambda: sys.argv[2])
    assert sum(len(block) for block in low.blocks()) == low.frames
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.long
def test_memory_does_not_grow_with_length(tmp_path):
    """Ten minutes of stereo, 106 MB as numbers, against two, read at another rate."""
    used = []
    for minutes in (2, 10):
        path = tmp_path / f"{minutes}.wav"
        with soundfile.SoundFile(path, "w", 22_050, 2, "PCM_16") as file:
            for _ in range(minutes):
                file.write(np.resize(noise(2, 2), (60 * 22_050, 2)))
        code = [sys.executable, "-c", textwrap.dedent(_READ), str(path), str(tmp_path)]
        used.append(int(subprocess.run(code, check=True, capture_output=True, text=True).stdout))
    assert used[1] < used[0] + 30
