"""Tools get Python values of their own types, and what they return is looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import PIL.Image
import pytest

from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.resources import (
    Audio,
    Box,
    Boxes,
    Category,
    Clip,
    Image,
    Label,
    Mask,
    Number,
    Region,
    Resource,
    Sound,
    Tags,
    Text,
    Title,
    Video,
    encode,
)
from controlllm.toolbox import Context, tool
from tests.engine.bench import action, only, plan_of
from tests.engine.conftest import bench
from tests.every_case import every_case
from tools.pictures.sizes import resize_image
from tools.sound.files import convert_audio

SQUARE = Region(np.pad(np.ones((4, 4), bool), 2), "square")


def stored(bench, type_name, value, name):
    content, media_type = encode(type_name, value)
    return Resource(type_name, name, bench.store.put_bytes(content, media_type), media_type)


def run_one(bench, definition, resources=(), **inputs):
    bench.definitions = [definition]
    step = action(definition.tool.name, "<GEN>-0", **inputs)
    return bench.run(plan_of([[step]]), resources)


def problem(bench, definition, resources=(), **inputs):
    (event,) = only(run_one(bench, definition, resources, **inputs), ActionFailed)
    return event.message


def result(bench, definition, resources=(), **inputs):
    (event,) = only(run_one(bench, definition, resources, **inputs), ActionFinished)
    return event.resource


def test_special_kinds_become_what_the_argument_asks_for(bench):
    seen = {}

    @tool(domain="general")
    def look(
        image: Image, mask: Mask, words: list[Text], title: Title, tags: Tags, count: Number,
        more: list[Image] | None = None, other: Text | None = None, times: int = 3,
    ) -> Text:  # fmt: skip
        """Look at everything."""
        seen.update(locals())
        return "seen"

    resources = [
        stored(bench, "mask", (SQUARE,), "mask.png"),
        stored(bench, "category", (Label("cat", 0.5), Label("dog", 0.25)), "kinds.json"),
        stored(bench, "tags", ("red", "big"), "tags.txt"),
        stored(bench, "number", 7, "count.txt"),
        stored(bench, "text", "hello", "words.txt"),
    ]
    result(
        bench, look, resources, image="mask.png", mask="mask.png", tags="a, b,",
        words=["kinds.json", "tags.txt", "count.txt", "words.txt", "said"], title="said so",
        count="count.txt",
    )  # fmt: skip
    assert isinstance(seen["image"], PIL.Image.Image)
    assert np.asarray(seen["image"]).sum() == 16 * 255
    assert seen["mask"][0].label == "square"
    assert seen["words"] == ["cat, dog", "red, big", "7", "hello", "said"]
    assert (seen["title"], seen["tags"], seen["count"]) == ("said so", ("a", "b"), 7)
    assert (seen["more"], seen["other"], seen["times"]) == ([], None, 3)


def test_empty_mask_is_no_picture(bench):
    @tool(domain="general")
    def turn(image: Image) -> Image:
        """Turn a picture."""
        return image.rotate(90)

    empty = stored(bench, "mask", (), "nothing.png")
    assert "Nothing is marked in nothing.png" in problem(bench, turn, [empty], image="nothing.png")


def test_words_that_are_no_number(bench):
    @tool(domain="general")
    def double(number: Number) -> Number:
        """Twice as much."""
        return number * 2

    assert problem(bench, double, number="many") == "“double” needs a number, and 'many' is none."
    assert bench.read(result(bench, double, number="3")) == "6"


@pytest.mark.parametrize("damage", ["gone", "nonsense"])
def test_file_that_cannot_be_read(bench, damage):
    @tool(domain="general")
    def turn(image: Image) -> Image:
        """Turn a picture."""
        return image.rotate(90)

    picture = stored(bench, "image", PIL.Image.new("RGB", (4, 4)), "cat.png")
    path = bench.store.path(picture.digest, "image/png")
    path.unlink() if damage == "gone" else path.write_bytes(b"nonsense")
    said = problem(bench, turn, [picture], image="cat.png")
    words = {"gone": "is not there any more", "nonsense": "is damaged"}[damage]
    assert said == f"The file cat.png {words}. Add it again."


def test_result_is_stored_with_what_it_is(bench):
    @tool(domain="general")
    def paint(text: Text) -> Image:
        """Paint a picture."""
        return PIL.Image.new("RGB", (3, 2), text)

    made = result(bench, paint, text="red")
    assert (made.type, made.media_type, made.origin, made.turn) == (
        "image",
        "image/png",
        "paint",
        0,
    )
    assert (made.details["width"], made.details["height"]) == (3, 2)
    with PIL.Image.open(bench.store.path(made.digest, made.media_type)) as picture:
        assert picture.getpixel((0, 0)) == (255, 0, 0)


def returning(hint, value):
    def make(text: Text):
        """Make something."""
        return value

    make.__annotations__["return"] = hint
    return tool(domain="general")(make)


@every_case(
    ("hint", "value"),
    [
        (Image, "a picture"),
        (Image, np.zeros((2, 2, 3), np.uint8)),
        (Mask, np.zeros((2, 2), bool)),
        (Mask, (np.zeros((2, 2), bool),)),
        (Mask, [SQUARE]),
        (Boxes, (Label("cat"),)),
        (Category, (Box(0, 0, 1, 1),)),
        (Tags, (1, 2)),
        (Text, b"bytes"),
        (Text, ("a", "b")),
        (Number, "7"),
        (Audio, np.zeros(10)),
        (Video, "clip.mp4"),
    ],
    anew=(bench,),
)
def test_wrong_kind_of_result_is_refused(bench, hint, value):
    said = problem(bench, returning(hint, value), text="x")
    assert said.startswith("“make” returned the wrong kind of value instead of ")


@every_case(
    ("hint", "value"),
    [
        (Number, float("nan")),
        (Number, float("inf")),
        (Boxes, (Box(0, 0, 1, float("nan")),)),
        (Category, (Label("cat", float("nan")),)),
        (Audio, Sound(np.full((10, 1), np.nan, np.float32), 8000)),
    ],
    anew=(bench,),
)
def test_result_that_is_not_a_number_is_refused(bench, hint, value):
    said = problem(bench, returning(hint, value), text="x")
    assert said == "“make” returned a value that is not a number."


def test_no_result_is_refused(bench):
    assert problem(bench, returning(Text, None), text="x") == "“make” returned nothing."
    clip = Clip(bench.store._files.folder / "absent.mp4")
    assert problem(bench, returning(Video, clip), text="x") == "“make” made no video file."


def test_file_that_cannot_be_opened_is_refused(bench):
    @tool(domain="general")
    def film(text: Text, context: Context | None = None) -> Video:
        """Make a video."""
        path = context.folder / "film.mp4"
        path.write_bytes(b"no video at all")
        return Clip(path)

    assert problem(bench, film, text="x") == "“film” made a file that cannot be opened."


def test_video_is_kept(bench):
    av = pytest.importorskip("av")

    @tool(domain="general")
    def film(text: Text, context: Context | None = None) -> Video:
        """Make a video."""
        path = context.folder / "film.mp4"
        with av.open(str(path), "w") as container:
            stream = container.add_stream("mpeg4", rate=10)
            stream.width = stream.height = 32
            stream.pix_fmt = "yuv420p"
            for _ in range(5):
                frame = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        return Clip(path)

    made = result(bench, film, text="x")
    assert (made.type, made.media_type) == ("video", "video/mp4")
    assert made.details["width"] == 32
    assert bench.store.path(made.digest, "video/mp4").stat().st_size > 100


def test_a_sound_that_was_saved_as_m4a_can_be_gone_on_with(bench):
    """What reads a sound's header knows no M4A; that does not make the file a damaged one."""

    @tool(domain="audio-editing")
    def save(audio: Audio) -> Audio:
        """Save a sound."""
        return convert_audio(audio, format="m4a")

    @tool(domain="audio-editing")
    def quieter(audio: Audio) -> Audio:
        """Make a sound quieter."""
        return Sound(audio.samples / 2, audio.rate)

    wave = np.sin(np.arange(16_000) / 9).astype(np.float32)[:, None]
    given = stored(bench, "audio", Sound(0.5 * wave, 16_000), "tone.wav")
    saved = replace(result(bench, save, [given], audio="tone.wav"), value="tone.m4a")
    assert saved.media_type == "audio/mp4"
    made = result(bench, quieter, [saved], audio="tone.m4a")
    assert made.details["seconds"] == pytest.approx(1.0, abs=0.1)


def test_tools_are_handed_all_frames_of_a_picture_that_moves(bench, tmp_path):
    """A GIF that a step made stays one in the next; what takes one frame says so."""

    @tool(domain="image-processing")
    def halved(image: Image) -> Image:
        """Halve a picture."""
        return resize_image(image, "50%")

    @tool(domain="image-processing")
    def turned(image: Image) -> Image:
        """Turn a picture."""
        return image.rotate(90)

    frames = [PIL.Image.new("RGB", (40, 20), colour) for colour in ("red", "blue", "green")]
    file = tmp_path / "three.gif"
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=100, loop=0)
    digest = bench.store.put_file(file, "image/gif")
    given = Resource("image", "three.gif", digest, "image/gif")
    made = result(bench, halved, [given], image="three.gif")
    assert made.media_type == "image/gif"
    with PIL.Image.open(bench.store.path(made.digest, made.media_type)) as shown:
        assert (shown.n_frames, shown.size) == (3, (20, 10))
    still = result(bench, turned, [given], image="three.gif")
    assert "It is one frame" in still.details["remarks"][0]
