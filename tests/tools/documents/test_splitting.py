"""PDFs taken apart into several files, with what stands on their pages."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pypdf
import pytest

from controlllm.resources import DocumentFile, Member
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.resources.made_documents import pdf
from tools.documents.splitting import pdf_pages_to_images, split_pdf


@pytest.fixture
def minutes(tmp_path) -> DocumentFile:
    """Seven pages, each with its own words."""
    path = pdf(tmp_path / "minutes.pdf", [f"Item {number}" for number in range(1, 8)])
    return DocumentFile(path)


def words_in(member: Member) -> list[str]:
    assert member.type == "document"
    return [page.extract_text().strip() for page in pypdf.PdfReader(member.value).pages]


@pytest.mark.parametrize(
    ("settings", "names", "words"),
    [
        ({}, [f"page {n}" for n in range(1, 8)], [[f"Item {n}"] for n in range(1, 8)]),
        (
            {"every": 3},
            ["pages 1-3", "pages 4-6", "page 7"],
            [["Item 1", "Item 2", "Item 3"], ["Item 4", "Item 5", "Item 6"], ["Item 7"]],
        ),
        (
            {"pages": "1-2,6,4-5"},
            ["pages 1-2", "page 6", "pages 4-5"],
            [["Item 1", "Item 2"], ["Item 6"], ["Item 4", "Item 5"]],
        ),
        ({"pages": "2,4"}, ["page 2", "page 4"], [["Item 2"], ["Item 4"]]),
        ({"pages": "all", "every": 6}, ["pages 1-6", "page 7"],
         [[f"Item {n}" for n in range(1, 7)], ["Item 7"]]),
        ({"pages": "odd", "every": 2}, ["pages 1, 3", "pages 5, 7"],
         [["Item 1", "Item 3"], ["Item 5", "Item 7"]]),
    ],
)  # fmt: skip
def test_a_pdf_is_split_as_is_asked(minutes, tmp_path, settings, names, words):
    made = split_pdf(minutes, **settings, context=Context(folder=tmp_path / "run"))
    assert [member.name for member in made] == names
    assert [words_in(member) for member in made] == words


def test_every_page_is_a_picture_of_its_own(minutes, tmp_path):
    context = Context(folder=tmp_path / "run")
    made = pdf_pages_to_images(minutes, context=context)
    assert [member.name for member in made] == [f"page {number}" for number in range(1, 8)]
    for number, member in enumerate(made):
        with PIL.Image.open(member.value) as page:
            pixels = np.asarray(page.convert("RGB")).astype(int)
        height, width = pixels.shape[:2]
        assert abs(height / width - 842 / 595) < 0.01
        # The square is red on the first page, blue on the second, and so on.
        square = pixels[int(height * 0.88), int(width * 0.15)]
        assert square.argmax() == (0 if number % 2 == 0 else 2)
    some = pdf_pages_to_images(minutes, pages="2-3", context=context)
    assert [member.name for member in some] == ["page 2", "page 3"]


def test_what_cannot_be_split_is_said(minutes, tmp_path):
    with pytest.raises(ToolError, match="no page 9"):
        split_pdf(minutes, pages="1-3,9-10")
    one = DocumentFile(pdf(tmp_path / "one.pdf", ["Alone"]))
    with pytest.raises(ToolError, match="one page only"):
        split_pdf(one)
    many = DocumentFile(pdf(tmp_path / "many.pdf", [""] * 501))
    with pytest.raises(ToolError, match="501 files"):
        split_pdf(many)
    with pytest.raises(ToolError, match="501 pictures"):
        pdf_pages_to_images(many)


def test_it_stops_when_it_is_told_to(minutes):
    class Stopped(Context):
        def progress(self, fraction: float, words: str = "") -> None:
            if fraction > 0.4:
                raise Cancelled

    with pytest.raises(Cancelled):
        split_pdf(minutes, context=Stopped())
    with pytest.raises(Cancelled):
        pdf_pages_to_images(minutes, context=Stopped())


def test_a_scan_in_pieces_is_no_larger_than_it_was(tmp_path):
    """Each file holds only what is on its own pages."""
    noise = np.random.default_rng(3).integers(0, 255, (300, 200, 3), np.uint8)
    pages = [PIL.Image.fromarray(np.roll(noise, 7 * n, 0)) for n in range(4)]
    whole = io.BytesIO()
    pages[0].save(whole, "PDF", save_all=True, append_images=pages[1:])
    path = tmp_path / "scan.pdf"
    path.write_bytes(whole.getvalue())
    made = split_pdf(DocumentFile(path), context=Context(folder=tmp_path / "run"))
    assert sum(member.value.stat().st_size for member in made) < 1.2 * len(whole.getvalue())
