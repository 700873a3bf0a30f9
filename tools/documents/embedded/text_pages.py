"""Texts set on the pages of a PDF: headings, lists, tables, quotations and code of Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controlllm.toolbox import ToolError

if TYPE_CHECKING:
    from fpdf import FPDF
    from markdown_it.token import Token

USUAL_SIZE, _LINE = 10.5, 1.42
_MARGINS = 62.0
_HEADINGS = {1: 21.0, 2: 16.0, 3: 13.0, 4: 11.5, 5: 10.5, 6: 10.5}
_INDENT = 18.0
_INK, _FAINT, _LINK = (28, 30, 34), (120, 125, 132), (20, 90, 170)
_SHADE, _RULE = (243, 244, 246), (205, 209, 215)
#: A line of plain text that is as long as this was broken to fit and goes on in the next.
_BROKEN = 60
_FACES = {
    ("text", ""): "DejaVuSans.ttf",
    ("text", "B"): "DejaVuSans-Bold.ttf",
    ("text", "I"): "DejaVuSans-Oblique.ttf",
    ("text", "BI"): "DejaVuSans-BoldOblique.ttf",
    ("code", ""): "DejaVuSansMono.ttf",
    ("code", "B"): "DejaVuSansMono-Bold.ttf",
}
#: Scripts whose letters must be joined or placed by rules, which is not done here.
_JOINED = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e80-\u0fff\u1000-\u109f\u1780-\u17ff]")


@dataclass(frozen=True)
class Run:
    """Words in one face; `link` is where they lead."""

    words: str
    style: str = ""
    is_code: bool = False
    link: str = ""


@dataclass
class _Setting:
    """Where the setting stands: what lists it is in, how many quotations deep."""

    numbers: list[int] = field(default_factory=list)
    quotes: int = 0
    item: str = ""


def pdf_of(text: str, sheet: str, size: float = USUAL_SIZE) -> bytes:
    """A PDF of a text on sheets of the name, "a4" or "letter", in letters of a size in points.

    Raises ToolError where the text is in letters that cannot be set here.
    """
    text = _admitted(text)
    tokens = parsed(text)
    document = empty_document(sheet)
    title = next(
        (tokens[place + 1].content for place, token in enumerate(tokens)
         if token.type == "heading_open"), "",
    )  # fmt: skip
    if title:
        document.set_title(re.sub(r"[*_`]", "", title))
    document.set_creator("ControlLLM")
    document.add_page()
    _Setter(document, size).set_all(tokens)
    return bytes(document.output())


def parsed(text: str) -> list[Token]:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    has_fences = re.search(r"^(?:```|~~~)", text, re.MULTILINE)
    has_headings = re.search(r"^#{1,6} ", text, re.MULTILINE)
    if not (has_fences or has_headings):
        # In a plain text what is indented is no code, and a line of dashes is no heading.
        reader.disable(["code", "lheading"])
    return reader.parse(text)


def _admitted(text: str) -> str:
    """The text without what no letter is drawn for, such as emoji."""
    plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    plain = plain.expandtabs(4).replace("\f", "\n\n")
    if joined := _JOINED.search(plain):
        raise ToolError(
            f"This text has letters that cannot be set in a PDF here, such as “{joined[0]}”: "
            f"Latin, "
            "Greek and Cyrillic letters can be. Keep it as a text file."
        )
    known = _known_letters()
    missing = [sign for sign in set(plain) if ord(sign) not in known and sign != "\n"]
    letters = sorted(sign for sign in missing if unicodedata.category(sign)[0] in "LMN"
                     and not 0xFE00 <= ord(sign) <= 0xFE0F)  # fmt: skip
    if letters:
        raise ToolError(
            f"This text has letters that cannot be set in a PDF here, such as “{letters[0]}”: "
            f"Latin, "
            "Greek and Cyrillic letters can be. Keep it as a text file."
        )
    return plain.translate({ord(sign): None for sign in missing})


@cache
def _known_letters() -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(str(_fonts() / _FACES["text", ""])).get_charmap())


@cache
def _fonts() -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf"


def empty_document(sheet: str | tuple[float, float]) -> FPDF:
    """A document without pages, on sheets of a name or of a width and height in points; its fonts
    are called "text" and "code"."""
    import logging

    import fpdf

    logging.getLogger("fontTools").setLevel(logging.ERROR)
    logging.getLogger("fpdf").setLevel(logging.ERROR)

    class Sheets(fpdf.FPDF):
        def set_font(self, family: Any = None, style: Any = "", size: float = 0) -> None:
            """Fonts are read when they are first used: most texts need few of them."""
            face = (str(family).lower(), "".join(sorted(str(style).upper())))
            if face in _FACES and "".join(face) not in self.fonts:
                self.add_font(*face, _fonts() / _FACES[face])
            super().set_font(family, style, size)

        def footer(self) -> None:
            """The number of the page, where there are several."""
            if self.page_no() > 1:
                self.set_y(-_MARGINS * 0.62)
                self.set_font("text", "", 8.5)
                self.set_text_color(*_FAINT)
                self.cell(0, 10, str(self.page_no()), align="C")

    document = Sheets(unit="pt", format=sheet)
    document.set_margins(_MARGINS, _MARGINS, _MARGINS)
    document.set_auto_page_break(True, _MARGINS)
    return document


class _Setter:
    """Sets the blocks of a parsed text one below the other."""

    def __init__(self, document: FPDF, size: float) -> None:
        self._pdf = document
        self._size = size
        self._state = _Setting()
        self._is_first = True

    def set_all(self, tokens: Sequence[Token]) -> None:
        for block in blocks_of(tokens):
            token = block[0]
            if token.type == "table_open":
                self._table(block)
            elif token.type == "heading_open":
                self._heading(int(token.tag[1]), list(runs_of(block[1])))
            elif token.type == "paragraph_open":
                self._paragraph(block[1], token.hidden)
            else:
                self._other(token)

    def _other(self, token: Token) -> None:
        state = self._state
        if token.type in ("bullet_list_open", "ordered_list_open"):
            start = int(token.attrs.get("start", 1)) if token.tag == "ol" else 0
            state.numbers.append(start if token.tag == "ol" else -1)
            if len(state.numbers) == 1:
                self._gap(0.45)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            state.numbers.pop()
        elif token.type == "list_item_open":
            number = state.numbers[-1]
            state.item = "•" if number < 0 else f"{number}."
            state.numbers[-1] += number >= 0
        elif token.type == "list_item_close":
            state.item = ""
        elif token.type in ("blockquote_open", "blockquote_close"):
            state.quotes += 1 if token.type.endswith("open") else -1
        elif token.type in ("fence", "code_block"):
            self._code(token.content)
        elif token.type == "hr":
            self._gap(0.9)
            pdf = self._pdf
            pdf.set_draw_color(*_RULE)
            pdf.line(pdf.l_margin, pdf.get_y(), pdf.w - pdf.r_margin, pdf.get_y())

    def _gap(self, lines: float) -> None:
        if not self._is_first:
            self._pdf.ln(self._size * _LINE * lines)
        self._is_first = False

    def _left(self) -> float:
        state = self._state
        return _MARGINS + _INDENT * (len(state.numbers) + state.quotes)

    def _heading(self, level: int, runs: Sequence[Run]) -> None:
        size = _HEADINGS[level] * self._size / USUAL_SIZE
        self._gap(1.5 if level < 3 else 1.1)
        pdf = self._pdf
        # A heading stays with the first lines below it.
        if pdf.get_y() + size * _LINE + 3 * self._size * _LINE > pdf.h - _MARGINS:
            pdf.add_page()
        name = "".join(run.words for run in runs).strip()
        if name:
            pdf.start_section(name[:200], min(level - 1, self._depth()))
        bold = [
            Run(run.words, "B" if "I" not in run.style else "BI", link=run.link) for run in runs
        ]
        self._write(bold, size, 1.25)
        pdf.ln(2)

    def _depth(self) -> int:
        """How deep the next heading may stand: one below the last."""
        outline = self._pdf._outline
        return outline[-1].level + 1 if outline else 0

    def _paragraph(self, token: Token, is_tight: bool) -> None:
        state = self._state
        self._gap(0.16 if is_tight and state.numbers else 0.62)
        runs = list(runs_of(token))
        top, page = self._pdf.get_y(), self._pdf.page_no()
        if state.item:
            self._mark(state.item)
            state.item = ""
            top, page = self._pdf.get_y(), self._pdf.page_no()
        self._write(runs, self._size, _LINE, _FAINT if state.quotes else _INK)
        if state.quotes and page == self._pdf.page_no():
            pdf, left = self._pdf, self._left() - _INDENT * 0.6
            pdf.set_draw_color(*_RULE)
            pdf.set_line_width(2.0)
            pdf.line(left, top, left, pdf.get_y())
            pdf.set_line_width(0.6)

    def _mark(self, mark: str) -> None:
        pdf = self._pdf
        if pdf.get_y() + self._size * _LINE > pdf.h - _MARGINS:
            pdf.add_page()
        pdf.set_font("text", "", self._size)
        pdf.set_text_color(*_INK)
        width = pdf.get_string_width(mark)
        top = pdf.get_y()
        pdf.set_xy(self._left() - 5 - width - pdf.c_margin, top)
        pdf.cell(width + 2 * pdf.c_margin, self._size * _LINE, mark)
        pdf.set_xy(self._left(), top)

    def _write(
        self, runs: Sequence[Run], size: float, line: float, ink: tuple[int, ...] = _INK
    ) -> None:
        pdf = self._pdf
        pdf.set_left_margin(self._left())
        pdf.set_x(self._left())
        for run in runs:
            if not run.words:
                continue
            face = "code" if run.is_code else "text"
            style = run.style.replace("I", "") if run.is_code else run.style
            pdf.set_font(face, style, size * (0.92 if run.is_code else 1.0))
            pdf.set_text_color(*(_LINK if run.link else ink))
            pdf.write(size * line, run.words, run.link)
        pdf.ln(size * line)
        pdf.set_left_margin(_MARGINS)

    def _code(self, words: str) -> None:
        self._gap(0.7)
        pdf = self._pdf
        pdf.set_font("code", "", self._size * 0.84)
        pdf.set_text_color(*_INK)
        pdf.set_fill_color(*_SHADE)
        pdf.set_x(self._left())
        pdf.multi_cell(
            pdf.w - pdf.r_margin - self._left(), self._size * 1.25, words.rstrip("\n") or " ",
            fill=True, align="L", padding=(6, 8), new_x="LMARGIN", new_y="NEXT",
        )  # fmt: skip

    def _table(self, tokens: Sequence[Token]) -> None:
        from fpdf.enums import TableBordersLayout
        from fpdf.fonts import FontFace

        rows = list(rows_of(tokens))
        self._gap(0.8)
        pdf = self._pdf
        # The face of its headings has to be there before, though it is set by the table itself.
        pdf.set_font("text", "B", self._size)
        pdf.set_font("text", "", self._size * (0.92 if len(rows[0]) < 6 else 0.76))
        pdf.set_text_color(*_INK)
        pdf.set_draw_color(*_RULE)
        pdf.set_fill_color(255)
        with pdf.table(
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(emphasis="BOLD", fill_color=_SHADE),
            text_align=tuple(align for align, _ in rows[0]),
            col_widths=tuple(_widths(rows)),
            line_height=self._size * 1.3,
            padding=(3, 5),
        ) as table:
            for cells in rows:
                row = table.row()
                for _, words in cells:
                    row.cell(words)


def blocks_of(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The tokens of a parsed text, those of a table, of a heading and of a paragraph together,
    which begins with what opens it; all others alone."""
    place = 0
    while place < len(tokens):
        end = place
        if tokens[place].type == "table_open":
            end = next(i for i in range(place, len(tokens)) if tokens[i].type == "table_close")
        elif tokens[place].type in ("heading_open", "paragraph_open"):
            end = place + 2
        yield tokens[place : end + 1]
        place = end + 1


