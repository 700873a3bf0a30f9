"""What of a written text is said by somebody: without headers, greetings, headings and fillers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...shared.sentences import split_sentences
from ...shared.tables import patterns_beside

_PATTERNS = patterns_beside(__file__)
_MOST_HEADING_WORDS = 9


@dataclass(frozen=True)
class Said:
    """A sentence, who says it ("" where nobody is named), and how its place is marked."""

    sentence: str
    speaker: str = ""
    #: It is the first of its paragraph, list entry or message.
    opens: bool = False
    #: The number of the list's part or of the message that it is in.
    section: int = 0
    #: It greets, thanks or makes a pleasantry.
    polite: bool = False


def said_sentences(text: str) -> list[Said]:
    """The sentences of a text in order, without what only frames them."""
    found: list[Said] = []
    speaker, section = "", 0
    lines = _paragraphs(text)
    framed = len(lines) > 1
    signed = False
    for number, line in enumerate(lines):
        sender = _PATTERNS["from"].match(line)
        if sender:
            speaker, section, signed = sender[1].strip(), section + 1, False
            continue
        if framed and _PATTERNS["frame"].match(line):
            continue
        if framed and _PATTERNS["signed_off"].match(line):
            signed = True
            continue
        if framed and signed and len(line.split()) <= 4:
            continue
        words = _PATTERNS["bullet"].sub("", line).strip()
        if framed and _is_heading(words, number, lines):
            section += 1
            continue
        named = _PATTERNS["speaker"].match(words)
        if named:
            speaker, words = named[1], words[named.end() :]
        for place, sentence in enumerate(split_sentences(words)):
            tidy = _without_fillers(sentence)
            if re.search(r"\w", tidy):
                polite = bool(_PATTERNS["pleasantry"].match(tidy)) and len(tidy.split()) < 12
                found.append(Said(tidy, speaker, place == 0, section, polite))
    return found


def _paragraphs(text: str) -> list[str]:
    """The lines of a text; those that were only wrapped joined again."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    joined = re.sub(r"(?<=[^\n.!?:,])\n(?=[a-z(\"'“])", " ", text)
    return [line.strip() for line in joined.split("\n") if re.search(r"\w", line)]


def _is_heading(words: str, number: int, lines: list[str]) -> bool:
    if len(words.split()) > _MOST_HEADING_WORDS or re.search(r"[.!?…;,][\"'”’)]*$", words):
        return False
    # The entries of a bare list are no headings: one is followed by something longer.
    follows = lines[number + 1] if number + 1 < len(lines) else ""
    return len(follows.split()) > len(words.split()) and not lines[number].startswith(
        ("-", "*", "•")
    )


def _without_fillers(sentence: str) -> str:
    """A spoken sentence without "um" and "you know"; others stay as they are."""
    plain = _PATTERNS["filler"].sub("", sentence)
    if not re.search(r"[.!?…]", sentence):
        plain = re.sub(r"^(?:okay|ok|so|and|but|well|right|now)\s+(?:so\s+|then\s+)?", "", plain)
        plain = re.sub(r"^(?:welcome(?: back)?|hello|hi)(?: \w+)? (?=today|this|i\b)", "", plain)
        plain = re.sub(r"\bi(?='|\b)", "I", plain)
    return plain.strip()
