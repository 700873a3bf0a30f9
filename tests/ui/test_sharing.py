"""What of a conversation's files gets into the file that is shared."""

from __future__ import annotations

import base64
from io import BytesIO

import PIL.Image
import pytest

from controlllm.core.plans import Plan
from controlllm.resources import Resource
from controlllm.ui import files
from controlllm.ui.drawings.exports import SharedMedia, shared_page
from controlllm.ui.view import TurnView


@pytest.fixture
def folder(tmp_path):
    exif = PIL.Image.Exif()
    exif[0x010E] = "a secret place"
    PIL.Image.new("RGB", (3000, 1500), "teal").save(tmp_path / "large.jpg", exif=exif)
    (tmp_path / "song.wav").write_bytes(b"RIFF" + b"x" * 996)
    (tmp_path / "film.mp4").write_bytes(b"x" * 5000)
    return tmp_path


def resource(kind, value, media_type):
    return Resource(kind, value, "ab" * 32, media_type, "uploaded", 0, {})


PICTURE = resource("image", "large.jpg", "image/jpeg")
SONG = resource("audio", "song.wav", "audio/x-wav")
FILM = resource("video", "film.mp4", "video/mp4")


def test_pictures_are_smaller_and_say_nothing_but_their_pixels(folder):
    address = files.Contents(folder.joinpath).address(PICTURE, False)
    content = base64.b64decode(address.removeprefix("data:image/webp;base64,"))
    assert b"secret" not in content
    assert PIL.Image.open(BytesIO(content)).size == (1280, 640)


def test_what_is_too_large_alone_or_together_is_only_named(folder, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 2000)
    contents = files.Contents(folder.joinpath)
    assert contents.address(SONG, False).startswith("data:audio/x-wav;base64,")
    assert contents.address(FILM, False) == ""
    monkeypatch.setattr(files, "MOST_TOGETHER", 1500)
    contents = files.Contents(folder.joinpath)
    assert [bool(contents.address(SONG, False)) for _ in range(2)] == [True, False]


def test_the_page_shows_words_as_words_and_runs_nothing(folder):
    media = SharedMedia("", folder.joinpath, content=files.Contents(folder.joinpath).address)
    view = TurnView(
        0, "<script>alert(1)</script>", (PICTURE, resource("video", "gone.mp4", "video/mp4")),
        state="answered", answer="Look: <img src=x onerror=alert(1)> [here](javascript:alert(1))",
        plan=Plan((), {}), shown=(SONG,), fallbacks=("It was done otherwise: <b>",),
    )  # fmt: skip
    page = shared_page("A <title>", [view], media, {})
    assert "<script" not in page and "<img src=x" not in page and 'href="javascript' not in page
    assert "&lt;script&gt;alert(1)" in page and "A &lt;title&gt;" in page
    assert "gone.mp4 (video) is too large to be in this file." in page
    assert page.count("data:image/webp;base64,") == 1 and "data:audio/x-wav" in page
    assert "otherwise: &lt;b&gt;" in page and "<button" not in page and "data-do" not in page
