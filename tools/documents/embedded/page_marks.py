"""Numbers and words on the pages of a PDF, and its pictures stored anew."""

from __future__ import annotations

import io
import math
import re
from typing import TYPE_CHECKING, Any

from controlllm.resources import DocumentFile
from controlllm.toolbox import Context, ToolError

from . import page_numbers, pdf_files, text_pages

if TYPE_CHECKING:
    import pypdf

_MARGIN, _NUMBER_SIZE, _STAMP_SIZE = 28.0, 10.0, 16.0
_GREY, _INK = "#808080", "#303030"
#: Words across a page are seen through so much, and stand so steep.
_FAINT, _SLANT = 0.3, 45.0
#: Pictures are stored in these qualities and at most this many pixels long, the best first.
_COARSER = ((80, 2600), (70, 2000), (60, 1600), (50, 1200), (40, 1000), (30, 800), (20, 600))
#: What is longer, in letters, is no stamp but a text.
_LONGEST, _MOST_LINES = 300, 3
#: Where no limit is said.
_USUAL = 1


#: An order to write words, as it is told where the words alone were not heard.
_ORDER = re.compile(
    r"^(?:please )?(?:write|put|stamp|print|add|mark|stick|place|insert|type|lay|scribble|label|"
    r"head|caption|have)\b(?: (?:it|them|this|(?:each|every) (?:page|sheet)|(?:all|the)(?: the)? "
    r"(?:pages|sheets))(?= (?:as|with|say|says|saying|that says) |,? [A-Z\d]))?"
    r"(?: (?:the|a|an))?(?: (?:words?|stamp|text|"
    r"watermark|line|caption))?(?: (?:as|with|saying|says?|that says))?(?: (?:the|a|an) (?:words?|"
    r"text))?:? "
    r"(?P<words>.+?)"
    r"(?: (?:(?:diagonally|faintly|lightly|large|big|in \w+) ?)*(?:on|across|over|onto|at|in|under|"
    r"above|below|to)\b.*)?$",
    re.IGNORECASE | re.DOTALL,
)
#: In single quotation marks too, whose last one may have been lost on the way.
_QUOTED = re.compile(
    r"[\"“„«]([^\"”“»]+)[\"”“»]|(?<![\w'])['‘]((?:[^'’\n]|['’](?=\w))+)(?:['’](?!\w)|$)"
)


def to_write(words: str) -> str:
    """The words that shall be written, without an order around them; none where all of it is an
    order, or more than anybody would write across a page."""
    quoted = _QUOTED.search(words)
    order = _ORDER.match(words.strip())
    said = (quoted[1] or quoted[2] if quoted else order["words"] if order else words).strip()
    # One or two words in quotation marks are meant, whatever they say.
    is_meant = bool(quoted) and len(said.split()) < 3 and not page_numbers.form_in(said)
    if is_a_text(said) or (not is_meant and page_numbers.is_of_the_order(said)):
        return ""
    return said


def is_a_text(words: str) -> bool:
    """Whether words are too many, or too many lines, for a stamp."""
    return len(words) > _LONGEST or len(words.split("\n")) > _MOST_LINES


def numbered(document: DocumentFile, place: str, pages: str, form: str, begin: int = 0) -> bytes:
    """A PDF with the number of each page at a place, in a form such as "1 / n".

    Where `begin` is not 0 the first page that gets a number gets this, and those before it do not
    count.
    """
    with pdf_files.readable():
        found = pdf_files.reader(document)
        count = len(found.pages)
        chosen = pdf_files.places(page_numbers.spelt(pages, count), count)
        more = begin - min(chosen) - 1 if begin else 0
        words = {
            number: page_numbers.written(form or "1", number + 1 + more, count + more)
            for number in chosen
        }
        return _with_words(found, words, place, _INK, _NUMBER_SIZE)


def written_on(document: DocumentFile, words: str, place: str, colour: str, pages: str) -> bytes:
    """A PDF with words at a place of its pages, or across them where no place is named."""
    with pdf_files.readable():
        found = pdf_files.reader(document)
        count = len(found.pages)
        on = pdf_files.places(page_numbers.spelt(pages, count), count)
        return _with_words(found, dict.fromkeys(on, words), place, colour or _GREY, _STAMP_SIZE)


