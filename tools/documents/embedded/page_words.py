"""The words of a PDF and the facts of its file."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from controlllm.resources import DocumentFile
from controlllm.toolbox import Context, ToolError

from ...seeing.embedded import text_reader
from ...shared.said_where import quoted, that_say
from . import page_pictures

if TYPE_CHECKING:
    import pypdf

#: Pages without words that are read by their looks; reading one takes a second or two.
MOST_READ_BY_LOOKS = 30
#: A line so long that its sentence goes on in the next, and a word that does.
_GOES_ON = re.compile(r"(?<=[^\n]{45})(?<=[^\s.!?:;])\n(?=[^\W\d_A-Z])")
_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\xad\ufffe]\n(?=[a-zà-ÿ])")
_NO_LETTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_MILLIMETRES_A_POINT = 25.4 / 72
_SHEETS = {
    "A3": (297.0, 420.0), "A4": (210.0, 297.0), "A5": (148.0, 210.0), "A6": (105.0, 148.0),
    "Letter": (215.9, 279.4), "Legal": (215.9, 355.6),
}  # fmt: skip


def text_of(found: Any, context: Context) -> str:
    """The words of all pages, with an empty line between pages.

    Raises ToolError where no page has any.
    """
    return "\n\n".join(filter(None, pages_of(found, context)))


def pages_of(found: Any, context: Context) -> list[str]:
    """The words of each page; those of scans are read by sight.

    Raises ToolError where no page has any.
    """
    pages = []
    scans = 0
    for number in range(len(found)):
        context.progress(number / len(found), f"Page {number + 1} of {len(found)}")
        page = found[number]
        words = _words_of(page)
        if not words and scans < MOST_READ_BY_LOOKS and has_picture(page):
            scans += 1
            words = text_reader.read(page_pictures.picture(page)).text
        pages.append(words)
        page.close()
    if not any(pages):
        raise ToolError(
            "There are no words in this PDF, and none can be read in its pictures. Show a page as "
            "a picture to look at it."
        )
    return pages


def pages_that_say(
    documents: Sequence[Sequence[str]], words: Sequence[str]
) -> dict[tuple[int, int], str]:
    """The pages on which words stand, each as the place of its document and its number from 1 on,
    with the sentence: those sentences that hold the most of them."""
    places, sentences = [], []
    for place, pages in enumerate(documents):
        for number, page in enumerate(pages, 1):
            for sentence in re.split(r"(?<=[.!?])\s+|\n\s*\n", page):
                places.append((place, number))
                sentences.append(sentence)
    found: dict[tuple[int, int], str] = {}
    for at in that_say(sentences, words):
        found.setdefault(places[at], quoted(sentences[at]))
    return found


def _words_of(page: Any) -> str:
    words = str(page.get_textpage().get_text_bounded()).replace("\r", "")
    lines = "\n".join(line.strip() for line in words.split("\n"))
    return _NO_LETTERS.sub("", _GOES_ON.sub(" ", _HYPHEN.sub("", lines))).strip()


def has_words(page: Any) -> bool:
    """Whether a page holds letters, and no picture of them alone."""
    return bool(_words_of(page))


def has_picture(page: Any) -> bool:
    """Whether anything is drawn on a page."""
    return next(iter(page.get_objects()), None) is not None


def facts_of(document: DocumentFile, found: pypdf.PdfReader) -> str:
    """Pages, size, title, author, dates and the file's size, one on a line."""
    lines = [
        f"Pages: {len(found.pages):,}",
        f"Page size: {_sizes(found)}",
        *properties_of(found),
        f"File size: {_bytes(document.path.stat().st_size)}",
        f"Words: {_words_in(document)}",
    ]
    if found.is_encrypted:
        lines.append("Protection: what may be done with it is limited; it opens without a password")
    return "\n".join(lines)


_PROPERTIES = frozenset(
    "/Title /Author /Subject /Keywords /CreationDate /ModDate /Creator /Producer /Trapped".split()
)


def properties_of(found: pypdf.PdfReader) -> list[str]:
    """What a document says of itself beside its pages, each with its name."""
    facts = found.metadata
    if not facts:
        return []
    others = sorted(facts.keys() - _PROPERTIES)
    programs = dict.fromkeys(filter(None, (facts.creator, facts.producer)))
    return [
        *_said("Title", facts.title),
        *_said("Author", facts.author),
        *_said("Subject", facts.subject),
        *_said("Keywords", facts.keywords),
        *_said("Created", _day(facts, "creation_date")),
        *_said("Changed", _day(facts, "modification_date")),
        *_said("Made with", " and ".join(map(str, programs))),
        # Some programs note the firm and more.
        *(line for key in others for line in _said(key.lstrip("/"), facts[key])),
    ]


def _said(name: str, value: Any) -> list[str]:
    words = " ".join(str(value or "").split())
    return [f"{name}: {words}"] if words else []


def _day(facts: Any, name: str) -> str:
    try:
        day = getattr(facts, name)
    except (ValueError, TypeError):
        return ""
    return f"{day.day} {day:%B %Y, %H:%M}" if isinstance(day, dt.datetime) else ""


def _sizes(found: pypdf.PdfReader) -> str:
    """The size of the pages in words; where they differ each with how many have it."""
    sizes: Counter[str] = Counter()
    for page in found.pages:
        width = float(page.cropbox.width) * float(page.user_unit) * _MILLIMETRES_A_POINT
        height = float(page.cropbox.height) * float(page.user_unit) * _MILLIMETRES_A_POINT
        if (page.rotation or 0) % 180:
            width, height = height, width
        sizes[_size(width, height)] += 1
    if len(sizes) == 1:
        return next(iter(sizes))
    return "; ".join(f"{size} ({number:,} pages)" if number > 1 else f"{size} (1 page)"
                     for size, number in sizes.most_common(5))  # fmt: skip


def _size(width: float, height: float) -> str:
    name = next(
        (f"{name}, " for name, (short, long) in _SHEETS.items()
         if abs(min(width, height) - short) < 2 and abs(max(width, height) - long) < 2),
        "",
    )  # fmt: skip
    way = "square" if abs(width - height) < 1 else "upright" if width < height else "landscape"
    return f"{name}{width:.0f} x {height:.0f} mm, {way}"


def _bytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 0.1):.3g} kB"


def _words_in(document: DocumentFile) -> str:
    from . import pdf_files

    words, without = 0, 0
    drawn = pdf_files.drawable(document)
    for page in drawn:
        found = len(_words_of(page).split())
        words, without = words + found, without + (not found)
        page.close()
    if not words:
        return "none; its pages are pictures or empty"
    beside = f"; {without:,} of the pages have none" if without else ""
    return f"about {words:,}{beside}"
