"""Bad input of every form ends in a value of the right type or in plain words.

The gate stands before every tool and treats a value by its type alone, so each bad form of each
type is tried once at the gate. What the gate refuses, or brings to a form that every tool meets
anyway, no tool ever sees; what it lets through as it is, every tool is tried on. That goes the way
of a run: the gate, the implementation, the check of its result.

Tools, their arguments and the types of these come from the registry, so a new tool is tried without
a word here.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import math
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from skimage import data

from controlllm.engine.input_gate import admitted
from controlllm.engine.values import keep_value
from controlllm.models import ModelFileError
from controlllm.resources import (
    PARENTS,
    Box,
    ClickedPoint,
    Clip,
    DocumentFile,
    Label,
    Region,
    Sound,
    details_of,
)
from controlllm.store import Store
from controlllm.toolbox import (
    Argument,
    Cancelled,
    Context,
    Implementation,
    Tool,
    Toolbox,
    ToolError,
)
from tests.tools.made_videos import make_video, pan, tone

TOOLBOX = Toolbox.load()
SIDE = 72
RATE = 16_000


@dataclass(frozen=True)
class Form:
    """One bad form of a type; `make` gets a folder for files.

    `reach` is how far it comes: 0 is refused by the gate, or is none where a tool may get none; 1
    is made by the gate into a form that every tool meets anyway; 2 has to be coped with by the tool
    itself; 3 too and is the worst of these. That the gate does so is tested here as well.
    """

    name: str
    make: Callable[[Path], Any]
    reach: int = 0

    def __repr__(self) -> str:
        return self.name


# --- pictures ---


@cache
def _photo() -> PIL.Image.Image:
    return PIL.Image.fromarray(data.astronaut()[:400, 60:380]).resize((SIDE, 90))


def photo() -> PIL.Image.Image:
    """A new copy: what a tool does to it shall not be met by the next one."""
    return _photo().copy()


def plain(width: int, height: int, colour: object = (200, 40, 90)) -> PIL.Image.Image:
    return PIL.Image.new("RGB", (width, height), colour)


def cut_off(folder: Path) -> PIL.Image.Image:
    buffer = io.BytesIO()
    photo().save(buffer, "PNG")
    return PIL.Image.open(io.BytesIO(buffer.getvalue()[: len(buffer.getvalue()) // 2]))


def with_holes(folder: Path) -> PIL.Image.Image:
    picture = photo().quantize(16)
    picture.info["transparency"] = 0
    return picture


def turned_by_the_camera(folder: Path) -> PIL.Image.Image:
    buffer = io.BytesIO()
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    photo().save(buffer, "JPEG", exif=exif)
    return PIL.Image.open(io.BytesIO(buffer.getvalue()))


def clear(folder: Path) -> PIL.Image.Image:
    picture = photo().convert("RGBA")
    picture.putalpha(0)
    return picture


def sixteen_bits(folder: Path) -> PIL.Image.Image:
    return PIL.Image.fromarray(np.asarray(photo().convert("L")).astype(np.uint16) * 257)


def not_numbers(folder: Path) -> PIL.Image.Image:
    levels = np.asarray(photo().convert("L")).astype(np.float32)
    levels[::2] = np.nan
    return PIL.Image.fromarray(levels)


def in_mode(mode: str) -> Callable[[Path], PIL.Image.Image]:
    return lambda folder: photo().convert(mode)


PICTURES = (
    Form("words", lambda folder: "a picture"),
    Form("array", lambda folder: np.zeros((9, 9, 3), np.uint8)),
    Form("no-pixels", lambda folder: plain(0, 5)),
    Form("cut-off", cut_off),
    Form("too-wide", lambda folder: plain(30_001, 1)),
    Form("one-pixel", lambda folder: plain(1, 1), 3),
    Form("sliver", lambda folder: plain(300, 1), 2),
    Form("upright-sliver", lambda folder: plain(2, 300), 2),
    Form("black", lambda folder: plain(SIDE, 50, 0), 2),
    Form("white", lambda folder: plain(SIDE, 50, "white"), 2),
    Form("clear", clear, 3),
    Form("grey", in_mode("L"), 2),
    Form("grey-clear", in_mode("LA"), 1),
    Form("palette", with_holes, 1),
    Form("bits", in_mode("1"), 1),
    Form("print", in_mode("CMYK"), 1),
    Form("16-bit", sixteen_bits, 1),
    Form("not-numbers", not_numbers, 1),
    Form("turned", turned_by_the_camera, 1),
)


# --- marks on pictures ---


def square(height: int = 90, width: int = SIDE, label: str = "person") -> Region:
    pixels = np.zeros((height, width), bool)
    pixels[height // 4 : height // 2 + 1, width // 4 : width // 2 + 1] = True
    return Region(pixels, label, 0.9)


MASKS = (
    Form("none", lambda folder: ()),
    Form("words", lambda folder: "mask"),
    Form("array", lambda folder: np.ones((90, SIDE), bool)),
    Form("flat-region", lambda folder: (Region(np.ones(9, bool)),)),
    Form("blank-region", lambda folder: (Region(np.zeros((90, SIDE), bool), "cat"),)),
    Form("mixed-sizes", lambda folder: (square(), square(45, 36))),
    Form("score-not-a-number", lambda folder: (Region(square().pixels, "a", float("nan")),)),
    Form("other-size", lambda folder: (square(45, 36),), 3),
    Form("other-picture", lambda folder: (square(20, 160),), 2),
    Form("everything", lambda folder: (Region(np.ones((90, SIDE), bool)),), 2),
    Form("one-pixel", lambda folder: (Region(np.eye(90, SIDE) * np.eye(90, SIDE)[:, :1]),), 3),
    Form("no-label", lambda folder: (square(label=""),), 2),
    Form("numbers", lambda folder: (Region(square().pixels.astype(np.float32)),), 1),
)

BOXES = (
    Form("none", lambda folder: ()),
    Form("words", lambda folder: "box"),
    Form("corners", lambda folder: ((1, 2, 3, 4),)),
    Form("not-a-number", lambda folder: (Box(0, 0, float("nan"), 9, "cat"),)),
    Form("endless", lambda folder: (Box(0, 0, float("inf"), 9, "cat"),)),
    Form("outside", lambda folder: (Box(500, 500, 600, 600, "cat"),)),
    Form("inside-out", lambda folder: (Box(40, 40, 10, 10, "cat"),)),
    Form("too-many", lambda folder: (Box(1, 1, 2, 2, "cat"),) * 10_001),
    Form("half-outside", lambda folder: (Box(-50, -50, 20, 20, "cat", 0.5),), 1),
    Form("everything", lambda folder: (Box(0, 0, SIDE, 90, "cat", 0.5),), 2),
    Form("tiny", lambda folder: (Box(5.2, 5.2, 5.4, 5.4, "cat", 0.5),), 3),
    Form("no-label", lambda folder: (Box(10, 10, 50, 50),), 2),
    Form("long-label", lambda folder: (Box(10, 10, 50, 50, "cat\0 " * 400),), 2),
)

POINTS = (
    Form("none", lambda folder: ()),
    Form("words", lambda folder: "here"),
    Form("pairs", lambda folder: ((1, 2),)),
    Form("outside", lambda folder: (ClickedPoint(500, 5),)),
    Form("negative", lambda folder: (ClickedPoint(-1, 5),)),
    Form("not-a-number", lambda folder: (ClickedPoint(float("nan"), 5),)),
    Form("only-what-is-not-meant", lambda folder: (ClickedPoint(5, 5, False),), 3),
    Form("contrary", lambda folder: (ClickedPoint(5, 5), ClickedPoint(5, 5, False)), 3),
    Form("corner", lambda folder: (ClickedPoint(SIDE - 0.01, 89.99),), 3),
)


# --- words ---

TEXTS = (
    Form("empty", lambda folder: ""),
    Form("blank", lambda folder: " \n\t "),
    Form("only-zeros", lambda folder: "\0\0\x07"),
    Form("bytes", lambda folder: b"words"),
    Form("a-number", lambda folder: 7),
    Form("a-million", lambda folder: "All work and no play. " * 46_000),
    # The gate makes it plain words, which lead further into a tool than most of the others.
    Form("zeros-within", lambda folder: "Rome\0 is\x1b[31m old.", 2),
    Form("half-a-character", lambda folder: "Rome \ud83d is old.", 1),
    Form("marks-only", lambda folder: "?! ... --- ,,,", 3),
    Form("emoji-only", lambda folder: "😀🎉👩‍👩‍👧", 2),
    Form("one-letter", lambda folder: "a", 2),
    Form("digits", lambda folder: "9" * 400, 2),
    Form("one-long-word", lambda folder: "ab" * 4000, 2),
    Form("one-long-line", lambda folder: "word " * 3000, 2),
    Form("many-lines", lambda folder: "\n" * 5000 + "end", 2),
    Form("brackets", lambda folder: "([{\"'<>&" * 200, 2),
    Form("page", lambda folder: "<script>alert(1)</script> {0} %s \\1 \\N", 2),
    Form("chinese", lambda folder: "我喜欢猫。" * 20, 3),
    Form("arabic", lambda folder: "\u202eأحب القطط كثيرا.", 2),
)

TAGS = (
    Form("words", lambda folder: "a, b"),
    Form("numbers", lambda folder: (1, 2)),
    Form("none", lambda folder: (), 3),
    Form("blank", lambda folder: ("", "  ", "\0"), 1),
    Form("odd", lambda folder: ("<b>&", "a,b", "x" * 3000), 2),
)

CATEGORIES = (
    Form("words", lambda folder: "cat"),
    Form("strings", lambda folder: ("cat",)),
    Form("not-a-number", lambda folder: (Label("cat", float("nan")),)),
    Form("none", lambda folder: ()),
    Form("blank-names", lambda folder: (Label("", 0.5), Label("\0", 0.5)), 2),
)

NUMBERS = (
    Form("words", lambda folder: "seven"),
    Form("yes", lambda folder: True),
    Form("not-a-number", lambda folder: float("nan")),
    Form("endless", lambda folder: float("inf")),
    Form("huge", lambda folder: 10**30, 2),
    Form("below-zero", lambda folder: -1.5, 2),
)


# --- sounds ---


def sound(samples: np.ndarray, rate: int = RATE) -> Callable[[Path], Sound]:
    return lambda folder: Sound(samples, rate)


WAVE = tone(1.0, RATE).samples
SPOILT = np.where(np.arange(RATE)[:, None] % 7 == 0, np.nan, WAVE).astype(np.float32)

SOUNDS = (
    Form("words", lambda folder: "a sound"),
    Form("array", lambda folder: WAVE),
    Form("empty", sound(WAVE[:0])),
    Form("no-channels", sound(np.zeros((RATE, 0), np.float32))),
    Form("cube", sound(np.zeros((10, 2, 2), np.float32))),
    Form("no-rate", sound(WAVE, 0)),
    Form("rate-below-zero", sound(WAVE, -8000)),
    Form("rate-of-light", sound(WAVE, 10**9)),
    Form("endless", sound(np.broadcast_to(np.float32(0), (20_000 * RATE, 1)))),
    Form("one-value", sound(WAVE[1:2]), 3),
    Form("blink", sound(WAVE[:100]), 2),
    Form("silence", sound(np.zeros((RATE, 1), np.float32)), 3),
    Form("constant", sound(np.full((RATE, 1), 0.5, np.float32)), 2),
    Form("not-numbers", sound(SPOILT), 1),
    Form("nothing-but-not-numbers", sound(np.full((RATE, 1), np.nan, np.float32)), 1),
    Form("overdriven", sound(WAVE * 1e6), 1),
    Form("integers", sound((WAVE * 32767).astype(np.int16)), 1),
    Form("flat", sound(WAVE[:, 0]), 1),
    Form("surround", sound(np.repeat(WAVE, 6, axis=1)), 1),
    Form("slow-rate", sound(WAVE[:1100], 1100), 2),
    Form("fast-rate", sound(np.repeat(WAVE, 12, axis=0), 192_000), 2),
)


# --- videos ---


def frames(count: int = 8, width: int = 64, height: int = 48) -> list[np.ndarray]:
    return list(pan(data.astronaut(), count, width, height))


def file(content: bytes, suffix: str = ".mp4") -> Callable[[Path], Clip]:
    def make(folder: Path) -> Clip:
        path = folder / f"clip{suffix}"
        path.write_bytes(content)
        return Clip(path)

    return make


def encoded(shown: list[np.ndarray], suffix: str = ".mp4", **settings: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        make_video(path, shown, rate=8, **settings)
        return path.read_bytes()


@cache
def film() -> bytes:
    return encoded(frames(), sound=tone(1.0, 48_000))


def sound_alone(folder: Path) -> Clip:
    import av

    path = folder / "song.mp4"
    with av.open(str(path), "w") as container:
        track = container.add_stream("aac", rate=48_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), "fltp", "mono")
        frame.sample_rate = 48_000
        container.mux(track.encode(frame))
        container.mux(track.encode(None))
    return Clip(path)


def made(**settings: Any) -> Callable[[Path], Clip]:
    def make(folder: Path) -> Clip:
        return file(content(), suffix)(folder)

    @cache
    def content() -> bytes:
        return encoded(
            settings.get("frames") or frames(),
            suffix=suffix,
            codec=settings.get("codec", "libx264"),
            sound=settings.get("sound"),
        )

    suffix = settings.get("suffix", ".mp4")
    return make


def spoilt(folder: Path) -> Clip:
    content = bytearray(film())
    start = content.find(b"mdat") + 200
    content[start : start + 4000] = b"\x55" * len(content[start : start + 4000])
    return file(bytes(content))(folder)


VIDEOS = (
    Form("words", lambda folder: "clip.mp4"),
    Form("path", lambda folder: folder / "clip.mp4"),
    Form("gone", lambda folder: Clip(folder / "gone.mp4")),
    Form("folder", lambda folder: Clip(folder)),
    Form("empty", file(b"")),
    Form("nonsense", file(b"no video at all " * 50)),
    Form("a-page", file(b"<html>404</html>")),
    Form("cut-off", lambda folder: file(film()[: len(film()) // 2])(folder)),
    Form("sound-alone", sound_alone),
    Form("spoilt", spoilt),
    Form("one-picture", made(frames=frames(1)), 3),
    Form("two-pixels", made(frames=frames(4, 2, 2)), 2),
    Form("black", made(frames=[np.zeros((48, 64, 3), np.uint8)] * 8), 3),
    Form("silent", made(sound=Sound(np.zeros((48_000, 1), np.float32), 48_000)), 2),
    Form("webm", made(codec="libvpx", suffix=".webm"), 2),
)


# --- documents and tables ---


@cache
def _pdf() -> bytes:
    import pypdf

    pages = pypdf.PdfWriter()
    for _ in range(2):
        pages.add_blank_page(200, 280)
    buffer = io.BytesIO()
    pages.write(buffer)
    return buffer.getvalue()


def locked() -> bytes:
    import pypdf

    pages = pypdf.PdfWriter()
    pages.add_blank_page(200, 280)
    pages.encrypt("secret", algorithm="RC4-128")
    buffer = io.BytesIO()
    pages.write(buffer)
    return buffer.getvalue()


def document(make: Callable[[], bytes]) -> Callable[[Path], DocumentFile]:
    def made_document(folder: Path) -> DocumentFile:
        path = folder / "document.pdf"
        path.write_bytes(make())
        return DocumentFile(path)

    return made_document


DOCUMENTS = (
    Form("words", lambda folder: "a document"),
    Form("gone", lambda folder: DocumentFile(folder / "nowhere.pdf")),
    Form("empty", document(lambda: b"")),
    Form("words-in-disguise", document(lambda: b"Dear reader")),
    Form("cut-off", document(lambda: _pdf()[: len(_pdf()) // 2]), 3),
    Form("beginning-alone", document(lambda: b"%PDF-1.7\n"), 3),
    Form("noise", document(lambda: b"%PDF-1.7\n" + bytes(range(256)) * 40), 2),
    Form("locked", document(locked), 3),
)
TABLES = (
    *TEXTS,
    Form("head-alone", lambda folder: "name,amount\n", 3),
    Form("ragged", lambda folder: "name,amount\na\nb,2,3,4\n,,\n", 2),
    Form("one-column", lambda folder: "name\na\nb\n", 2),
    Form("same-names", lambda folder: "a,a,a\n1,2,3\n", 2),
    Form("huge-numbers", lambda folder: "n\n1e308\n1e308\n-1e400\n", 2),
    Form("no-numbers", lambda folder: "name,amount\na,n/a\nb,-\n", 3),
)


FORMS = {
    "document": DOCUMENTS,
    "table": TABLES,
    "mask": MASKS,
    "bbox": BOXES,
    "point": POINTS,
    "category": CATEGORIES,
    "tags": TAGS,
    "number": NUMBERS,
    "audio": SOUNDS,
    "video": VIDEOS,
}


def forms_of(type_name: str) -> tuple[Form, ...]:
    if type_name in FORMS:
        return FORMS[type_name]
    is_picture = "image" in (type_name, PARENTS.get(type_name))
    return PICTURES if is_picture else TEXTS


#: Words that say something to most tools, by the name of the argument.
WORDS = {
    "question": "How many people are there?",
    "query": "person",
    "condition": "the first one",
    "language": "French",
    "place": "Paris",
    "date": "4 July",
    "year": "1999",
    "number": "7",
    "names": "Anna and Ben",
    "labels": "sport, music",
    "title": "A day in Rome",
}
TEXT = "Rome was not built in a day. Anna Smith moved there in May 2020 and liked the food."


def good(tool: Tool, argument: Argument, folder: Path) -> Any:
    """What a person may well hand over for an argument."""
    if argument.type == "audio":
        return Sound(WAVE, RATE)
    if argument.type == "video":
        return file(film(), "-good.mp4")(folder)
    if argument.type == "document":
        return document(_pdf)(folder)
    plain_values: dict[str, Any] = {
        "mask": (square(),),
        "bbox": (Box(10, 10, 60, 80, "person", 0.9),),
        "point": (ClickedPoint(36, 40),),
        "category": (Label("cat", 0.6), Label("dog", 0.3)),
        "tags": ("old", "city"),
        "number": 7,
        "table": "name,amount,day\nAnna,12.50,2026-03-01\nBen,7,2026-03-02\nAnna,3.25,2026-04-09\n",
    }
    if argument.type in plain_values:
        return plain_values[argument.type]
    if "image" in (argument.type, PARENTS.get(argument.type)):
        return photo()
    if argument.name == "prompt":
        return tool.examples[0]
    return WORDS.get(argument.name, TEXT)


LEFT_OUT = Form("left-out", lambda folder: None)
OF_NO_KIND = Form("of-no-kind", lambda folder: object())


# --- the gate ---


def gates(type_name: str) -> Iterator[Tool]:
    """A tool for each way in which the gate looks at a value of a type: it may be left out, be one
    of several, be one of long words; and what comes of it may be empty as well. Marks come with
    their picture, and never several of them."""
    beside = (Argument("image", "image"),) if type_name in ("mask", "bbox", "point") else ()
    names = ("text", "prompt") if type_name == "text" else ("given",)
    for name, returned, many, optional in itertools.product(
        names, ("text", "number"), (False,) if beside else (False, True), (False, True)
    ):
        taken = Argument(name, type_name, many=many, optional=optional)
        yield Tool("look_at", "Look.", "general", (taken, *beside), Argument("result", returned))


def at_the_gate(tool: Tool, form: Form, folder: Path) -> Any:
    """What the gate makes of a form, given as a tool takes it."""
    taken = tool.args[0]
    value = form.make(folder)
    if taken.many and form is not LEFT_OUT:
        value = [value]
    made = admitted(tool, {"image": photo(), taken.name: value})[taken.name]
    return made[-1] if taken.many and isinstance(made, list | tuple) and made else made


def is_clean(words: str) -> bool:
    return not re.search("[\0-\x08\x0e-\x1f\x7f]", words) and bool(words.encode() or True)


def is_known(type_name: str, value: Any) -> bool:
    """Whether a value has the form that every tool may rely on."""
    match type_name:
        case "mask":
            (shape,) = {region.pixels.shape for region in value}
            pixels = np.stack([region.pixels for region in value])
            return len(shape) == 2 and pixels.dtype == bool and bool(pixels.any())
        case "bbox":
            return all(
                0 <= box.left < box.right <= SIDE
                and 0 <= box.top < box.bottom <= 90
                and math.isfinite(box.score)
                and is_clean(box.label)
                for box in value
            )
        case "point":
            return all(0 <= point.x < SIDE and 0 <= point.y < 90 for point in value)
        case "category":
            return all(math.isfinite(label.score) and is_clean(label.name) for label in value)
        case "tags":
            return all(is_clean(tag) and tag.strip() for tag in value)
        case "number":
            return math.isfinite(value)
        case "audio":
            samples = value.samples
            return (
                samples.dtype == np.float32
                and samples.ndim == 2
                and len(samples) > 0
                and samples.shape[1] in (1, 2)
                and bool((np.abs(samples) <= 1).all())  # what is not a number is not either
            )
        case "video" | "document":
            return value.path.is_file()
        case "image":
            upright = value.getexif().get(0x0112, 1) == 1
            return value.mode in ("L", "RGB", "RGBA") and min(value.size) > 0 and upright
    return is_clean(value) and bool(value.strip())


@pytest.mark.parametrize("type_name", ["image", "text", *FORMS])
def test_the_gate_refuses_in_plain_words_or_brings_to_a_known_form(type_name, tmp_path):
    wrong = []
    for form in (*forms_of(type_name), LEFT_OUT, OF_NO_KIND):
        for number, tool in enumerate(gates(type_name)):
            folder = tmp_path / f"{form}-{number}"
            folder.mkdir()
            case = f"{form} at gate {number}"
            try:
                value = at_the_gate(tool, form, folder)
            except ToolError as error:
                wrong += [f"{case}: {fault}" for fault in faults_of(str(error))]
                if form.reach:
                    wrong.append(f"{case}: refused: {error}")
                continue
            except Exception as error:
                wrong.append(f"{case}: {error!r}")
                continue
            is_none = value is None or (isinstance(value, list | tuple) and not value)
            may_be_none = tool.args[0].optional or tool.returns.type == "number" or form.reach
            if is_none and not may_be_none:
                wrong.append(f"{case}: let through as none")
            elif not is_none and not form.reach:
                wrong.append(f"{case}: let through")
            elif not is_none and not is_known(type_name, value):
                wrong.append(f"{case}: not in a known form")
    assert not wrong, "\n".join(wrong)


# --- the tools ---

#: A tool that loads at least so many MiB takes a second or more for each case, so it is tried on
#: the worst forms only.
LARGE = 80
#: The forms that come through the gate as they are, and the worst of these.
AS_THEY_ARE, WORST = 2, 3
#: So often a tool may ask whether the person pressed Stop until that is so: slow work is good work
#: where it can be stopped. It is no time, so what is done is the same on a busy machine.
LOOKS = 60


class Impatience(threading.Event):
    """The person presses Stop after the tool has looked for that so many times."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left = looks

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


