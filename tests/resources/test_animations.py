"""Animations are looked at whole: the telling frame, and how long they last."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.resources import decode, ingest
from controlllm.resources.animations import looked_through
from tools.pictures.embedded import picture_facts
from tools.seeing.embedded import answers
from tools.seeing.embedded.scene import Scene


def animation(frames: list[PIL.Image.Image], format_name: str, duration: int = 150) -> bytes:
    buffer = io.BytesIO()
    more = {"save_all": True, "append_images": frames[1:], "duration": duration, "loop": 0}
    frames[0].save(buffer, format_name, **more)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def fading() -> list[PIL.Image.Image]:
    cat = PIL.Image.fromarray(skimage.data.chelsea()).resize((226, 150))
    white = PIL.Image.new("RGB", cat.size, "white")
    return [PIL.Image.blend(white, cat, step / 8) for step in range(9)]


@pytest.mark.parametrize("format_name", ["GIF", "WEBP", "PNG"])
@pytest.mark.parametrize("is_backwards", [False, True])
def test_the_frame_that_shows_the_most_stands_for_all(
    fading: list[PIL.Image.Image], format_name: str, is_backwards: bool
) -> None:
    frames = fading[::-1] if is_backwards else fading
    with PIL.Image.open(io.BytesIO(animation(frames, format_name))) as picture:
        found = looked_through(picture)
    # Of nearly as telling ones the first is taken.
    assert found.number == 1 if is_backwards else found.number > 6
    assert (found.frames, found.seconds) == (9, 1.35)
    assert np.asarray(found.frame.convert("L")).std() > 25


def test_what_was_taken_in_tells_how_long_it_is(
    tmp_path: Path, fading: list[PIL.Image.Image]
) -> None:
    path = tmp_path / "fade.gif"
    path.write_bytes(animation(fading, "GIF"))
    (tmp_path / "made").mkdir()
    taken = ingest(path, "fade.gif", tmp_path / "made")
    assert taken.details["frames"] == 9 and taken.details["seconds"] == 1.35
    assert "It moves: it has 9 frames, 1.35 seconds in all." in taken.notices[0]
    image = decode("image", taken.path)
    assert any("1.35 seconds" in fact for fact in picture_facts.facts(image))
    told = answers.answer(Scene(image), "How long is this animation?")
    assert told == "The animation has 9 frames, 1.35 seconds in all."
    assert "cat" in answers.answer(Scene(image), "What animal is in this?")


def test_still_frames_of_one_pixel_are_no_trouble() -> None:
    frames = [PIL.Image.new("RGB", (1, 1), colour) for colour in ("red", "blue")]
    with PIL.Image.open(io.BytesIO(animation(frames, "GIF", 40))) as picture:
        assert looked_through(picture).seconds == 0.08
