"""Videos with another look, and fading in and out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.made_videos import make_video, tone
from tests.tools.video.film import (
    LEFT_LOWER,
    LEFT_UPPER,
    RIGHT_LOWER,
    RIGHT_UPPER,
    colour,
    film,
    flashing,
    frame,
    frames,
    heard,
    is_in_step,
    loud,
    seconds,
    size,
)
from tools.shared import video_files
from tools.video.looks import fade_video, recolor_video


def _spread(clip: Clip, place: tuple[float, float]) -> int:
    found = colour(frame(clip), place)
    return int(found.max() - found.min())


def test_without_colour(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(160, 90))
    made = recolor_video(clip, "grey", context=context)
    assert all(_spread(made, place) < 6 for place in (LEFT_UPPER, RIGHT_UPPER, LEFT_LOWER))
    assert size(made) == size(clip) and abs(seconds(made) - 2) < 0.05
    assert loud(heard(made), 1.05, 1.15) > -13
    half = recolor_video(clip, "grey", 50, context=context)
    assert 60 < _spread(half, LEFT_UPPER) < 130


def test_colourless_as_people_say_it() -> None:
    kinds = {item.name: item.kind for item in recolor_video.tool.parameters if item.kind}
    for words in (
        "into black & white",
        "black/white please",
        "can the clip lose its colours",
        "an old film, no colours",
        "drain all the colour out of it",
        "take out the colors",
    ):
        assert values_in(words, kinds) == {"look": "grey"}, words
    assert values_in("brighter, no colour change", kinds) == {"look": "brighter"}


def test_sepia_is_brown(tmp_path: Path, context: Context) -> None:
    red, green, blue = colour(
        frame(recolor_video(film(tmp_path, size=(160, 90)), "sepia")), RIGHT_LOWER
    )
    assert red > green + 8 > blue + 16


def test_light(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(160, 90))
    grey = int(colour(frame(clip), RIGHT_LOWER).mean())
    for look, amount, least, most in (
        ("brighter", 0, 15, 60),
        ("darker", 0, -60, -30),
        ("darker", 50, -75, -50),
        ("more_contrast", 0, -4, 4),
        ("less_contrast", 0, -4, 4),
    ):
        made = recolor_video(clip, look, amount, context=context)
        change = colour(frame(made), RIGHT_LOWER).mean() - grey
        assert least <= change <= most, look


def test_contrast_and_colour(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(160, 90))
    before = _spread(clip, LEFT_LOWER)
    contrast = {
        look: frame(recolor_video(clip, look, context=context)).std()
        for look in ("more_contrast", "less_contrast")
    }
    assert contrast["less_contrast"] < 0.8 * frame(clip).std() < contrast["more_contrast"]
    soft = make_video(
        tmp_path / "soft.mp4", [np.full((90, 160, 3), (150, 120, 100), np.uint8)] * 10
    )
    assert _spread(recolor_video(soft, "more_colour", context=context), (0.5, 0.5)) > 62
    assert _spread(recolor_video(clip, "less_colour", context=context), LEFT_LOWER) < 0.7 * before


def test_a_look_has_to_be_named(tmp_path: Path, context: Context) -> None:
    with pytest.raises(ToolError, match="Which look"):
        recolor_video(film(tmp_path, size=(160, 90)), context=context)


def test_fading_in_and_out(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, sound=tone(2.0, 48_000))
    made = fade_video(clip, seconds=0.5, context=context)
    shown = [(time, int(picture[40, 10, 0])) for time, picture in frames(made)]
    assert shown[0][1] < 25 and shown[-1][1] < 25
    assert 90 < next(red for time, red in shown if time >= 0.25) < 140
    assert all(red > 200 for time, red in shown if 0.55 < time < 1.45)
    assert abs(shown[-1][0] - 1.96) < 0.01 and abs(seconds(made) - 2) < 0.05
    sound = heard(made)
    assert loud(sound, 0, 0.1) < loud(sound, 0.9, 1.1) - 12
    assert loud(sound, 1.9, 2.0) < loud(sound, 0.9, 1.1) - 12
    assert loud(sound, 0.9, 1.1) == pytest.approx(loud(heard(clip), 0.9, 1.1), abs=0.5)


def test_fading_at_one_end(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(160, 90))
    for start, end in ((True, False), (False, True)):
        made = fade_video(clip, seconds=0.5, start=start, end=end, context=context)
        first, last = frames(made)[0][1], frames(made)[-1][1]
        assert (first.mean() < 25) == start and (last.mean() < 25) == end


def test_fades_as_people_say_them() -> None:
    kinds = {item.name: item.kind for item in fade_video.tool.parameters if item.kind}
    for words, settings in (
        ("go out gently over the last 5 seconds", {"seconds": 5, "end": True}),
        ("come up from black over 2 s", {"seconds": 2, "start": True}),
        ("rising-from-black at first", {"start": True}),
        ("fade in 1 s and out 3 s", {"rise": 1, "seconds": 3, "start": True, "end": True}),
        ("fade to black", {"end": True}),
        ("fade in and out", {"start": True, "end": True}),
        ("a fade at both ends, 2 s each", {"seconds": 2, "start": True, "end": True}),
    ):
        assert values_in(words, kinds) == settings, words


def test_fading_in_and_out_for_other_times(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(160, 90))
    made = fade_video(clip, rise=0.2, seconds=1.0, context=context)
    full = frame(clip)[10, 10].mean()
    light = [(time, picture[10, 10].mean() / full) for time, picture in frames(made)]
    assert light[0][1] < 0.1 and light[-1][1] < 0.1
    # Risen long before a second is over, while it falls for all of one.
    assert all(share > 0.9 for time, share in light if 0.25 < time < 0.95)
    assert all(0.3 < share < 0.7 for time, share in light if 1.4 < time < 1.6)


def test_fading_of_what_stands_still(tmp_path: Path, context: Context) -> None:
    bright = np.full((90, 160, 3), 230, np.uint8)
    clip = make_video(tmp_path / "still.mp4", [bright] * 3, times=[0, 1500, 3000])
    length = video_files.read_facts(clip).seconds
    made = fade_video(clip, seconds=1.0, end=True, context=context)
    shown = [(time, picture.mean()) for time, picture in frames(made)]
    falling = [light for time, light in shown if length - 1 < time]
    assert len(falling) > 15 and falling == sorted(falling, reverse=True)
    assert seconds(made) == pytest.approx(length, abs=0.05)


def test_sound_stays_in_step(tmp_path: Path, context: Context) -> None:
    clip = flashing(tmp_path)
    assert is_in_step(recolor_video(clip, "grey", context=context))
    assert is_in_step(fade_video(clip, seconds=0.3, context=context))
