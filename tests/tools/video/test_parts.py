"""Parts of a video put back, told by what is seen, and its pauses cut out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError
from tests.tools.made_videos import make_video, tone
from tests.tools.video.film import frame, quarters, seconds
from tools.shared import video_files
from tools.video.editing import video_cutting
from tools.video.parts import cut_video_pauses, put_passage_back


@pytest.fixture
def films(tmp_path: Path) -> tuple[Clip, Clip]:
    """Three seconds, each brighter, with a tone; and one second that is white and silent."""
    frames = [np.full((96, 128, 3), level, np.uint8) for level in (40, 90, 140) for _ in range(10)]
    whole = make_video(tmp_path / "whole.mp4", frames, rate=10, sound=tone(3.0))
    white = [np.full((48, 64, 3), 250, np.uint8)] * 10
    return whole, make_video(tmp_path / "part.mp4", white, rate=10)


def brightness(clip: Clip, at: float) -> float:
    return float(next(video_files.read_frames(clip, at, at + 0.01))[1].mean())


def test_only_the_part_is_changed(films: tuple[Clip, Clip]) -> None:
    whole, part = films
    made = put_passage_back(whole, part, 1.0, 2.0)
    facts = video_files.read_facts(made)
    assert (facts.width, facts.height) == (128, 96)
    assert facts.seconds == pytest.approx(3.0, abs=0.15)
    seen = [brightness(made, at) for at in (0.5, 1.5, 2.5)]
    assert seen == pytest.approx([40, 250, 140], abs=8)
    sound = video_files.read_sound(made)
    assert sound is not None
    loud = [np.abs(sound.part(round(at * 16_000), round((at + 0.4) * 16_000))).max()
            for at in (0.3, 1.3, 2.3)]  # fmt: skip
    assert loud[0] > 0.05 and loud[2] > 0.05 and loud[1] < 0.01


def test_without_a_part_it_is_left_out(films: tuple[Clip, Clip]) -> None:
    made = put_passage_back(films[0], None, 1.0, 2.0)
    assert video_files.read_facts(made).seconds == pytest.approx(2.0, abs=0.15)
    assert [brightness(made, at) for at in (0.5, 1.5)] == pytest.approx([40, 140], abs=8)


def test_a_part_that_is_not_there_is_refused_in_words(films: tuple[Clip, Clip]) -> None:
    with pytest.raises(ToolError, match="seconds long: there is no part"):
        put_passage_back(films[0], films[1], 5.0, 6.0)


RATE = 48_000


def _toned(*lengths: float) -> Sound:
    """Silence and tone by turns."""
    times = np.arange(round(sum(lengths) * RATE)) / RATE
    edges = np.cumsum(lengths)
    loud = np.searchsorted(edges, times, side="right") % 2 == 1
    return Sound((0.4 * np.sin(2500 * times) * loud).astype(np.float32)[:, None], RATE)


def test_pauses_are_cut_out_of_picture_and_sound(tmp_path: Path, context: Context) -> None:
    pictures = [quarters(160, 90)] * 80
    clip = make_video(tmp_path / "talk.mp4", pictures, rate=10, sound=_toned(2, 1, 3, 1, 1))
    made = cut_video_pauses(clip, context=context)
    assert abs(seconds(made) - (2 + 2 * 0.35)) < 0.35
    assert "are out" in context.remarks[0]
    left = cut_video_pauses(clip, left=1.0, context=context)
    assert abs(seconds(left) - (2 + 1 + 1)) < 0.35


def test_a_silent_video_has_no_pauses_to_cut(tmp_path: Path, context: Context) -> None:
    clip = make_video(tmp_path / "silent.mp4", [quarters()] * 25)
    with pytest.raises(ToolError, match="Nothing is heard"):
        cut_video_pauses(clip, context=context)


@pytest.fixture(scope="module")
def cat_then_cup(tmp_path_factory: pytest.TempPathFactory) -> Clip:
    shown = [
        np.asarray(PIL.Image.fromarray(picture).resize((320, 240)))
        for picture in (skimage.data.chelsea(), skimage.data.coffee())
    ]
    frames = [shown[0]] * 20 + [shown[1]] * 30
    return make_video(tmp_path_factory.mktemp("seen") / "two.mp4", frames, rate=10)


@pytest.mark.parametrize(
    ("words", "length", "first"),
    [
        ("Cut out the part with the cat, only that.", 2, True),
        pytest.param(
            "cut the bit with the cat out, keep everything else", 3, False, marks=pytest.mark.long
        ),
    ],
)
def test_a_part_told_by_what_is_seen(
    cat_then_cup: Clip, words: str, length: float, first: bool
) -> None:
    context = Context()
    made = video_cutting(cat_then_cup, words, context=context)
    assert abs(seconds(made) - length) < 0.15
    cat = frame(cat_then_cup, 1.0).astype(int)
    assert (np.abs(frame(made, length / 2).astype(int) - cat).mean() < 12) == first
    assert "I found “the cat” from 0:00 to 0:02" in context.remarks[0]


@pytest.mark.long
def test_what_is_not_seen_is_said_to_be_missing(cat_then_cup: Clip) -> None:
    with pytest.raises(ToolError, match="I see nothing of “the elephant”"):
        video_cutting(cat_then_cup, "remove the scene with the elephant")
