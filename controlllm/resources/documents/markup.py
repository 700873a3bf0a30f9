"""Web pages, and the chapters of e-books, as plain text in which headings, lists and tables show.

Nothing that they point to is fetched; scripts and styles are left out.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

_HIDDEN = frozenset("script style noscript template svg math head iframe object".split())
_BLOCKS = frozenset(
    "p div section article header footer main aside nav ul ol dl dt dd table figure figcaption"
    " blockquote pre address form fieldset hr body".split()
)
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}


def text_of_html(source: str) -> str:
    """The words of a web page, Markdown-like: ``#`` headings, ``-`` items, ``|`` tables."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return tidied("".join(reader.pieces))


def tidied(text: str) -> str:
    """A text without needless blanks: at most one empty line, none at its ends."""
    text = re.sub(r"[^\S\n]+", " ", text.replace("\r", ""))
    return re.sub(r" ?\n ?(?:\n ?)+", "\n\n", re.sub(r" ?\n ?", "\n", text)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = ""
        self._depth = 0
        self._numbers: list[int] = []
        self._cells = 0
        self._rows = 0
        self._is_in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden:
            self._depth += tag == self._hidden
        elif self._is_in_cell and (tag in _BLOCKS or tag in _HEADINGS or tag in ("br", "li")):
            self.pieces.append(" ")
        elif tag in _HIDDEN:
            self._hidden, self._depth = tag, 1
        elif tag in _HEADINGS:
            self.pieces.append(f"\n\n{_HEADINGS[tag]} ")
        elif tag == "br":
            self.pieces.append("\n")
        elif tag in ("ul", "ol"):
            self._numbers.append(0 if tag == "ul" else 1)
            self.pieces.append("\n")
        elif tag == "li":
            number = self._numbers[-1] if self._numbers else 0
            self.pieces.append(f"\n{number}. " if number else "\n- ")
            if number:
                self._numbers[-1] += 1
        elif tag == "tr":
            self._end_cell()
            self._cells = 0
            self.pieces.append("\n| ")
        elif tag in ("td", "th"):
            self._end_cell()
            self.pieces.append(" ")
            self._cells += 1
            self._is_in_cell = True
        elif tag == "img":
            words = dict(attrs).get("alt") or ""
            self.pieces.append(words and f" [{words}] ")
        elif tag in _BLOCKS:
            self._rows = 0 if tag == "table" else self._rows
            self.pieces.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            self._depth -= tag == self._hidden
            if not self._depth:
                self._hidden = ""
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "table":
            self._end_cell()
            self.pieces.append("\n\n")
        elif self._is_in_cell and tag != "tr":
            self.pieces.append(" ")
        elif tag == "tr":
            self._end_cell()
            self._rows += 1
            if self._rows == 1 and self._cells:
                self.pieces.append("\n|" + " --- |" * self._cells)
        elif tag in ("ul", "ol"):
            self._numbers[-1:] = []
            self.pieces.append("\n\n")
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.pieces.append("\n\n")

    def _end_cell(self) -> None:
        if self._is_in_cell:
            self.pieces.append(" |")
        self._is_in_cell = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            words = re.sub(r"\s+", " ", data)
            self.pieces.append(words.replace("|", "/") if self._is_in_cell else words)
