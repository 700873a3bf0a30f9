"""Plain tones: their pitch, length, kind and spectrum."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.resources import LongSound, Sound
from controlllm.toolbox import ToolError
from tools.sound.tones import make_tone


def pitch(sound: Sound, start: float = 0.0, end: float = 1e9) -> float:
    part = sound.part(round(start * sound.rate), round(min(end, sound.seconds) * sound.rate))[:, 0]
    return float(
        np.abs(np.fft.rfft(part * np.hanning(len(part)))).argmax() * sound.rate / len(part)
    )


@pytest.mark.parametrize(
    ("words", "hertz", "seconds"),
    [
        ("Make a 440 Hz tone for five seconds.", 440, 5),
        ("A 1,000 Hz test tone", 1000, 3),
        ("a tone of 2.5 kHz for half a second", 2500, 0.5),
        ("Play me a middle C to tune my guitar.", 261.63, 3),
        ("C sharp 5", 554.37, 3),
        ("Bb3 for 4 s", 233.08, 4),
        ("I need a short beep.", 1000, 0.25),
        ("a beep at 800 hertz for 2 seconds", 800, 2),
        ("just some tone", 440, 3),
        ("give me an A at 440 for two seconds", 440, 2),
        ("A432, please", 432, 3),
        ("an A of 442", 442, 3),
    ],
)
def test_pitch_and_length(words: str, hertz: float, seconds: float) -> None:
    made = make_tone(words)
    assert made.channels == 1
    assert made.seconds == pytest.approx(seconds, abs=0.01)
    assert pitch(made) == pytest.approx(hertz, abs=max(1 / seconds, 1))
    assert 0.4 < np.abs(made.samples).max() <= 0.55
    assert np.abs(made.samples[[0, -1]]).max() < 0.01  # no click at the ends


def test_a_pure_tone_has_no_overtones_and_a_square_wave_odd_ones() -> None:
    def strength(made: Sound, hertz: float) -> float:
        spectrum = np.abs(np.fft.rfft(made.samples[:, 0] * np.hanning(made.frames)))
        return float(spectrum[round(hertz * made.seconds)] / spectrum.max())

    pure, square = make_tone("a 300 Hz tone"), make_tone("a square wave of 300 Hz")
    assert strength(pure, 900) < 0.001
    assert strength(square, 900) == pytest.approx(1 / 3, abs=0.02)
    assert strength(square, 600) < 0.01


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("Create a sweep from 100 Hz to 10 kHz over 10 seconds.", 100, 10_000),
        ("glide from 2000 Hz to 200 Hz in 10 seconds", 2000, 200),
        ("from A3 to A5 for ten seconds", 220, 880),
    ],
)
def test_sweeps(words: str, first: float, last: float) -> None:
    made = make_tone(words)
    assert made.seconds == 10
    middle = (first * last) ** 0.5
    for start, wanted in ((0.0, first), (4.9, middle), (9.8, last)):
        assert pitch(made, start, start + 0.2) == pytest.approx(wanted, rel=0.1)


@pytest.mark.parametrize(
    ("words", "slope"), [("white noise", 0.0), ("pink noise", -3.0), ("brown noise", -6.0)]
)
def test_noises_fall_by_their_colour(words: str, slope: float) -> None:
    made = make_tone(f"Generate twenty seconds of {words}.")
    assert made.seconds == 20
    assert np.abs(made.samples).max() <= 0.99
    assert 0.08 < made.samples.std() < 0.2
    power = np.abs(np.fft.rfft(made.samples[:, 0])) ** 2
    octaves = [power[round(60 * 2**k * 20) : round(120 * 2**k * 20)].mean() for k in range(7)]
    falls = np.diff(10 * np.log10(octaves))
    assert falls.mean() == pytest.approx(slope, abs=0.4)
    assert falls == pytest.approx(np.full(6, slope), abs=1.2)


def test_several_beeps() -> None:
    made = make_tone("Three beeps for a countdown.")
    loud = np.convolve(np.abs(made.samples[:, 0]), np.ones(200) / 200, "same") > 0.05
    assert np.count_nonzero(np.diff(loud.astype(int)) == 1) == 3


def test_what_is_long_lies_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controlllm.resources.long_sounds.MOST_IN_MEMORY", 30 * 44_100)
    made = make_tone("brown noise for a minute")
    assert isinstance(made, LongSound) and made.seconds == 60
    assert not isinstance(make_tone("brown noise for 20 seconds"), LongSound)
    assert np.abs(made.part(0, 44_100)).max() > 0.02


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("thunder and rain", "say which"),
        ("a 30 kHz tone", "outside of what can be heard"),
        ("a tone for ten hours", "another length"),
        ("a C major chord", "one plain pitch at a time"),
    ],
)
def test_refusals(words: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        make_tone(words)
