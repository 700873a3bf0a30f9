"""The values that an argument can have where its tool takes only some, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MOST_NAMED, _MOST_OF_ONE = 12, 40


def named(allowed: Sequence[Any]) -> str:
    """The first of some values, each cut short and without what cannot be seen, since a server has
    written them."""
    told = [_plain(value) for value in allowed[:_MOST_NAMED]]
    return ", ".join([*filter(None, told), *(["…"] if len(allowed) > _MOST_NAMED else [])])


def with_allowed(said: str, allowed: Sequence[Any]) -> str:
    """What is said of an argument, with the values that it can have."""
    words = named(allowed)
    return f"{said} One of: {words}.".strip() if words else said


def _plain(value: Any) -> str:
    # Spelt as it has to be given, so nothing is taken for a mark of text that is set.
    text = "".join(letter for letter in str(value)[:200] if letter.isprintable()).strip()
    return text if len(text) <= _MOST_OF_ONE else f"{text[: _MOST_OF_ONE - 1]}…"
