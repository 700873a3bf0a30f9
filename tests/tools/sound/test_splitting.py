"""Sounds taken apart into several, each heard for what is in it; a changed part put back."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from controlllm.resources import Member, Sound
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tests.tools.made_videos import tone
from tools.sound.editing import audio_to_audio
from tools.sound.splitting import put_part_back, split_audio, split_channels

RATE = 8_000
#: The pitch of each of ten seconds.
PITCHES = [300 + 100 * second for second in range(10)]


def scale(channels: int = 1) -> Sound:
    """Ten seconds, each with a pitch of its own."""
    times = np.arange(RATE) / RATE
    wave = np.concatenate([0.4 * np.sin(2 * np.pi * pitch * times) for pitch in PITCHES])
    return Sound(np.repeat(wave[:, None], channels, 1).astype(np.float32), RATE)


def heard(member: Member) -> tuple[np.ndarray, int]:
    assert member.type == "audio"
    return soundfile.read(member.value, always_2d=True)


def pitch_at(samples: np.ndarray, seconds: float) -> int:
    part = samples[int(seconds * RATE) :][: RATE // 2, 0]
    return round(int(np.abs(np.fft.rfft(part)).argmax()) * RATE / len(part))


def split(folder, sound=None, **settings):
    made = split_audio(sound or scale(), **settings, context=Context(folder=folder))
    return [member.name for member in made], [heard(member)[0] for member in made]


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ({"times": "0,6,8"}, [6, 2, 2]),
        ({"times": "2.5"}, [2.5, 7.5]),
        ({"times": "every 4"}, [4, 4, 2]),
        ({"count": 4}, [2.5, 2.5, 2.5, 2.5]),
        ({"times": "8, 3, 3, 99"}, [3, 5, 2]),
    ],
)
def test_the_parts_are_the_whole_again(tmp_path, settings, seconds):
    names, parts = split(tmp_path, **settings)
    assert names == [f"part {number}" for number in range(1, len(seconds) + 1)]
    assert [len(part) / RATE for part in parts] == seconds
    assert np.abs(np.concatenate(parts) - scale().samples).max() < 1e-4


def test_passages_are_what_they_say(tmp_path):
    names, parts = split(tmp_path, times="2..4,7..9")
    assert names == ["part 1", "part 2"]
    assert [len(part) / RATE for part in parts] == [2, 2]
    assert [pitch_at(part, 0.2) for part in parts] == [PITCHES[2], PITCHES[7]]


@pytest.mark.parametrize(
    ("table", "names", "seconds", "first"),
    [
        (
            "Chapter;Start;End\nWelcome;0:00;0:02\nThe plan;0:03;0:07\n",
            ["Welcome", "The plan"],
            [2, 4],
            [0, 3],
        ),
        ("start,title\n0:04,Second/half\n0:01,First\n", ["First", "Second half"], [3, 6], [1, 4]),
        ("0:00 | intro\n0:05 | talk\n", ["intro", "talk"], [5, 5], [0, 5]),
        ("time\n00:00:02\n00:00:06\n", ["part 1", "part 2"], [4, 4], [2, 6]),
    ],
)
def test_it_is_cut_along_the_rows_of_a_table(tmp_path, table, names, seconds, first):
    found, parts = split(tmp_path, table=table)
    assert found == names
    assert [len(part) / RATE for part in parts] == seconds
    at = [pitch_at(part, 0.01) for part in parts]
    assert at == [PITCHES[int(start)] for start in first]


def spoken(*pauses: float) -> Sound:
    """A second of sound, then a pause and another second, and so on; a second of silence at either
    end."""
    tone = scale().samples[:RATE]
    parts = [np.zeros((RATE, 1), np.float32), tone]
    for pause in pauses:
        parts += [np.zeros((round(pause * RATE), 1), np.float32), tone]
    return Sound(np.concatenate([*parts, parts[0]]), RATE)


@pytest.mark.parametrize(
    ("pauses", "count", "seconds"),
    [
        ((1, 2.5, 4), 0, [1, 1, 1, 1]),
        ((1, 0.2, 1), 0, [1, 2.2, 1]),
        ((1, 2.5, 4), 3, [3, 1, 1]),
        ((1, 2.5, 4), 2, [6.5, 1]),
        ((2, 0.4, 0.5, 2), 4, [1, 2.4, 1, 1]),
    ],
)  # fmt: skip
def test_at_pauses_each_part_has_little_silence_around_it(tmp_path, pauses, count, seconds):
    _, parts = split(tmp_path, sound=spoken(*pauses), way="pauses", count=count)
    assert len(parts) == len(seconds)
    for part, length in zip(parts, seconds, strict=True):
        loud = np.flatnonzero(np.abs(part[:, 0]) > 0.01)
        assert abs((loud[-1] - loud[0]) / RATE - length) < 0.02
        assert loud[0] <= 0.31 * RATE and len(part) - loud[-1] <= 0.31 * RATE


def test_where_there_are_too_few_pauses_that_is_said(tmp_path):
    context = Context(folder=tmp_path)
    assert len(split_audio(spoken(1), way="pauses", count=4, context=context)) == 2
    assert context.remarks == ("There are pauses for 2 parts only, not for 4.",)
    with pytest.raises(ToolError, match="no pause"):
        split_audio(scale(), way="pauses")


def test_left_and_right_are_two_files(tmp_path):
    high = np.roll(scale().samples, RATE * 3)
    sound = Sound(np.concatenate([scale().samples, high], axis=1), RATE)
    left, right = split_channels(sound, context=Context(folder=tmp_path))
    assert (left.name, right.name) == ("left", "right")
    for member, expected in ((left, scale().samples), (right, high)):
        samples, rate = heard(member)
        assert rate == RATE and samples.shape == expected.shape
        assert np.abs(samples - expected).max() < 1e-4
    with pytest.raises(ToolError, match="mono"):
        split_channels(scale())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "not said where to cut"),
        ({"times": "20,30"}, "10.0 seconds"),
        ({"times": "20..30,40..41"}, "nothing of it lies between"),
        ({"times": "every 0.04"}, "no time"),
        ({"count": 100_000}, "at most 200"),
        ({"table": "town,tickets\nVienna,120\n"}, "No column"),
        ({"table": "start\n0:50\n"}, "nothing of it lies"),
    ],
)
def test_what_cannot_be_split_is_said(settings, words):
    with pytest.raises(ToolError, match=words):
        split_audio(scale(), **settings)


PART_RATE = 8000


def steps(*levels: float, channels: int = 1, rate: int = PART_RATE) -> Sound:
    """A second of each level."""
    samples = np.repeat(np.array(levels, np.float32), rate)[:, None]
    return Sound(np.repeat(samples, channels, axis=1), rate)


def level(sound: Sound, second: float) -> float:
    return float(sound.samples[round(second * sound.rate), 0])


def test_only_the_part_is_changed() -> None:
    whole = steps(0.1, 0.2, 0.3, 0.4)
    made = put_part_back(whole, steps(0.9), 1.0, 2.0)
    assert made.frames == whole.frames and made.rate == PART_RATE
    assert [level(made, at) for at in (0.5, 1.5, 2.5, 3.5)] == pytest.approx([0.1, 0.9, 0.3, 0.4])
    untouched = np.r_[0 : PART_RATE - 100, 2 * PART_RATE + 100 : 4 * PART_RATE]
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
    assert made.samples[round(1.5 * PART_RATE)] == pytest.approx([0.5, 0.5], abs=0.01)


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


def test_one_is_no_number_of_pieces_and_a_most_says_how_long_they_are():
    kinds = {item.name: item.kind for item in split_audio.tool.parameters if item.kind}
    for words, said in (
        ("two hours of tape, all songs in one lump", {}),
        ("one file per 5 minutes slot", {"times": "every 300"}),
        ("it takes no file longer than five minutes", {"times": "every 300"}),
        ("the uploader gives up at ten minutes per track", {"times": "every 600"}),
        ("pieces of at most 60 seconds", {"times": "every 60"}),
        ("wherever there is a pause longer than 2 seconds", {"way": "pauses"}),
        ("into three parts", {"count": 3}),
    ):
        assert values_in(words, kinds) == said, words


def test_how_long_a_recording_is_says_not_where_to_cut():
    kinds = {item.name: item.kind for item in split_audio.tool.parameters if item.kind}
    for words, settings in (
        ("break the 90 min rehearsal at every pause", {"way": "pauses"}),
        ("a tape of 94 minutes, a file wherever there is a break", {"way": "pauses"}),
        ("this 40-minute lesson in four equal parts", {"count": 4}),
        ("half an hour of talk, cut at 10:00 and 20:00", {"times": "600,1200"}),
        ("cut after 10 minutes and 15 minutes", {"times": "600,900"}),
        ("split at 5 min, 10 min and 12 min", {"times": "300,600,720"}),
    ):
        assert values_in(words, kinds) == settings, words
