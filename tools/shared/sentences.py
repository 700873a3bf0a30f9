"""Running text to sentences, also where a transcript has few marks or none; things told in one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .tables import patterns_beside

_PATTERNS = patterns_beside(__file__)
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s+|$)|\n+")
_NEXT = re.compile(r"\s*(\S?)")
#: A stretch of more words than this without a full stop is taken for a transcript without marks.
_LONGEST_SENTENCE = 60
_WORDS_IN_A_CUT = 22
_LONGEST_THOUGHT = 34
_OPEN_WORDS = frozenset(["because", "but", "so", "then", "and"])


def split_sentences(text: str) -> list[str]:
    """The sentences of a text in order, each with single spaces; the text's own words and marks.

    Where there are no full stops for more than sixty words, the text is cut where a new thought
    seems to begin, else every twenty-two words.
    """
    sentences: list[str] = []
    start = 0
    text = _unwrapped(text)
    for match in _END.finditer(text):
        sentence = text[start : match.end()].strip()
        follows = _NEXT.match(text, match.end())[1]  # type: ignore[index]
        # After '"Why?"' a small letter goes on with the sentence around the quotation.
        quoted = match[0][-1] in '"”’' and follows.islower()
        if quoted or (match[0].startswith(".") and _goes_on(sentence, follows)):
            continue
        sentences.extend(_cut(sentence))
        start = match.end()
    sentences.extend(_cut(text[start:].strip()))
    return [" ".join(sentence.split()) for sentence in sentences if re.search(r"\w", sentence)]


def _unwrapped(text: str) -> str:
    """Lines that were only wrapped joined again; blank lines, lists and headings end a line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"(?<=[^\n.!?:])\n(?=[a-z(\"'“])", " ", text)


def _goes_on(sentence: str, follows: str) -> bool:
    if follows and (follows.islower() or follows in ",;:"):
        return True
    if _PATTERNS["never_last"].search(sentence) and follows:
        return True
    return (
        bool(_PATTERNS["abbreviation"].search(sentence)) and bool(follows) and not follows.isupper()
    )


def _cut(sentence: str) -> list[str]:
    if len(sentence.split()) <= _LONGEST_SENTENCE:
        return [sentence]
    parts: list[str] = []
    for thought in _PATTERNS["new_thought"].split(sentence):
        room = _WORDS_IN_A_CUT - len(thought.split())
        if parts and (len(parts[-1].split()) <= room or parts[-1].split()[-1] in _OPEN_WORDS):
            parts[-1] += f" {thought}"
            continue
        words = thought.split()
        step = len(words) if len(words) <= _LONGEST_THOUGHT else _WORDS_IN_A_CUT
        for start in range(0, len(words), step):
            parts.append(" ".join(words[start : start + step]))
    return parts


def listed(parts: Sequence[str]) -> str:
    """Things one after the other: ``"a, b and c"``; of one itself, of none nothing."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
