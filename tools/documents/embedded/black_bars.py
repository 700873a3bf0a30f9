"""Words of a PDF blacked out so that nobody can get them back: a page that holds any is drawn anew
as a picture with black bars, and its letters are gone."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import PIL.Image
import PIL.ImageDraw

from controlllm.resources import Box, DocumentFile
from controlllm.toolbox import Context, ToolError

from ...seeing.embedded import text_places, text_reader
from ...words.embedded import private_words
from . import pdf_files

if TYPE_CHECKING:
    import pypdf

_DOTS_AN_INCH, _POINTS_AN_INCH = 200, 72
#: How far a bar goes beyond its letters, of their height.
_BEYOND = 0.15


def texts_of(document: DocumentFile, context: Context) -> list[str]:
    """The words of each page; those of a scan are read by sight."""
    with pdf_files.readable():
        found = pdf_files.drawable(document)
        pages = []
        for number in range(len(found)):
            context.progress(0.4 * number / len(found), "Reading the pages")
            words = found[number].get_textpage().get_text_range()
            pages.append(words if words.strip() else _seen(found[number])[1].text)
        return pages


def blacked_out(
    document: DocumentFile, hidden: Iterable[str], context: Context
) -> tuple[bytes, int, list[int]]:
    """The PDF with bars over the words, over how many places, and on which pages (from 1).

    Raises ToolError where any of the words could still be read.
    """
    import pypdf

    hidden = list(hidden)
    count, pages = 0, []
    with pdf_files.readable():
        found, source = pdf_files.drawable(document), pdf_files.reader(document)
        writer = pypdf.PdfWriter()
        for number in range(len(found)):
            context.progress(0.4 + 0.5 * number / len(found), "Blacking out")
            bars, picture = _bars(found[number], hidden)
            if bars:
                count += len(bars)
                pages.append(number + 1)
                _append_picture(writer, picture, [box for boxes in bars for box in boxes])
            else:
                page = writer.add_page(source.pages[number])
                # A note or a link may say what the page does not.
                page.pop("/Annots", None)
        content = pdf_files.written(writer)
    _expect_gone(content, hidden)
    return content, count, pages


def _bars(page: Any, hidden: list[str]) -> tuple[list[list[Box]], PIL.Image.Image]:
    """The boxes of each place to cover, a box for each line, in the picture of the page."""
    text_page = page.get_textpage()
    text = text_page.get_text_range()
    if not text.strip():
        picture, reading = _seen(page)
        spans = private_words.spans_of(hidden, reading.text)
        return text_places.boxes_of(reading, spans, picture), picture
    picture = _drawn(page)
    spans = private_words.spans_of(hidden, text)
    scale = _DOTS_AN_INCH / _POINTS_AN_INCH
    bars = []
    for start, end in spans:
        boxes: list[Box] = []
        for place in range(start, end):
            left, bottom, right, top = text_page.get_charbox(place, loose=True)
            if text[place].isspace() or right <= left:
                continue
            height = (top - bottom) * scale
            edge = _BEYOND * height
            box = Box(left * scale - edge, picture.height - top * scale - edge,
                      right * scale + edge, picture.height - bottom * scale + edge)  # fmt: skip
            last = boxes[-1] if boxes else None
            if last and abs(last.top - box.top) < 0.6 * height and box.left > last.left:
                top_, bottom_ = min(last.top, box.top), max(last.bottom, box.bottom)
                boxes[-1] = Box(last.left, top_, max(last.right, box.right), bottom_)
            else:
                boxes.append(box)
        bars.append(boxes)
    return bars, picture


def _drawn(page: Any) -> PIL.Image.Image:
    return page.render(scale=_DOTS_AN_INCH / _POINTS_AN_INCH).to_pil().convert("RGB")


def _seen(page: Any) -> tuple[PIL.Image.Image, text_reader.Reading]:
    picture = _drawn(page)
    return picture, text_reader.read(picture)


def _append_picture(
    writer: pypdf.PdfWriter, picture: PIL.Image.Image, boxes: Iterable[Box]
) -> None:
    pen = PIL.ImageDraw.Draw(picture)
    for box in boxes:
        pen.rectangle((box.left, box.top, box.right, box.bottom), fill="black")
    target = io.BytesIO()
    picture.save(target, "PDF", resolution=_DOTS_AN_INCH, quality=85)
    target.seek(0)
    writer.append(target)


def _expect_gone(content: bytes, hidden: list[str]) -> None:
    import pypdf

    words = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    left = [said for said in hidden if private_words.places_of(said, words)]
    if left:
        raise ToolError(
            f"“{left[0]}” could not be blacked out safely in this PDF, so nothing is handed over."
        )
