"""PDFs made, joined, taken apart, turned, shown and read; each is opened again and looked into."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pypdf
import pytest

from controlllm.resources import DocumentFile, Filed
from controlllm.toolbox import Context, GivenFile, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.documents.finding import find_pages
from tools.documents.pdf import (
    document_information,
    document_to_text,
    extract_pages,
    images_to_pdf,
    merge_pdfs,
    page_to_image,
    rotate_pages,
    text_to_pdf,
)


@pytest.fixture
def kept(tmp_path):
    """Writes a made PDF to a file, as what is handed to the next tool."""
    count = iter(range(1000))

    def keep(made) -> DocumentFile:
        assert isinstance(made, Filed) and made.media_type == "application/pdf"
        path: Path = tmp_path / f"{next(count)}.pdf"
        path.write_bytes(made.content)
        return DocumentFile(path)

    return keep


def words_of(document: DocumentFile) -> list[str]:
    return [page.extract_text().strip() for page in pypdf.PdfReader(document.path).pages]


def sizes_of(document: DocumentFile) -> list[tuple[int, int]]:
    pages = pypdf.PdfReader(document.path).pages
    return [(round(page.mediabox.width), round(page.mediabox.height)) for page in pages]


def written(folder: Path, *pages: str) -> DocumentFile:
    """A PDF of pages with these words."""
    writer = pypdf.PdfWriter()
    for words in pages:
        writer.append(io.BytesIO(text_to_pdf(words).content))
    writer.write(folder / "written.pdf")
    return DocumentFile(folder / "written.pdf")


@pytest.fixture(scope="module")
def numbered(tmp_path_factory) -> DocumentFile:
    """Five pages, "Page 1" to "Page 5"."""
    return written(tmp_path_factory.mktemp("numbered"), *(f"Page {n}" for n in range(1, 6)))


def photo(width: int, height: int) -> PIL.Image.Image:
    noise = np.random.default_rng(3).integers(
        0, 255, (height // 8 + 1, width // 8 + 1, 3), np.uint8
    )
    return PIL.Image.fromarray(noise).resize((width, height), PIL.Image.Resampling.BICUBIC)


def test_pictures_become_pages_that_fit_them(kept):
    drawing = PIL.Image.new("RGBA", (400, 800), (255, 0, 0, 128))
    document = kept(images_to_pdf([photo(900, 600), drawing, PIL.Image.new("L", (1, 1), 7)]))
    assert sizes_of(document) == [(432, 288), (192, 384), (36, 36)]
    filters = [
        next(iter(page["/Resources"]["/XObject"].values())).get_object()["/Filter"]
        for page in pypdf.PdfReader(document.path).pages[:2]
    ]
    # A photo is kept as JPEG, a drawing without loss, on white where one could see through it.
    assert filters == ["/DCTDecode", "/FlateDecode"]
    assert page_to_image(document, pages="2").getpixel((200, 400)) == (255, 127, 127)


def test_pictures_are_set_on_sheets_the_way_they_lie(kept):
    document = kept(images_to_pdf([photo(900, 600), photo(600, 900)], page="a4"))
    assert sizes_of(document) == [(842, 595), (595, 842)]
    shown = np.asarray(page_to_image(document, pages="1").convert("L"))
    assert (shown[:20] == 255).all() and shown[600, 800] < 255
    letter = kept(images_to_pdf([photo(60, 90)], page="letter"))
    assert sizes_of(letter) == [(612, 792)]
    sliver = kept(images_to_pdf([PIL.Image.new("RGB", (300, 1), "red")]))
    assert len(pypdf.PdfReader(sliver.path).pages) == 1
    with pytest.raises(ToolError, match="no pictures"):
        images_to_pdf([])


MARKDOWN = """# The trip

