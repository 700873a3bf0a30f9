"""Markdown to safe HTML: no raw HTML, no pictures from elsewhere, no links that run something."""

from __future__ import annotations

from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(
        ["table", "strikethrough"]
    )
    parser.add_render_rule("image", _render_image)
    parser.add_render_rule("link_open", _render_link)
    return parser


def to_html(text: str) -> str:
    """The text as HTML that may stand in the page as it is, whoever wrote it."""
    return str(_parser().render(text))


def _render_image(self: object, tokens: list[Token], index: int, *_: object) -> str:
    """A picture's words: what it shows stands beside the answer, served by our own route."""
    return f"<em>{escape(tokens[index].content)}</em>"


def _render_link(self: object, tokens: list[Token], index: int, *_: object) -> str:
    address = str(tokens[index].attrGet("href") or "")
    if not address.startswith(("http://", "https://")):
        return "<a>"
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer nofollow">'
