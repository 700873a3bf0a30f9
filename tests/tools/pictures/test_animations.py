"""Animations of several pictures, opened as a browser opens them."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import PIL.ImageSequence
import pytest
import skimage.data

from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.pictures.animations import animate_images

COLOURS = [(255, 0, 0), (0, 160, 0), (0, 0, 255)]


def _plain(size: tuple[int, int] = (90, 60)) -> list[PIL.Image.Image]:
    return [PIL.Image.new("RGB", size, colour) for colour in COLOURS]


def _opened(filed) -> PIL.Image.Image:
    shown = PIL.Image.open(io.BytesIO(filed.content))
    assert filed.media_type == f"image/{shown.format.lower()}"
    return shown


def _frames(shown: PIL.Image.Image) -> tuple[list[PIL.Image.Image], list[float]]:
    frames, times = [], []
    for frame in PIL.ImageSequence.Iterator(shown):
        frames.append(frame.convert("RGBA"))
        times.append(frame.info["duration"])
    return frames, times


@every_case("kind", ["gif", "webp"])
@every_case(("seconds", "expected"), [(0.0, 500), (0.2, 200), (3.0, 3000)])
def test_each_picture_is_shown_for_its_time_again_and_again(
    kind: str, seconds: float, expected: int
) -> None:
    shown = _opened(animate_images(_plain(), seconds, kind))
    assert shown.format == kind.upper() and shown.size == (90, 60)
    assert shown.info["loop"] == 0
    frames, times = _frames(shown)
    assert times == [expected] * 3
    for frame, colour in zip(frames, COLOURS, strict=True):
        assert frame.getpixel((45, 30))[:3] == pytest.approx(colour, abs=12)


def test_a_gif_where_nothing_is_said() -> None:
    assert _opened(animate_images(_plain())).format == "GIF"


def test_all_pictures_have_the_size_of_the_first_and_keep_their_shape() -> None:
    images = [
        PIL.Image.new("RGB", (200, 100), COLOURS[0]),
        PIL.Image.new("RGB", (400, 210), COLOURS[1]),
        PIL.Image.new("L", (50, 400), 0),
    ]
    frames, _ = _frames(_opened(animate_images(images)))
    assert {frame.size for frame in frames} == {(200, 100)}
    assert frames[1].getpixel((2, 2))[:3] == COLOURS[1]  # it fills the frame
    assert frames[2].getpixel((5, 50))[:3] == (255, 255, 255)  # shown whole, on white
    assert frames[2].getpixel((100, 50))[:3] == (0, 0, 0)


@every_case("kind", ["gif", "webp"])
def test_what_is_clear_stays_clear(kind: str) -> None:
    images = []
    for at in (0, 30, 60):
        clear = PIL.Image.new("RGBA", (90, 60), (0, 0, 0, 0))
        clear.paste((255, 0, 0, 255), (at, 0, at + 30, 60))
        images.append(clear)
    frames, _ = _frames(_opened(animate_images(images, format=kind)))
    for number, frame in enumerate(frames):
        alpha = [frame.getpixel((15 + 30 * place, 30))[3] for place in range(3)]
        assert alpha == [255 * (place == number) for place in range(3)]


def test_photos_keep_their_look_and_large_ones_are_made_smaller() -> None:
    photo = PIL.Image.fromarray(skimage.data.astronaut()).resize((256, 256))
    frames, _ = _frames(_opened(animate_images([photo, photo.transpose(0)])))
    apart = np.asarray(frames[0].convert("RGB"), int) - np.asarray(photo, int)
    assert np.abs(apart).mean() < 8
    large = [PIL.Image.new("RGB", (1600, 1200), colour) for colour in COLOURS]
    assert _opened(animate_images(large)).size == (800, 600)
    assert _opened(animate_images([PIL.Image.new("RGB", (1, 1)), photo])).size == (1, 1)


def test_it_tells_how_far_it_is() -> None:
    told: list[float] = []
    animate_images(_plain(), context=Context(lambda at, _: told.append(at)))
    assert len(told) == 3


@every_case(("count", "said"), [(0, "no pictures"), (1, "only one picture"), (400, "too many")])
def test_what_is_no_animation_is_refused(count: int, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        animate_images([PIL.Image.new("RGB", (4, 4))] * count)
