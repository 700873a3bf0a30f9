"""Values to bytes and back."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from controlllm.resources import (
    PARENTS,
    Box,
    ClickedPoint,
    Clip,
    Label,
    Region,
    Sound,
    as_image,
    as_text,
    decode,
    encode,
    union,
)
from controlllm.resources.encoding import SUFFIXES
from tests.every_case import every_case

# Everything that UTF-8 can hold: no lone surrogates.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCORES = st.floats(0, 1)
COORDINATES = st.floats(-1e6, 1e6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


def written_and_read(type_name: str, value: Any, folder: Path) -> Any:
    content, media_type = encode(type_name, value)
    path = folder / f"file{SUFFIXES[media_type]}"
    path.write_bytes(content)
    return decode(type_name, path)


def pictures() -> st.SearchStrategy[PIL.Image.Image]:
    def build(shape: tuple[int, int], channels: int) -> st.SearchStrategy[PIL.Image.Image]:
        size = (*shape, channels) if channels > 1 else shape
        return arrays.arrays(np.uint8, size).map(PIL.Image.fromarray)

    sides = st.integers(1, 12)
    return st.tuples(st.tuples(sides, sides), st.sampled_from([1, 3, 4])).flatmap(
        lambda drawn: build(*drawn)
    )


def masks() -> st.SearchStrategy[tuple[Region, ...]]:
    def build(shape: tuple[int, int]) -> st.SearchStrategy[tuple[Region, ...]]:
        region = st.builds(Region, arrays.arrays(bool, shape), TEXTS, SCORES)
        return st.lists(region, min_size=1, max_size=4).map(tuple)

    return st.tuples(st.integers(1, 20), st.integers(1, 20)).flatmap(build)


@pytest.mark.parametrize("type_name", sorted(n for n, p in PARENTS.items() if p == "image")[:2])
@given(picture=pictures())
@settings(max_examples=40, deadline=None)
def test_pictures_keep_every_pixel(type_name, folder, picture):
    type_name = "depth" if type_name == "mask" else type_name
    read = written_and_read(type_name, picture, folder)
    assert (read.mode, read.size) == (picture.mode, picture.size)
    assert read.tobytes() == picture.tobytes()


@given(mask=masks())
@settings(max_examples=60, deadline=None)
def test_masks_keep_every_region(folder, mask):
    read = written_and_read("mask", mask, folder)
    assert len(read) == len(mask)
    for before, after in zip(mask, read, strict=True):
        assert np.array_equal(before.pixels, after.pixels)
        assert (before.label, before.score) == (after.label, after.score)


@given(boxes=st.lists(st.builds(Box, *[COORDINATES] * 4, TEXTS, SCORES)).map(tuple))
@settings(max_examples=40, deadline=None)
def test_boxes(folder, boxes):
    assert written_and_read("bbox", boxes, folder) == boxes


@given(clicks=st.lists(st.builds(ClickedPoint, COORDINATES, COORDINATES, st.booleans())).map(tuple))
@settings(max_examples=40, deadline=None)
def test_points(folder, clicks):
    assert written_and_read("point", clicks, folder) == clicks


@given(labels=st.lists(st.builds(Label, TEXTS, SCORES)).map(tuple))
@settings(max_examples=40, deadline=None)
def test_categories(folder, labels):
    assert written_and_read("category", labels, folder) == labels


@given(number=st.integers(-(10**18), 10**18) | st.floats(allow_nan=False))
def test_numbers_keep_every_digit(folder, number):
    assert written_and_read("number", number, folder) == number


@every_case("type_name", ["text", "title", "html"])
@given(text=TEXTS)
@settings(max_examples=60)
def test_texts_keep_every_character_and_line_end(type_name, folder, text):
    assert written_and_read(type_name, text, folder) == text


@given(tags=st.lists(TEXTS).map(tuple))
def test_tags_keep_their_words(folder, tags):
    expected = [" ".join(tag.replace(",", " ").split()) for tag in tags]
    read = written_and_read("tags", tags, folder)
    assert read == tuple(tag for tag in expected if tag)
    assert written_and_read("tags", read, folder) == read


@given(
    samples=arrays.arrays(
        np.float32,
        st.tuples(st.integers(1, 50), st.integers(1, 2)),
        elements=st.floats(-1, 1, width=32),
    ),
    rate=st.sampled_from([8000, 16000, 44100, 48000]),
)
@settings(max_examples=60, deadline=None)
def test_sound_is_kept_with_sixteen_bits(folder, samples, rate):
    sound = written_and_read("audio", Sound(samples, rate), folder)
    assert sound.rate == rate
    assert sound.samples.shape == samples.shape
    assert sound.samples.dtype == np.float32
    assert np.abs(sound.samples - samples).max() <= 1 / 32768 + 1e-7
    # What was read once is the same however often it is written again.
    again = written_and_read("audio", sound, folder)
    assert np.array_equal(again.samples, sound.samples)


def test_sound_beyond_full_scale_is_clipped_and_gaps_are_silent(folder):
    samples = np.array([[2.0], [-2.0], [np.nan], [np.inf]], np.float32)
    read = written_and_read("audio", Sound(samples, 8000), folder).samples[:, 0]
    assert read == pytest.approx([1, -1, 0, 1], abs=1e-4)


def test_flat_samples_are_one_channel(folder):
    read = written_and_read("audio", Sound(np.zeros(5, np.float32), 8000), folder)
    assert read.samples.shape == (5, 1)


def test_no_sound_at_all(folder):
    read = written_and_read("audio", Sound(np.zeros((0, 2), np.float32), 8000), folder)
    assert read.samples.shape == (0, 2)


def test_loud_floating_point_files_are_read_within_full_scale(folder):
    path = folder / "loud.wav"
    soundfile.write(path, np.array([3.0, -3.0, np.nan]), 8000, "FLOAT")
    assert decode("audio", path).samples[:, 0].tolist() == [1, -1, 0]


def test_a_damaged_end_costs_only_the_end(folder):
    path = folder / "whole.flac"
    soundfile.write(path, np.random.default_rng(1).normal(0, 0.1, 4_000_000), 48000)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    frames = len(decode("audio", path).samples)
    assert 1_000_000 <= frames <= 2_100_000


def test_a_mask_is_a_black_and_white_picture_that_anyone_can_open(folder):
    pixels = np.zeros((5, 7), bool)
    pixels[1:3, 2:6] = True
    content, media_type = encode("mask", (Region(pixels, "dog", 0.5),))
    picture = PIL.Image.open(io.BytesIO(content))
    assert media_type == "image/png"
    assert np.array_equal(np.asarray(picture) == 255, pixels)
    assert sorted(set(np.asarray(picture).flat)) == [0, 255]


def test_a_mask_without_regions(folder):
    assert written_and_read("mask", (), folder) == ()


def test_a_mask_from_elsewhere_is_one_region(folder):
    path = folder / "mask.png"
    PIL.Image.fromarray(np.array([[0, 255], [200, 100]], np.uint8)).save(path)
    (region,) = decode("mask", path)
    assert region.pixels.tolist() == [[False, True], [True, False]]


@pytest.mark.long
def test_a_large_ragged_mask_can_be_read_again(folder):
    """Its regions take more room than readers grant a compressed text chunk."""
    pixels = np.random.default_rng(3).random((3500, 4000)) > 0.5
    (read,) = written_and_read("mask", (Region(pixels, "noise"),), folder)
    assert np.array_equal(read.pixels, pixels)


def test_regions_must_fit_each_other():
    with pytest.raises(TypeError, match="size of its picture"):
        encode("mask", (Region(np.ones((2, 2), bool)), Region(np.ones((2, 3), bool))))


def test_numbers_of_numpy_are_written_as_json(folder):
    box = Box(np.float32(1.5), np.int64(2), np.float64(3), 4, "dog", np.float32(0.5))
    content, _ = encode("bbox", (box,))
    assert json.loads(content)[0]["left"] == 1.5
    assert written_and_read("bbox", (box,), folder) == (Box(1.5, 2, 3, 4, "dog", 0.5),)
    assert written_and_read("number", np.float32(2), folder) == 2


@every_case(("mode", "expected"), [("1", "L"), ("P", "RGB"), ("LA", "RGBA"), ("CMYK", "RGB")])
def test_rare_modes_become_common_ones(folder, mode, expected):
    assert written_and_read("image", PIL.Image.new(mode, (3, 2)), folder).mode == expected


def test_a_text_that_cannot_be_written_loses_only_what_cannot(folder):
    assert written_and_read("text", "half \ud83d of a smile", folder) == "half ? of a smile"


def test_a_video_is_the_bytes_of_its_file(folder):
    path = folder / "clip.mp4"
    path.write_bytes(b"\0\0\0\x18ftypmp42")
    assert encode("video", Clip(path)) == (path.read_bytes(), "video/mp4")
    assert decode("video", path) == Clip(path)
    path.write_bytes(b"\x1a\x45\xdf\xa3webm")
    assert encode("video", Clip(path))[1] == "video/webm"


@every_case(
    ("type_name", "value"),
    [
        ("image", "a picture"),
        ("audio", np.zeros(4)),
        ("video", "a.mp4"),
        ("text", 3),
        ("html", None),
        ("bbox", [Box(0, 0, 1, 1)]),
        ("tags", "dog"),
        ("number", "3"),
        ("mask", np.zeros((2, 2))),
    ],
)
def test_a_value_of_another_type_is_refused_by_name(type_name, value):
    with pytest.raises(TypeError, match=type_name):
        encode(type_name, value)


def test_special_texts_as_text():
    assert as_text("category", (Label("cat", 0.9), Label("dog", 0.1))) == "cat, dog"
    assert as_text("tags", ("red", "round")) == "red, round"
    assert as_text("number", 1234567) == "1234567"
    assert as_text("title", "Words") == "Words"


def test_a_mask_as_an_image():
    pixels = np.eye(3, dtype=bool)
    assert np.array_equal(np.asarray(as_image("mask", (Region(pixels),))) > 0, pixels)
    picture = PIL.Image.new("L", (2, 2))
    assert as_image("depth", picture) is picture


def test_the_union_of_regions():
    first, second = np.eye(2, dtype=bool), ~np.eye(2, dtype=bool)
    assert union((Region(first), Region(second))).all()
    with pytest.raises(ValueError, match="no region"):
        union(())
