"""Texts beside each other, and a text as a page for a browser."""

from __future__ import annotations

from controlllm.resources import Html, Text
from controlllm.toolbox import Context, ToolError, tool

from .embedded import differences, web_page
from .embedded.given_text import check_length, check_text


@tool(
    domain="natural-language-processing",
    examples=[
        "What changed between these two texts?",
        "Compare the old contract with the new one.",
        "Show me the differences between the two versions of my letter.",
        "Is the second text the same as the first?",
        "Which sentences were added in the new draft?",
        "diff these two files",
        "Mark what my editor took out of the article.",
    ],
)
def compare_texts(text: Text, other: Text, context: Context | None = None) -> Text:
    """Compare two texts and show what was added, taken out and changed.

    Args:
        text: the first, older text
        other: the second, newer text
    """
    check_length(text)
    check_length(other)
    if not text.strip() and not other.strip():
        raise ToolError("Both texts are empty, so there is nothing to compare. Give me two texts.")
    return differences.told(text, other, context or Context())


@tool(
    domain="natural-language-processing",
    examples=[
        "Make a web page of this text.",
        "Turn my Markdown notes into HTML.",
        "I want this article as a website that I can open in the browser.",
        "Convert the readme to an HTML page.",
        "Make a nice page out of the recipe.",
        "markdown to html",
        "Publish the report as a web page.",
    ],
    packages=("markdown_it",),
)
def text_to_webpage(text: Text) -> Html:
    """Make a web page (HTML) of a text in Markdown.

    Args:
        text: the text of the page, plain or in Markdown
    """
    check_text(text, "make a page of")
    return web_page.page_of(text)
