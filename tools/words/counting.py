"""Counting what is in a text: words, characters, sentences, lines, paragraphs, one word."""

from __future__ import annotations

import re
from typing import Annotated

from controlllm.resources import Text
from controlllm.toolbox import ToolError, tool
from controlllm.values import Choice

from .embedded import text_edits
from .embedded.given_text import check_length
from .embedded.word_edits import counted_word, inner_pattern, named, word_pattern

#: What names a unit and no word of a text: "count the words".
_IS_UNIT = re.compile(
    r"(?:(?:the|all|its|my|number of|how many) )*(?:words?|characters?|letters|signs|sentences?|"
    r"lines?|"
    r"rows|paragraphs?)",
    re.IGNORECASE,
)


@tool(
    domain="natural-language-processing",
    examples=[
        "How many words does this text have?",
        "How long is my essay in characters?",
        "How often does the word 'love' occur in the poem?",
        "Is this letter more than 300 words?",
        "Tell me the number of sentences and paragraphs.",
        "count the lines",
        "word count please",
    ],
)
def count_words(
    text: Text,
    word: Text | None = None,
    what: Annotated[
        str,
        Choice(
            words="word words word_count",
            characters="character characters letters signs chars",
            sentences="sentence sentences",
            lines="line lines rows",
            paragraphs="paragraph paragraphs",
        ),
    ] = "",
) -> Text:
    """Count the words, characters, sentences, lines and paragraphs of a text, or how often one word
    occurs.

    Args:
        text: the text to count in
        word: the one word or phrase whose occurrences are counted
        what: which of these is counted; all of them where nothing is said
    """
    if not text.strip():
        raise ToolError("The text is empty, so there is nothing to count. Give me some words.")
    check_length(text)
    told = (word or "").strip()
    if told and not (_IS_UNIT.fullmatch(told) and (what or " " in told)):
        return _occurrences(text, counted_word(told))
    text = text.replace("\r\n", "\n").strip("\n")
    counts = text_edits.counts_of(text)
    empty = text.count("\n") + 1 - counts["lines"]
    notes = {
        "characters": f" ({text_edits.characters_in(''.join(text.split())):,} without blanks)",
        "lines": f" (and {empty:,} empty)" if empty else "",
    }
    if what:
        unit = what[:-1] if counts[what] == 1 else what
        return f"{counts[what]:,} {unit}{notes.get(what, '')}."
    return "\n".join(
        f"{name.capitalize()}: {count:,}{notes.get(name, '')}"
        for name, count in counts.items()
        if name != "letters"
    )


def _occurrences(text: str, word: str) -> str:
    count = len(word_pattern(word).findall(text))
    within = len(inner_pattern(word).findall(text)) - count
    inside = {0: "", 1: "once inside another word"}.get(
        within, f"{within:,} times inside other words"
    )
    if not count:
        only = f", only {inside}" if inside else ""
        return f"{named(word)} does not occur in this text{only}."
    times = {1: "once", 2: "twice"}.get(count, f"{count:,} times")
    return f"{named(word)} occurs {times}{f', and {inside}' if inside else ''}."
