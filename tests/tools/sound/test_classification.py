"""What is heard in a recording: its kind; the tempo, the note and the key of music."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import gradio
import numpy as np
import pytest
import soundfile
from scipy.signal import resample_poly

from controlllm.resources import Sound
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.music.generation import text_to_music
from tools.sound.classification import audio_classification, music_information
from tools.sound.editing import audio_to_audio
from tools.sound.embedded import sound_kinds

RECORDINGS = Path(gradio.__file__).parent / "media_assets" / "audio"


def recording(name: str) -> Sound:
    samples, rate = soundfile.read(RECORDINGS / name, dtype="float32", always_2d=True)
    return Sound(samples, rate)


RATE = 22050


def seconds(length: float) -> np.ndarray:
    return np.arange(int(length * RATE)) / RATE


def faint_noise(length: float, level: float = 0.001) -> np.ndarray:
    return np.random.default_rng(1).normal(size=int(length * RATE)) * level


def sound(samples: np.ndarray) -> Sound:
    return Sound(samples.astype(np.float32)[:, None], RATE)


def beeps(length: float, pitch: float) -> np.ndarray:
    time = seconds(length)
    return 0.3 * np.sin(2 * np.pi * pitch * time) * (time % 0.5 < 0.15) + faint_noise(length)


def siren(length: float) -> np.ndarray:
    pitch = 650 + 250 * np.sin(2 * np.pi * seconds(length) / 1.5)
    return 0.3 * np.sin(2 * np.pi * np.cumsum(pitch) / RATE) + faint_noise(length, 0.01)


def hum(length: float) -> np.ndarray:
    time = seconds(length)
    return 0.2 * np.sum([np.sin(2 * np.pi * 50 * part * time) / part for part in (1, 2, 3)], 0)


def knocks() -> np.ndarray:
    """Two times three blows on a door: a click, and the wood's dull notes that die away."""
    samples = faint_noise(3, 0.001)
    time = seconds(0.15)
    wood = sum(
        np.exp(-time * fade) * np.sin(2 * np.pi * pitch * time + turn)
        for turn, (pitch, fade) in enumerate(
            ((110, 45), (190, 60), (310, 70), (520, 90), (800, 120)), start=1
        )
    )
    blow = 0.25 * wood + 0.4 * np.exp(-time * 400) * faint_noise(0.15, 1.0)
    for start in (0.3, 0.55, 0.8, 1.6, 1.85, 2.1):
        at = int(start * RATE)
        samples[at : at + len(blow)] += blow
    return samples


def rumble(length: float) -> np.ndarray:
    return 0.3 * np.cumsum(faint_noise(length, 1.0)) / 500


@every_case(
    ("samples", "kind"),
    [
        (beeps(3, 1000), sound_kinds.TONE),
        (beeps(3, 2600), sound_kinds.TONE),
        (0.3 * np.sin(2 * np.pi * 440 * seconds(2)), sound_kinds.TONE),
        (siren(4), sound_kinds.SIREN),
        (hum(3), sound_kinds.HUM),
        (0.2 * np.sin(2 * np.pi * 50 * seconds(2)), sound_kinds.HUM),
        (knocks(), sound_kinds.KNOCK),
        (faint_noise(3, 0.1), sound_kinds.NOISE),
        (faint_noise(3, 0.01), sound_kinds.NOISE),
        (rumble(4), sound_kinds.NOISE),
        (np.zeros(RATE), sound_kinds.SILENCE),
        (np.full(RATE, 0.4), sound_kinds.SILENCE),
        (np.zeros(1), sound_kinds.SILENCE),
    ],
)
def test_kinds_of_made_sounds(samples: np.ndarray, kind: str) -> None:
    assert audio_classification(sound(samples))[0].name == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("heath_ledger.mp3", sound_kinds.SPEECH),
        ("cate_blanch.mp3", sound_kinds.SPEECH),
        ("cate_blanch_2.mp3", sound_kinds.SPEECH),
        ("sax.wav", sound_kinds.MUSIC),
        ("cantina.wav", sound_kinds.MUSIC),
    ],
)
def test_kinds_of_recordings(name: str, kind: str) -> None:
    found = audio_classification(recording(name))
    assert found[0].name == kind
    assert all(0 < label.score <= 1 for label in found)
    assert [label.score for label in found] == sorted(
        (label.score for label in found), reverse=True
    )
    assert sum(label.score for label in found) <= 1.01


