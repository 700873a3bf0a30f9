"""A changed part of a sound put back into the whole."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.resources import Sound
from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tests.tools.made_videos import tone
from tools.sound.editing import audio_to_audio
from tools.sound.splitting import put_part_back

RATE = 8000


def steps(*levels: float, channels: int = 1, rate: int = RATE) -> Sound:
    """A second of each level."""
    samples = np.repeat(np.array(levels, np.float32), rate)[:, None]
    return Sound(np.repeat(samples, channels, axis=1), rate)


def level(sound: Sound, second: float) -> float:
    return float(sound.samples[round(second * sound.rate), 0])


def test_only_the_part_is_changed() -> None:
    whole = steps(0.1, 0.2, 0.3, 0.4)
    made = put_part_back(whole, steps(0.9), 1.0, 2.0)
    assert made.frames == whole.frames and made.rate == RATE
    assert [level(made, at) for at in (0.5, 1.5, 2.5, 3.5)] == pytest.approx([0.1, 0.9, 0.3, 0.4])
    untouched = np.r_[0 : RATE - 100, 2 * RATE + 100 : 4 * RATE]
    assert np.array_equal(made.samples[untouched], whole.samples[untouched])


def test_a_longer_part_moves_what_comes_after_and_none_leaves_it_out() -> None:
    whole = steps(0.1, 0.2, 0.3)
    longer = put_part_back(whole, steps(0.8, 0.9), 1.0, 2.0)
    assert longer.seconds == 4.0
    assert [level(longer, at) for at in (1.5, 2.5, 3.5)] == pytest.approx([0.8, 0.9, 0.3])
    shorter = put_part_back(whole, None, 1.0, 2.0)
    assert shorter.seconds == 2.0 and level(shorter, 1.5) == pytest.approx(0.3)


def test_times_below_zero_count_from_the_end() -> None:
    whole = steps(0.1, 0.2, 0.3)
    assert level(put_part_back(whole, steps(0.9), -1.0, 0.0), 2.5) == pytest.approx(0.9)
    assert level(put_part_back(whole, steps(0.9), -2.0, -1.0), 1.5) == pytest.approx(0.9)


def test_a_part_of_another_rate_and_number_of_channels_fits_in() -> None:
    whole = steps(0.1, 0.2, 0.3, channels=2)
    made = put_part_back(whole, steps(0.5, rate=16_000), 1.0, 2.0)
    assert made.samples.shape == whole.samples.shape
    assert made.samples[round(1.5 * RATE)] == pytest.approx([0.5, 0.5], abs=0.01)


@every_case(("start", "end"), [(3.0, 4.0), (2.0, 1.0), (-9.0, -8.0)])
def test_a_part_that_is_not_there_is_refused_in_words(start: float, end: float) -> None:
    with pytest.raises(ToolError, match=r"The sound is 3\.0 seconds long"):
        put_part_back(steps(0.1, 0.2, 0.3), steps(0.9), start, end)
    with pytest.raises(ToolError, match="nothing is left"):
        put_part_back(steps(0.1), None, 0.0, 1.0)


@every_case("words", ["silence it", "mute this", "make it silent"])
def test_a_sound_can_be_made_silent(words: str) -> None:
    made = audio_to_audio(tone(1.0), words)
    assert made.seconds == 1.0 and not made.samples.any()
