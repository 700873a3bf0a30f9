"""Sounds worked on in pieces: what comes out is what the whole would give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

from controlllm.resources import Sound
from tools.shared import sounds


@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 9000),
    st.sampled_from([(44_100, 16_000), (16_000, 44_100), (48_000, 8000), (8000, 48_000)]),
    st.integers(50, 3000),
)
def test_resampling_by_blocks_is_resampling_the_whole(frames, rates, block):
    wave = np.random.default_rng(frames).standard_normal((frames, 2)).astype(np.float32)
    share = sounds.share_of(*rates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sounds, "BLOCK", block)
        found = np.concatenate([*sounds.resampled(Sound(wave, rates[0]), share)])
    whole = signal.resample_poly(wave, share.numerator, share.denominator, axis=0)
    assert found.shape == whole.shape
    assert np.abs(found - whole).max() < 1e-5


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 500), st.integers(1, 120), st.integers(0, 20))
def test_pieces_backwards_and_tails(frames, block, reach):
    wave = np.random.default_rng(frames).standard_normal((frames, 1)).astype(np.float32)
    sound = Sound(wave, 100)

    def smooth(samples: np.ndarray) -> np.ndarray:
        kernel = np.ones(2 * reach + 1)
        return np.convolve(samples[:, 0], kernel, "full")[reach : reach + len(samples), None]

    def repeat(block: np.ndarray, made: np.ndarray) -> None:
        made[: len(block)] += block
        made[reach:] += block

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sounds, "BLOCK", block)
        patch.setattr("controlllm.resources.values.BLOCK", block)
        smoothed = np.concatenate([*sounds.piecewise(sound, smooth, reach)])
        turned = np.concatenate([*sounds.backwards(sound)])
        repeated = np.concatenate([*sounds.carried(sound, reach, repeat)])
        measured = (sounds.peak(sound), sounds.power(sound))
    assert np.allclose(smoothed, smooth(wave), atol=1e-5)
    assert np.array_equal(turned, wave[::-1])
    expected = np.pad(wave, ((0, reach), (0, 0)))
    expected[reach:] += wave
    assert np.allclose(repeated, expected)
    assert measured == pytest.approx((np.abs(wave).max(), np.mean(wave**2)), rel=1e-5)


def test_parted_where_it_is_quietest():
    rate = 1000
    wave = np.random.default_rng(3).standard_normal(100 * rate).astype(np.float32)
    for quiet in (25, 55):
        wave[quiet * rate : (quiet + 1) * rate] *= 0.001
    pieces = [*sounds.parted(Sound(wave[:, None], rate), 40.0)]
    firsts = [first for first, _ in pieces]
    assert firsts[0] == 0 and 25 <= firsts[1] / rate <= 26 and 55 <= firsts[2] / rate <= 56
    assert np.array_equal(np.concatenate([piece for _, piece in pieces]), wave)
    assert all(len(piece) <= 40 * rate for _, piece in pieces)