@dataclass(frozen=True)
class Case:
    implementation: Implementation
    tool: Tool
    argument: Argument
    form: Form

    def __repr__(self) -> str:
        return f"{self.tool.name}-{self.argument.name}-{self.form.name}"

    def inputs(self, folder: Path) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for argument in self.tool.args:
            value = good(self.tool, argument, folder)
            if argument.many:
                value = [value, value]
            if argument == self.argument:
                value = self.form.make(folder)
                value = [good(self.tool, argument, folder), value] if argument.many else value
            read[argument.name] = value
        return read


def hard_cases(tool: Tool, reach: int) -> Iterator[Case]:
    """What comes so far as to the tool; with the worst of it also what is refused in words that
    name the arguments of the tool."""
    for implementation in embedded(tool):
        if reach == AS_THEY_ARE and _loaded(implementation) >= LARGE:
            continue
        for argument in tool.args:
            # None of a collection is let through to the tools that may get it.
            for form in (*forms_of(argument.type), LEFT_OUT, OF_NO_KIND):
                is_refused = form.name in ("none", "left-out", "of-no-kind")
                if form.reach == reach or (is_refused and reach == WORST):
                    yield Case(implementation, tool, argument, form)


def _loaded(implementation: Implementation) -> int:
    return int(implementation.memory.split()[0]) if implementation.memory else 0


