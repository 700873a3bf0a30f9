"""Videos of another size and shape, turned and mirrored."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.made_videos import make_video, turned
from tests.tools.video.film import (
    BLUE,
    GREEN,
    GREY,
    LEFT_LOWER,
    LEFT_UPPER,
    RED,
    RIGHT_LOWER,
    RIGHT_UPPER,
    beep,
    colour,
    film,
    flashing,
    frame,
    frames,
    heard,
    is_in_step,
    is_like,
    loud,
    quarters,
    seconds,
    size,
)
from tools.shared import video_files
from tools.video.editing import video_to_frames
from tools.video.files import convert_video
from tools.video.shapes import crop_video, resize_video, rotate_video
from tools.video.tracks import add_background_music, mute_video


def test_sizes(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(160, 90))
    for said, wanted in (("320x", (320, 180)), ("x72", (128, 72)), ("50%", (80, 44))):
        made = resize_video(clip, said, context=context)
        assert size(made) == wanted
        assert is_like(colour(frame(made), RIGHT_UPPER), GREEN)
        assert abs(seconds(made) - 2) < 0.05
    assert size(resize_video(clip, way="larger", context=context)) == (320, 180)
    assert size(resize_video(clip, way="smaller", context=context)) == (80, 44)


def test_both_sides_said_keep_the_picture_whole(tmp_path: Path, context: Context) -> None:
    made = frame(resize_video(film(tmp_path), "200x200", context=context))
    assert made.shape == (200, 200, 3)
    assert made[5].max() < 25 and made[-6].max() < 25
    # The four quarters still meet in the middle of a picture of 200 x 112.
    assert is_like(made[60, 20].astype(int), RED) and is_like(made[140, 180].astype(int), GREY)


def test_upright_videos_have_upright_screens(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(90, 160))
    assert size(resize_video(clip, "360p", context=context)) == (360, 640)


def test_sizes_that_cannot_be_made(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path)
    with pytest.raises(ToolError, match="Which size"):
        resize_video(clip, context=context)
    with pytest.raises(ToolError, match="at most 4096x2304"):
        resize_video(clip, "9000x", context=context)
    with pytest.raises(ToolError, match="at least 16"):
        resize_video(clip, "1%", context=context)


def test_sound_stays_in_step(tmp_path: Path, context: Context) -> None:
    clip = flashing(tmp_path)
    for made in (
        resize_video(clip, "200%", context=context),
        crop_video(clip, "1:1", context=context),
        rotate_video(clip, context=context),
    ):
        assert is_in_step(made)
        assert len(frames(made)) == 50
        assert loud(heard(made), 1.05, 1.15) == pytest.approx(-11, abs=1)


def test_cropping_keeps_the_place(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path)
    made = frame(crop_video(clip, "1:1", context=context))
    assert made.shape == (180, 180, 3)
    assert is_like(colour(made, LEFT_UPPER), RED) and is_like(colour(made, RIGHT_LOWER), GREY)
    left = frame(crop_video(clip, "", "left", context=context))
    assert left.shape == (180, 102, 3) and is_like(colour(left, RIGHT_LOWER), BLUE)


@pytest.mark.parametrize("how", ["pad", "blur"])
def test_padding_cuts_nothing_off(tmp_path: Path, context: Context, how: str) -> None:
    made = frame(crop_video(film(tmp_path), "9:16", how=how, context=context))
    assert made.shape == (320, 180, 3)
    middle = made[115:205]
    for place, wanted in zip(
        (LEFT_UPPER, RIGHT_UPPER, LEFT_LOWER, RIGHT_LOWER), (RED, GREEN, BLUE, GREY), strict=True
    ):
        assert is_like(colour(middle, place), wanted)
    edge = made[20].astype(int)
    if how == "pad":
        assert edge.max() < 25
    else:
        # The edge shows the film's own colours, softly: red at the left and green at the right.
        assert edge[10][0] > edge[10][1] + 40 and edge[-10][1] > edge[-10][0] + 40
        assert np.abs(np.diff(edge, axis=0)).max() < 20


def test_a_video_of_the_shape_is_left_alone(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path)
    assert crop_video(clip, "16:9", context=context) == clip


@pytest.mark.long
def test_turning_and_mirroring(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path)
    for how, (upper, lower) in {
        (0.0, ""): ((BLUE, RED), (GREY, GREEN)),
        (90.0, ""): ((BLUE, RED), (GREY, GREEN)),
        (-90.0, ""): ((GREEN, GREY), (RED, BLUE)),
        (270.0, ""): ((GREEN, GREY), (RED, BLUE)),
        (180.0, ""): ((GREY, BLUE), (GREEN, RED)),
        (180.0, "flip"): ((GREY, BLUE), (GREEN, RED)),
        (0.0, "flip"): ((GREEN, RED), (GREY, BLUE)),
        (0.0, "left_and_right"): ((GREEN, RED), (GREY, BLUE)),
        (0.0, "top_and_bottom"): ((BLUE, GREY), (RED, GREEN)),
    }.items():
        made = rotate_video(clip, how[1], how[0], context=context)
        picture = frame(made)
        is_turned = how in ((0.0, ""), (90.0, ""), (-90.0, ""), (270.0, ""))
        assert size(made) == ((180, 320) if is_turned else (320, 180))
        assert is_like(colour(picture, LEFT_UPPER), upper[0]), how
        assert is_like(colour(picture, RIGHT_UPPER), upper[1]), how
        assert is_like(colour(picture, LEFT_LOWER), lower[0]), how
        assert is_like(colour(picture, RIGHT_LOWER), lower[1]), how


def test_odd_angles_are_refused(tmp_path: Path, context: Context) -> None:
    with pytest.raises(ToolError, match="90, 180 or 270"):
        rotate_video(film(tmp_path), "", 30.0, context=context)


def test_uneven_times_and_no_sound(tmp_path: Path, context: Context) -> None:
    times = [0, 40, 80, 1000, 1040, 2500, 2540]
    dark = np.zeros((91, 133, 3), np.uint8)
    clip = make_video(tmp_path / "uneven.mp4", [dark[:90, :132]] * 7, times=times)
    made = resize_video(clip, "50%", context=context)
    assert [round(1000 * time) for time, _ in frames(made)] == pytest.approx(times, abs=2)
    assert not video_files.read_facts(made).has_sound
    assert size(made) == (66, 46) or size(made) == (66, 44)


def test_other_files(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, "film.webm")
    made = rotate_video(clip, "", 180.0, context=context)
    assert abs(seconds(made) - 2) < 0.06 and made.path.suffix == ".mp4"
    assert is_like(colour(frame(made), LEFT_UPPER), GREY, 25)


def _squeezed(path: Path) -> Clip:
    """A video of 180 x 144 stored pixels that is shown 16:9, as television was."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 180, 144, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(64, 45)
        for number in range(25):
            made = av.VideoFrame.from_ndarray(quarters(180, 144), format="rgb24")
            made.pts, made.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(made))
        container.mux(stream.encode(None))
    return Clip(path)


