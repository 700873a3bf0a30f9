"""Files packed into one ZIP: as they are where they are known, else as what they are."""

from __future__ import annotations

import csv
import io
import zipfile

import numpy as np
import PIL.Image
import pytest

from controlllm.resources import DocumentFile, Sound, encode
from controlllm.toolbox import Context, GivenFile, ToolError
from tests.resources.made_documents import pdf
from tests.tools.made_videos import make_video
from tools.packing import list_files, zip_documents, zip_images, zip_sounds, zip_texts

SEA = PIL.Image.new("RGB", (30, 20), (20, 60, 200))


def opened(made) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(encode("archive", made)[0]))


def test_known_files_go_in_as_they_are(tmp_path):
    photo, notes = tmp_path / "0a1b.jpg", tmp_path / "2c3d.docx"
    SEA.save(photo, "JPEG", quality=70)
    notes.write_bytes(b"PK as it came")
    given = {
        "images": (GivenFile("sea.jpg", "image", photo), GivenFile("", "image", photo)),
        "texts": (GivenFile("notes.docx", "text", notes),),
    }
    context = Context().given(lambda argument: given.get(argument, ()))
    packed = opened(zip_images([SEA, SEA], context=context))
    assert packed.namelist() == ["sea.jpg", "picture 2.jpg"]
    assert packed.read("sea.jpg") == photo.read_bytes()
    assert opened(zip_texts(["words"], context=context)).read("notes.docx") == b"PK as it came"
    assert context.has_used_files


def test_values_go_in_as_what_they_are(tmp_path):
    page = DocumentFile(pdf(tmp_path / "page.pdf", ["An offer"]))
    sound = Sound(np.full((80, 1), 0.25, np.float32), 8_000)
    packed = opened(zip_images([SEA], documents=[page], sounds=[sound], tables=["a,b\n1,2\n"]))
    names = ["picture 1.png", "document 2.pdf", "sound 3.wav", "text 4.txt"]
    assert packed.namelist() == names
    assert packed.read("document 2.pdf") == page.path.read_bytes()
    assert PIL.Image.open(packed.open("picture 1.png")).getpixel((5, 5)) == (20, 60, 200)
    assert opened(zip_sounds([sound, sound])).namelist() == ["sound 1.wav", "sound 2.wav"]
    assert opened(zip_documents([page])).namelist() == ["document 1.pdf"]


def test_files_are_listed_with_their_facts(tmp_path):
    film = make_video(tmp_path / "a.mp4", [np.zeros((48, 64, 3), np.uint8)] * 20, rate=10)
    page = DocumentFile(pdf(tmp_path / "page.pdf", ["An offer", "Signed"]))
    sound = Sound(np.full((12_000, 2), 0.25, np.float32), 8_000)
    given = {"videos": (GivenFile("walk.mp4", "video", film.path),)}
    context = Context().given(lambda argument: given.get(argument, ()))
    made = list_files([SEA], [sound], [film], [page], context=context)
    first, *rows = csv.reader(io.StringIO(made))
    assert first == [
        "file",
        "kind",
        "seconds",
        "width",
        "height",
        "pages",
        "channels",
        "size in kB",
    ]
    told = [dict(zip(first, row, strict=True)) for row in rows]
    assert [row["file"] for row in told] == ["picture 1", "sound 2", "walk.mp4", "document 4"]
    assert (told[0]["width"], told[0]["height"]) == ("30", "20")
    assert (told[1]["seconds"], told[1]["channels"]) == ("1.5", "stereo")
    assert (told[2]["seconds"], told[2]["width"]) == ("2.0", "64") and told[2]["size in kB"]
    assert told[3]["pages"] == "2"
    assert list_files(sounds=[sound]).splitlines()[0] == "file,kind,seconds,channels"


def test_a_list_of_recordings_tells_how_long_they_are_all_together() -> None:
    sounds = [Sound(np.zeros((count, 1), np.float32), 8000) for count in (8400, 8400, 400)]
    context = Context()
    list_files(sounds=sounds, context=context)
    assert context.remarks == ("All together they last 2.1 seconds.",)
    context = Context()
    list_files(sounds=sounds[:1], context=context)
    assert not context.remarks


def test_no_files_are_no_list():
    with pytest.raises(ToolError, match="no files to list"):
        list_files()
