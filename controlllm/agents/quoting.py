"""Whether words really stand in a text, and which parts of a long text are worth reading."""

from __future__ import annotations

import re

#: A quotation shorter than this has to be whole words, since it stands in some word by accident.
_SHORT = 4
#: How long the parts of a long text are that are read or left out, in characters.
_PART = 400
#: Words of a question shorter than this are in every text.
_LEAST_LETTERS = 3


def stands_in(quotation: str, text: str) -> bool:
    """Whether a quotation stands in a text, word for word but for white space and quotation marks.
    One that was cut stands there if its beginning does."""
    wanted, whole = _plain(quotation.removesuffix("…")), _plain(text)
    if not any(character.isalnum() for character in wanted):
        return False
    if len(wanted) >= _SHORT:
        return wanted in whole
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", whole) is not None


def _plain(text: str) -> str:
    # JSON in a JSON string has its marks escaped, and who quotes it may leave that out.
    return " ".join(re.sub(r"[\\\"'`“”„]", "", text).split())


def excerpt(text: str, question: str, most: int) -> str:
    """At most about `most` characters of a text: its beginning, its end, and the parts that hold
    most of the question's words, in order. What is left out is marked."""
    if len(text) <= most:
        return text
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    words = {word for word in re.findall(r"\w+", question.lower()) if len(word) >= _LEAST_LETTERS}
    room = max(most // _PART, 3)
    found = [sum(word in part.lower() for word in words) for part in parts]
    chosen = {0, 1, len(parts) - 1}
    for place in sorted(range(len(parts)), key=lambda place: (-found[place], place)):
        if len(chosen) >= room or not found[place] and any(found):
            break
        # With what comes next, since what is said there may begin here.
        chosen |= {place, min(place + 1, len(parts) - 1)}
    read: list[str] = []
    last = -1
    for place in sorted(chosen):
        if place > last + 1:
            left_out = sum(map(len, parts[last + 1 : place]))
            read.append(f" […{left_out} characters left out…] ")
        read.append(parts[place])
        last = place
    return "".join(read)