def test_squeezed_and_turned_videos_are_as_they_are_shown(tmp_path: Path, context: Context) -> None:
    squeezed = _squeezed(tmp_path / "pal.mp4")
    assert size(squeezed) == (256, 144)
    assert video_to_frames(squeezed, "in the middle", context).size == (256, 144)
    assert size(resize_video(squeezed, "50%", context=context)) == (128, 72)
    phone = turned(film(tmp_path), tmp_path / "phone.mp4")
    made = frame(resize_video(phone, "50%", context=context))
    assert made.shape == (160, 90, 3)
    assert is_like(colour(made, LEFT_UPPER), BLUE) and is_like(colour(made, RIGHT_UPPER), RED)


@pytest.mark.long
def test_colours_of_large_videos_stay(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(1280, 720), sound=beep())
    before = frame(clip)
    made = rotate_video(rotate_video(clip, "flip", context=context), "flip", context=context)
    assert np.abs(frame(made).astype(int) - before).mean() < 3
    with av.open(str(made.path)) as container:
        assert container.streams.video[0].codec_context.colorspace == 1


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("matrix", "upper"),
    [
        ((-1, 0, 0, 1), (GREEN, RED)),
        ((1, 0, 0, -1), (BLUE, GREY)),
        ((-1, 0, 0, -1), (GREY, BLUE)),
        ((0, 1, 1, 0), (RED, BLUE)),
        ((0, -1, 1, 0), (GREEN, GREY)),
    ],
)
def test_mirrored_videos_are_as_they_are_shown(
    tmp_path: Path,
    context: Context,
    matrix: tuple[int, int, int, int],
    upper: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> None:
    clip = film(tmp_path)
    data = bytearray(clip.path.read_bytes())
    # In the first track's header, forty bytes after its version, lies a 3 x 3 matrix.
    place = data.find(b"tkhd") + 44
    a, b, c, d = (part << 16 for part in matrix)
    data[place : place + 36] = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)
    clip.path.write_bytes(data)
    for made in (clip, resize_video(clip, "50%", context=context), mute_video(clip)):
        picture = frame(made)
        assert is_like(colour(picture, LEFT_UPPER), upper[0])
        assert is_like(colour(picture, RIGHT_UPPER), upper[1])


