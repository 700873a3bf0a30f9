"""Word files made of texts, opened again and read."""

from __future__ import annotations

import io

import mammoth
import pytest

from controlllm.resources.encoding import decode, encode
from controlllm.toolbox import ToolError
from tools.documents.word import text_to_word

PLAN = """# Plan

Bring *warm* clothes.

- tent
- rope

1. walk
2. rest

Then

1. sleep

| Day | Hut |
|---|---|
| 1 | Blue |
"""


def test_a_word_file_keeps_headings_lists_and_tables():
    docx = pytest.importorskip("docx")
    made = docx.Document(io.BytesIO(text_to_word(PLAN).content))
    told = [(paragraph.style.name, paragraph.text) for paragraph in made.paragraphs]
    assert told[:7] == [
        ("Heading 1", "Plan"), ("Normal", "Bring warm clothes."), ("List Bullet", "tent"),
        ("List Bullet", "rope"), ("List Number", "walk"), ("List Number", "rest"),
        ("Normal", "Then"),
    ]  # fmt: skip
    assert made.paragraphs[1].runs[1].italic
    assert [cell.text for cell in made.tables[0].rows[1].cells] == ["1", "Blue"]


def test_every_numbered_list_begins_with_its_own_number():
    told = mammoth.convert_to_markdown(io.BytesIO(text_to_word(PLAN).content)).value
    assert "1. walk\n2. rest" in told and "1. sleep" in told


def test_the_words_of_a_made_word_file_are_read_by_the_next_step(tmp_path):
    content, _ = encode("text", text_to_word("Dear Anna,\nthe hut is blue.\x00"))
    path = tmp_path / "letter.docx"
    path.write_bytes(content)
    assert decode("text", path).split() == "Dear Anna, the hut is blue.".split()


def test_nothing_to_write_is_said():
    with pytest.raises(ToolError, match="no words"):
        text_to_word("  \n")
