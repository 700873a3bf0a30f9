"""Two texts with the words marked that only the one has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape

from controlllm.ui.texts import say_html

#: A word, or a sign; what lies between belongs to what comes before.
_PIECE = re.compile(r"\w+(?:['’-]\w+)*\s*|[^\w\s]\s*|\s+")


@dataclass(frozen=True)
class Compared:
    """Both texts as HTML with what differs marked, and how many words that are in all."""

    left: str
    right: str
    words: int


def compared(left: str, right: str) -> Compared:
    """Two texts compared word by word."""
    mine, theirs = _PIECE.findall(left), _PIECE.findall(right)
    matcher = SequenceMatcher(None, _bare(mine), _bare(theirs), autojunk=False)
    shown: tuple[list[str], list[str]] = ([], [])
    words = 0
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        gone, come = "".join(mine[start:end]), "".join(theirs[other_start:other_end])
        if kind == "equal":
            shown[0].append(escape(gone))
            shown[1].append(escape(come))
            continue
        words += max(_words(mine[start:end]), _words(theirs[other_start:other_end]))
        shown[0].append(_marked("del", "compare.gone", gone))
        shown[1].append(_marked("ins", "compare.come", come))
    return Compared("".join(shown[0]), "".join(shown[1]), words)


def _marked(element: str, key: str, text: str) -> str:
    if not text:
        return ""
    said = f'<span class="for-screen-readers">{say_html(key)} </span>'
    inner = text.rstrip()
    return f"<{element}>{said}{escape(inner)}</{element}>{escape(text[len(inner) :])}"


def _bare(pieces: Sequence[str]) -> list[str]:
    return [piece.strip().casefold() for piece in pieces]


def _words(pieces: Sequence[str]) -> int:
    return sum(any(letter.isalnum() for letter in piece) for piece in pieces)
