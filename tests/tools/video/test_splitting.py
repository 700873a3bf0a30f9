"""Stills of a video, each a picture of its own that shows its moment."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import Context, ToolError
from tests.tools.made_videos import make_video
from tools.video.splitting import video_stills


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """Six seconds; each is brighter than the one before."""
    frames = [np.full((48, 64, 3), 20 + 35 * (n // 10), np.uint8) for n in range(60)]
    return make_video(tmp_path_factory.mktemp("film") / "walk.mp4", frames, rate=10)


def shades(folder, video, **settings) -> tuple[list[str], list[int]]:
    """The names, and in which second each still was taken."""
    made = video_stills(video, **settings, context=Context(folder=folder))
    seconds = []
    for member in made:
        with PIL.Image.open(member.value) as still:
            assert still.size == (64, 48)
            seconds.append(round((np.asarray(still).mean() - 20) / 35))
    return [member.name for member in made], seconds


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ({"every": 1.0}, [0, 1, 2, 3, 4, 5]),
        ({"every": 2.5}, [0, 2, 5]),
        ({"count": 3}, [1, 3, 5]),
        ({"every": 1.0, "part": "2..5"}, [2, 3, 4]),
        ({"count": 2, "part": "4..6"}, [4, 5]),
        ({"every": 60.0}, [0]),
        ({"every": 1.0, "count": 1}, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_each_still_shows_its_moment(tmp_path, walk, settings, seconds):
    names, found = shades(tmp_path, walk, **settings)
    assert found == seconds
    assert names == [str(number) for number in range(1, len(seconds) + 1)]


def test_ten_are_usual_and_there_are_never_more_than_frames(tmp_path, walk):
    assert len(shades(tmp_path, walk)[0]) == 10
    assert len(shades(tmp_path, walk, count=500)[0]) == 60
    assert len(shades(tmp_path, walk, every=0.001)[0]) == 60


def test_very_many_are_jpegs(tmp_path, walk, monkeypatch):
    monkeypatch.setattr("tools.video.splitting._MOST_PNG", 5)
    made = video_stills(walk, every=1.0, context=Context(folder=tmp_path))
    assert {member.value.suffix for member in made} == {".jpg"}


def test_what_cannot_be_taken_is_said(walk, monkeypatch):
    with pytest.raises(ToolError, match="only 6.0 seconds"):
        video_stills(walk, part="10..20")
    monkeypatch.setattr("tools.video.splitting._MOST", 5)
    with pytest.raises(ToolError, match="6 stills, and at most 5"):
        video_stills(walk, every=1.0)
