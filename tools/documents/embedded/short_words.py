"""What people write short, or in words of their own, as the reading of tables knows it."""

from __future__ import annotations

import re

from .cells import MONTHS

_MONTH_NAMES = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
#: What people write short, and what it is in full.
_SHORT = [
    (re.compile(short, re.IGNORECASE), full)
    for short, full in (
        (r"(?<!\w)w/o(?!\w)", "without"), (r"(?<!\w)w/(?= ?\w)", "with "),
        (r"\bper cent\b", "percent"),
        (r"\b(do|did|does|is|was|are|were|have|has|had|would)nt\b", r"\1n't"),
        (r"\blook(?:s|ed|ing)? after\b", "has"),
        (r"\b(?:over|for|in|during|across|throughout) (?:the |our |my )?(?:whole|entire|complete|"
         r"full) (?:week|month|year|day|period|term|season|time)\b", " "),
        # "Between 1 and 10 February" is between two days of one month.
        (r"\b(\d{1,2}(?:st|nd|rd|th)?) (and|to|until|till) "
         rf"(?=\d{{1,2}}(?:st|nd|rd|th)? (?:of )?({_MONTH_NAMES})\b)", r"\1 \3 \2 "),
        (r"\bthats\b", "that's"),
        (r"\bwhats\b", "what's"), (r"\bwhos\b", "who's"),
        (rf"\b({_MONTH_NAMES}) ?[-–—] ?(?=(?:{_MONTH_NAMES})\b)", r"\1 to "),
    )
]  # fmt: skip
_TOOK_IN = re.compile(r"\b(?:took|take|takes|taken|got|came|comes?) in\b", re.IGNORECASE)


def in_full(text: str, has_income: bool = False) -> str:
    """The words with what people write short written in full; of a table with an income, what
    somebody took in is that."""
    for pattern, full in _SHORT:
        text = pattern.sub(full, text)
    return _TOOK_IN.sub("income", text) if has_income else text
