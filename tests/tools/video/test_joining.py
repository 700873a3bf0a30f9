"""One video of several videos, and of several pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.made_videos import make_video, tone
from tests.tools.video.film import (
    BLUE,
    GREEN,
    LEFT_UPPER,
    RED,
    beep,
    beep_at,
    colour,
    film,
    flash,
    frame,
    frames,
    heard,
    is_like,
    loud,
    seconds,
    size,
)
from tools.shared import video_files
from tools.video.joining import join_videos, make_slideshow, put_videos_side_by_side


def _plain(
    path: Path, ink: tuple[int, int, int], count: int = 25, sound: Sound | None = None, **how: int
) -> Clip:
    shape = (how.get("height", 90), how.get("width", 160), 3)
    return make_video(path, [np.full(shape, ink, np.uint8)] * count, sound=sound)


def _picture(ink: tuple[int, int, int], size: tuple[int, int] = (160, 90)) -> PIL.Image.Image:
    return PIL.Image.new("RGB", size, ink)


def test_one_video_is_shown_several_times(tmp_path: Path, context: Context) -> None:
    kinds = {item.name: item.kind for item in join_videos.tool.parameters if item.kind}
    for words, times in (("twice in a row", 2), ("let it run 3 times", 3)):
        made = join_videos([film(tmp_path)], context=context, **values_in(words, kinds))
        assert seconds(made) == pytest.approx(times * seconds(film(tmp_path)), abs=0.1), words


def test_videos_come_one_after_the_other(tmp_path: Path, context: Context) -> None:
    clips = [
        _plain(tmp_path / "red.mp4", RED),
        _plain(tmp_path / "green.mp4", GREEN, 50, beep(2.0, 1.0)),
        _plain(tmp_path / "blue.mp4", BLUE),
    ]
    made = join_videos(clips, context=context)
    assert abs(seconds(made) - 4) < 0.05 and size(made) == (160, 90)
    shown = frames(made)
    assert len(shown) == 100
    for time, picture in shown:
        wanted = RED if time < 0.99 else GREEN if time < 2.99 else BLUE
        assert is_like(colour(picture, (0.5, 0.5)), wanted, 30), time
    sound = heard(made)
    # The second video's tone, a second after its start; the first has no sound and is silent.
    assert loud(sound, 2.02, 2.18) > -15
    assert max(loud(sound, 0, 1.9), loud(sound, 2.3, 3.9)) < -60
    assert sound.seconds == pytest.approx(4, abs=0.05)


def test_flash_and_beep_stay_together(tmp_path: Path, context: Context) -> None:
    one = make_video(tmp_path / "one.mp4", flash(), sound=beep())
    two = make_video(tmp_path / "two.mp4", flash(30, 10), sound=beep(1.2, 0.4))
    for transition in ("", "fade"):
        made = join_videos([one, two], transition, context=context)
        bright = [time for time, picture in frames(made) if picture.mean() > 200]
        tones = np.abs(heard(made).samples).max(axis=1) > 0.1
        assert bright[0] == pytest.approx(1.0, abs=0.02)
        later = next(time for time in bright if time > 1.5)
        assert later == pytest.approx(2.4, abs=0.02)
        assert np.argmax(tones) / 48_000 == pytest.approx(1.0, abs=0.03)
        assert 1.5 + np.argmax(tones[72_000:]) / 48_000 == pytest.approx(2.4, abs=0.03)


def test_a_soft_transition(tmp_path: Path, context: Context) -> None:
    clips = [_plain(tmp_path / "red.mp4", RED, 50), _plain(tmp_path / "blue.mp4", BLUE, 50)]
    made = join_videos(clips, "fade", context=context)
    assert abs(seconds(made) - 4) < 0.05
    reds = [(time, int(colour(picture, (0.5, 0.5))[0])) for time, picture in frames(made)]
    assert all(red > 200 for time, red in reds if time < 1.45)
    assert all(red < 50 for time, red in reds if time > 2.55)
    assert 105 < next(red for time, red in reds if time >= 2.0) < 145
    between = [red for time, red in reds if 1.5 <= time <= 2.5]
    assert between == sorted(between, reverse=True) and len(set(between)) > 15


def test_other_shapes_get_bars(tmp_path: Path, context: Context) -> None:
    wide = _plain(tmp_path / "wide.mp4", RED)
    upright = _plain(tmp_path / "upright.webm.mp4", GREEN, width=90, height=160)
    made = join_videos([wide, upright], context=context)
    assert size(made) == (160, 90)
    later = frame(made, 1.5)
    assert is_like(colour(later, (0.5, 0.5)), GREEN) and later[45, 10].max() < 25
    assert not video_files.read_facts(made).has_sound


def test_one_video_cannot_be_joined(tmp_path: Path, context: Context) -> None:
    with pytest.raises(ToolError, match="at least two"):
        join_videos([film(tmp_path)], context=context)


def test_a_slideshow_shows_each_picture(context: Context) -> None:
    images = [_picture(RED), _picture(GREEN), _picture(BLUE)]
    made = make_slideshow(images, seconds=1.0, context=context)
    assert abs(seconds(made) - 3) < 0.05
    assert size(made)[0] / size(made)[1] == pytest.approx(16 / 9, rel=0.01)
    for time, ink in ((0.1, RED), (0.5, RED), (1.5, GREEN), (2.5, BLUE), (2.95, BLUE)):
        assert is_like(colour(frame(made, time), (0.5, 0.5)), ink, 25)
    mixed = colour(frame(made, 1.0), (0.5, 0.5))
    assert 70 < mixed[0] < 180 and 70 < mixed[1] < 180
    hard = make_slideshow(images, seconds=1.0, transition="cut", context=context)
    assert is_like(colour(frame(hard, 0.94), (0.5, 0.5)), RED, 25)
    assert is_like(colour(frame(hard, 1.02), (0.5, 0.5)), GREEN, 25)


def test_pictures_of_a_slideshow_are_whole(context: Context) -> None:
    upright = _picture(RED, (90, 160))
    upright.paste(GREEN, (0, 0, 90, 20))
    clear = PIL.Image.new("RGBA", (160, 90), (0, 0, 0, 0))
    made = make_slideshow([upright, clear], seconds=1.0, context=context)
    first = frame(made, 0.2)
    assert is_like(colour(first, (0.5, 0.05)), GREEN, 25)
    assert is_like(colour(first, (0.5, 0.95)), RED, 25)
    # Beside it lies the picture itself, darker.
    assert 80 < colour(first, (0.1, 0.7))[0] < 190
    assert frame(made, 1.8).mean() > 240
    assert size(make_slideshow([upright], seconds=1.0, shape="9:16", context=context)) == (360, 640)


def test_music_of_a_slideshow(context: Context) -> None:
    images = [_picture(RED), _picture(GREEN)]
    made = make_slideshow(images, tone(4.0), context=context)
    assert abs(seconds(made) - 4) < 0.05
    assert is_like(colour(frame(made, 1.2), (0.5, 0.5)), RED, 25)
    assert is_like(colour(frame(made, 2.8), (0.5, 0.5)), GREEN, 25)
    assert loud(heard(made), 0.6, 2) > -15
    short = make_slideshow(images, tone(0.8), seconds=1.0, context=context)
    sound = heard(short)
    assert abs(seconds(short) - 2) < 0.05
    assert loud(sound, 0.85, 1.0) > -15 and loud(sound, 1.9, 2.0) < -20
    assert abs(seconds(make_slideshow(images[:1], context=context)) - 4) < 0.05


def test_slideshows_that_cannot_be_made(context: Context) -> None:
    with pytest.raises(ToolError, match="not for 0.01"):
        make_slideshow([_picture(RED)], seconds=0.01, context=context)
    with pytest.raises(ToolError, match="longer than an hour"):
        make_slideshow([_picture(RED)] * 10, seconds=500.0, context=context)


def test_tiny_pictures(context: Context) -> None:
    slivers = [_picture(RED, (1, 1)), _picture(GREEN, (300, 1))]
    made = make_slideshow(slivers, seconds=0.5, context=context)
    assert is_like(colour(frame(made, 0.1), LEFT_UPPER), RED, 70) and abs(seconds(made) - 1) < 0.05


def test_videos_are_shown_at_once_and_the_shorter_holds_its_last_picture(tmp_path):
    short = _plain(tmp_path / "red.mp4", RED, 10)
    long = _plain(tmp_path / "blue.mp4", BLUE, 25, beep(1.0, 0.2), width=80, height=90)
    made = put_videos_side_by_side([short, long], context=Context(folder=tmp_path))
    assert size(made) == (320, 90) and seconds(made) == pytest.approx(1.0, abs=0.1)
    for time in (0.1, 0.9):
        picture = frame(made, time)
        assert is_like(picture[30:60, 40:120].mean((0, 1)), RED)
        # What is of another shape stands whole in its part.
        assert is_like(picture[30:60, 220:260].mean((0, 1)), BLUE)
        assert picture[30:60, 165:190].mean() < 20
    assert heard(made) is not None and beep_at(made) == pytest.approx(0.2, abs=0.1)
    below = put_videos_side_by_side([short, long], "vertical", context=Context(folder=tmp_path))
    assert size(below) == (160, 180)


def test_one_video_alone_is_not_shown_at_once(tmp_path):
    with pytest.raises(ToolError, match="Two to 6 videos"):
        put_videos_side_by_side([_plain(tmp_path / "red.mp4", RED, 5)])
