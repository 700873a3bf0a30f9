"""Where a text names dates, sums of money and numbers, found by the forms of the table beside."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...shared.tables import filled, table_beside
from ...shared.written_dates import dates_in

_TABLE = table_beside(__file__)
_MONEY, _DATE, _NUMBER, _RANGE, _ADDRESS = (
    re.compile(filled(_TABLE[name], _TABLE["parts"]))
    for name in ("money", "date", "number", "range", "address")
)


@dataclass(frozen=True)
class Found:
    """A part of a text from `start` to `end` and what it is."""

    start: int
    end: int
    kind: str


def amounts_and_dates(text: str) -> list[Found]:
    """The dates, sums of money and numbers of a text, in order, none within another."""
    taken = [(match.start(), match.end()) for match in _ADDRESS.finditer(text)]
    found: list[Found] = []
    for kind, pattern in (
        ("money", _MONEY),
        ("date", _DATE),
        ("number", _RANGE),
        ("number", _NUMBER),
    ):
        for match in pattern.finditer(text):
            start, end = match.span()
            if kind == "number" and _is_none(match[0], text, start, end):
                continue
            if all(end <= begun or start >= ended for begun, ended in taken):
                taken.append((start, end))
                found.append(Found(start, end, kind))
    return sorted(_with_written(text, found), key=lambda item: item.start)


def _with_written(text: str, found: list[Found]) -> list[Found]:
    """Those found with the dates that are only written elsewhere so, such as 5. März 2024."""
    addresses = [match.span() for match in _ADDRESS.finditer(text)]
    for written in dates_in(text):
        start, end = written.start, written.start + len(written.said)
        if any(begun < end and start < ended for begun, ended in addresses):
            continue
        meet = [item for item in found if item.start < end and start < item.end]
        if any(item.start <= start and end <= item.end for item in meet):
            continue
        whole = (
            min([start, *(item.start for item in meet)]),
            max([end, *(item.end for item in meet)]),
        )
        found = [*(item for item in found if item not in meet), Found(*whole, "date")]
    return found


def _is_none(words: str, text: str, start: int, end: int) -> bool:
    """Whether a number only names or orders something: "page 4", "four-legged", "hundreds"."""
    if re.fullmatch(r"(?:hundred|thousand|million|billion|trillion|dozen)s?", words, re.IGNORECASE):
        return not re.search(r"\b(?:an?|one|several|many|some|few)\s$", text[:start])
    if re.fullmatch(r"\d{1,2}:[0-5]\d", words):
        return True
    before = text[max(start - 14, 0) : start]
    if re.search(r"\b(?:[a-z]+[A-Z]\w*|Windows|Apollo|Boeing|Airbus|Article|Covid)[\s-]$", before):
        return True
    if re.search(
        r"(?:\b(?:page|chapter|no|nos|figure|table|line|room|gate|platform|version|step)\b\.?)\s$",
        before,
        re.IGNORECASE,
    ):
        return True
    return bool(re.match(r"-[a-z]", text[end:])) and not words[-1].isdigit()