def embedded(tool: Tool) -> list[Implementation]:
    return [way for way in TOOLBOX.available(tool.name) if way.runtime == "embedded"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    made_store = Store(tmp_path_factory.mktemp("home"))
    yield made_store
    made_store.close()


def outcome(case: Case, store: Store, folder: Path, stop: threading.Event | None = None) -> str:
    """What a person would be told, or nothing where there is a result of the tool's type."""
    try:
        inputs = admitted(case.tool, case.inputs(folder))
        settings = {item.name: item.default for item in case.tool.parameters}
        context = Context(cancelled=stop or Impatience(LOOKS), folder=folder / "made")
        value = case.implementation.run({**inputs, **settings}, context)
        keep_value(case.tool, value, store, details_of)
    except (ToolError, ModelFileError) as error:
        return str(error)
    except Cancelled:
        return ""
    return ""


#: Words of a program that nobody outside of it can make anything of.
PROGRAM_WORDS = re.compile(
    r"Traceback|Error\b|Exception|NoneType|ndarray|dtype|\b(?:str|int|tuple|dict|bytes|bool)\b|"
    r"<class|object at 0x|\bNone\b|\bnan\b|\binf\b|returned"
)


def faults_of(said: str) -> list[str]:
    """What is wrong with words for a person."""
    faults = []
    if not (said[0].isupper() or said[0] in "“"):
        faults.append("begins with no capital letter")
    if said.rstrip("”\"')")[-1] not in ".!?":
        faults.append("ends with no full stop")
    if len(said) >= 1000:
        faults.append("is too long")
    if PROGRAM_WORDS.search(said):
        faults.append("has words of a program")
    return [f"{fault}: {said[:1000]}" for fault in faults]


EMBEDDED = [tool for tool in TOOLBOX if embedded(tool)]
#: Those with a large network take seconds each.
BY_WEIGHT = [
    pytest.param(tool, marks=pytest.mark.long if max(map(_loaded, embedded(tool))) >= LARGE else ())
    for tool in EMBEDDED
]


def faults_of_tool(tool: Tool, reach: int, store: Store, folder: Path) -> list[str]:
    wrong = []
    for number, case in enumerate(hard_cases(tool, reach)):
        place = folder / str(number)
        place.mkdir()
        try:
            said = outcome(case, store, place)
        except Exception as error:
            wrong.append(f"{case}: {error!r}")
            continue
        wrong += [f"{case}: {fault}" for fault in faults_of(said)] if said else []
    return wrong


@pytest.mark.parametrize("tool", BY_WEIGHT, ids=lambda tool: tool.name)
def test_the_worst_input_ends_in_a_result_or_in_plain_words(tool, store, tmp_path):
    wrong = faults_of_tool(tool, WORST, store, tmp_path)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize("tool", EMBEDDED, ids=lambda tool: tool.name)
def test_other_hard_input_ends_in_a_result_or_in_plain_words(tool, store, tmp_path):
    wrong = faults_of_tool(tool, AS_THEY_ARE, store, tmp_path)
    assert not wrong, "\n".join(wrong)


# --- what is huge ---

#: Seconds of the processor's time after which a huge input must be refused, worked on or stopped.
BOUND = 30.0
#: Seconds after which the person presses Stop: slow work is good work where it can be stopped.
PATIENCE = 0.7


def huge(argument: Argument) -> Any:
    """The most that the gate lets in of a text, two hours of silence, forty million pixels."""
    if argument.type == "text":
        return ("All work and no play made Jack Smith dull in May 2020. " * 8000)[:400_000]
    if argument.type == "audio":
        return Sound(np.broadcast_to(np.float32(0), (2 * 3600 * RATE, 1)), RATE)
    return photo().resize((8000, 5000))


def huge_cases() -> list[Case]:
    """Texts to work on, sounds, and pictures for tools that need nothing else and load nothing:
    with a network, each of forty million pixels takes some seconds."""
    found = []
    for tool in TOOLBOX:
        for implementation in TOOLBOX.available(tool.name)[:1]:
            for argument in tool.args:
                is_alone = len(tool.args) == 1 and not implementation.memory
                if (
                    argument.type == "audio"
                    or (argument.type == "text" and argument.name == "text")
                    or (argument.type == "image" and is_alone)
                ):
                    form = Form("huge", lambda folder, argument=argument: huge(argument), 2)
                    found.append(Case(implementation, tool, argument, form))
    return [case for case in found if case.implementation.runtime == "embedded"]


@pytest.mark.long
@pytest.mark.parametrize("case", huge_cases(), ids=repr)
def test_huge_input_ends_in_bounded_time(case, store, tmp_path):
    stopped = threading.Event()
    timer = threading.Timer(PATIENCE, stopped.set)
    timer.daemon = True
    timer.start()
    began = time.process_time()
    said = outcome(case, store, tmp_path, stopped)
    timer.cancel()
    assert time.process_time() - began < BOUND
    assert not said or said.endswith(".")
    assert not PROGRAM_WORDS.search(said), said


# --- what is long ---


def calls_of(case: Case, length: int, folder: Path) -> int:
    """How many functions a tool calls for a text of so many characters: a measure of its work that
    is the same on a busy machine."""
    text = ("All work and no play made Jack Smith dull in May 2020. " * 8000)[:length]
    form = Form("long", lambda folder: text, 2)
    inputs = replace(case, form=form).inputs(folder)
    settings = {item.name: item.default for item in case.tool.parameters}
    count = 0

    def counted(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        # A tool that finds nothing of its own in such a text says so once it has read it.
        with contextlib.suppress(ToolError):
            case.implementation.run({**inputs, **settings}, Context(folder=folder / "made"))
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.long
def test_work_grows_no_faster_than_the_text(tmp_path):
    """Twice the text is at most some more than twice the work; with what makes pairs of sentences
    or of words it would be four times as much."""
    wrong = []
    for case in huge_cases():
        if case.argument.type != "text" or case.implementation.memory:
            continue
        calls_of(case, 1000, tmp_path)  # What is read from disk is read once.
        shorter, longer = (calls_of(case, length, tmp_path) for length in (20_000, 40_000))
        if longer > 2.5 * shorter:
            wrong.append(f"{case}: {shorter:,} calls, then {longer:,}")
    assert not wrong, "\n".join(wrong)