def _with_words(
    found: pypdf.PdfReader, words: dict[int, str], place: str, colour: str, size: float
) -> bytes:
    import pypdf

    writer = pdf_files.chosen(found, range(len(found.pages)))
    for number, said in words.items():
        page = writer.pages[number]
        # What is turned by a note only is turned for good, so that the words stand upright.
        page.transfer_rotation_to_content()
        box = page.mediabox
        sheet = _sheet((float(box.width), float(box.height)), said, place, colour, size)
        above = pypdf.PdfReader(io.BytesIO(sheet)).pages[0]
        moved = pypdf.Transformation().translate(float(box.left), float(box.bottom))
        page.merge_transformed_page(above, moved)
    return pdf_files.written(writer)


def _sheet(size: tuple[float, float], words: str, place: str, colour: str, letters: float) -> bytes:
    """A page of a size with nothing on it but words."""
    width, height = size
    sheet = text_pages.empty_document(size)
    sheet.set_margin(0)
    sheet.set_auto_page_break(False)
    sheet.add_page()
    sheet.set_text_color(*(int(colour[start : start + 2], 16) for start in (1, 3, 5)))
    if place:
        sheet.set_font("text", "", letters)
        wide = sheet.get_string_width(words)
        if wide > width - 2 * _MARGIN:
            sheet.set_font("text", "", letters * (width - 2 * _MARGIN) / wide)
            wide = width - 2 * _MARGIN
        left = _MARGIN if "left" in place else (width - wide) / 2
        left = width - _MARGIN - wide if "right" in place else left
        top = height / 2
        top = _MARGIN + letters if "top" in place else top
        top = height - _MARGIN if "bottom" in place else top
        sheet.text(left, top, words)
        return bytes(sheet.output())
    sheet.set_font("text", "B", 100)
    fits = 100 * math.hypot(width, height) * 0.7 / sheet.get_string_width(words)
    large = min(fits, height / 5)
    sheet.set_font("text", "B", large)
    wide = sheet.get_string_width(words)
    with sheet.local_context(fill_opacity=_FAINT), sheet.rotation(_SLANT, width / 2, height / 2):
        sheet.text((width - wide) / 2, height / 2 + large / 3, words)
    return bytes(sheet.output())


def compressed(document: DocumentFile, limit: float, context: Context) -> bytes:
    """A PDF whose pictures are stored anew, coarser until it takes at most `limit` bytes where that
    is not 0; never larger than it was.

    Raises ToolError where it cannot be made so small.
    """
    best = document.path.read_bytes()
    before = len(best)
    if limit and before <= limit:
        context.remark("The PDF was smaller than that already.")
        return best
    ways = _COARSER if limit else _COARSER[_USUAL : _USUAL + 1]
    for done, (quality, side) in enumerate(ways):
        context.progress(done / len(ways), "Storing its pictures anew")
        with pdf_files.readable():
            content = _stored(document, quality, side, context)
        best = min(best, content, key=len)
        if limit and len(best) <= limit:
            return best
    if limit:
        raise ToolError(
            f"The PDF cannot be made smaller than {len(best) / 1e3:,.0f} kB: what it holds besides "
            "pictures takes that. Split it, or allow a larger file."
        )
    if len(best) >= before:
        context.remark("There was nothing in the PDF that could be stored smaller.")
    return best


def _stored(document: DocumentFile, quality: int, side: int, context: Context) -> bytes:
    found = pdf_files.reader(document)
    writer = pdf_files.chosen(found, range(len(found.pages)))
    seen: set[Any] = set()
    for page in writer.pages:
        context.check()
        for picture in page.images:
            held = picture.indirect_reference
            mark = getattr(getattr(held, "indirect_reference", None) or held, "idnum", None)
            # One that stands on several pages is stored once.
            if picture.image is None or (mark is not None and mark in seen):
                continue
            seen.add(mark)
            shown = picture.image
            shown.thumbnail((side, side))
            if shown.mode not in ("RGB", "L"):
                shown = shown.convert("RGB")
            picture.replace(shown, quality=quality)
        page.compress_content_streams()
    return pdf_files.written(writer)
