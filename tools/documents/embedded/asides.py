"""What people say beside a wish: whose table it is, what it is for, greetings and thanks."""

from __future__ import annotations

import re

from .asking import asked_of
from .reading import Sheet

#: What a sentence asks for or rules out begins with or holds one of these.
_ASKS = re.compile(
    r"(?<!\w)(?:how|what|which|who|whose|when|where|total|sum|averages?|mean|median|count|sort|order|"
    r"keep|only|filter|remove|delete|drop|without|except|exclude|but|not|no|don't|doesn't|never|"
    r"all|every|each|add|put|make|show|give|list|take|throw|leave|round|split|join|compare|fill|"
    r"rename|move|draw|chart|plot|if|unless|where|as|should|must|has to|have to|need|want)(?!\w)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^\s*(?:dear \w+|hi(?: there)?|hello(?: there)?|hey|good (?:morning|evening|day))\s*[,!.]\s*|"
    r"(?<!\w)(?:please|pls|plz|kindly|thank you(?: (?:so|very) much)?|thanks(?: a lot)?|cheers|thx|"
    r"sorry)(?!\w)[!.]?",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_LEAD = re.compile(r"^([^:.?!\n\"“]{3,60}):\s+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def without_asides(sheet: Sheet, words: str) -> str:
    """Words for a table without the sentences, brackets and openings that name nothing of it and
    ask nothing."""

    def is_aside(part: str) -> bool:
        return not _ASKS.search(part) and not asked_of(sheet, part).items

    words = _POLITE.sub(" ", words)
    words = _IN_BRACKETS.sub(lambda found: " " if is_aside(found[1]) else found[0], words)
    lead = _LEAD.match(words)
    if lead and is_aside(lead[1]):
        words = words[lead.end() :]
    kept = [part for part in _SENTENCE.split(words) if part.strip() and not is_aside(part)]
    return " ".join(" ".join(kept).split()) or words
