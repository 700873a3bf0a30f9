"""A picture laid on pages of a PDF: a signature, a stamp, a logo."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

import PIL.Image

from controlllm.resources import DocumentFile
from controlllm.toolbox import ToolError
from controlllm.values import Kind
from controlllm.values.kinds import Found

from ...shared.lettering import placed
from . import page_numbers, pdf_files

#: Points from the edges of the page, and how wide the picture is of the page.
_MARGIN, _USUAL = 36, 25.0
_POINTS = {"mm": 72 / 25.4, "cm": 720 / 25.4, "in": 72.0, "pt": 1.0}
#: More dots than this an inch are not seen on paper.
_DOTS = 300
_LENGTH = re.compile(
    r"(?<![\w.x])(\d+(?:\.\d+)?) ?(mm|millimet\w+|cm|centimet\w+|in|inch(?:es)?|pt|points?|%|"
    r"percent)"
    r"(?!\w)(?= (?:wide|across|broad|in width|large|big|of the (?:page|width)|width)\b|[^a-z]|$)"
)
_SIZES = (
    (re.compile(r"\b(?:tiny|very small)\b"), "8%"),
    (re.compile(r"\b(?<!too )(?:small(?:ish)?|little)\b"), "14%"),
    (re.compile(r"\b(?:huge|very (?:large|big)|full width)\b"), "80%"),
    (re.compile(r"\b(?<!too )(?:large|big)\b"), "45%"),
)


def _widths(words: str) -> Iterator[Found]:
    for match in _LENGTH.finditer(words):
        unit = "%" if match[2] in ("%", "percent") else match[2][:2]
        if unit in ("mi", "ce", "po"):
            unit = {"mi": "mm", "ce": "cm", "po": "pt"}[unit]
        yield Found(f"{match[1]}{unit}", *match.span())
    for pattern, width in _SIZES:
        for match in pattern.finditer(words):
            yield Found(width, *match.span())


PAPER_WIDTH = Kind(
    "a width on paper, such as 4 cm, 20 % or small", _widths, r"\d+(?:\.\d+)?(?:mm|cm|in|pt|%)"
)


@dataclass(frozen=True)
class Laying:
    """Where a picture is laid, on which pages, how wide, as "40mm" or "20%", and how solid in
    percent, 0 for all solid."""

    place: str
    pages: str
    width: str
    strength: float = 0.0


def laid_on(document: DocumentFile, image: PIL.Image.Image, laying: Laying) -> bytes:
    """The PDF with the picture on its pages, never larger than the page.

    Raises ToolError where nothing of the picture would be seen.
    """
    import pypdf

    if image.mode == "RGBA" and not image.getchannel("A").getbbox():
        raise ToolError("The picture is all clear: nothing of it would be seen on the page.")
    with pdf_files.readable():
        found = pdf_files.reader(document)
        count = len(found.pages)
        writer = pdf_files.chosen(found, range(count))
        pages = page_numbers.spelt(laying.pages or "last", count)
        for number in pdf_files.places(pages, count):
            page = writer.pages[number]
            # What is turned by a note only is turned for good, so that the picture stands upright.
            page.transfer_rotation_to_content()
            box = page.cropbox
            size = (float(box.width), float(box.height))
            above = pypdf.PdfReader(io.BytesIO(_sheet(size, image, laying))).pages[0]
            moved = pypdf.Transformation().translate(float(box.left), float(box.bottom))
            page.merge_transformed_page(above, moved)
        return pdf_files.written(writer)


def _sheet(size: tuple[float, float], image: PIL.Image.Image, laying: Laying) -> bytes:
    """A page of a size in points with nothing on it but the picture."""
    import fpdf

    wide, tall = _size(size, image.size, laying.width)
    dots = (max(1, round(wide / 72 * _DOTS)), max(1, round(tall / 72 * _DOTS)))
    if dots[0] < image.width:
        image = image.resize(dots, PIL.Image.Resampling.LANCZOS)
    margin = _MARGIN if wide < size[0] - 2 * _MARGIN else 0
    corner = placed(
        (round(size[0]), round(size[1])), (round(wide), round(tall)), laying.place, margin
    )
    sheet = fpdf.FPDF(unit="pt", format=size)
    sheet.set_auto_page_break(False)
    sheet.add_page()
    target = io.BytesIO()
    image.save(target, "PNG")
    solid = laying.strength / 100 if 0 < laying.strength < 100 else 1.0
    with sheet.local_context(fill_opacity=solid):
        sheet.image(target, *corner, wide, tall)
    return bytes(sheet.output())


def _size(page: tuple[float, float], picture: tuple[int, int], width: str) -> tuple[float, float]:
    """How wide and tall a picture is on a page, in points."""
    found = re.fullmatch(r"([\d.]+)(mm|cm|in|pt|%)", width or f"{_USUAL}%")
    if found is None or not float(found[1]):
        raise ToolError(f"“{width}” is no width. Name one, such as 4 cm or 20 % of the page.")
    number = float(found[1])
    wide = page[0] * number / 100 if found[2] == "%" else number * _POINTS[found[2]]
    wide = min(wide, page[0], page[1] * picture[0] / picture[1])
    return wide, wide * picture[1] / picture[0]
