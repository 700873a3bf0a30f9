"""Texts as Word files: headings, paragraphs, lists, tables, quotations and code of Markdown."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .text_pages import Run, blocks_of, parsed, rows_of, runs_of

if TYPE_CHECKING:
    from markdown_it.token import Token

_DEEPEST_HEADING, _DEEPEST_LIST = 6, 3
_CODE_FONT, _CODE_SIZE = "Consolas", 9.5
#: Letters that no XML may hold; they stand for nothing.
_NO_LETTERS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")


def word_of(text: str) -> bytes:
    """The content of a Word file (.docx) that holds a text, plain or Markdown."""
    import docx

    plain = _NO_LETTERS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    tokens = parsed(plain.expandtabs(4).replace("\f", "\n\n"))
    document = docx.Document()
    document.core_properties.author = ""
    document.core_properties.comments = ""
    _Writer(document).write_all(tokens)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


class _Writer:
    """Writes the blocks of a parsed text one below the other."""

    def __init__(self, document: Any) -> None:
        self._document = document
        #: The styles of the lists that it is in, the outermost first.
        self._lists: list[str] = []
        self._quotes = 0
        self._begins_item = False

    def write_all(self, tokens: Sequence[Token]) -> None:
        """Write the blocks in their order."""
        for block in blocks_of(tokens):
            token = block[0]
            if token.type == "table_open":
                self._table(block)
            elif token.type == "heading_open":
                level = min(int(token.tag[1]), _DEEPEST_HEADING)
                _add_runs(self._document.add_heading(level=level), runs_of(block[1]))
            elif token.type == "paragraph_open":
                _add_runs(self._document.add_paragraph(style=self._style()), runs_of(block[1]))
            else:
                self._other(token)

    def _style(self) -> str:
        if not self._lists:
            return "Quote" if self._quotes else "Normal"
        depth = min(len(self._lists), _DEEPEST_LIST)
        name = self._lists[-1] if self._begins_item else "List Continue"
        self._begins_item = False
        return name if depth == 1 else f"{name} {depth}"

    def _other(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._lists.append("List Number" if token.tag == "ol" else "List Bullet")
            if token.tag == "ol":
                self._begin_numbers(int(token.attrs.get("start", 1)))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif token.type == "list_item_open":
            self._begins_item = True
        elif token.type in ("blockquote_open", "blockquote_close"):
            self._quotes += 1 if token.type.endswith("open") else -1
        elif token.type in ("fence", "code_block"):
            code = Run(token.content.rstrip("\n"), is_code=True)
            _add_runs(self._document.add_paragraph(), [code])
        elif token.type == "hr":
            self._document.add_paragraph("* * *").alignment = 1

    def _begin_numbers(self, start: int) -> None:
        """Lets the style of numbered lists count anew: every list begins with its own number."""
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        depth = min(len(self._lists), _DEEPEST_LIST)
        name = "List Number" if depth == 1 else f"List Number {depth}"
        style = self._document.styles[name]
        numbering = self._document.part.numbering_part.element
        used = style.element.pPr.numPr.numId
        kind = next(one for one in numbering.num_lst if one.numId == used.val).abstractNumId.val
        new = numbering.add_num(kind)
        new.add_lvlOverride(ilvl=0).add_startOverride(start)
        # The paragraphs before keep the list that they were given.
        for paragraph in self._document.paragraphs:
            held = paragraph._p.get_or_add_pPr()
            if paragraph.style.name == name and held.find(qn("w:numPr")) is None:
                number = OxmlElement("w:numPr")
                number.get_or_add_numId().val = used.val
                held.insert_element_before(number, "w:spacing", "w:ind", "w:jc", "w:rPr")
        used.val = new.numId

    def _table(self, tokens: Sequence[Token]) -> None:
        rows = [[words for _, words in cells] for cells in rows_of(tokens)]
        width = max(map(len, rows))
        table = self._document.add_table(rows=0, cols=width, style="Table Grid")
        for place, words in enumerate(rows):
            for cell, said in zip(table.add_row().cells, words, strict=False):
                run = cell.paragraphs[0].add_run(said)
                run.bold = place == 0
        self._document.add_paragraph()


def _add_runs(paragraph: Any, runs: Iterable[Run]) -> None:
    from docx.shared import Pt

    for run in runs:
        added = paragraph.add_run(run.words)
        added.bold = "B" in run.style or None
        added.italic = "I" in run.style or None
        if run.is_code:
            added.font.name, added.font.size = _CODE_FONT, Pt(_CODE_SIZE)
        if run.link and run.link not in run.words:
            paragraph.add_run(f" ({run.link})")
