"""Markdown to safe HTML: no raw HTML, no pictures from elsewhere, no links that run something."""

from __future__ import annotations

from collections.abc import Collection, MutableMapping
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from controlllm.ui.drawings.records import records
from controlllm.ui.drawings.wording import attributes


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
        button = attributes(type="button", class_="file-link", data_do="view", data_value=words)
        return f"<button {button}>{escape(words)}</button>"
    return f"<code>{escape(words)}</code>"
