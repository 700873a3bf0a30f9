"""A page of its own for a text in Markdown; what is HTML in the text is shown, never run."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import Any

from ...shared.tables import table_beside

_TABLE = table_beside(__file__)
_LONGEST_TITLE = 80
_MOST_CELLS = 400_000
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def page_of(text: str) -> str:
    """The whole page. It asks nothing of the network but pictures that the text itself names."""
    text = text.replace("\r\n", "\n").lstrip("\ufeff")
    parser = _parser(_keeps_lines(text), _has_sound_tables(text))
    tokens = parser.parse(text)
    _tick_boxes(tokens)
    _aligned(tokens)
    body = parser.renderer.render(tokens, parser.options, {})
    # Wide tables scroll by themselves.
    body = body.replace("<table>", '<div class="wide"><table>').replace(
        "</table>", "</table></div>"
    )
    style = "".join(line.strip() for line in _TABLE["style"].splitlines())
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    letters = re.sub(r"[\W\d_]", "", text)
    rightwards = 2 * len(_RIGHT_TO_LEFT.findall(letters)) > len(letters)
    values = {
        "rules": f"default-src 'none'; style-src 'sha256-{digest}'; img-src https: data:; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "title": html.escape(_title(tokens)),
        "direction": ' dir="rtl"' if rightwards else "",
        "body": body.strip(),
    }
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], _TABLE["page"].strip()) + "\n"


def _parser(keeps_lines: bool, with_tables: bool) -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": keeps_lines})
    parser.enable(["table", "strikethrough"] if with_tables else ["strikethrough"])
    return parser


def _keeps_lines(text: str) -> bool:
    """Whether the ends of lines mean something, as in a poem, or only wrap the text."""
    lines = text.split("\n")
    ends = [line for line, after in zip(lines, lines[1:], strict=False) if line and after]
    wrapped = sum(len(line) > 60 for line in ends)
    return wrapped <= 0.5 * len(ends)


def _has_sound_tables(text: str) -> bool:
    """Whether tables may be read: rows are filled up, so that a wide one could become endless."""
    widths = [line.count("|") for line in text.split("\n") if "|" in line]
    return max(widths, default=0) * len(widths) <= _MOST_CELLS


def _tick_boxes(tokens: Any) -> None:
    """The boxes of a list of things to do: [ ] and [x]."""
    for before, token in zip(tokens, tokens[2:], strict=False):
        if before.type != "list_item_open" or token.type != "inline" or not token.children:
            continue
        first = token.children[0]
        if first.type == "text":
            first.content = re.sub(r"^\[ \] ", "☐ ", first.content)
            first.content = re.sub(r"^\[[xX]\] ", "☑ ", first.content)


def _aligned(tokens: Any) -> None:
    """The cells of a table by class: the page allows no style of their own."""
    for token in tokens:
        if token.type in ("th_open", "td_open") and (style := token.attrs.pop("style", "")):
            token.attrSet("class", str(style).partition(":")[2])


def _title(tokens: Any) -> str:
    """The first heading, else the first words."""
    spoken: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type != "inline":
            continue
        words = "".join(
            child.content
            if child.type in ("text", "code_inline")
            else " " * (child.type != "softbreak")
            if child.type in ("hardbreak", "softbreak")
            else ""
            for child in token.children or ()
        )
        words = " ".join(words.split())
        if before is not None and before.type == "heading_open" and words:
            return _short(words)
        spoken.append(words)
    first = next(filter(None, spoken), "")
    return _short(re.split(r"(?<=[.!?]) ", first)[0]) or "Page"


def _short(words: str) -> str:
    if len(words) <= _LONGEST_TITLE:
        return words
    return words[:_LONGEST_TITLE].rsplit(" ", 1)[0].rstrip(",;:") + "…"
