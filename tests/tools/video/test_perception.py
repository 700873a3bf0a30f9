"""Describing videos that the tests make of scikit-image's pictures."""

from __future__ import annotations

import threading

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
import skimage.data

from controlllm.resources import Clip
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.tools.made_videos import make_video, pan, tone
from tools.video.editing import video_question_answering
from tools.video.embedded import shots
from tools.video.perception import video_captioning


def still(picture: np.ndarray, count: int, size: tuple[int, int] = (480, 360)) -> list[np.ndarray]:
    shown = np.asarray(PIL.Image.fromarray(picture).resize(size))
    return [shown] * count


def test_caption_names_what_is_seen_and_when_it_changes(tmp_path):
    frames = still(skimage.data.chelsea(), 15) + still(skimage.data.astronaut(), 15)
    told = []
    context = Context(report=lambda fraction, words: told.append(fraction))
    clip = make_video(tmp_path / "two.mp4", frames, rate=5, sound=tone(6))
    words = video_captioning(clip, context=context)
    assert "The video lasts 6 seconds and shows 2 scenes." in words
    first, second = words.split("From 0:00 to 0:03:")[1].split("From 0:03 to the end:")
    assert "cat" in first and "cat" not in second
    assert "person" in second or "woman" in second or "face" in second
    assert words.endswith("There is sound in it, but no speech.")
    assert told == sorted(told) and len(told) > 5


@pytest.mark.long
def test_still_and_silent_video_is_called_so(tmp_path):
    clip = make_video(tmp_path / "still.mp4", still(skimage.data.coffee(), 20), rate=10)
    words = video_captioning(clip)
    assert "2 seconds" in words and "hardly moves" in words
    assert words.endswith("It has no sound.")


@pytest.mark.long
def test_silent_sound_track_is_called_silent(tmp_path):
    frames = still(skimage.data.coffee(), 5)
    clip = make_video(tmp_path / "quiet.mp4", frames, rate=10, sound=tone(0.5, level=0.0))
    assert video_captioning(clip).endswith("Its sound track is silent.")


def test_pan_is_one_shot_and_cuts_are_found():
    pictures = (skimage.data.astronaut(), skimage.data.coffee(), skimage.data.chelsea())
    samples = []
    for picture in pictures:
        for frame in pan(picture, 6, 320, 240):
            samples.append((len(samples) * 0.5 + 0.25, PIL.Image.fromarray(frame)))
    found = shots.split(samples, 9.0)
    assert [(shot.start, shot.end) for shot in found] == [(0.0, 3.0), (3.0, 6.0), (6.0, 9.0)]
    assert [len(shot.frames) for shot in found] == [6, 6, 6]
    assert shots.longest(found, 2) == [found[0], found[1]]
    assert not shots.stands_still(samples) and shots.stands_still(samples[:1] * 3)


def test_key_frames_are_spread_and_few():
    frames = tuple(PIL.Image.new("L", (2, 2), level) for level in range(10))
    chosen = shots.Shot(0, 1, frames).key_frames(3)
    assert [frame.getpixel((0, 0)) for frame in chosen] == [1, 5, 8]
    assert len(shots.Shot(0, 1, frames[:1]).key_frames(3)) == 1


def test_tiny_video_of_one_frame_is_described(tmp_path):
    clip = make_video(tmp_path / "dot.mp4", [np.zeros((16, 16, 3), np.uint8)])
    assert "less than a second" in video_captioning(clip)


def test_stopping_and_broken_files(tmp_path):
    clip = make_video(tmp_path / "cup.mp4", still(skimage.data.coffee(), 20), rate=10)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        video_captioning(clip, context=Context(cancelled=stop))
    (tmp_path / "broken.mp4").write_bytes(clip.path.read_bytes()[:500])
    with pytest.raises(ToolError, match="could not be read"):
        video_captioning(Clip(tmp_path / "broken.mp4"))


def test_what_is_written_for_a_moment_is_read_where_it_may_be_the_answer(tmp_path):
    def screen(words):
        shown = PIL.Image.new("RGB", (480, 270), "white")
        font = PIL.ImageFont.load_default(34)
        PIL.ImageDraw.Draw(shown).text((240, 135), words, "black", font, anchor="mm")
        return np.asarray(shown)

    frames = [screen("Please wait ...")] * 35 + [screen("Error 4711: disk is full")] * 10
    clip = make_video(tmp_path / "screen.mp4", frames, rate=10)
    answer = video_question_answering(clip, "What is the error number?")
    assert "Error 4711" in answer and "vision-language model" in answer