def test_squeezed_videos_stay_so_where_pictures_are_taken_over(
    tmp_path: Path, context: Context
) -> None:
    squeezed = _squeezed(tmp_path / "pal.mp4")
    assert size(convert_video(squeezed, "mov", context=context)) == (256, 144)
    assert size(add_background_music(squeezed, beep(), context=context)) == (256, 144)


def test_a_size_said_in_order_is_not_turned_and_its_sides_may_be_blurred(
    tmp_path: Path, context: Context
) -> None:
    """“1280x720” stays lying for an upright film; “720p” stands as the film does."""
    kinds = {item.name: item.kind for item in resize_video.tool.parameters if item.kind}
    clip = film(tmp_path, size=(90, 160))
    said = values_in(
        "to 320x180, instead of black bars a blurred blown up copy at the sides", kinds
    )
    made = resize_video(clip, **said, context=context)
    assert size(made) == (320, 180)
    picture = frame(made)
    middle, left = picture[:, 110:210], picture[:, 5:80]
    assert middle.std() > 40 and left.mean() > 25
    assert left[20:60].reshape(-1, 3).mean(0).argmax() == 0  # red, as the film is there
    barred = frame(resize_video(clip, **values_in("make it 320x180", kinds), context=context))
    assert barred.shape == (180, 320, 3) and barred[:, 5:80].max() < 25
    assert size(resize_video(clip, **values_in("720p please", kinds), context=context)) == (
        720,
        1280,
    )
    filled = resize_video(clip, **values_in("320x180 without black bars", kinds), context=context)
    assert frame(filled)[:, :20].mean() > 40
    assert values_in("scale to 640x360, nothing stretched", kinds) == {"size": "640x360"}


def test_what_is_told_of_the_clip_is_not_the_shape_that_is_wanted() -> None:
    kinds = {item.name: item.kind for item in crop_video.tool.parameters if item.kind}
    for words, shape in (
        ("make my vertical clip widescreen with blurred sides", "16:9"),
        ("the landscape video should be square", "1:1"),
        ("give me the vertical video", "9:16"),
    ):
        assert values_in(words, kinds)["shape"] == shape


def test_turning_and_mirroring_as_people_say_them() -> None:
    kinds = {item.name: item.kind for item in rotate_video.tool.parameters if item.kind}
    for words, settings in (
        ("mirror it left-right", {"mirror": "left_and_right"}),
        ("swap left & right", {"mirror": "left_and_right"}),
        ("flip top and bottom", {"mirror": "top_and_bottom"}),
        ("I held the phone sideways", {"angle": 90.0}),
        ("it lies sideways, turn it to the left", {"angle": -90.0}),
        ("put it upright", {}),
    ):
        assert values_in(words, kinds) == settings, words


def test_shapes_of_films_as_people_say_them() -> None:
    kinds = {item.name: item.kind for item in crop_video.tool.parameters if item.kind}
    for words, said in (
        ("make both landscape", {"shape": "16:9"}),
        ("portrait, with bars", {"shape": "9:16", "how": "pad"}),
        ("square, I'd rather lose something than have black bars", {"shape": "1:1"}),
    ):
        assert values_in(words, kinds) == said, words
    kinds = {item.name: item.kind for item in resize_video.tool.parameters if item.kind}
    assert values_in("the whole thing to 720p", kinds) == {"size": "720p"}
