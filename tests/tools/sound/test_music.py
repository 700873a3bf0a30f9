"""Tempo, note and key of sounds that are made here."""

from __future__ import annotations

import re

import numpy as np

from controlllm.resources import Sound
from tests.every_case import every_case
from tools.sound.classification import music_information

RATE = 22_050


def beats(tempo: float, seconds: float = 20.0, rate: int = RATE, seed: int = 0) -> Sound:
    """A drum: short noises, every second one softer, as people play them a little early or late."""
    random = np.random.default_rng(seed)
    samples = 0.002 * random.standard_normal(round(seconds * rate))
    for number in range(int(seconds * tempo / 60)):
        start = round((number * 60 / tempo + random.normal(0, 0.004)) * rate)
        hit = random.standard_normal(rate // 10) * np.exp(-np.arange(rate // 10) / (0.02 * rate))
        end = min(max(start, 0) + len(hit), len(samples))
        samples[max(start, 0) : end] += (0.5 if number % 2 == 0 else 0.35) * hit[
            : end - max(start, 0)
        ]
    return Sound(samples[:, None].astype(np.float32), rate)


def hummed(pitch: float, seconds: float = 3.0, rate: int = RATE) -> Sound:
    """A voice on one note: overtones and a slow vibrato of a sixth of a semitone."""
    times = np.arange(round(seconds * rate)) / rate
    phase = 2 * np.pi * pitch * (times + 0.0008 * np.sin(2 * np.pi * 5 * times) / 5)
    wave = sum(np.sin(phase * number) / number**1.3 for number in range(1, 8))
    return Sound((0.1 * wave)[:, None].astype(np.float32), rate)


def chords(roots, rate: int = RATE) -> Sound:
    """Triads of two seconds each: numbers of semitones over middle C with their third."""
    parts = []
    for root, third in roots:
        times = np.arange(rate * 2) / rate
        notes = [261.63 * 2 ** (step / 12) for step in (root, root + third, root + 7)]
        parts.append(sum(np.sin(2 * np.pi * note * times) * np.exp(-times) for note in notes))
    return Sound((0.1 * np.concatenate(parts))[:, None].astype(np.float32), rate)


@every_case("tempo", [72, 96, 120, 133, 150])
def test_the_tempo_of_a_drum(tempo):
    told = music_information(beats(tempo, seed=tempo))
    found = float(re.search(r"Tempo: about (\d+)", told)[1])
    assert abs(found - tempo) <= 2


@every_case(("pitch", "note"), [(196.0, "G3"), (440.0, "A4"), (311.1, "E♭4"), (98.0, "G2")])
def test_a_hummed_note(pitch, note):
    assert f"Note: {note} " in music_information(hummed(pitch))


def test_a_note_in_stereo_at_another_rate():
    one = hummed(392.0, rate=48_000).samples
    assert "Note: G4 " in music_information(Sound(np.repeat(one, 2, 1), 48_000))


@every_case(
    ("roots", "key"),
    [
        ([(0, 4), (5, 4), (7, 4), (0, 4)], "C major"),
        ([(2, 4), (7, 4), (9, 4), (2, 4)], "D major"),
        ([(9, 3), (2, 3), (4, 4), (9, 3)], "A minor"),
    ],
)
def test_the_key_of_chords(roots, key):
    assert f"Key: probably {key}" in music_information(chords(roots))


def test_nothing_is_claimed_of_noise_and_silence():
    noise = np.random.default_rng(3).standard_normal((RATE * 5, 1)).astype(np.float32) * 0.1
    assert "neither" in music_information(Sound(noise, RATE))
    assert "neither" in music_information(Sound(np.zeros((RATE, 1), np.float32), RATE))
