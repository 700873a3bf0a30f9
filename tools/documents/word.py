"""Texts saved as Word files."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Filed, Text
from controlllm.resources.media_types import WORD
from controlllm.toolbox import ToolError, tool
from controlllm.values import Choice

_LONGEST_TEXT = 1_000_000


@tool(
    domain="natural-language-processing",
    sets_form=("format",),
    examples=[
        "Make a Word file of this text.",
        "Save the letter as a .docx that I can edit.",
        "I need the notes in Word.",
        "Turn my Markdown into a Word document with headings.",
        "Could you give me the report as docx?",
        "Export the text to Microsoft Word.",
        "I want to edit the scan, so make it Word.",
    ],
    packages=("docx", "markdown_it"),
)
def text_to_word(
    text: Text,
    format: Annotated[
        str,
        Choice(
            docx="docx word_file word_files word_document word_doc ms_word microsoft_word in_word "
            "as_word to_word into_word make_it_word word_format word_version editable_document"
        ),
    ] = "",
) -> Text:
    """Save a text or Markdown as a Word file (.docx), with its headings, lists and tables.

    Args:
        text: what to save, plain or with the headings, lists and tables of Markdown
        format: Word, the one that there is
        returns: the Word file
    """
    from .embedded import word_files

    if not text.strip():
        raise ToolError("There are no words to make a Word file of. Give me a text.")
    if len(text) > _LONGEST_TEXT:
        raise ToolError(
            f"The text has {len(text):,} characters, and at most {_LONGEST_TEXT:,} go into one "
            "Word file. Give me a part of it."
        )
    return Filed(word_files.word_of(text), WORD)  # type: ignore[return-value]
