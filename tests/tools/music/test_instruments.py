"""The instruments and drums of the sound font, note by note."""

from __future__ import annotations

import numpy as np
import pytest

from tests.every_case import every_case
from tools.music.embedded.instruments import DRUMS, INSTRUMENTS, RATE, Note, play
from tools.music.embedded.tables import DRUMS as PATTERNS

_FRAMES = 5 * RATE


def frequency_of(pitch: int) -> float:
    return 440.0 * 2.0 ** ((pitch - 69) / 12)


@every_case("name", sorted(INSTRUMENTS))
def test_instruments_are_in_tune_and_do_not_click(name: str) -> None:
    instrument = INSTRUMENTS[name]
    for share in (0.2, 0.5, 0.8):
        pitch = round(instrument.lowest + share * (instrument.highest - instrument.lowest))
        sound = play(instrument, [Note(0, 0.8, pitch, 0.8)], _FRAMES)
        assert sound.dtype == np.float32
        assert sound.shape == (2, _FRAMES)
        # Square waves and tines begin at a part of their height.
        assert np.abs(sound[:, :2]).max() < 0.25 * np.abs(sound).max()
        assert np.abs(sound[:, -1]).max() < 2e-3
        assert 0.1 < np.abs(sound).max() < 1.6
        whole = np.concatenate([sound.mean(axis=0)[2000:RATE], np.zeros(1 << 17)])[: 1 << 17]
        levels = np.abs(np.fft.rfft(whole))
        frequencies = np.fft.rfftfreq(len(whole), 1 / RATE)
        expected = frequency_of(pitch)
        near = np.abs(frequencies / expected - 1) < 0.045
        found = frequencies[near][levels[near].argmax()]
        # They are recordings of players, who are not exactly in tune.
        assert abs(1200 * np.log2(found / expected)) < 25


@pytest.mark.long
@every_case("name", sorted(INSTRUMENTS))
def test_every_pitch_of_the_range_sounds(name: str) -> None:
    instrument = INSTRUMENTS[name]
    pitches = range(instrument.lowest, instrument.highest + 1)
    notes = [Note(0.5 * n, 0.4, pitch, 0.8) for n, pitch in enumerate(pitches)]
    sound = play(instrument, notes, len(pitches) * RATE // 2)
    loudest = np.abs(sound).max(axis=0).reshape(len(pitches), -1).max(axis=1)
    assert loudest.min() > 0.05


@every_case("name", sorted(DRUMS))
def test_drums_start_and_end_softly(name: str) -> None:
    drum = DRUMS[name]
    sound = play(drum, [Note(0.1, 0.1, drum.lowest, 0.9)], 4 * RATE)
    start = RATE // 10
    assert np.abs(sound[:, :start]).max() == 0
    assert 0.02 < np.abs(sound).max() < 0.8
    assert np.abs(sound[:, start : start + RATE // 20]).max() > 0.01
    assert np.abs(sound[:, -1]).max() < 2e-3


def test_stronger_is_louder_and_where_it_sits_is_heard() -> None:
    violin = INSTRUMENTS["violin"]
    soft, loud = (
        play(violin, [Note(0, 1, 70, strength)], RATE).std(axis=1) for strength in (0.5, 0.9)
    )
    assert 2 < loud[0] / soft[0] < 5
    assert loud[0] > loud[1]
    piano = INSTRUMENTS["piano"]
    low, high = (play(piano, [Note(0, 1, pitch, 0.8)], RATE).std(axis=1) for pitch in (30, 100))
    assert low[0] > low[1]
    assert high[0] < high[1]


def test_slow_instruments_begin_early_and_a_key_struck_again_sounds_again() -> None:
    cello = INSTRUMENTS["cello"]
    sound = play(cello, [Note(1.0, 1.0, 50, 0.8)], _FRAMES)
    first = int(np.flatnonzero(np.abs(sound).max(axis=0) > 1e-4)[0]) / RATE
    assert 1 - cello.late - 0.01 < first < 1
    piano = INSTRUMENTS["piano"]
    again = play(piano, [Note(0, 0.5, 60, 0.8), Note(0.5, 0.5, 60, 0.8)], RATE)
    levels = np.abs(again).max(axis=0).reshape(10, -1).max(axis=1)
    assert levels[5] > 1.2 * levels[4]


def test_every_drum_of_the_patterns_is_in_the_font() -> None:
    named = {
        drum
        for pattern in PATTERNS.values()
        for drums in pattern.values()
        if isinstance(drums, dict)
        for drum in drums
    }
    named |= {pattern.get("ending", "crash") for pattern in PATTERNS.values()}
    assert named <= set(DRUMS)