@pytest.mark.parametrize("wish", ["sad piano, 6 seconds", "fast techno, 6 seconds"])
def test_composed_music_is_music(wish: str) -> None:
    assert audio_classification(text_to_music(wish))[0].name == sound_kinds.MUSIC


def test_speech_and_then_music_are_both_named() -> None:
    voice = recording("cate_blanch_2.mp3")
    music = recording("cantina.wav")
    tune = resample_poly(music.mono(), voice.rate, music.rate)[: len(voice.samples)]
    both = np.concatenate([voice.mono(), tune]).astype(np.float32)[:, None]
    found = {label.name: label.score for label in audio_classification(Sound(both, voice.rate))}
    assert found[sound_kinds.SPEECH] > 0.25 and found[sound_kinds.MUSIC] > 0.25


def test_quiet_stereo_speech_is_speech() -> None:
    clip = recording("heath_ledger.mp3")
    stereo = np.stack([clip.mono(), clip.mono()], axis=1) * 0.03
    assert audio_classification(Sound(stereo, clip.rate))[0].name == sound_kinds.SPEECH


def test_listening_for_kinds_stops_when_asked() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        audio_classification(sound(siren(2)), context=Context(cancelled=stop))


MUSIC_RATE = 22_050


def drummed(tempo: float, seconds: float = 20.0, rate: int = MUSIC_RATE, seed: int = 0) -> Sound:
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


def hummed(pitch: float, seconds: float = 3.0, rate: int = MUSIC_RATE) -> Sound:
    """A voice on one note: overtones and a slow vibrato of a sixth of a semitone."""
    times = np.arange(round(seconds * rate)) / rate
    phase = 2 * np.pi * pitch * (times + 0.0008 * np.sin(2 * np.pi * 5 * times) / 5)
    wave = sum(np.sin(phase * number) / number**1.3 for number in range(1, 8))
    return Sound((0.1 * wave)[:, None].astype(np.float32), rate)


def chords(roots, rate: int = MUSIC_RATE) -> Sound:
    """Triads of two seconds each: numbers of semitones over middle C with their third."""
    parts = []
    for root, third in roots:
        times = np.arange(rate * 2) / rate
        notes = [261.63 * 2 ** (step / 12) for step in (root, root + third, root + 7)]
        parts.append(sum(np.sin(2 * np.pi * note * times) * np.exp(-times) for note in notes))
    return Sound((0.1 * np.concatenate(parts))[:, None].astype(np.float32), rate)


@every_case("tempo", [72, 96, 120, 133, 150])
def test_the_tempo_of_a_drum(tempo):
    told = music_information(drummed(tempo, seed=tempo))
    found = float(re.search(r"Tempo: about (\d+)", told)[1])
    assert abs(found - tempo) <= 2


def test_music_is_brought_to_a_tempo():
    made = audio_to_audio(drummed(120, seed=3), "bring it to 100 bpm")
    assert re.search(r"Tempo: about (?:99|100|101)", music_information(made))
    noise = np.random.default_rng(1).standard_normal((MUSIC_RATE * 6, 1)).astype(np.float32)
    with pytest.raises(ToolError, match="no steady beat"):
        audio_to_audio(Sound(0.1 * noise, MUSIC_RATE), "slow it to 90 bpm")


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
    noise = np.random.default_rng(3).standard_normal((MUSIC_RATE * 5, 1)).astype(np.float32) * 0.1
    assert "neither" in music_information(Sound(noise, MUSIC_RATE))
    assert "neither" in music_information(Sound(np.zeros((MUSIC_RATE, 1), np.float32), MUSIC_RATE))
