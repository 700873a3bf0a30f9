"""Which of addresses, numbers, links, amounts and dates are asked for, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.values import Kind
from controlllm.values.kinds import Found

_KINDS: tuple[tuple[str, str], ...] = (
    ("emails", r"e-?mails?(?: addresses)?|mail ?addresses|mail ?address|mails"),
    (
        "phones",
        r"(?:tele)?phones?(?: ?n(?:umbers?|os?\b))?|tel(?:ephone)? ?n(?:umbers?|os?\b)|"
        r"mobiles?(?: numbers?)?|numbers? (?:to (?:call|ring)|of)|cell ?numbers?|(?:call|ring|"
        r"phone)"
        r"(?= (?:him|her|them|me|us)\b)",
    ),
    ("links", r"links?|urls?|web ?sites?|web ?(?:address(?:es)?|pages?)"),
    (
        "amounts",
        r"amounts?|money|sums?(?: of money)?|prices?|costs?|fees?|euros?|dollars?|pounds?|salar\w+",
    ),
    ("dates", r"dates?|days?|deadlines?|birthdays?|appointments?"),
)
_ASKED = tuple((kind, re.compile(rf"(?<!\w)(?:{words})(?!\w)")) for kind, words in _KINDS)
#: What is looked through, and not for: "in this e-mail thread", "from the price list".
_WITHIN = re.compile(
    r"\b(?:in|from|of|out of|off|through|within) (?:(?:the|this|that|these|those|my|our|his|her|"
    r"your|"
    r"an?|all) )+(?:[\w-]+ ){0,2}?[\w-]+(?: (?:threads?|mails?|messages?|lists?|texts?|files?|"
    r"sheets?|books?|documents?|chains?|conversations?))?(?=\W|$)"
)


def _found(words: str) -> Iterator[Found]:
    """All kinds that the words ask for, in one value."""
    within = _WITHIN.search(words)
    for asked in (_WITHIN.sub(" ", words), words) if within else (words,):
        kinds = [kind for kind, pattern in _ASKED if pattern.search(asked)]
        if kinds:
            yield Found(",".join(kinds), 0, 0)
            return


KINDS = Kind(
    "what to look for, such as emails or phones,links",
    _found,
    rf"(?:{'|'.join(kind for kind, _ in _KINDS)})(?:,(?:{'|'.join(kind for kind, _ in _KINDS)}))*",
)
