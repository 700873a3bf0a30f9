"""The gate before every tool: one known form of each type, or a sentence."""

from __future__ import annotations

import inspect
import io
import wave

import numpy as np
import PIL.Image
import pytest

from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.engine.input_gate import Bounds, admitted
from controlllm.resources import (
    Audio,
    Box,
    Boxes,
    Category,
    ClickedPoint,
    Clip,
    Image,
    Label,
    Mask,
    Number,
    Points,
    Region,
    Resource,
    Sound,
    Tags,
    Text,
    Video,
    encode,
)
from controlllm.toolbox import ToolError, tool
from tests.engine.bench import action, only, plan_of
from tests.every_case import every_case
from tests.tools.made_videos import make_video


@tool(domain="general")
def look(image: Image) -> Text:
    """Look at a picture."""
    return f"{image.mode} {image.width}x{image.height}"


@tool(domain="general")
def read(text: Text, prompt: Text | None = None) -> Text:
    """Read a text."""
    return text


def taking(name, returns=Text, **takes):
    """A tool of which only what it takes and makes counts."""

    def run(**given):
        raise AssertionError(f"{name} is not run")

    run.__name__ = name
    run.__doc__ = f"{name}."
    run.__annotations__ = {**takes, "return": returns}
    run.__signature__ = inspect.Signature(
        [inspect.Parameter(item, inspect.Parameter.POSITIONAL_OR_KEYWORD) for item in takes]
    )
    return tool(domain="general")(run)


listen, watch = taking("listen", audio=Audio), taking("watch", video=Video)
crop, shapes = (
    taking("crop", Image, image=Image, bbox=Boxes),
    taking("shapes", Mask, image=Image, bbox=Boxes),
)
erase, count = taking("erase", Image, image=Image, mask=Mask), taking("count", Number, bbox=Boxes)
click, mix = (
    taking("click", Mask, image=Image, points=Points),
    taking("mix", Audio, audios=list[Audio]),
)
label_it, name_it = taking("label_it", text=Text, tags=Tags), taking("name_it", category=Category)
double = taking("double", Number, number=Number)


def admit(definition, names=None, bounds=None, **inputs):
    return admitted(definition.tool, inputs, names, bounds or Bounds())


def refusal(definition, names=None, bounds=None, **inputs):
    with pytest.raises(ToolError) as caught:
        admit(definition, names, bounds, **inputs)
    return str(caught.value)


PICTURE = PIL.Image.new("RGB", (40, 30), (10, 20, 30))
WAVE = np.sin(np.arange(8000) / 5).astype(np.float32)[:, None] / 2


# --- pictures ---


@every_case(
    ("mode", "kept"),
    [
        *(("L", "L"), ("RGB", "RGB"), ("RGBA", "RGBA"), ("1", "L"), ("LA", "RGBA")),
        *(("CMYK", "RGB"), ("YCbCr", "RGB"), ("HSV", "RGB"), ("LAB", "RGB"), ("P", "RGB")),
        *(("I", "L"), ("F", "L"), ("I;16", "L"), ("PA", "RGBA")),
    ],
)
def test_pictures_come_in_one_of_three_modes(mode, kept):
    passed = admit(look, image=PIL.Image.new(mode, (4, 3)))["image"]
    assert (passed.mode, passed.size) == (kept, (4, 3))


def test_sixteen_bits_of_grey_do_not_turn_white():
    levels = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    passed = np.asarray(admit(look, image=PIL.Image.fromarray(levels))["image"])
    assert np.abs(passed.astype(int) - (levels >> 8)).max() == 0
    floating = np.asarray(admit(look, image=PIL.Image.fromarray(levels / np.float32(1)))["image"])
    assert (floating.min(), floating.max()) == (0, 255)


def test_a_picture_is_turned_as_its_camera_noted():
    buffer = io.BytesIO()
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    PICTURE.save(buffer, "JPEG", exif=exif)
    once = admit(look, image=PIL.Image.open(buffer))["image"]
    assert once.size == (30, 40)
    assert admit(look, image=once)["image"].size == (30, 40)


