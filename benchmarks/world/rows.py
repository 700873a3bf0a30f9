"""Asking tables: which rows fulfil what an API declares, and what it gives of them.

A condition is ``"columns operator value"``. Columns may be several, ``"name|also"``, and lead along
ids, ``"cinema.city"``; the value is the name of an argument or a literal in quotes. A condition on
an argument that was left out holds. Operators:

- ``=`` the same, but for case and accents; ``<=`` and ``>=`` of numbers and dates
- ``~`` the name of, in other words or with a typo; only the rows that it fits best are kept
- ``has`` holds all words of; ``in`` is one of the words of; ``near`` within a third of a degree
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.world.facts import Row, Tables, plain

#: How alike two names have to be that differ by a typo (`difflib`'s ratio).
_ALIKE = 0.82
_CONDITION = re.compile(r"(?P<columns>\S+) (?P<operator>=|~|<=|>=|has|in|near) (?P<value>.+)")


def fulfilling(
    tables: Tables, table: str, conditions: Sequence[str], given: Mapping[str, Any]
) -> list[Row]:
    """The rows of a table that fulfil all conditions, in the table's order."""
    found = list(tables[table].rows)
    for condition in conditions:
        told = _CONDITION.fullmatch(condition)
        if told is None:
            raise ValueError(f"{condition!r} is no condition.")
        value = _literal_or_given(told["value"], given)
        if value is None:
            continue
        columns, fits = told["columns"].split("|"), _FITS[told["operator"]]
        scores = [
            max(fits(tables.value(table, row, column), value) for column in columns)
            for row in found
        ]
        best = max(scores, default=0.0) if told["operator"] == "~" else 0.0
        found = [row for row, score in zip(found, scores, strict=True) if score and score >= best]
    return found


def ordered(tables: Tables, table: str, rows: list[Row], order: str) -> list[Row]:
    """Rows by a column; the largest first where it has a minus sign before it."""
    if not order:
        return rows
    column = order.lstrip("-")
    return sorted(
        rows, key=lambda row: tables.value(table, row, column), reverse=order.startswith("-")
    )


def given_of(tables: Tables, table: str, row: Row, columns: Sequence[str]) -> dict[str, Any]:
    """What is given of a row; ``"high as daily.max"`` lies under ``max`` under ``daily``."""
    answer: dict[str, Any] = {}
    for told in columns:
        path, _, name = told.partition(" as ")
        place = answer
        *around, last = (name or path).split(".")
        for key in around:
            place = place.setdefault(key, {})
        place[last] = tables.value(table, row, path)
    return answer


def likeness(known: Any, asked: Any) -> float:
    """How well what is asked names what is known: 0 not at all, 1 or more where it may be meant."""
    name, words = plain(known or ""), plain(asked)
    if not name or not words:
        return 0.0
    if name == words:
        return 4.0
    in_name, in_words = _words(name), _words(words)
    if in_words and in_words <= in_name:
        return 3.0
    if in_name and in_name <= in_words:
        return 2.0
    # A typo is one in the whole name or in one of its words.
    alike = max(
        difflib.SequenceMatcher(None, words, other).ratio()
        for other in (name, *(word for word in in_name if len(word) > 3))
    )
    return 1.0 + alike / 2 if alike >= _ALIKE else 0.0


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w+&-]+", text)) - {"the", "a", "of", "by", "and"}


def _literal_or_given(told: str, given: Mapping[str, Any]) -> Any:
    if told.startswith("'"):
        return told.strip("'")
    return given.get(told)


def _same(known: Any, value: Any) -> float:
    return float(known is not None and plain(known) == plain(value))


def _has(known: Any, value: Any) -> float:
    text = plain(known or "")
    return float(all(word.rstrip("s") in text for word in plain(value).split()))


def _compared(known: Any, value: Any) -> float:
    """-1, 0 or 1: `known` is less than, equal to or more than `value`."""
    if isinstance(known, str):
        return float((known > str(value)) - (known < str(value)))
    return float((known > float(value)) - (known < float(value)))


_FITS: Mapping[str, Callable[[Any, Any], float]] = {
    "=": _same,
    "~": likeness,
    "has": _has,
    "in": lambda known, value: float(plain(known) in plain(value).split()),
    "<=": lambda known, value: float(known is not None and _compared(known, value) <= 0),
    ">=": lambda known, value: float(known is not None and _compared(known, value) >= 0),
    "near": lambda known, value: float(abs(known - float(value)) <= 1 / 3),
}
