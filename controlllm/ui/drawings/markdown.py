"""What others have written as safe HTML: Markdown without raw HTML, pictures from elsewhere or
links that run something; records of JSON as tables that a person reads, nested ones folded, links
as links, the text that they came as beside them."""

from __future__ import annotations

import re
from collections.abc import Collection, MutableMapping
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from controlllm.resources.records import records_in
from controlllm.ui.drawings.markup import attributes, button
from controlllm.ui.drawings.wording import shorten
from controlllm.ui.texts import say, say_html

#: Rows of a table, and items of a list, that are seen at first, and at all.
_SEEN, _MOST_ROWS = 8, 200
#: Columns of a table; what else a record has is folded into the last one.
_MOST_COLUMNS = 7
#: Characters of a value that are seen at first.
_LONG = 140
#: Characters of a value that stay on one line, and of an address.
_SHORT, _SHORT_ADDRESS = 24, 36
#: Values that are drawn in all; of more, only the text is shown.
_MOST_VALUES = 4000

_ADDRESS = re.compile(r"https?://[^\s\"'`\x3c\x3e]+")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(
        ["table", "strikethrough"]
    )
    parser.add_render_rule("image", _render_image)
    parser.add_render_rule("link_open", _render_link)
    parser.add_render_rule("code_inline", _render_code)
    parser.add_render_rule("fence", _render_fence)
    return parser


def to_html(text: str, files: Collection[str] = ()) -> str:
    """The text as HTML that may stand in the page as it is, whoever wrote it.

    A name of one of the `files` written as code opens that file.
    """
    return str(_parser().render(text, {"files": files}))


def _render_image(_: object, tokens: list[Token], index: int, *__: object) -> str:
    """A picture's words: what it shows stands beside the answer, served by our own route."""
    return f"<em>{escape(tokens[index].content)}</em>"


def _render_link(_: object, tokens: list[Token], index: int, *__: object) -> str:
    address = str(tokens[index].attrGet("href") or "")
    if not address.startswith(("http://", "https://")):
        return "<a>"
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer nofollow">'


def _render_fence(_: object, tokens: list[Token], index: int, *__: object) -> str:
    """Records as a table, other code as it is."""
    code = tokens[index].content
    plain = f"<pre><code>{escape(code)}</code></pre>\n"
    return (records(code) if tokens[index].info.strip() == "json" else "") or plain


def _render_code(
    _: object, tokens: list[Token], index: int, __: object, env: MutableMapping[str, Any]
) -> str:
    words = tokens[index].content
    if words in env.get("files", ()):
        return button("view", escape(words), class_="file-link", data_value=words)
    return f"<code>{escape(words)}</code>"


def records(text: str) -> str:
    """The records that a text holds as HTML, whoever wrote them; empty where it holds none."""
    found = records_in(text)
    if found is None or _values_in(found) > _MOST_VALUES:
        return ""
    copy = button("copy-raw", say_html("records.copy"), "copy", class_="small quiet")
    return (
        f'<div class="records">{_drawn(found, is_outer=True)}'
        f'<div class="records-foot"><details><summary>{say_html("records.raw")}</summary>'
        f'<pre dir="ltr" tabindex="0">{escape(text.strip())}</pre></details>'
        f"{copy}</div></div>"
    )


def _drawn(value: Any, is_outer: bool = False) -> str:
    if isinstance(value, dict):
        return _record(value, is_outer)
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return _table(value)
    if isinstance(value, list):
        return _list(value)
    return _plain(value)


def _record(record: dict[str, Any], is_outer: bool = False) -> str:
    """One record: each field by its name. A list of records that is all that is nested in it is
    seen at once."""
    inner = [name for name, value in record.items() if isinstance(value, dict | list) and value]
    opened = inner[0] if is_outer and len(inner) == 1 else None
    rows = [
        f'<tr><th scope="row">{_label(name)}</th><td>{_cell(value, name == opened)}</td></tr>'
        for name, value in record.items()
    ]
    return _scrolled(f'<table class="record">{_rows(rows)}</table>')


