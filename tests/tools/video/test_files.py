"""Videos as other files, animations and sheets, and what is known of a file."""

from __future__ import annotations

import io
from pathlib import Path

import av
import numpy as np
import PIL.Image
import pytest

from controlllm.resources import Clip, Filed
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.made_videos import make_video, picture_packets, tone
from tests.tools.video.film import (
    GREEN,
    RIGHT_UPPER,
    beep,
    colour,
    film,
    flash,
    flashing,
    frame,
    frames,
    heard,
    is_in_step,
    is_like,
    loud,
    seconds,
    size,
)
from tools.shared import video_files
from tools.video.files import convert_video, video_contact_sheet, video_information, video_to_gif


def _opened(made: object) -> PIL.Image.Image:
    assert isinstance(made, Filed)
    picture = PIL.Image.open(io.BytesIO(made.content))
    assert made.media_type == f"image/{(picture.format or '').lower()}"
    return picture


def _lasting(picture: PIL.Image.Image) -> list[int]:
    stays = []
    for number in range(getattr(picture, "n_frames", 1)):
        picture.seek(number)
        picture.load()
        stays.append(int(picture.info["duration"]))
    return stays


def _noise(folder: Path, count: int = 50) -> Clip:
    rng = np.random.default_rng(4)
    small = rng.integers(0, 255, (count, 45, 80, 3), np.uint8)
    pictures = [item.repeat(4, axis=0).repeat(4, axis=1) for item in small]
    return make_video(folder / "noise.mp4", pictures, sound=tone(count / 25, 48_000, 2))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("kind", "container", "codec"),
    [("mp4", "mov", "h264"), ("mov", "mov", "h264"), ("webm", "webm", "vp9")],
)
def test_formats(tmp_path: Path, context: Context, kind: str, container: str, codec: str) -> None:
    for clip in (flashing(tmp_path), flashing(tmp_path, "flash.mov")):
        made = convert_video(clip, kind, context=context)
        facts = video_files.read_facts(made)
        assert made.path.suffix == f".{kind}" and made != clip
        assert container in facts.container and facts.codec == codec
        assert abs(seconds(made) - 2) < 0.06 and len(frames(made)) == 50
        assert is_in_step(made)
    head = made.path.read_bytes()[:64]
    assert {"mp4": b"isom" in head, "mov": b"qt  " in head, "webm": b"webm" in head}[kind]


@pytest.mark.parametrize(("said", "channels"), [("stereo", 2), ("mono", 1), ("", 6)])
def test_a_film_has_the_channels_that_are_said(tmp_path, context, said, channels) -> None:
    clip = film(tmp_path, sound=tone(2.0, 48_000, 6))
    kinds = {item.name: item.kind for item in convert_video.tool.parameters if item.kind}
    assert values_in("as mov with normal two channel sound", kinds)["channels"] == "stereo"
    made = convert_video(clip, "mov", channels=said, context=context)
    with av.open(str(made.path)) as container:
        assert container.streams.audio[0].codec_context.channels == channels
    assert picture_packets(made) == picture_packets(clip)


def test_a_silent_film_has_no_channels(tmp_path: Path, context: Context) -> None:
    clip = make_video(tmp_path / "silent.mp4", [np.zeros((90, 160, 3), np.uint8)] * 25)
    made = convert_video(clip, "mov", channels="stereo", context=context)
    assert not video_files.read_facts(made).has_sound


def test_what_fits_is_taken_over(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path)
    assert picture_packets(convert_video(clip, "mov", context=context)) == picture_packets(clip)
    old = film(tmp_path, "film.webm")
    made = convert_video(old, context=context)
    assert video_files.read_facts(made).codec == "h264"
    assert is_like(colour(frame(made), RIGHT_UPPER), GREEN, 25)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["", "webm"])
def test_a_limit_is_kept(tmp_path: Path, context: Context, kind: str) -> None:
    clip = _noise(tmp_path)
    before = clip.path.stat().st_size
    limit = 130_000.0
    assert before > 3 * limit
    made = convert_video(clip, kind, limit, context=context)
    assert 0.3 * limit < made.path.stat().st_size <= limit
    assert abs(seconds(made) - 2) < 0.06
    assert made.path.suffix == (".webm" if kind else ".mp4")
    assert loud(heard(made), 0.3, 1.7) == pytest.approx(-11, abs=2)
    assert size(made)[0] / size(made)[1] == pytest.approx(16 / 9, rel=0.1)


def test_what_is_small_enough_stays(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path)
    assert convert_video(clip, limit=1e7, context=context) == clip
    made = convert_video(clip, "mov", 1e7, context=context)
    assert made.path.suffix == ".mov" and picture_packets(made) == picture_packets(clip)