We leave **on Friday**; see [the map](https://example.org/map).

## To bring

- boots
- a coat

1. First
2. Second

| Item | Price |
| --- | ---: |
| Train | 120.50 |

```
x = 1
```

Привет, Ελλάδα, 20 € 🙂
"""


def test_markdown_is_set_with_headings_lists_tables_and_links(kept):
    document = kept(text_to_pdf(MARKDOWN))
    text = document_to_text(document)
    for words in ("The trip", "on Friday", "• boots", "2. Second", "120.50", "x = 1", "Привет"):
        assert words in text, words
    assert "**" not in text and "|" not in text and "🙂" not in text
    found = pypdf.PdfReader(document.path)
    assert found.metadata.title == "The trip"
    assert [item["/Title"] for item in found.outline if not isinstance(item, list)] == ["The trip"]
    links = [note.get_object()["/A"]["/URI"] for note in found.pages[0]["/Annots"]]
    assert "https://example.org/map" in links
    fonts = found.pages[0]["/Resources"]["/Font"]
    assert len(fonts) >= 2
    picture = page_to_image(document)
    # The heading is larger than the text below it.
    dark = (np.asarray(picture.convert("L")) < 128).any(axis=1)
    edges = np.flatnonzero(np.diff(dark.astype(int)))
    lines = edges[1::2] - edges[::2]
    assert lines[0] > 1.4 * lines[1]


def test_plain_text_keeps_its_lines_and_flows_over_pages(kept):
    letter = kept(text_to_pdf("Dear Anna,\nthank you.\n\n    Roses are red\n\nBen", page="letter"))
    assert sizes_of(letter) == [(612, 792)]
    assert words_of(letter)[0].split("\n")[:2] == ["Dear Anna,", "thank you."]
    long = kept(text_to_pdf("\n\n".join(f"Paragraph {number}." for number in range(200))))
    pages = words_of(long)
    assert len(pages) > 3 and "Paragraph 199." in pages[-1] and pages[1].endswith("2")
    assert sizes_of(long)[0] == (595, 842)
    for text, told in ((" ", "no words"), ("漢字かな", "letters that cannot be set"),
                       ("שלום", "letters that cannot be set")):  # fmt: skip
        with pytest.raises(ToolError, match=told):
            text_to_pdf(text)


def test_pdfs_are_joined_in_their_order(kept, numbered):
    other = kept(text_to_pdf("Another"))
    joined = kept(merge_pdfs([other, numbered, other]))
    assert words_of(joined) == ["Another", *(f"Page {n}" for n in range(1, 6)), "Another"]
    with pytest.raises(ToolError, match="only one PDF"):
        merge_pdfs([numbered])


def test_files_are_joined_in_the_order_that_is_said(kept, numbered):
    other = kept(text_to_pdf("Another"))

    def named(*names: str) -> Context:
        return Context().given(lambda _: [GivenFile(name, "", numbered.path) for name in names])

    said = "the invoice first, then the pages"
    context = named("pages.pdf", "invoice.pdf")
    joined = kept(merge_pdfs([numbered, other], order=said, context=context))
    assert words_of(joined)[:2] == ["Another", "Page 1"]
    pictures = [PIL.Image.new("RGB", size) for size in ((150, 300), (300, 150))]
    made = kept(images_to_pdf(pictures, order=said, context=named("pages.jpg", "invoice.jpg")))
    assert sizes_of(made) == [(144, 72), (72, 144)]


@pytest.mark.parametrize(
    ("words", "on_page", "sheets"),
    [
        ("all 4 on one upright A4 page", "4", 1),
        ("the four on one A4 page, 2 x 2", "2x2", 1),
        ("two photos per page", "2", 2),
        ("a PDF of these, please", "", 4),
    ],
)
def test_several_pictures_on_a_page(kept, words, on_page, sheets):
    kinds = {own.name: own.kind for own in images_to_pdf.tool.parameters if own.kind is not None}
    told = values_in(words, kinds)
    assert told.get("on_page", "") == on_page
    pictures = [PIL.Image.new("RGB", (80, 60), name) for name in ("red", "green", "blue", "gold")]
    made = kept(images_to_pdf(pictures, on_page=on_page))
    assert len(sizes_of(made)) == sheets
    if on_page:
        assert set(sizes_of(made)) == {(595, 842)}


def test_pages_are_kept_and_taken_out(kept, numbered):
    assert words_of(kept(extract_pages(numbered, pages="2-3,5"))) == ["Page 2", "Page 3", "Page 5"]
    assert words_of(kept(extract_pages(numbered, pages="last"))) == ["Page 5"]
    assert words_of(kept(extract_pages(numbered, pages="odd"))) == ["Page 1", "Page 3", "Page 5"]
    assert words_of(kept(extract_pages(numbered, pages="3,1"))) == ["Page 3", "Page 1"]
    left = kept(extract_pages(numbered, pages="1-3", way="remove"))
    assert words_of(left) == ["Page 4", "Page 5"]
    for pages, way, told in (("", "", "not said which"), ("9", "", "5 pages, 1 to 5"),
                             ("all", "remove", "No page would be left")):  # fmt: skip
        with pytest.raises(ToolError, match=told):
            extract_pages(numbered, pages=pages, way=way)


@every_case(
    "words, way",
    [
        ("page 2 is empty, please throw it out", "remove"),
        ("Get rid of the last page", "remove"),
        ("pages 3 and 4 are blank, take them out", "remove"),
        ("everything except page 2", "remove"),
        ("Kick out page 5", "remove"),
        ("the cover has to go, that is page 1", "remove"),
        ("I just need pages 2 to 3", ""),
        ("Pull page 1 out into a new file", ""),
    ],
)
def test_that_pages_go_is_heard(words: str, way: str):
    kinds = {item.name: item.kind for item in extract_pages.tool.parameters if item.kind}
    assert values_in(words, kinds).get("way", "") == way


def test_pages_are_turned(kept, numbered):
    turned = pypdf.PdfReader(kept(rotate_pages(numbered)).path)
    assert [page.rotation for page in turned.pages] == [90] * 5
    some = kept(rotate_pages(numbered, angle=-90.0, pages="2"))
    assert [page.rotation % 360 for page in pypdf.PdfReader(some.path).pages] == [0, 270, 0, 0, 0]
    again = kept(rotate_pages(some, angle=180.0, pages="2"))
    assert pypdf.PdfReader(again.path).pages[1].rotation % 360 == 90
    wide = page_to_image(again, pages="2")
    assert wide.width > wide.height
    for angle in (45.0, 360.0):
        with pytest.raises(ToolError, match="90, 180 or"):
            rotate_pages(numbered, angle=angle)


def test_pages_are_shown(numbered):
    first = page_to_image(numbered)
    assert abs(first.width - 1240) < 3 and abs(first.height - 1754) < 3
    assert not np.array_equal(np.asarray(first), np.asarray(page_to_image(numbered, pages="2")))
    both = page_to_image(numbered, pages="1-2")
    assert both.width == first.width and both.height > 2 * first.height
    many = DocumentFile(numbered.path)
    with pytest.raises(ToolError, match="no page 7"):
        page_to_image(many, pages="7")


def test_more_pages_than_fit_are_refused(kept):
    long = kept(text_to_pdf("\n\n".join(f"Paragraph {number}." for number in range(500))))
    with pytest.raises(ToolError, match="at most 8"):
        page_to_image(long, pages="all")


def test_a_scan_is_read_by_sight(kept):
    scan = PIL.Image.new("RGB", (1200, 500), "white")
    font = PIL.ImageFont.load_default(70)
    PIL.ImageDraw.Draw(scan).text((80, 180), "Invoice number 4711", "black", font)
    text = document_to_text(kept(images_to_pdf([scan])))
    assert "4711" in text and "Invoice" in text
    with pytest.raises(ToolError, match="no words in this PDF"):
        document_to_text(kept(images_to_pdf([PIL.Image.new("RGB", (300, 300), "white")])))


def test_the_facts_of_a_pdf(kept):
    facts = document_information(kept(text_to_pdf(MARKDOWN)))
    assert "Pages: 1" in facts and "A4, 210 x 297 mm, upright" in facts
    assert "Title: The trip" in facts and "Words: about" in facts
    mixed = kept(images_to_pdf([photo(900, 600), photo(600, 900), photo(600, 900)], page="letter"))
    told = document_information(mixed)
    assert "upright (2 pages)" in told and "landscape (1 page)" in told and "none" in told


def test_protected_and_damaged_files_are_told(tmp_path, kept, numbered):
    writer = pypdf.PdfWriter(clone_from=numbered.path)
    writer.encrypt("secret", algorithm="AES-256")
    locked = DocumentFile(tmp_path / "locked.pdf")
    writer.write(locked.path)
    broken = DocumentFile(tmp_path / "broken.pdf")
    broken.path.write_bytes(numbered.path.read_bytes()[:300])
    junk = DocumentFile(tmp_path / "junk.pdf")
    junk.path.write_bytes(b"%PDF-1.4\nnothing of the kind")
    for tool, inputs in (
        (extract_pages, {"pages": "1"}), (rotate_pages, {}), (page_to_image, {}),
        (document_to_text, {}), (document_information, {}),
    ):  # fmt: skip
        with pytest.raises(ToolError, match="password"):
            tool(locked, **inputs)
        for bad in (broken, junk):
            with pytest.raises(ToolError, match="damaged|no pages"):
                tool(bad, **inputs)
    with pytest.raises(ToolError, match="PDF number 2 of 2 is protected"):
        merge_pdfs([numbered, locked])
    open_to_read = pypdf.PdfWriter(clone_from=numbered.path)
    open_to_read.encrypt("", "owner", algorithm="AES-256")
    limited = DocumentFile(tmp_path / "limited.pdf")
    open_to_read.write(limited.path)
    assert words_of(kept(extract_pages(limited, pages="1"))) == ["Page 1"]
    assert "opens without a password" in document_information(limited)


@pytest.mark.long
def test_what_is_made_is_a_pdf(numbered):
    made = extract_pages(numbered, pages="1")
    assert (
        made.content.startswith(b"%PDF")
        and len(pypdf.PdfReader(io.BytesIO(made.content)).pages) == 1
    )


@pytest.fixture(scope="module")
def contract(tmp_path_factory) -> DocumentFile:
    pages = ("The gym opens at six.", "Notice periods are three months. You may cancel by letter.",
             "There is no parking. Give notice in writing; the period begins then.")  # fmt: skip
    return written(tmp_path_factory.mktemp("contract"), *pages)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("the notice period", "On page 2:\n\n- Page 2: Notice periods are three months."),
        ("Which pages of the gym contract mention the notice period? I don't want to read it all",
         "On page 2:"),
        ("on what page is it about parking?", "On page 3:\n\n- Page 3: There is no parking."),
        ("Find every page that says “notice”", "On pages 2 and 3:"),
        ("where do they speak of writing a notice", "On page 3:"),
        ("is swimming named anywhere?", "“swimming” is not said on any of its 3 pages."),
    ],
)  # fmt: skip
def test_the_pages_that_say_something_are_told(contract, question, said):
    assert find_pages([contract], question).startswith(said)


def test_of_several_documents_those_are_told_that_say_it(contract, tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    (folder / "other").mkdir()
    letter = written(folder, "Dear parents,", "swimming lessons begin in May.")
    bill = written(folder / "other", "The bill for the swimming pool.")
    names = ("contract.pdf", "letter from school.pdf", "bill.pdf")
    documents = [contract, letter, bill]
    files = [
        GivenFile(name, "document", document.path)
        for name, document in zip(names, documents, strict=True)
    ]
    context = Context().given(lambda argument: files if argument == "documents" else ())
    question = "in which of these letters is the thing about the swimming lessons?"
    assert find_pages(documents, question, context=context) == (
        "Of the 3 documents letter from school.pdf (page 2) has “swimming lessons”:\n\n"
        "- letter from school.pdf, page 2: swimming lessons begin in May."
    )
    assert find_pages(documents, "swimming", context=context).startswith(
        "Of the 3 documents letter from school.pdf (page 2) and bill.pdf (page 1) have “swimming”:"
    )
    nowhere = "“parrots” is not said in any of the 3 documents."
    assert find_pages(documents, "where is it about parrots?") == nowhere


def test_letters_are_as_large_as_they_are_said_to_be(kept):
    kinds = {item.name: item.kind for item in text_to_pdf.tool.parameters if item.kind}
    for request_, points in (("in big letters", 18), ("font size 16", 16), ("22 pt, on A4", 22)):
        document = kept(text_to_pdf("Dear all", **values_in(request_, kinds)))
        found: list[float] = []
        page = pypdf.PdfReader(document.path).pages[0]
        page.extract_text(
            visitor_text=lambda text, cm, tm, font, size, found=found: found.append(size)
        )
        assert points in [round(size) for size in found]
    with pytest.raises(ToolError, match="from 4 to 72"):
        text_to_pdf("Dear all", letters=99.0)
