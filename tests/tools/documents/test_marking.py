"""Page numbers, stamps and watermarks on PDFs, and PDFs made smaller, opened and looked at."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pypdf
import pypdfium2
import pytest

from controlllm.resources import DocumentFile
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.documents.marking import (
    compress_pdf,
    number_pages,
    picture_on_pages,
    write_on_pages,
)
from tools.documents.pdf import images_to_pdf, rotate_pages, text_to_pdf
from tools.documents.tables import table_to_pdf


@pytest.fixture(scope="module")
def minutes(tmp_path_factory) -> DocumentFile:
    """Three pages."""
    writer = pypdf.PdfWriter()
    for number in range(3):
        writer.append(io.BytesIO(text_to_pdf(f"Item {number}").content))
    path = tmp_path_factory.mktemp("pdf") / "minutes.pdf"
    writer.write(path)
    return DocumentFile(path)


def words_of(made) -> list[str]:
    return [page.extract_text().split() for page in pypdf.PdfReader(io.BytesIO(made.content)).pages]


def ink(made, page: int = 0) -> np.ndarray:
    """How dark each pixel of a page is, 0..255."""
    shown = pypdfium2.PdfDocument(made.content)[page].render(scale=1).to_pil().convert("L")
    return 255 - np.asarray(shown).astype(int)


def test_pages_are_numbered_at_their_foot(minutes):
    made = number_pages(minutes)
    assert words_of(made) == [["Item", str(n), str(n + 1)] for n in range(3)]
    dark = ink(made)
    rows, columns = np.nonzero(dark > 100)
    lowest = rows > dark.shape[0] * 0.9
    assert lowest.any() and abs(columns[lowest].mean() / dark.shape[1] - 0.5) < 0.02


def test_some_pages_are_numbered_of_how_many(minutes):
    made = number_pages(minutes, place="top right", pages="2-3", style="1 / n")
    assert words_of(made)[0] == ["Item", "0"]
    assert words_of(made)[2][-3:] == ["3", "/", "3"]


def test_a_stamp_stands_in_its_colour_in_its_corner(minutes):
    made = write_on_pages(minutes, "Paid 12 May", place="top left", colour="#ff0000", pages="1")
    page = pypdfium2.PdfDocument(made.content)[0].render(scale=1).to_pil()
    corner = np.asarray(page.crop((0, 0, page.width // 2, page.height // 14))).astype(int)
    assert ((corner[..., 0] - corner[..., 1]) > 120).sum() > 100
    assert "Paid" not in words_of(made)[1]


def test_a_watermark_goes_across_and_is_faint(minutes):
    made = write_on_pages(minutes, "CONFIDENTIAL")
    plain, marked = ink(text_to_pdf("Item 0")), ink(made)
    added = np.clip(marked - plain, 0, None)
    rows, columns = np.nonzero(added > 10)
    assert np.ptp(rows) > 0.4 * plain.shape[0] and np.ptp(columns) > 0.6 * plain.shape[1]
    assert added.max() < 80


def test_words_stand_upright_on_a_page_that_was_turned(minutes, tmp_path):
    turned = tmp_path / "turned.pdf"
    turned.write_bytes(rotate_pages(minutes, 90.0).content)
    dark = ink(write_on_pages(DocumentFile(turned), "Received", place="bottom right"))
    assert dark.shape[1] > dark.shape[0]
    rows, columns = np.nonzero(dark[int(0.9 * dark.shape[0]) :, dark.shape[1] // 2 :] > 60)
    assert np.ptp(columns) > 2 * np.ptp(rows)


def scan(folder: Path, seed: int = 1) -> DocumentFile:
    noise = np.random.default_rng(seed).integers(0, 255, (110, 80, 3), np.uint8)
    picture = PIL.Image.fromarray(noise).resize((1600, 2200), PIL.Image.Resampling.BICUBIC)
    path = folder / "scan.pdf"
    path.write_bytes(images_to_pdf([picture]).content)
    return DocumentFile(path)


def test_a_scan_gets_smaller_and_stays_under_a_limit(tmp_path):
    document = scan(tmp_path)
    before = document.path.stat().st_size
    usual = compress_pdf(document)
    assert len(usual.content) < before
    limit = len(usual.content) / 3
    small = compress_pdf(document, limit=limit)
    assert limit / 4 < len(small.content) <= limit
    first, now = (pypdfium2.PdfDocument(it)[0].render(scale=0.2).to_numpy().astype(int)
                  for it in (document.path, small.content))  # fmt: skip
    assert np.abs(first - now).mean() < 12


def test_what_cannot_be_made_so_small_is_said(minutes):
    with pytest.raises(ToolError, match="cannot be made smaller than"):
        compress_pdf(minutes, limit=300.0)
    context = Context()
    size = minutes.path.stat().st_size
    assert len(compress_pdf(minutes, limit=1e6, context=context).content) == size
    assert context.remarks


def test_a_table_is_set_under_its_title():
    made = table_to_pdf("what,price\nMug,8.50\nJug,100.00\n", title="Fête prices")
    (words,) = words_of(made)
    assert words == ["Fête", "prices", "what", "price", "Mug", "8.50", "Jug", "100.00"]
    page = pypdf.PdfReader(io.BytesIO(made.content)).pages[0]
    assert round(page.mediabox.width) == 595
    letter = table_to_pdf("a,b\n1,2\n", page="letter")
    assert round(pypdf.PdfReader(io.BytesIO(letter.content)).pages[0].mediabox.width) == 612


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("DRAFT", "DRAFT"),
        ("write DRAFT across every page", "DRAFT"),
        ("Stamp the document with “Paid 12 May” in red at the top right", "Paid 12 May"),
        ("put the words Not for sale at the foot of pages 2 to 9", "Not for sale"),
        ("Our club", "Our club"),
    ],
)
def test_only_the_words_are_written(minutes, said, written):
    assert " ".join(words_of(write_on_pages(minutes, said))[0]).endswith(written)


@pytest.mark.parametrize(
    ("request_", "last"),
    [
        ("put page numbers at the bottom, like 1 / 5", "3 / 3"),
        ("page numbers in the form Page 1 of 5, top right", "Page 3 of 3"),
        ("add the page numbers as - 1 - at the foot", "- 3 -"),
        ("paginate it, bottom centre", "3"),
        ("write page 1, page 2 and so on at the bottom", "Page 3"),
        ("page numbers in roman numerals", "iii"),
    ],
)
def test_page_numbers_are_never_written_out(minutes, request_, last, words=None):
    kinds = {item.name: item.kind for item in write_on_pages.tool.parameters if item.kind}
    made = write_on_pages(minutes, words or request_, **values_in(request_, kinds))
    assert " ".join(words_of(made)[2][2:]) == last


@pytest.mark.parametrize(
    "words", ["bottom", "page numbers at the bottom", "\n".join(["Item"] * 99)]
)
def test_so_it_is_where_the_words_to_write_are_others(minutes, words):
    test_page_numbers_are_never_written_out(minutes, "paginate it", "3", words)


def test_a_form_may_stand_in_quotation_marks(minutes):
    for shown, last in (("Page 1 of 5", "Page 3 of 3"), ("1/5", "3/3")):
        made = write_on_pages(minutes, f"page numbers like “{shown}”", numbers="1")
        assert " ".join(words_of(made)[2][2:]) == last


def test_the_first_page_stays_without_a_number(minutes):
    kinds = {item.name: item.kind for item in number_pages.tool.parameters if item.kind}
    for request_ in ("page numbers top right, not on the first page", "number from page 2 on"):
        made = number_pages(minutes, **values_in(request_, kinds))
        assert [words[2:] for words in words_of(made)] == [[], ["2"], ["3"]]


@every_case(
    ("request_", "numbers"),
    [
        ("page numbers, not on the cover, the page after it is number 1", ["", "1", "2"]),
        ("number the pages, beginning with 15", ["15", "16", "17"]),
        ("start numbering at 1 on page 3", ["", "", "1"]),
        ("skip pages 1 and 2, begin with number 8", ["", "", "8"]),
        (
            "page 1 of 9, no number on the cover, the next page is number 1",
            ["", "1 of 2", "2 of 2"],
        ),
    ],
)
def test_numbers_begin_where_they_are_said_to(minutes, request_, numbers):
    kinds = {item.name: item.kind for item in number_pages.tool.parameters if item.kind}
    made = number_pages(minutes, **values_in(request_, kinds))
    found = [" ".join(words[2:]).removeprefix("Page ") for words in words_of(made)]
    assert found == numbers


def test_a_signature_lies_on_the_last_page_as_wide_as_it_is_said(minutes):
    signature = PIL.Image.new("RGBA", (300, 100), (0, 0, 0, 0))
    signature.paste((0, 0, 200, 255), (0, 0, 300, 50))
    request_ = "put my signature at the top left, 5 cm wide"
    kinds = {item.name: item.kind for item in picture_on_pages.tool.parameters if item.kind}
    made = picture_on_pages(minutes, signature, **values_in(request_, kinds))
    assert np.abs(ink(made) - ink(number_pages(minutes, pages="2"))).sum() == 0
    page = pypdfium2.PdfDocument(made.content)[2].render(scale=1).to_pil()
    pixels = np.asarray(page.convert("RGB")).astype(int)
    rows, columns = np.nonzero(pixels[..., 2] - pixels[..., 0] > 100)
    assert abs(np.ptp(columns) + 1 - 50 / 25.4 * 72) < 3
    # What is clear in the picture covers nothing.
    assert abs(np.ptp(rows) + 1 - 50 / 25.4 * 72 / 6) < 3
    assert columns.max() < pixels.shape[1] / 2 and rows.max() < pixels.shape[0] / 8


@pytest.mark.parametrize("words", ["bottom", "at the top of each page", "a big red watermark"])
def test_a_place_is_nothing_to_write(minutes, words):
    with pytest.raises(ToolError, match="not said what to write"):
        write_on_pages(minutes, words)