def runs_of(token: Token) -> Iterator[Run]:
    """The words of a line of text with their faces."""
    bold = italic = 0
    link = ""
    children = token.children or []
    line = 0
    for child in children:
        style = ("B" if bold else "") + ("I" if italic else "")
        if child.type in ("text", "code_inline"):
            line += len(child.content)
            yield Run(child.content, style, child.type == "code_inline", link)
        elif child.type == "softbreak":
            yield Run(" " if line >= _BROKEN else "\n", style)
            line = 0
        elif child.type == "hardbreak":
            yield Run("\n", style)
            line = 0
        elif child.type == "image":
            yield Run(f"[{child.content or 'picture'}]", style, link=link)
        elif child.type in ("link_open", "link_close"):
            link = _address(child) if child.type == "link_open" else ""
        bold += {"strong_open": 1, "strong_close": -1}.get(child.type, 0)
        italic += {"em_open": 1, "em_close": -1}.get(child.type, 0)


def _address(token: Any) -> str:
    address = str(token.attrs.get("href", ""))
    return address if re.match(r"(?:https?|mailto|tel):", address) else ""


def rows_of(tokens: Sequence[Token]) -> Iterator[list[tuple[str, str]]]:
    """The rows of a table, each cell with how it is set."""
    row: list[tuple[str, str]] = []
    align = "LEFT"
    for token in tokens:
        if token.type in ("th_open", "td_open"):
            style = str(token.attrs.get("style", ""))
            align = style.rpartition(":")[2].upper() if style else "LEFT"
        elif token.type == "inline":
            row.append((align, "".join(run.words for run in runs_of(token))))
        elif token.type == "tr_close":
            yield row
            row = []


def _widths(rows: Sequence[Sequence[tuple[str, str]]]) -> Iterator[int]:
    """How wide each column is beside the others, by the words in it."""
    for cells in zip(*rows, strict=False):
        longest = max(len(words) for _, words in cells)
        word = max((len(part) for _, words in cells for part in words.split()), default=1)
        yield max(min(longest, 40), word, 5) + 3
