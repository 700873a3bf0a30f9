"""Words of a PDF blacked out so that nobody can get them back: a page that holds any is drawn anew
as a picture with black bars, and its letters are gone."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import PIL.Image
import PIL.ImageDraw

from controlllm.resources import Box, DocumentFile
from controlllm.toolbox import Context, ToolError
from controlllm.values import Kind
from controlllm.values.kinds import Found

from ...seeing.embedded import text_reader
from ...words.embedded import contacts
from ...words.embedded.named_entities import named_entities
from . import pdf_files

if TYPE_CHECKING:
    import pypdf

_DOTS_AN_INCH, _POINTS_AN_INCH = 200, 72
#: How far a bar goes beyond its letters, of their height.
_BEYOND = 0.15
_QUOTED = re.compile(r"[\"“„«‘]([^\"”“»’]+)[\"”“»’]|(?<![\w'])'((?:[^'\n]|'(?=\w))+)'(?!\w)")
#: All names, and not that of one person.
_ALL_NAMES = re.compile(
    r"(?i:\b(?:all|any|every|each|both|other|no|people's|persons'?|everybody's|everyone's)"
    r"(?: (?!page)\w+){0,2} names?\b)|\b[Nn]ames\b(?! [A-Z])|"
    r"(?i:\b(?:people|who|anonymi[sz]e|personal|private)\b)",
)
_CENTS = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,]\d{3})*[.,]\d\d(?![\d.,]*\d)")
#: What is asked for by its kind.
_KINDS: tuple[tuple[str, str], ...] = (
    ("emails", r"e-?mails?\b|\bmail address"),
    ("phones", r"\b(?:tele)?phones?\b|\bmobile\b|\btel\b|\bnumbers? (?:of|to call|to ring)\b"),
    (
        "names",
        r"\bnames?\b(?! of (?:the )?(?:company|firm|street|file))|\bpe(?:ople|rsons?)\b|\bwho\b",
    ),
    (
        "ibans",
        r"\bibans?\b|\baccounts?\b|\bacct\b|\bbank(?:ing)? (?:details?|data|info\w*|numbers?)\b|"
        r"\b(?:payment|card) details?\b|\bsort ?codes?\b|\brouting\b|\bbic\b|\bswift\b|"
        r"\bcards? n(?:umbers?|o)\b|\b(?:credit|debit|bank) cards?\b",
    ),
    ("amounts", r"\bamounts?\b|\bprices?\b|\bsums?\b|\bsalar\w+|\bmoney\b|\beuros?\b"),
    ("dates", r"\bdates?\b|\bbirthdays?\b"),
    ("links", r"\blinks?\b|\bweb ?(?:sites?|addresses)\b|\burls?\b"),
)
_PERSONAL = re.compile(
    r"(?i)\bpersonal (?:data|details|info\w*)\b|\bcontact (?:details|data|info\w*)\b|\bprivate\b|"
    r"\banonymi[sz]e\b"
)
_NO_WORDS = frozenset(
    "black out hide redact cover remove make please the and all every any a an in of on this that "
    "pdf it i my our her his their blacken censor properly so nobody before".split()
)


def _names(text: str) -> list[str]:
    return _with_parts([one.name for one in named_entities(text) if one.kind == "person"])


def _with_parts(names: list[str]) -> list[str]:
    """Names with their parts: where Helen Moore is hidden, Moore alone is."""
    return [*names, *(part for name in names for part in name.split() if len(part) > 2)]


_FINDERS: dict[str, Callable[[str], list[str]]] = {
    **contacts.FINDERS,
    "names": _names,
    "amounts": lambda text: [*contacts.FINDERS["amounts"](text), *_CENTS.findall(text)],
    "ibans": contacts.accounts,
}


def kinds_in(request: str) -> list[str]:
    """The kinds of words that a request asks to hide."""
    kinds = [kind for kind, asked in _KINDS if re.search(asked, request, re.IGNORECASE)]
    if _PERSONAL.search(request):
        kinds += ["names", "emails", "phones", "ibans"]
    return list(dict.fromkeys(kinds))


def _found_kinds(words: str) -> Iterator[Found]:
    if kinds := kinds_in(words):
        yield Found(",".join(kinds), 0, 0)


KINDS = Kind("what to hide, such as names or phones", _found_kinds, r"[a-z]+(?:,[a-z]+)*")


def wanted(request: str, kinds: Iterable[str], text: str) -> tuple[list[str], list[str]]:
    """What is to be hidden of a text, in its words, and what was asked for and is not there.

    Words in quotation marks are meant as they stand; so are names and numbers that the request and
    the text share.
    """
    kinds = list(dict.fromkeys([*kinds, *kinds_in(request)]))
    found, missing = [], []
    named = _named_people(request, text) if "names" in kinds else []
    for kind in kinds:
        # "The name Karin Holt" is hers alone.
        held = named if kind == "names" and named else _FINDERS[kind](text)
        found += held
        missing += [] if held else [kind]
    for said in ((match[1] or match[2]).strip() for match in _QUOTED.finditer(request)):
        found += [said] if _places(said, text) else []
        missing += [] if _places(said, text) else [f"“{said}”"]
    if not found and _places(request.strip(), text):
        found.append(request.strip())
    # A name or a number out of the text, as it stands in the request.
    for said in re.findall(
        r"(?:[^\W\d_a-z][\w'’-]*(?: (?:& )?[^\W\d_a-z][\w'’-]*)*)|[\d+][\d ,.()/-]*\d", request
    ):
        words = [word for word in said.split() if word.lower() not in _NO_WORDS]
        if words and _places(" ".join(words), text):
            found.append(" ".join(words))
    return list(dict.fromkeys(found)), missing


def _named_people(request: str, text: str) -> list[str]:
    """The names of the people of a text whom a request names, and their parts, where it wants no
    other names hidden."""
    if _ALL_NAMES.search(request):
        return []
    people = [entity.name for entity in named_entities(text) if entity.kind == "person"]
    return _with_parts([name for name in people if " " in name and _places(name, request)])


def _places(said: str, text: str) -> list[tuple[int, int]]:
    """Where words stand in a text, whatever the case and the breaks of lines between them."""
    pattern = r"[\s-]*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", said)))
    if not pattern:
        return []
    before = r"(?<!\w)" if said[0].isalnum() else ""
    after = r"(?!\w)" if said[-1].isalnum() else ""
    return [match.span() for match in re.finditer(before + pattern + after, text, re.IGNORECASE)]


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
        lines = [line for line in reading.lines if line.label]
        return [
            [_part_of_line(line, span)]
            for said in hidden
            for line in lines
            for span in _places(said, line.label)
        ], picture
    picture = _drawn(page)
    spans = _joined(span for said in hidden for span in _places(said, text))
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


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, those that overlap as one: Moore in Helen Moore is no own place."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _part_of_line(line: Box, span: tuple[int, int]) -> Box:
    """About where some letters of a line stand that was read by sight, and a letter beyond."""
    wide = (line.right - line.left) / len(line.label)
    edge = _BEYOND * (line.bottom - line.top)
    left, right = line.left + (span[0] - 1) * wide, line.left + (span[1] + 1) * wide
    return Box(max(left, line.left - edge), line.top - edge,
               min(right, line.right + edge), line.bottom + edge)  # fmt: skip


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
    left = [said for said in hidden if _places(said, words)]
    if left:
        raise ToolError(
            f"“{left[0]}” could not be blacked out safely in this PDF, so nothing is handed over."
        )