def test_what_is_transparent_stays_so():
    picture = PICTURE.quantize(4)
    picture.info["transparency"] = 0
    assert admit(look, image=picture)["image"].getchannel("A").getextrema()[0] == 0


def test_what_is_in_form_is_not_copied():
    assert admit(look, image=PICTURE)["image"] is PICTURE
    assert admit(listen, audio=Sound(WAVE, 8000))["audio"].samples is WAVE


def test_too_large_pictures_are_refused_by_name():
    said = refusal(look, {"image": "sky.png"}, Bounds(pixels=1000), image=PICTURE)
    assert said.startswith("The picture sky.png for look has 40 × 30 pixels, and at most 0.001 mil")
    assert "has no pixels" in refusal(look, image=PIL.Image.new("L", (0, 4)))
    assert "along a side" in refusal(look, image=PIL.Image.new("1", (30_001, 1)))


def test_a_picture_that_is_cut_off():
    buffer = io.BytesIO()
    PIL.Image.effect_noise((64, 64), 60).save(buffer, "PNG")
    half = PIL.Image.open(io.BytesIO(buffer.getvalue()[:2000]))
    assert refusal(look, {"image": "a.png"}, image=half) == (
        "The picture a.png for look is damaged and cannot be read. Add it again."
    )


# --- words ---


def test_words_lose_what_is_no_part_of_them():
    assert admit(read, text="a\0b\x1b[1m c\td\r\n\ud800é")["text"] == "ab[1m c\td\r\n\ufffdé"


def test_blank_words():
    assert refusal(read, text=" \0\n") == "The text for read is blank. Give it some words."
    assert admit(read, text="a", prompt=" \n")["prompt"] is None
    assert admit(read, text="a")["prompt"] is None


def test_too_many_words():
    said = refusal(read, {"text": "book.txt"}, text="a" * 1_000_000)
    assert said == (
        "The text book.txt for read has 1,000,000 characters, and at most 400,000 are read at once."
        " Give a part of it."
    )
    assert "at most 20,000" in refusal(read, text="a", prompt="b" * 20_001)


@every_case(
    ("definition", "inputs", "kind"),
    [
        (look, {"image": "cat.png"}, "a picture"),
        (look, {"image": np.zeros((2, 2))}, "a picture"),
        (read, {"text": b"words"}, "a text"),
        (listen, {"audio": WAVE}, "a sound"),
        (watch, {"video": "a.mp4"}, "a video"),
        (count, {"bbox": ((1, 2, 3, 4),)}, "boxes around objects"),
        (count, {"bbox": Box(1, 2, 3, 4)}, "boxes around objects"),
        (erase, {"image": PICTURE, "mask": np.ones((30, 40), bool)}, "a mask of objects"),
        (double, {"number": "7"}, "a number"),
        (double, {"number": True}, "a number"),
        (mix, {"audios": Sound(WAVE, 8000)}, "a sound"),
    ],
)
def test_wrong_types_are_named_in_plain_words(definition, inputs, kind):
    said = refusal(definition, **inputs)
    assert said.endswith(f"was given something else. Hand over {kind}.")


@every_case(("definition", "inputs"), [(look, {}), (read, {"text": None}), (mix, {"audios": []})])
def test_what_is_missing(definition, inputs):
    assert refusal(definition, **inputs).startswith("There is no ")


def test_numbers_have_an_end():
    assert "not a number" in refusal(double, number=float("inf"))
    assert admit(double, number=3)["number"] == 3


# --- sounds ---


@every_case(
    ("samples", "shape"),
    [
        (WAVE, (8000, 1)),
        (WAVE[:, 0], (8000, 1)),
        (np.repeat(WAVE, 2, axis=1), (8000, 2)),
        (np.pad(WAVE, ((0, 0), (0, 5))), (8000, 2)),
        ((WAVE * 32767).astype(np.int16), (8000, 1)),
        ((WAVE * 127 + 128).astype(np.uint8), (8000, 1)),
        (WAVE.astype(np.float64), (8000, 1)),
    ],
)
def test_sound_comes_as_one_or_two_channels_of_real_numbers(samples, shape):
    passed = admit(listen, audio=Sound(samples, 8000))["audio"].samples
    assert (passed.shape, passed.dtype) == (shape, np.float32)
    assert np.abs(passed[:, 0] - WAVE[:, 0]).max() < 0.02