@pytest.mark.long
def test_limits_that_cannot_be_kept(tmp_path: Path, context: Context) -> None:
    with pytest.raises(ToolError, match=r"as small as 5 kB; about \d+ kB can be reached"):
        convert_video(_noise(tmp_path), limit=5000.0, context=context)
    assert not list(context.folder.glob("*.mp4"))


@pytest.mark.parametrize("kind", ["", "webp"])
def test_animations(tmp_path: Path, context: Context, kind: str) -> None:
    clip = flashing(tmp_path)
    picture = _opened(video_to_gif(clip, format=kind, context=context))
    stays = _lasting(picture)
    assert picture.size == (160, 90) and picture.info.get("loop") == 0
    assert sum(stays) == 2000 and all(stay >= 20 for stay in stays)
    # It flashes when the video does.
    time, bright = 0, []
    for number, stay in enumerate(stays):
        picture.seek(number)
        if np.asarray(picture.convert("L")).mean() > 200:
            bright += [time, time + stay]
        time += stay
    assert min(bright) == pytest.approx(1000, abs=100)
    assert max(bright) == pytest.approx(1200, abs=100)


def test_a_part_and_a_size_of_an_animation(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, size=(640, 360))
    picture = _opened(video_to_gif(clip, "0.5..1.23", "200x", context=context))
    assert picture.size == (200, 112) and sum(_lasting(picture)) == 730
    picture.seek(0)
    assert is_like(colour(np.asarray(picture.convert("RGB")), RIGHT_UPPER), GREEN, 20)
    assert _opened(video_to_gif(clip, context=context)).size == (480, 270)


def test_a_boomerang_goes_forward_and_back(tmp_path: Path, context: Context) -> None:
    levels = [np.full((90, 160, 3), 20 + 4 * number, np.uint8) for number in range(50)]
    clip = make_video(tmp_path / "rising.mp4", levels)
    picture = _opened(video_to_gif(clip, way="boomerang", context=context))
    assert sum(_lasting(picture)) == pytest.approx(4000, abs=100)
    light = []
    for number in range(picture.n_frames):
        picture.seek(number)
        light.append(float(np.asarray(picture.convert("L")).mean()))
    highest = int(np.argmax(light))
    assert abs(highest / len(light) - 0.5) < 0.08
    assert light[0] < 40 and light[-1] < 40 and max(light) > 200


def test_animations_that_would_be_too_large(tmp_path: Path, context: Context) -> None:
    long = make_video(tmp_path / "long.mp4", flash(70), rate=1)
    with pytest.raises(ToolError, match="at most a minute"):
        video_to_gif(long, context=context)
    with pytest.raises(ToolError, match="far too large"):
        video_to_gif(long, "..50", "3000x", context=context)
    with pytest.raises(ToolError, match="is not in it"):
        video_to_gif(long, "90..95", context=context)


def test_a_sheet_shows_all_of_a_video(tmp_path: Path, context: Context) -> None:
    levels = [np.full((90, 160, 3), 2 * number, np.uint8) for number in range(100)]
    clip = make_video(tmp_path / "rising.mp4", levels)
    one, many = (np.asarray(video_contact_sheet(clip, count, context)) for count in (1, 4))
    assert abs(int(one[one.shape[0] // 3, one.shape[1] // 2, 0]) - 100) < 8
    # Four frames: each is a plain area of its own light.
    found = {
        int(value) for value in np.unique(many[..., 0]) if (many[..., 0] == value).mean() > 0.08
    }
    for wanted in (25, 75, 125, 175):
        assert any(abs(value - wanted) < 8 for value in found), (wanted, found)
    assert video_contact_sheet(clip, context=context).width > 300
    with pytest.raises(ToolError, match="1 to 60"):
        video_contact_sheet(clip, 100, context)


def test_facts(tmp_path: Path, context: Context) -> None:
    told = video_information(film(tmp_path, rate=25, sound=beep(2.0, 1.0, 2)), context)
    for fact in (
        "Length: 2.00 seconds",
        "320 x 180 pixels (16:9)",
        "Frames a second: 25",
        "Picture codec: H.264",
        "Sound: AAC, stereo, 48000 Hz",
        "File format: MP4",
        " kB",
    ):
        assert fact in told
    other = make_video(tmp_path / "other.webm", flash(40, width=90, height=160), codec="libvpx-vp9")
    told = video_information(other, context)
    for fact in ("(9:16)", "VP9", "Sound: none", "WebM"):
        assert fact in told


def test_files_play_from_their_start(tmp_path: Path, context: Context) -> None:
    made = convert_video(flashing(tmp_path), "webm", context=context)
    with av.open(str(made.path)) as container:
        assert container.streams.video[0].start_time in (None, 0)
        assert {stream.type for stream in container.streams} == {"video", "audio"}
