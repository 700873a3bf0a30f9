"""Pictures that move stay so: every frame is worked on, and the time that it is shown is kept."""

from __future__ import annotations

import io
from pathlib import Path

import PIL.Image
import PIL.ImageSequence
import pytest

from controlllm.resources import Filed, decode
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.video.film import frame, seconds
from tools.pictures.animations import change_animation
from tools.pictures.files import convert_image
from tools.pictures.lettered import write_on_image
from tools.pictures.sizes import resize_image
from tools.pictures.tones import grayscale_image
from tools.video.editing import image_to_video

COLOURS = [(250, 0, 0), (0, 160, 0), (0, 0, 250), (250, 250, 0)]


@pytest.fixture(params=["gif", "webp"])
def animation(tmp_path: Path, request: pytest.FixtureRequest) -> PIL.Image.Image:
    """Four colours, each for 200 ms, read as a tool is handed it."""
    path = tmp_path / f"four.{request.param}"
    first, *others = [PIL.Image.new("RGB", (90, 60), colour) for colour in COLOURS]
    first.save(path, save_all=True, append_images=others, duration=200, loop=0)
    return decode("image", path)


def _opened(made: object) -> tuple[list[PIL.Image.Image], list[float]]:
    assert isinstance(made, Filed)
    shown = PIL.Image.open(io.BytesIO(made.content))
    frames, times = [], []
    for each in PIL.ImageSequence.Iterator(shown):
        frames.append(each.convert("RGB"))
        times.append(each.info["duration"])
    return frames, times


def _is(picture: PIL.Image.Image, colour: tuple[int, int, int]) -> bool:
    found = picture.getpixel((3, 3))
    return all(abs(one - other) < 25 for one, other in zip(found, colour, strict=True))  # type: ignore[arg-type]


def test_every_frame_is_worked_on(animation: PIL.Image.Image) -> None:
    frames, times = _opened(resize_image(animation, "45x"))
    assert times == [200] * 4 and {each.size for each in frames} == {(45, 30)}
    assert all(_is(each, colour) for each, colour in zip(frames, COLOURS, strict=True))
    written, times = _opened(write_on_image(animation, "Hi", colour="#ffffff"))
    assert len(written) == 4
    grey, _ = _opened(grayscale_image(animation))
    assert all(max(each.getpixel((3, 3))) - min(each.getpixel((3, 3))) < 6 for each in grey)  # type: ignore[type-var,arg-type]


@pytest.mark.parametrize(
    ("words", "lasts", "first"),
    [
        ("play it backwards", 800, 3),
        ("too fast, slower please", 1600, 0),
        ("reverse it and make it last 2 seconds", 2000, 3),
        ("back and forth like a boomerang", 1200, 0),
    ],
)
def test_its_speed_and_direction(
    animation: PIL.Image.Image, words: str, lasts: int, first: int
) -> None:
    kinds = {item.name: item.kind for item in change_animation.tool.parameters if item.kind}
    frames, times = _opened(change_animation(animation, **values_in(words, kinds)))
    assert sum(times) == pytest.approx(lasts, abs=11)
    assert _is(frames[0], COLOURS[first])


def test_frames_too_short_to_be_shown_are_left_out(animation: PIL.Image.Image) -> None:
    frames, times = _opened(change_animation(animation, speed=16))
    assert sum(times) == pytest.approx(50, abs=11) and min(times) >= 20


def test_other_files_of_it(animation: PIL.Image.Image) -> None:
    frames, times = _opened(convert_image(animation, format="webp"))
    assert len(frames) == 4 and sum(times) == 800
    context = Context()
    video = image_to_video(animation, context=context)
    assert abs(seconds(video) - 0.8) < 0.1
    assert frame(video, 0.5)[30, 45].argmax() == 2


def test_a_still_picture_does_not_move() -> None:
    with pytest.raises(ToolError, match="does not move"):
        change_animation(PIL.Image.new("RGB", (9, 9)), speed=2)


def test_what_a_file_claims_of_frames_elsewhere_counts_for_nothing(tmp_path: Path) -> None:
    from PIL import PngImagePlugin

    told = PngImagePlugin.PngInfo()
    told.add_text("controlllm.moving", str(tmp_path / "secret.gif"))
    PIL.Image.new("RGB", (9, 9), "red").save(tmp_path / "claims.png", pnginfo=told)
    picture = decode("image", tmp_path / "claims.png")
    assert "controlllm.moving" not in picture.info
    assert resize_image(picture, "4x").size == (4, 4)