def test_sound_that_is_not_numbers_or_too_loud():
    samples = WAVE * 3
    samples[10:20] = np.nan
    samples[20] = np.inf
    passed = admit(listen, audio=Sound(samples, 8000))["audio"].samples
    assert np.isfinite(passed).all() and np.abs(passed).max() == 1
    assert not passed[10:20].any()
    assert np.isnan(samples[10])  # what was handed over is not changed


def test_sounds_that_are_refused():
    assert "is empty" in refusal(listen, audio=Sound(WAVE[:0], 8000))
    assert "has 0 values a second" in refusal(listen, audio=Sound(WAVE, 0))
    two_days = Sound(np.broadcast_to(np.float32(0), (48 * 3600 * 8000, 1)), 8000)
    assert "is 48 hours long" in refusal(listen, audio=two_days)


def test_two_silent_hours_pass_without_being_copied():
    samples = np.broadcast_to(np.float32(0), (2 * 3600 * 16_000, 1))
    assert admit(listen, audio=Sound(samples, 16_000))["audio"].samples is samples


def test_a_sound_file_that_says_it_is_too_long_is_not_read(bench):
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as target:
        target.setparams((1, 1, 1000, 0, "NONE", ""))
        target.writeframes(b"\x80" * (4 * 3600 * 1000))
    digest = bench.store.put_bytes(buffer.getvalue(), "audio/wav")
    long = Resource("audio", "night.wav", digest, "audio/wav")
    bench.definitions = [listen]
    (event,) = only(
        bench.run(plan_of([[action("listen", "<GEN>-0", audio="night.wav")]]), [long]), ActionFailed
    )
    assert event.message.startswith("The sound night.wav for listen is 4 hours long, too long")


# --- videos ---


