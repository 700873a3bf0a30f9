"""Stills of a video, each showing its moment, and a video cut into several."""

from __future__ import annotations

import re

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.made_videos import make_video
from tools.shared.video_files import read_facts
from tools.video.editing import video_question_answering
from tools.video.splitting import split_video, video_stills


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
        ({"every": 60.0}, [0]),
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
    with pytest.raises(ToolError, match="lasts 0:06"):
        video_stills(walk, part="10..20")
    monkeypatch.setattr("tools.video.splitting._MOST", 5)
    with pytest.raises(ToolError, match="6 stills, and at most 5"):
        video_stills(walk, every=1.0)


@pytest.mark.parametrize(
    ("settings", "lasts"),
    [
        ({"count": 3}, {"part 1": 2.0, "part 2": 2.0, "part 3": 2.0}),
        ({"times": "1,4.5"}, {"part 1": 1.0, "part 2": 3.5, "part 3": 1.5}),
        ({"times": "1..2,4..5.5"}, {"part 1": 1.0, "part 2": 1.5}),
        ({"times": "every4"}, {"part 1": 4.0, "part 2": 2.0}),
        ({"table": "start,title\n0:00,Intro\n0:02,Walk\n"}, {"Intro": 2.0, "Walk": 4.0}),
    ],
)
def test_a_video_is_cut_into_several(tmp_path, walk, settings, lasts):
    made = split_video(walk, **settings, context=Context(folder=tmp_path))
    found = {member.name: round(read_facts(member.value).seconds, 1) for member in made}
    assert found == lasts
    assert all(member.type == "video" for member in made)


@pytest.mark.parametrize(
    ("settings", "said"), [({}, "where to cut"), ({"times": "9"}, "within it")]
)
def test_where_a_video_cannot_be_cut_is_said(tmp_path, walk, settings, said):
    with pytest.raises(ToolError, match=said):
        split_video(walk, **settings, context=Context(folder=tmp_path))


def test_each_scene_becomes_a_clip(tmp_path):
    colours = [(200, 30, 30)] * 23 + [(30, 160, 40)] * 31 + [(40, 50, 200)] * 16
    frames = [np.full((48, 64, 3), colour, np.uint8) for colour in colours]
    film = make_video(tmp_path / "glued.mp4", frames, rate=10)
    made = split_video(film, way="scenes", context=Context(folder=tmp_path))
    lasts = [read_facts(member.value).seconds for member in made]
    assert lasts == pytest.approx([2.3, 3.1, 1.6], abs=0.11)


def test_one_scene_is_told_as_one(tmp_path):
    frames = [np.full((48, 64, 3), (90, 90, 90), np.uint8)] * 30
    film = make_video(tmp_path / "still.mp4", frames, rate=10)
    with pytest.raises(ToolError, match="all one scene"):
        split_video(film, way="scenes", context=Context(folder=tmp_path))


def test_one_still_of_each_scene(tmp_path) -> None:
    """However the scenes are called, and the sharpest of each."""
    blurred, sharp = np.full((48, 64, 3), 96, np.uint8), np.full((48, 64, 3), 72, np.uint8)
    sharp[:, 10:50:8] = 124
    frames = [blurred] * 10 + [sharp] * 10 + [np.full((48, 64, 3), (250, 20, 20), np.uint8)] * 20
    clip = make_video(tmp_path / "two.mp4", frames, rate=10)
    kinds = {item.name: item.kind for item in video_stills.tool.parameters if item.kind}
    for words in ("one still of each scene please", "a screenshot of every animal"):
        said = values_in(words, kinds)
        made = video_stills(clip, **said, context=Context(folder=tmp_path / words[:5]))
        shown = [np.asarray(PIL.Image.open(member.value)).astype(int) for member in made]
        assert shown[-1][24, 32, 0] > 200 > 60 > shown[-1][24, 32, 1]
        assert all(picture.std() > 9 for picture in shown) and len(shown) == 2
    assert "scenes" not in values_in("a frame every 5 seconds", kinds)


def test_how_large_the_file_is_and_how_long_all_of_it(walk) -> None:
    for words in ("what's the file size now?", "how many kb is it", "how large is this file"):
        assert re.match(r"The file is [\d.]+ kB large", video_question_answering(walk, words))
    assert video_question_answering(walk, "what's the total running time?") == "It lasts 6 seconds."


def test_stills_as_people_ask_for_them() -> None:
    kinds = {item.name: item.kind for item in video_stills.tool.parameters if item.kind}
    for words, said in (
        ("single pictures, two a second", {"every": 0.5}),
        ("4 frames per second", {"every": 0.25}),
        ("one a second", {"every": 1}),
        ("a picture each 2 seconds", {"every": 2}),
        ("10 stills out of each clip, evenly spread", {"count": 10}),
        ("one still of each clip", {"count": 1}),
        ("one still of each scene", {"scenes": True}),
    ):
        assert values_in(words, kinds) == said, words