def _table(items: list[dict[str, Any]]) -> str:
    """A list of records: a row for each."""
    names = list(dict.fromkeys(name for item in items for name in item))
    columns, others = names, False
    if len(names) > _MOST_COLUMNS:
        # What is short is read in a table; what is nested opens in the last column.
        nested = {name for item in items for name, value in item.items() if _is_nested(value)}
        plain = [name for name in names if name not in nested]
        columns, others = (plain or names)[: _MOST_COLUMNS - 1], True
    heads = "".join(f'<th scope="col">{_label(name)}</th>' for name in columns)
    heads += f'<th scope="col">{say_html("records.more")}</th>' if others else ""
    rows = []
    for item in items:
        cells = "".join(f"<td>{_cell(item.get(name))}</td>" for name in columns)
        if others:
            rest = {name: value for name, value in item.items() if name not in columns}
            cells += f"<td>{_cell(rest)}</td>"
        rows.append(f"<tr>{cells}</tr>")
    return _scrolled(f"<table><thead><tr>{heads}</tr></thead>{_rows(rows)}</table>")


def _rows(rows: list[str]) -> str:
    """Rows of a table; those after the first few show when they are asked for."""
    seen, more = rows[:_SEEN], rows[_SEEN:_MOST_ROWS]
    if not more:
        return f"<tbody>{''.join(seen)}</tbody>"
    columns = max(row.count("<td>") + row.count("<th ") for row in rows)
    asked = say_html("records.show_all", count=len(rows))
    over = len(rows) - _MOST_ROWS
    rest = f'<tr><td colspan="{columns}">{say_html("records.rest", count=over)}</td></tr>'
    return (
        f'<tbody>{"".join(seen)}</tbody><tbody><tr><td colspan="{columns}">'
        f'<details class="show-all"><summary>{asked}</summary></details></td></tr></tbody>'
        f'<tbody class="more-rows">{"".join(more)}{rest if over > 0 else ""}</tbody>'
    )


def _list(items: list[Any]) -> str:
    if not any(map(_is_nested, items)) and len(items) <= _SEEN:
        return say_html("words.comma").join(map(_plain, items))
    shown = "".join(f"<li>{_cell(item)}</li>" for item in items[:_MOST_ROWS])
    over = len(items) - _MOST_ROWS
    rest = f"<li>{say_html('records.rest', count=over)}</li>" if over > 0 else ""
    return f"<ul>{shown}{rest}</ul>"


def _cell(value: Any, is_open: bool = False) -> str:
    """A value in a table; what is nested opens."""
    if not _is_nested(value):
        return _plain(value)
    if isinstance(value, list) and not any(map(_is_nested, value)) and len(value) <= _SEEN:
        return _list(value)
    kind = "fields" if isinstance(value, dict) else "entries"
    said = say_html(f"records.{kind}", count=len(value))
    fold = attributes(class_="nested", open=is_open)
    return f"<details {fold}><summary>{said}</summary>{_drawn(value)}</details>"


def _plain(value: Any) -> str:
    if value is None or value == "" or value == [] or value == {}:
        return f'<span class="none">{say_html("records.none")}</span>'
    if isinstance(value, bool):
        return say_html("records.yes" if value else "records.no")
    if not isinstance(value, str):
        return f'<bdi class="short">{escape(str(value))}</bdi>'
    if _ADDRESS.fullmatch(value):
        link = attributes(href=value, target="_blank", rel="noopener noreferrer nofollow")
        shown = shorten(value.partition("//")[2].rstrip("/"), _SHORT_ADDRESS)
        return f'<a {link} dir="ltr">{escape(shown)}</a>'
    if len(value) <= _LONG:
        short = ' class="short"' if len(value) <= _SHORT else ""
        return f"<bdi{short}>{escape(value)}</bdi>"
    return (
        f'<details class="long-value"><summary><bdi>{escape(shorten(value, _LONG))}</bdi> '
        f'<span class="more">{say_html("records.show_whole")}</span></summary>'
        f'<p dir="auto">{escape(value)}</p></details>'
    )


def _scrolled(table: str) -> str:
    """A table that is moved under its frame where it is wider than the page."""
    frame = attributes(
        class_="records-table", tabindex=0, role="group", aria_label=say("records.table")
    )
    return f"<div {frame}>{table}</div>"


def _label(name: str) -> str:
    """The name of a field as words: ``releaseDate`` and ``release_date`` as ``Release date``."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", name).replace("_", " ").strip()
    words = words if words[1:] != words[1:].title()[1:] else words
    return escape(words[:1].upper() + words[1:] or name)


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _values_in(value: Any) -> int:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + sum(map(_values_in, inner))
    return 1
