"""What a small language model wrote, made presentable, and whether it kept to what was given.

A small model repeats itself, talks about itself, leaves gaps to fill in, and changes facts: the
first is cut, the others are reasons to refuse a draft.
"""

from __future__ import annotations

import re

from controlllm.models.encoder import encode

from ...shared.sentences import split_sentences
from ...shared.tables import patterns_beside

_PATTERNS = patterns_beside(__file__)
_LEAST_LIKENESS = 0.75
_SHORT_LINE = 24


def repeats_itself(text: str) -> bool:
    """Whether the last whole line or sentence of a text under way has been said before."""
    parts = [_plain(part) for part in re.split(r"(?<=[.!?])\s+|\n+", text)[:-1]]
    parts = [part for part in parts if part]
    if not parts:
        return False
    last = parts[-1]
    return len(last) >= _SHORT_LINE and last in parts[:-1]


def presentable(text: str, complete: bool) -> str:
    """The draft without a preamble, without what it says again, and with an end."""
    text = _PATTERNS["preamble"].sub("", text.strip(), count=1).strip()
    if len(text) > 2 and text[0] in '"“' and text[-1] in '"”' and text.count(text[0]) <= 2:
        text = text[1:-1].strip()
    seen: set[str] = set()
    kept: list[str] = []
    for line in text.split("\n"):
        pieces = []
        for piece in re.split(r"(?<=[.!?])(?<!\d\.)\s+", line):
            plain = _plain(piece)
            if len(plain) >= _SHORT_LINE and plain in seen:
                continue
            seen.add(plain)
            pieces.append(piece)
        if pieces or not line:
            kept.append(" ".join(pieces))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return text if complete else _to_last_end(text)


def _to_last_end(text: str) -> str:
    ends = list(re.finditer(r"[.!?…][\"'”’)*]*(?=\s|$)|,?(?=\n)", text))
    ends = [end for end in ends if not re.search(r"(?:^|\n)\s*\d{1,2}\.$", text[: end.end()])]
    if ends and ends[-1].end() > 0.4 * len(text):
        return text[: ends[-1].end()].strip().rstrip(",")
    return text.rstrip(" ,;:-") + "…" if text else text


def fault_of(text: str) -> str | None:
    """Why a draft cannot be given, in words, or None where it can."""
    if len(re.findall(r"\w", text)) < 2:
        return "it wrote nothing"
    if _PATTERNS["speaks_of_itself"].search(text):
        return "it wrote about itself instead"
    return None


def is_faithful(source: str, text: str) -> bool:
    """Whether a rewritten text still says what its source does, as far as can be seen.

    It must be near in meaning and bring in no number and no name of its own.
    """
    if fault_of(text) or _PATTERNS["gap"].search(text) or adds_facts(source, text):
        return False
    return likeness(source, text) >= _LEAST_LIKENESS


def adds_facts(source: str, text: str) -> bool:
    """Whether a text has numbers or names that its source has not."""
    return not (_numbers(text) <= _numbers(source) and _names(text) <= _all_words(source))


def likeness(source: str, text: str) -> float:
    """How near two texts are in meaning, up to 1."""
    vectors = encode([source, text])
    return float(vectors[0] @ vectors[1])


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in re.findall(r"\d[\d,.]*\d|\d", text)}


def _names(text: str) -> set[str]:
    names: set[str] = set()
    for sentence in split_sentences(text):
        words = re.findall(r"[A-Za-z][\w'’-]*", sentence)
        names |= {word.lower().removesuffix("'s") for word in words[1:] if word[0].isupper()}
    return {name for name in names if name not in ("i", "i'm", "i'd", "i'll", "i've")}


def _all_words(text: str) -> set[str]:
    return {word.lower().removesuffix("'s") for word in re.findall(r"[A-Za-z][\w'’-]*", text)}


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.lower()))
