"""Texts from outside made well-formed Unicode: the one place where that is done.

Half of a surrogate pair stands for no character and no encoding writes it, yet JSON's escapes, file
names that are no UTF-8 and the words of language models hold such halves. Kept as they are, every
answer that holds one fails. Whatever takes in a text calls this where it comes in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def well_formed(text: str) -> str:
    """A text that every encoding of Unicode can write: both halves of a pair become the character
    that they stand for, a lone half becomes U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def well_formed_value(value: Any) -> Any:
    """A value as JSON has it with all its texts well-formed, the names of fields too; what is
    neither a text nor holds any is the same object.

    Raises RecursionError where it is nested too deeply, as `json.loads` does.
    """
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, Mapping):
        return {well_formed_value(key): well_formed_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [well_formed_value(item) for item in value]
    if isinstance(value, tuple):
        return tuple(well_formed_value(item) for item in value)
    return value


def json_from_outside(text: str | bytes) -> Any:
    """What JSON that somebody else wrote holds, well-formed.

    Raises ValueError where it is no JSON, RecursionError where it is nested too deeply.
    """
    return well_formed_value(json.loads(text))


class WellFormedPieces:
    """Makes a text well-formed that comes in pieces, between any of which a pair may be split."""

    def __init__(self) -> None:
        self._held = ""

    def take(self, piece: str) -> str:
        """What can be said now that a piece has come; may be nothing."""
        text = self._held + piece
        self._held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return well_formed(text.removesuffix(self._held))

    def rest(self) -> str:
        """What is left when no piece comes any more."""
        return well_formed(self._held)
