"""Several files as one: a ZIP of members, written, read and told about."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import PIL.Image
import pytest

from controlllm.resources import (
    DocumentFile,
    Filed,
    Member,
    Sound,
    TypeLattice,
    decode,
    details_of,
    encode,
)
from controlllm.resources.several import take_member
from tools.documents.pdf import text_to_pdf


def picture(shade: int) -> PIL.Image.Image:
    return PIL.Image.new("RGB", (12, 8), (shade, 40, 90))


def packed(folder, *members: Member):
    content, media_type = encode("files", members)
    assert media_type == "application/zip"
    path = folder / "packed.zip"
    path.write_bytes(content)
    return path


def test_members_of_every_kind_are_read_back_as_what_they_were(tmp_path):
    page = tmp_path / "page.pdf"
    page.write_bytes(text_to_pdf("The night train was late.").content)
    tone = Sound(np.linspace(-0.5, 0.5, 800, dtype=np.float32)[:, None], 8_000)
    path = packed(
        tmp_path,
        Member("left", "audio", tone),
        Member("still 1", "image", picture(200)),
        Member("page 1", "document", DocumentFile(page)),
        Member("page 2", "document", page),
        Member("list", "table", "day,sum\nMonday,3\n"),
    )
    made = decode("files", path)
    assert [(item.name, item.type) for item in made] == [
        ("left", "audio"),
        ("still 1", "image"),
        ("page 1", "document"),
        ("page 2", "document"),
        ("list", "table"),
    ]
    with PIL.Image.open(io.BytesIO(made[1].value.content)) as still:
        assert still.getpixel((3, 3)) == (200, 40, 90)
    assert made[3].value == Filed(page.read_bytes(), "application/pdf")
    sound = tmp_path / "left.wav"
    take_member(path, "left.wav", sound)
    assert np.abs(decode("audio", sound).samples - tone.samples).max() < 1e-4


def test_it_says_how_many_there_are_and_what_they_are_called(tmp_path):
    path = packed(tmp_path, *(Member(f"still {n}", "image", picture(n)) for n in range(1, 4)))
    assert details_of("files", path) == {
        "files": 3,
        "names": ["still 1.png", "still 2.png", "still 3.png"],
    }


def test_the_same_files_are_the_same_archive_and_equal_names_are_told_apart(tmp_path):
    members = (Member("beach", "image", picture(1)), Member("Beach", "image", picture(2)))
    assert encode("archive", members) == encode("archive", members)
    with zipfile.ZipFile(packed(tmp_path, *members)) as archive:
        assert archive.namelist() == ["beach.png", "Beach 2.png"]
        assert archive.testzip() is None


@pytest.mark.parametrize("value", [(), ("words",), "words"])
def test_nothing_and_what_is_no_file_are_refused(value):
    with pytest.raises(TypeError):
        encode("files", value)


def test_an_archive_is_several_files_and_not_the_other_way_round():
    lattice = TypeLattice()
    assert lattice.is_a("archive", "files")
    assert not lattice.is_a("files", "archive")
    assert not lattice.is_a("files", "text")