def test_videos(tmp_path):
    frames = [np.full((32, 48, 3), 20 * number, np.uint8) for number in range(8)]
    clip = make_video(tmp_path / "a.mp4", frames, rate=8)
    assert admit(watch, video=clip)["video"] == clip
    assert "is not there any more" in refusal(watch, video=Clip(tmp_path / "b.mp4"))
    said = refusal(watch, {"video": "a.mp4"}, Bounds(video_seconds=0.5), video=clip)
    assert said.startswith("The video a.mp4 for watch is 1 second long, and at most 0 seconds")
    assert "too large" in refusal(watch, bounds=Bounds(pixels=100), video=clip)
    content = clip.path.read_bytes()
    for spoilt in (b"", b"words", content[: len(content) // 2]):
        path = tmp_path / "c.mp4"
        path.write_bytes(spoilt)
        assert "is damaged" in refusal(watch, video=Clip(path))


# --- marks ---


def square(height=30, width=40, label="cat"):
    pixels = np.zeros((height, width), bool)
    pixels[5:10, 5:10] = True
    return Region(pixels, label)


def test_nothing_found_is_an_honest_empty_result_where_things_are_counted_or_chosen():
    assert admit(count, bbox=())["bbox"] == ()
    assert admit(shapes, image=PICTURE, bbox=())["bbox"] == ()
    assert admit(shapes, image=PICTURE, bbox=(Box(99, 99, 100, 100),))["bbox"] == ()


@every_case(
    ("definition", "inputs"),
    [
        (crop, {"bbox": ()}),
        (crop, {"bbox": (Box(99, 99, 100, 100),)}),
        (crop, {"bbox": (Box(9, 9, 5, 5),)}),
        (erase, {"mask": ()}),
        (erase, {"mask": (Region(np.zeros((30, 40), bool)),)}),
    ],
)
def test_nothing_found_is_nothing_to_work_on_elsewhere(definition, inputs):
    said = refusal(definition, {"bbox": "boxes.json"}, image=PICTURE, **inputs)
    assert said.startswith("Nothing is marked")
    assert f"so {definition.tool.name} has nothing to work on" in said


def test_boxes_are_cut_to_the_picture():
    boxes = (Box(-5, -5, 20, 20, "cat\0"), Box(30, 20, 90, 90), Box(50, 50, 60, 60))
    passed = admit(crop, image=PICTURE, bbox=boxes)["bbox"]
    assert passed == (Box(0, 0, 20, 20, "cat"), Box(30, 20, 40, 30))
    assert "not a number" in refusal(crop, image=PICTURE, bbox=(Box(0, 0, float("nan"), 1),))
    assert "10,001" in refusal(count, bbox=(Box(0, 0, 1, 1),) * 10_001)


def test_clicks_lie_in_the_picture():
    passed = (ClickedPoint(0, 0), ClickedPoint(39.9, 29.9, False))
    assert admit(click, image=PICTURE, points=passed)["points"] == passed
    said = refusal(click, image=PICTURE, points=(ClickedPoint(40, 3),))
    assert said.startswith("The click at (40, 3) is outside the picture, which is 40x30 pixels.")
    assert refusal(click, image=PICTURE, points=()).startswith("No click says what is meant.")


def test_masks_are_of_one_picture():
    numbers = Region(square().pixels.astype(np.float32))
    (passed,) = admit(erase, image=PICTURE, mask=(numbers,))["mask"]
    assert passed.pixels.dtype == bool and passed.pixels.sum() == 25
    assert "several pictures" in refusal(erase, image=PICTURE, mask=(square(), square(60, 80)))


def test_categories_and_tags():
    assert admit(name_it, category=(Label("ca\0t"),))["category"] == (Label("cat"),)
    assert "are none" in refusal(name_it, category=())
    assert admit(label_it, text="a", tags=("", " \0", "b"))["tags"] == ("b",)
    assert admit(label_it, text="a", tags=())["tags"] == ()


# --- in a run ---


def test_a_run_goes_through_the_gate(bench):
    bench.definitions = [look, read]
    content, media_type = encode("image", PIL.Image.new("RGBA", (4, 3)))
    digest = bench.store.put_bytes(content, media_type)
    words = bench.keep("Rome\0 is old", "old.txt")
    blank = bench.keep(" \n", "blank.txt")
    plan = plan_of(
        [[action("look", "<GEN>-0", image="a.png")]],
        [[action("read", "<GEN>-1", text="old.txt")]],
        [[action("read", "<GEN>-2", text="blank.txt")]],
    )
    events = bench.run(plan, [Resource("image", "a.png", digest, media_type), words, blank])
    made = {bench.read(event.resource) for event in only(events, ActionFinished)}
    assert made == {"RGBA 4x3", "Rome is old"}
    (failed,) = only(events, ActionFailed)
    assert failed.message == "The text blank.txt for read is blank. Give it some words."


def test_what_a_tool_makes_comes_out_with_eight_bits(bench):
    @tool(domain="general")
    def measure(text: Text) -> Image:
        """Measure depths."""
        levels = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
        return PIL.Image.fromarray(levels)

    bench.definitions = [measure]
    events = bench.run(plan_of([[action("measure", "<GEN>-0", text="x")]]))
    (event,) = only(events, ActionFinished)
    with PIL.Image.open(bench.store.path(event.resource.digest, "image/png")) as picture:
        assert picture.mode == "L"
        assert len(set(np.asarray(picture).ravel().tolist())) == 256


@pytest.mark.parametrize(
    ("hint", "value"),
    [(Image, PIL.Image.new("RGB", (0, 3))), (Audio, Sound(np.zeros((0, 1), np.float32), 8000))],
)
def test_a_tool_that_makes_nothing(bench, hint, value):
    def make(text: Text):
        """Make something."""
        return value

    make.__annotations__["return"] = hint
    bench.definitions = [tool(domain="general")(make)]
    (event,) = only(bench.run(plan_of([[action("make", "<GEN>-0", text="x")]])), ActionFailed)
    assert event.message == "“make” returned nothing."
